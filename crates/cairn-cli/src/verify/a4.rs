//! A4: bodies that spin freely.
//!
//! *Tri-axial*, J₁ < J₂ < J₃, spun about the middle axis 2 with a small disturbance: the angular momentum L is constant,
//! and in body axes it follows Euler's equations, whose solution is elliptic. With 2E the (constant) L·ω, and axes 1 and 3
//! exchanged if L² < 2 E J₂, L₂ is periodic with T = 4 K(k)/ν,
//!
//!   ν² = (J₃ − J₂)(L² − 2 E J₁)/(J₁ J₂ J₃),     k² = (J₂ − J₁)(2 E J₃ − L²)/((J₃ − J₂)(L² − 2 E J₁)),
//!
//! so that the body turns over every T/2 (Dzhanibekov). K = π/(2 agm(1, √(1 − k²))).
//! The scheme keeps L to round-off (1e-12 allows for 10⁴ steps of it); the splitting of the rotation is symplectic and
//! of second order: the energy error is bounded, with no drift from the first half of the run to the second, and T is
//! reached with an error that falls fourfold when h is halved.
//!
//! *Symmetric*, J₁ = J₂: the axis e₃ goes round L at the rate L/J₁; the scheme turns it exactly whatever the step.

use super::scene::{body, run_to, solid};
use super::{Findings, Size};
use cairn::measure::spin_energy;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use miette::IntoDiagnostic;
use std::f64::consts::PI;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let coarse = book(findings, 2e-3)?;
    let fine = book(findings, 1e-3)?;
    findings.absolute("period error falls by, when h is halved", "-", coarse / fine, 4.0, 0.5);
    plate(findings)
}

fn momentum(simulation: &Simulation<3>, body: usize) -> Vect<3> {
    let motion = &simulation.state.motions[body];
    Space::<3>::momentum(&simulation.scene.bodies[body].moments, &motion.place.turn, &motion.spin)
}

/// The tri-axial body; returns the relative error of the flips' interval.
fn book(findings: &mut Findings, h: f64) -> miette::Result<f64> {
    let mut simulation = solid("spinning-top", &[("time.step", h.to_string())])?;
    let book = body(&simulation, "book")?;
    let description = simulation.scene.bodies[book].clone();
    let start = momentum(&simulation, book);
    let energy = spin_energy(&description, &simulation.state.motions[book]);
    let interval = 0.5 * period(description.moments.as_slice(), start.norm_squared(), 2.0 * energy);
    let middle = middle_axis(description.moments.as_slice());
    let (mut flips, mut worst) = (Vec::new(), [0.0f64; 2]);
    let mut before = 0.0;
    let end = 10.0;
    while simulation.state.time < end {
        simulation.step().into_diagnostic()?;
        let motion = &simulation.state.motions[book];
        let along = Space::<3>::unrotate(&motion.place.turn, &start)[middle];
        if before * along < 0.0 {
            flips.push(simulation.state.time - h * along / (along - before));
        }
        before = along;
        let half = usize::from(simulation.state.time > end / 2.0);
        worst[half] = worst[half].max((spin_energy(&description, motion) / energy - 1.0).abs());
    }
    let run = format!("book, h = {h}");
    let lost = (momentum(&simulation, book) - start).norm() / start.norm();
    findings.at_most(&format!("{run}: change of the angular momentum"), "-", lost, 1e-12);
    findings.at_most(&format!("{run}: largest energy error"), "-", worst[0].max(worst[1]), 1e-3);
    findings.relative(&format!("{run}: energy error, second half / first"), "-", worst[1] / worst[0], 1.0, 0.05);
    findings.holds(&format!("{run}: it turns over and back"), flips.len() >= 3);
    let measured = (flips.last().unwrap_or(&0.0) - flips.first().unwrap_or(&0.0)) / (flips.len().max(2) - 1) as f64;
    findings.relative(&format!("{run}: time between two flips"), "s", measured, interval, 1e-3);
    findings.sound(&run, &simulation);
    Ok((measured / interval - 1.0).abs())
}

fn middle_axis(moments: &[f64]) -> usize {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| moments[a].total_cmp(&moments[b]));
    axes[1]
}

/// Period of L₂ in body axes from L² and 2E.
fn period(moments: &[f64], l2: f64, two_e: f64) -> f64 {
    let mut j = [moments[0], moments[1], moments[2]];
    j.sort_by(f64::total_cmp);
    if l2 < two_e * j[1] {
        j.reverse();
    }
    let [j1, j2, j3] = j;
    let rate = ((j3 - j2) * (l2 - two_e * j1) / (j1 * j2 * j3)).sqrt();
    let k2 = (j2 - j1) * (two_e * j3 - l2) / ((j3 - j2) * (l2 - two_e * j1));
    let (mut a, mut b) = (1.0, (1.0 - k2).sqrt());
    while f64::abs(a - b) > 1e-15 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    4.0 * PI / (2.0 * a) / rate
}

/// The symmetric body: direction of its axis after 10 s.
fn plate(findings: &mut Findings) -> miette::Result<()> {
    let mut simulation = solid("spinning-top", &[("time.step", "0.01".into())])?;
    let plate = body(&simulation, "plate")?;
    let moments = simulation.scene.bodies[plate].moments;
    let axis = (0..3).max_by(|&a, &b| moments[a].total_cmp(&moments[b])).unwrap_or(2);
    let along = |s: &Simulation<3>| Space::<3>::matrix(&s.state.motions[plate].place.turn).column(axis).into_owned();
    let (before, l) = (along(&simulation), momentum(&simulation, plate));
    run_to(&mut simulation, 10.0)?;
    let equal = moments[(axis + 1) % 3];
    let turn = Space::<3>::turn_by(&(l * (10.0 / equal)));
    let error = (along(&simulation) - Space::<3>::rotate(&turn, &before)).norm();
    findings.at_most("plate, h = 0.01: direction of its axis after 10 s", "rad", error, 1e-10);
    Ok(())
}
