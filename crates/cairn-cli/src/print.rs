//! Standard output that survives a closed pipe (`cairn verify | head`).

use std::io::Write;

/// Writes text to standard output; a reader that has gone away is not an error.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    // Names come from scenes, and scenes from anywhere: a terminal must not obey them.
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    let _ = match text.contains(obeyed) {
        true => stdout.write_all(text.replace(obeyed, "\u{fffd}").as_bytes()),
        false => stdout.write_all(text.as_bytes()),
    };
    let _ = stdout.flush();
}
