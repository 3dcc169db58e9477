//! J4: wrinkling of an annular flange that is drawn inwards (elastic, its inner edge clamped), one layer of solid-shells.
//!
//! Lamé's stress, σ_a at the inner edge r = a, free at r = b, is tension along r and compression around:
//!
//! ```text
//!   σ_r = σ_a (b²/r² − 1)/(b²/a² − 1),     σ_θ = −σ_a (b²/r² + 1)/(b²/a² − 1)
//! ```
//!
//! | b/a | load σ_a t b²/D | waves |
//! | --- | --- | --- |
//! | 2 | 51.594 | 4 |
//! | 1.5 | 56.55 | 6 |
//!
//! Up to the wrinkles the stress is that of the flat sheet, and the tangent K(σ) is K(0) + σ K′, with K′ from the difference of two loads. The least σ for
//! which it is singular comes from x ← K(σ_s)⁻¹ K(0) x at a load σ_s under which the flat sheet is still stable, which its factor shows: x becomes the mode of
//! the least load, and K(0) x = x/(1 − σ_s/σ) K(σ_s) x there gives it. In the mode the inner edge does not move at all: only across the sheet, and turning, would matter.

use super::shells::Sheet;
use super::{Findings, Size};
use cairn_fem::generate::ring;
use cairn_fem::section::Kinematics;
use cairn_sparse::{Analysis, Factor, Method, Ordering, Symmetric};
use miette::{IntoDiagnostic, ensure};
use std::f64::consts::TAU;

const OUTER: f64 = 2.0;
/// So thin that what the stress strains the sheet by does not count: 1e-4 at the wrinkles.
const THICKNESS: f64 = 0.01;
const YOUNG: f64 = 1e9;
const POISSON: f64 = 0.3;
/// The load K(σ_s) as a part of the reference.
const SHIFT: f64 = 0.9;
const ITERATIONS: usize = 60;

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    for (ratio, reference, waves, cells) in [(2.0, 51.594, 4, [10, 64]), (1.5, 56.55, 6, [6, 96])] {
        let cells = if size == Size::Full { cells.map(|c| 3 * c / 2) } else { cells };
        let (load, found) = wrinkles(OUTER / ratio, reference, cells)?;
        findings.relative(&format!("b/a = {ratio}: load of wrinkles"), "D/(t b²)", load, reference, 0.01);
        findings.holds(&format!("b/a = {ratio}: {waves} waves, found {found}"), found == waves);
    }
    Ok(())
}

/// The least load in D/(t b²), and the waves of its mode.
fn wrinkles(inner: f64, reference: f64, [across, around]: [usize; 2]) -> miette::Result<(f64, usize)> {
    let mesh = ring([inner, OUTER], [0.0, TAU], THICKNESS, [across, around, 1]);
    let unit = YOUNG * THICKNESS.powi(2) / (12.0 * (1.0 - POISSON * POISSON) * OUTER * OUTER);
    let (sheet, edge) = flange(mesh.clone(), unit * THICKNESS * TAU * inner / around as f64)?;
    let mut u = vec![0.0; sheet.body.dofs()];
    sheet.settle(SHIFT * reference, |_, _| {}, &mut u)?;

    let pattern = sheet.body.pattern();
    let [mut flat, mut loaded] = [(); 2].map(|()| Symmetric::zero(pattern));
    let mut force = vec![0.0; u.len()];
    sheet.body.force_and_tangent(&vec![0.0; u.len()], &mut force, &mut flat);
    sheet.body.force_and_tangent(&u, &mut force, &mut loaded);
    let held: Vec<bool> = (0..u.len()).map(|i| edge.contains(&(i / 3))).collect();
    flat.fix(&held);
    loaded.fix(&held);
    let factor =
        Factor::new(&Analysis::new(pattern, Ordering::Automatic).into_diagnostic()?, &loaded).into_diagnostic()?;
    ensure!(factor.method() == Method::Cholesky, "the flange has wrinkled before {SHIFT} of its load");

    // Every number of waves is in the start.
    let mut x: Vec<f64> = (0..u.len()).map(|i| if held[i] { 0.0 } else { (i as f64).sin() }).collect();
    let mut load = 0.0;
    for _ in 0..ITERATIONS {
        let mut y = vec![0.0; x.len()];
        flat.multiply(&x, &mut y);
        let mut next = y.clone();
        factor.solve(&mut next);
        // x·K(0) x over x·K(σ_s) x.
        let mut by_load = vec![0.0; x.len()];
        loaded.multiply(&next, &mut by_load);
        flat.multiply(&next, &mut y);
        let growth = dot(&next, &y) / dot(&next, &by_load);
        load = SHIFT * reference / (1.0 - 1.0 / growth);
        let size = dot(&next, &next).sqrt();
        x = next.iter().map(|v| v / size).collect();
    }
    let rim = sheet.nodes("outer");
    Ok((load, waves(&mesh.nodes.iter().map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>(), &rim, &x)))
}

/// The ring, drawn inwards at the nodes of its inner edge by a force for each cell; and these nodes.
fn flange(mesh: cairn_fem::mesh::Mesh<3>, force: f64) -> miette::Result<(Sheet, Vec<usize>)> {
    let mut sheet = Sheet::new(mesh, YOUNG, POISSON, Kinematics::Finite)?;
    let edge = sheet.nodes("inner");
    let places: Vec<_> = sheet.body.mesh().nodes.clone();
    for &n in &edge {
        let radius = places[n][0].hypot(places[n][1]);
        (0..2).for_each(|c| sheet.load[3 * n + c] = -0.5 * force * places[n][c] / radius);
    }
    sheet.hold(&edge, &[2]);
    for component in [0, 1] {
        let on_axis: Vec<usize> = (0..places.len()).filter(|&n| places[n][component].abs() < 1e-9).collect();
        sheet.hold(&on_axis, &[component]);
    }
    Ok((sheet, edge))
}

/// Waves of a mode around the rim: half of the changes of sign of w on its upper nodes.
fn waves(places: &[[f64; 3]], rim: &[usize], mode: &[f64]) -> usize {
    let mut upper: Vec<usize> = rim.iter().copied().filter(|&n| places[n][2] > 0.0).collect();
    upper.sort_by(|&a, &b| places[a][1].atan2(places[a][0]).total_cmp(&places[b][1].atan2(places[b][0])));
    let w = |k: usize| mode[3 * upper[k % upper.len()] + 2];
    (0..upper.len()).filter(|&k| w(k) * w(k + 1) < 0.0).count() / 2
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
