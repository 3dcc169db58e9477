//! J2: large rotations of thin elastic sheets (Sze, Liu and Lo 2004), one layer of solid-shells.
//!
//! | test | data | reference |
//! | --- | --- | --- |
//! | cantilever | L 10, b 1, t 0.1, E 1.2e6, ν 0, shear force 4 at its end | tip moves by 3.286 back and 6.698 up |
//! | roll-up | the same with L 12, moment 50π/3 at its end: κ = M/EI = 2π/L | the end meets the beginning: a full circle |
//! | slit annulus | radii 6 and 10, t 0.03, E 21e6, ν 0, one side clamped, 0.8 per length lifts the other | 13.891 inside, 17.528 outside |
//!
//! Published values have four digits, on 16 × 1, 25 × 1 and 10 × 80 shell elements. A cell of a solid-shell is straight between its ends: what it misses of a
//! large turn falls with the square of its size (roll-up: 5.4, 1.2 and 0.4 % with 12, 25 and 50 cells; annulus 3 % on 6 × 30). Here 16, 50 and 10 × 80: 1 %.
//! The moment is a pair of forces on the two faces that turns with the end.

use super::shells::{Sheet, patch};
use super::{Findings, Size};
use cairn_fem::Vect;
use cairn_fem::generate::ring;
use cairn_fem::section::Kinematics;
use std::f64::consts::{PI, TAU};

const YOUNG: f64 = 1.2e6;

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let [back, up] = cantilever()?;
    findings.relative("cantilever: way back of its tip", "-", back, 3.286, 0.01);
    findings.relative("cantilever: way up of its tip", "-", up, 6.698, 0.01);
    let [apart, turned] = roll_up()?;
    findings.at_most("roll-up: distance of end and beginning over the length", "-", apart / 12.0, 0.01);
    findings.relative("roll-up: angle that the end has turned by", "2π", turned / TAU, 1.0, 0.01);
    if size == Size::Full {
        let [inside, outside] = annulus()?;
        findings.relative("slit annulus: rise inside", "-", inside, 13.891, 0.01);
        findings.relative("slit annulus: rise outside", "-", outside, 17.528, 0.01);
    }
    Ok(())
}

/// A strip along x, clamped at x = 0.
fn strip(length: f64, cells: usize) -> miette::Result<Sheet> {
    let mesh = patch([0.0, length], [0.0, 1.0], 0.1, [cells, 1], &|x| x);
    let mut sheet = Sheet::new(mesh, YOUNG, 0.0, Kinematics::Finite)?;
    sheet.hold(&sheet.nodes("left"), &[0, 1, 2]);
    Ok(sheet)
}

fn cantilever() -> miette::Result<[f64; 2]> {
    let mut sheet = strip(10.0, 16)?;
    let end = sheet.nodes("right");
    sheet.pull(&end, 2, 4.0);
    let mut u = vec![0.0; sheet.body.dofs()];
    for step in 1..=10 {
        sheet.settle(f64::from(step) / 10.0, |_, _| {}, &mut u)?;
    }
    Ok([-sheet.moved(&u, &end, 0), sheet.moved(&u, &end, 2)])
}

/// Distance of the ends, and the angle by which the last cell has turned, through all steps.
fn roll_up() -> miette::Result<[f64; 2]> {
    let sheet = strip(12.0, 50)?;
    let moment = 50.0 * PI / 3.0;
    let end = sheet.nodes("right");
    let (below, above): (Vec<usize>, Vec<usize>) = end.iter().partition(|&&n| sheet.body.mesh().nodes[n][2] < 0.0);
    let at = |u: &[f64], n: usize| sheet.body.mesh().nodes[n] + Vect::from_column_slice(&u[3 * n..3 * n + 3]);
    // Across the end, from its lower to its upper face.
    let across = |u: &[f64]| at(u, above[0]) - at(u, below[0]);
    let (mut u, mut turned, mut last) = (vec![0.0; sheet.body.dofs()], 0.0, 0.0);
    let steps = 40;
    for step in 1..=steps {
        let share = f64::from(step) / f64::from(steps);
        let pair = |u: &[f64], right: &mut [f64]| {
            let arm = across(u);
            // Along the sheet, so that the moment about y is −M, which turns the end up.
            let along = Vect::from([arm[2], 0.0, -arm[0]]) / arm.norm_squared();
            for (nodes, sign) in [(&below, 1.0), (&above, -1.0)] {
                for &n in nodes {
                    let force = along * (sign * share * moment / nodes.len() as f64);
                    (0..3).for_each(|c| right[3 * n + c] += force[c]);
                }
            }
        };
        sheet.settle(0.0, pair, &mut u)?;
        let arm = across(&u);
        let angle = (-arm[0]).atan2(arm[2]);
        turned += (angle - last + 3.0 * PI).rem_euclid(TAU) - PI;
        last = angle;
    }
    let start = sheet.nodes("left");
    let middle = |nodes: &[usize]| nodes.iter().map(|&n| at(&u, n)).sum::<Vect<3>>() / nodes.len() as f64;
    Ok([(middle(&end) - middle(&start)).norm(), turned])
}

/// Rise of the free side, inside and outside.
fn annulus() -> miette::Result<[f64; 2]> {
    let mesh = ring([6.0, 10.0], [0.0, TAU - 1e-6], 0.03, [10, 80, 1]);
    let mut sheet = Sheet::new(mesh, 21e6, 0.0, Kinematics::Finite)?;
    sheet.hold(&sheet.nodes("end"), &[0, 1, 2]);
    let free = sheet.nodes("start");
    let [inner, outer] = ["inner", "outer"].map(|rim| {
        let rim = sheet.nodes(rim);
        free.iter().copied().filter(|n| rim.contains(n)).collect::<Vec<_>>()
    });
    for &n in &free {
        let share = if inner.contains(&n) || outer.contains(&n) { 0.5 } else { 1.0 };
        sheet.load[3 * n + 2] = 0.8 * 4.0 * share / 20.0;
    }
    let mut u = vec![0.0; sheet.body.dofs()];
    let steps = 40;
    for step in 1..=steps {
        sheet.settle((f64::from(step) / f64::from(steps)).powi(2), |_, _| {}, &mut u)?;
    }
    Ok([sheet.moved(&u, &inner, 2), sheet.moved(&u, &outer, 2)])
}
