//! Standard output that survives a closed pipe (`cairn verify | head`).

use std::io::Write;

/// Writes text to standard output; a reader that has gone away is not an error.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}
