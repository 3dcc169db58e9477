//! A2: a disk and a ball on an incline.
//!
//! With J = c m r² (disk c = ½, ball c = 2/5), rolling without slip needs the friction force m g sin θ · c/(1 + c), so
//! it rolls iff tan θ ≤ μ (1 + c)/c: 3μ for the disk, 7/2 μ for the ball, with the acceleration g sin θ/(1 + c), that
//! is 2/3 and 5/7 of g sin θ. Beyond, it slips: a = g (sin θ − μ cos θ), angular acceleration μ g cos θ/(c r).
//!
//! On level ground a disk whose contact resists rolling with an arm ℓ slows down by (ℓ/r) g/(1 + c), and stops after v² (1 + c) r/(2 ℓ g); it
//! does so within a step, in which it moves by no more than ½ (ℓ/r) g h²: 1e-6 m.
//!
//! Constant accelerations are integrated exactly; what is left is the solver's tolerance: 1e-6 relative. The example
//! has one body 1 % below the limit and one 1 % above.

use super::scene::{body, plane, run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const SIN: f64 = 0.6;
const COS: f64 = 0.8;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
/// Relative distance of the two bodies from the limit.
const ASIDE: f64 = 0.01;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    bodies(findings, "disk", 0.5, plane("rolling", &[])?)?;
    bodies(findings, "ball", 0.4, solid("rolling/scene-3d", &[])?)?;
    stops(findings, plane("rolling-resistance", &[])?)
}

/// Where disks with rolling resistance come to rest, from 1 m/s.
fn stops(findings: &mut Findings, mut simulation: Simulation<2>) -> miette::Result<()> {
    let end = simulation.scene.time.end;
    run_to(&mut simulation, end)?;
    for (name, arm) in [("hard", 0.005), ("soft", 0.01), ("softer", 0.02)] {
        let disk = body(&simulation, name)?;
        let (start, now) = (&simulation.scene.start[disk], &simulation.state.motions[disk]);
        let way = now.place.centre.x - start.place.centre.x;
        let run = format!("disk, rolling resistance of {:.0} mm", 1e3 * arm);
        findings.absolute(&format!("{run}: way to rest"), "m", way, 1.5 * RADIUS / (2.0 * arm * GRAVITY), 1e-6);
        findings.at_most(&format!("{run}: velocity at the end"), "m/s", now.velocity.norm(), 1e-12);
    }
    findings.sound("rolling resistance", &simulation);
    Ok(())
}

/// Mean accelerations between two times, and the largest slip at the contact.
struct Race {
    acceleration: f64,
    angular: f64,
    slip: f64,
}

fn bodies<const D: usize>(
    findings: &mut Findings,
    run: &str,
    inertia: f64,
    mut simulation: Simulation<D>,
) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let numbers = [body(&simulation, "rolls")?, body(&simulation, "slips")?];
    let [rolls, slips] = race(&mut simulation, numbers)?;
    let limit = SIN / COS * inertia / (1.0 + inertia);
    let rolling = GRAVITY * SIN / (1.0 + inertia);
    findings.relative(&format!("{run} 1 % below the limit: acceleration"), "m/s²", rolls.acceleration, rolling, 1e-6);
    findings.at_most(&format!("{run} 1 % below the limit: slip velocity"), "m/s", rolls.slip, 1e-8);
    let friction = limit / (1.0 + ASIDE);
    let sliding = GRAVITY * (SIN - friction * COS);
    let spinning = friction * GRAVITY * COS / (inertia * RADIUS);
    findings.relative(&format!("{run} 1 % above the limit: acceleration"), "m/s²", slips.acceleration, sliding, 1e-6);
    findings.relative(&format!("{run} 1 % above the limit: angular"), "rad/s²", slips.angular, spinning, 1e-6);
    findings.sound(run, &simulation);
    Ok(())
}

fn race<const D: usize>(simulation: &mut Simulation<D>, bodies: [usize; 2]) -> miette::Result<[Race; 2]>
where
    Space<D>: Ambient<D>,
{
    let (early, late) = (0.1, 1.0);
    run_to(simulation, early)?;
    let before = bodies.map(|b| simulation.state.motions[b]);
    run_to(simulation, late)?;
    let race = |k: usize| {
        let now = &simulation.state.motions[bodies[k]];
        let spin = now.spin + before[k].spin * -1.0;
        let mine = |r: &&cairn::contact::Reaction<D>| r.contact.bodies.contains(&(bodies[k] as u32));
        Race {
            acceleration: (now.velocity - before[k].velocity).norm() / (late - early),
            angular: Space::<D>::spin_dot(&spin, &spin).sqrt() / (late - early),
            slip: simulation.reactions().iter().filter(mine).map(|r| r.velocity.norm()).fold(0.0, f64::max),
        }
    };
    Ok([race(0), race(1)])
}
