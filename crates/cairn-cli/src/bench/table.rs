//! The table that `cairn bench` prints.

use super::Measurement;

/// Column titles.
pub fn heading() -> String {
    format!(
        "{:<14} {:>8} {:>9} {:>7} {:>10} {:>10} {:>10} {:>12} {:>12} {:>9} {:>9} {:>7}\n",
        "name",
        "bodies",
        "contacts",
        "sweeps",
        "detect ms",
        "solve ms",
        "step ms",
        "ns/(con·it)",
        "rest µs/con",
        "residual",
        "change",
        "threads"
    )
}

/// One row, and the further figures below it.
pub fn row(m: &Measurement) -> String {
    let mut text = format!(
        "{:<14} {:>8} {:>9.0} {:>7.1} {:>10.3} {:>10.3} {:>10.3} {:>12.1} {:>12.2} {:>9.1e} {:>9.1e} {:>7}\n",
        m.name,
        m.bodies,
        m.contacts,
        m.sweeps,
        1e3 * m.seconds_detect,
        1e3 * m.seconds_solve,
        1e3 * m.seconds_total,
        m.ns_per_contact_iteration,
        m.us_outside_sweeps_per_contact,
        m.residual,
        m.change,
        m.threads
    );
    for (name, value, unit) in &m.extra {
        text += &format!("{:<14}   {name}: {value:.4} {unit}\n", "");
    }
    text
}
