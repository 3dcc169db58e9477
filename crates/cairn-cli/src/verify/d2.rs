//! D2: masonry wall on settling ground (Acary and Jean).
//!
//! The wall of D1 with dry joints; after its weight, the right half of the ground goes down, by velocity cancelling. Once with rigid
//! blocks and once with meshed ones. Quick: 10 mm, four hexahedra a block; full: 50 mm, eight. Contact points of meshed blocks are
//! the Gauss points of their facets. With points in the middles of facets two blocks that overlap by half meet along one line,
//! which is a hinge; points at nodes go past the rim of the block below as soon as a head joint opens: with either a band of
//! blocks tilts where there should be a stair.
//!
//! Coulomb's friction leaves the final state open between bounds, and programs may differ in it; what must be so:
//! * equilibrium is found, and the ground carries the weight: forces and moment balance to the tolerance of the run, 10⁻³. (Meshed blocks are
//!   co-rotational: with small perturbations they would balance moments as placed, 2.9·10⁻³ W L off in full size.)
//! * a stair-step crack: blocks overlap by half of their length, so the crack that starts where the ground parts goes half a
//!   block to the right and one course up. In each bed joint of the lower half of the wall the widest opening is the stair's;
//! * arching: the standing half of the ground carries more than its half of the weight, and the thrust that goes with it
//!   pushes the two halves of the ground apart, with no more than friction allows.

use super::scene::{body, joints, solid};
use super::{Findings, Size};
use cairn::flexible::{Field, Flexible};
use cairn::measure::Joint;
use cairn::simulation::Simulation;
use miette::IntoDiagnostic;

/// 6 × 3 × 0.3 m³ of 2700 kg/m³ [N].
const WEIGHT: f64 = 6.0 * 3.0 * 0.3 * 2700.0 * 9.81;
const LENGTH: f64 = 6.0;
const COURSE: f64 = 0.25;
const HALF_BLOCK: f64 = 0.25;
/// Where the ground parts [m].
const STEP: f64 = 3.0;
/// Friction on the ground.
const FRICTION: f64 = 1.0;

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let settled = ("drive.0.displacement", "{ ramp = { to = -0.01, end = 0.8 } }".to_string());
    let of_rigid = [("stage.1.tolerance", "1e-3".to_string()), ("solver.tolerance", "1e-5".to_string())];
    let of_meshed = [("generate.0.deformable.cells", "[2, 1, 2]".to_string())];
    for (name, blocks, changes) in
        [("settlement", "rigid", &of_rigid[..]), ("settlement/scene-meshed", "meshed", &of_meshed)]
    {
        let changes = match size {
            Size::Full => vec![],
            Size::Quick => changes.iter().chain([&settled]).cloned().collect(),
        };
        settles(findings, blocks, solid(name, &changes)?)?;
    }
    Ok(())
}

fn settles(findings: &mut Findings, blocks: &str, mut wall: Simulation<3>) -> miette::Result<()> {
    let mut unbalanced = f64::NAN;
    while !wall.is_over() {
        unbalanced = wall.step().into_diagnostic()?.unbalanced_force;
    }
    let joints = joints(&wall);
    findings.at_most(&format!("{blocks}: out-of-balance force / weight at the end"), "-", unbalanced, 1e-3);
    balances(findings, blocks, &wall, &joints)?;
    follows_the_stair(findings, blocks, &joints);
    findings.sound(blocks, &wall);
    Ok(())
}

/// Forces on the two halves of the ground against the weight; the arch between them.
fn balances(findings: &mut Findings, blocks: &str, wall: &Simulation<3>, joints: &[Joint<3>]) -> miette::Result<()> {
    let halves = [body(wall, "standing")? as u32, body(wall, "settling")? as u32];
    let [standing, settling] = halves.map(|half| wall.resultant(&[half]));
    let total = standing + settling;
    findings.absolute(
        &format!("{blocks}: vertical resultant on the ground / weight"),
        "-",
        -total.z / WEIGHT,
        1.0,
        1e-3,
    );
    findings.at_most(&format!("{blocks}: horizontal resultant / weight"), "-", total.x.hypot(total.y) / WEIGHT, 1e-3);
    // About the y axis: forces on the ground at their points of application, weights at the centres.
    let on_ground = joints.iter().filter(|j| halves.contains(&j.bodies[0]) && !halves.contains(&j.bodies[1]));
    let moment = |j: &Joint<3>| j.application.map_or(0.0, |p| p.x * j.force.z - p.z * j.force.x);
    let carried: f64 = on_ground.map(moment).sum();
    let loaded = -9.81 * first_moment(wall);
    findings.at_most(
        &format!("{blocks}: moment on the ground against that of the weights / (W L)"),
        "-",
        (carried - loaded).abs() / (WEIGHT * LENGTH),
        1e-3,
    );
    let share = -standing.z / WEIGHT;
    findings.holds(&format!("{blocks}: the standing half carries {share:.3} of the weight"), share > 0.6);
    let thrust = -standing.x / WEIGHT;
    let quantity = format!("{blocks}: a thrust of {thrust:.3} W pushes the halves apart, within friction");
    findings.holds(&quantity, thrust > 0.01 && settling.x <= FRICTION * -settling.z * (1.0 + 1e-3));
    Ok(())
}

/// Σ m x of rigid and meshed blocks [kg·m].
fn first_moment(wall: &Simulation<3>) -> f64 {
    let Simulation { scene, state, .. } = wall;
    let rigid = scene.bodies.iter().zip(&state.motions).filter(|(body, _)| body.mass.is_finite());
    let meshed = scene.flexibles.iter().zip(&state.fields);
    let of_mesh = |(body, field): (&Flexible<3>, &Field)| -> f64 {
        body.positions(&field.displacement).iter().zip(&body.model.lumped).map(|(x, m)| m * x.x).sum()
    };
    rigid.map(|(body, motion)| body.mass * motion.place.centre.x).sum::<f64>() + meshed.map(of_mesh).sum::<f64>()
}

/// In the bed joints of the lower half of the wall the widest opening is the step of the stair.
fn follows_the_stair(findings: &mut Findings, blocks: &str, joints: &[Joint<3>]) {
    let beds: Vec<&Joint<3>> = joints.iter().filter(|j| j.normal.z.abs() > 0.5).collect();
    let mut steps = Vec::new();
    for bed in 1..=6 {
        let height = f64::from(bed) * COURSE;
        let at_height = beds.iter().filter(|j| (j.centre().z - height).abs() < 0.4 * COURSE);
        let Some(widest) = at_height.max_by(|a, b| a.opening.total_cmp(&b.opening)) else { continue };
        let on_stair = STEP + (f64::from(bed) - 0.5) * HALF_BLOCK;
        steps.push(((widest.centre().x - on_stair).abs() < 0.5 * HALF_BLOCK, widest.opening));
    }
    let least = steps.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
    let found = steps.iter().filter(|s| s.0).count();
    let quantity =
        format!("{blocks}: widest openings on the stair, bed joints 1 to 6 (at least {:.1} mm)", 1e3 * least);
    findings.absolute(&quantity, "joints", found as f64, 6.0, 0.0);
}
