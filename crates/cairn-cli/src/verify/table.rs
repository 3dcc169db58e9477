//! The table that `cairn verify` prints.

use super::{Case, Check};

/// Heading and rows of one case.
pub fn rows(case: &Case, checks: &[Check]) -> String {
    let seconds = checks.last().map_or(0.0, |c| c.seconds);
    let mut text = format!("\n{}  {}  ({seconds:.1} s)\n", case.id, case.title);
    for c in checks {
        text += &format!(
            "  {:<4} {:<58} {:>13} {:>13} {:>9} {:>9}  {}\n",
            if c.pass { "ok" } else { "FAIL" },
            c.quantity,
            number(c.computed),
            number(c.reference),
            format!("{:.1e}", c.error),
            format!("{:.1e}", c.tolerance),
            c.unit,
        );
    }
    text
}

/// Six significant digits, plain where that is readable.
fn number(x: f64) -> String {
    if x == 0.0 {
        "0".to_string()
    } else if (1e-3..1e6).contains(&x.abs()) {
        format!("{x:.6}")
    } else {
        format!("{x:.5e}")
    }
}
