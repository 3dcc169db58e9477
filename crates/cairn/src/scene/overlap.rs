//! Do bodies overlap at the start? A small overlap is harmless, a deep one is a mistake in the scene.

use super::Scene;
use crate::contact::{Contact, Side};
use crate::space::{Ambient, Space};

/// Overlap, relative to the smaller of the two parts, from which it counts as a mistake.
const MISTAKE: f64 = 1e-3;
/// Overlap below which nothing is said: round-off of tables written with a few digits.
const HARMLESS: f64 = 1e-6;
/// Overlaps that are listed one by one.
const LISTED: usize = 10;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Overlaps {
    /// Deep ones: "bodies … overlap by …", the deepest first, then how many more.
    pub errors: Vec<String>,
    /// Shallow ones, or deep ones that are allowed, in one sentence (or none).
    pub warnings: Vec<String>,
}

/// Judges the contacts of the start.
pub fn overlaps<const D: usize>(scene: &Scene<D>, contacts: &[Contact<D>], allowed: bool) -> Overlaps
where
    Space<D>: Ambient<D>,
{
    let size = |part: u32| match scene.side_of_part(part) {
        Side::Rigid(p) => 2.0 * scene.parts[p].radius,
        Side::Deformable(k) => scene.flexibles[k].extent(),
    };
    let relative = |c: &Contact<D>| -c.touch.gap / size(c.key.candidate).min(size(c.key.antagonist));
    let mut deep: Vec<(f64, &Contact<D>)> =
        contacts.iter().map(|c| (relative(c), c)).filter(|(depth, _)| *depth > HARMLESS).collect();
    deep.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.key.cmp(&b.1.key)));
    // One line per pair of bodies, however many points they share.
    let mut seen = std::collections::BTreeSet::new();
    deep.retain(|(_, c)| seen.insert(c.bodies));
    let mistakes = if allowed { 0 } else { deep.iter().filter(|(depth, _)| *depth > MISTAKE).count() };
    let mut out = Overlaps::default();
    for (depth, contact) in deep.iter().take(mistakes.min(LISTED)) {
        let [a, b] = contact.bodies.map(|body| scene.body_name(body));
        let (overlap, percent) = (-contact.touch.gap, 100.0 * depth);
        out.errors
            .push(format!("`{a}` and `{b}` overlap by {overlap:.3e} m, {percent:.2} % of the smaller one's size"));
    }
    if mistakes > LISTED {
        out.errors.push(format!("and {} more pairs overlap", mistakes - LISTED));
    }
    if let (Some((depth, _)), 0) = (deep.first(), mistakes) {
        let pairs = if deep.len() == 1 {
            "1 pair of bodies overlaps".into()
        } else {
            format!("{} pairs of bodies overlap", deep.len())
        };
        out.warnings.push(format!("{pairs} at the start, by {:.2e} of the smaller one's size at most", depth));
    }
    out
}
