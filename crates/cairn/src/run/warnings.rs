//! What a user should know of a run beside its numbers, each told once: models that were used beyond what they mean.

use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::space::{Ambient, Space};
use crate::state::State;
use crate::step::{self, StepReport};

/// Rotation beyond which linear strains are no longer small [rad]: they call a rotation by α a stretch of α²/2.
const SMALL: f64 = 0.1;
/// Out-of-balance force, relative to the loads, beyond which a state that rests by force is not one of equilibrium.
const BALANCED: f64 = 1e-2;
/// Steps from one look at all bodies to the next.
const EVERY: u64 = 10;

/// A warning in the making: how bad, and since when.
#[derive(Clone, Debug)]
struct Noted {
    worst: f64,
    since: f64,
    who: String,
}

/// What has been noted so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Warnings {
    turned: Option<Noted>,
    meeting: Option<Noted>,
    long: Option<Noted>,
    /// Time and out-of-balance force of the last step whose velocities were cancelled.
    cancelled: Option<(f64, f64)>,
}

fn keep(noted: &mut Option<Noted>, found: Option<(f64, String)>, time: f64) {
    let Some((value, who)) = found else { return };
    let since = noted.as_ref().map_or(time, |n| n.since);
    if noted.as_ref().is_none_or(|n| value > n.worst) {
        *noted = Some(Noted { worst: value, since, who });
    }
}

impl Warnings {
    /// Takes note of a step that was done.
    pub fn note<const D: usize>(&mut self, scene: &Scene<D>, state: &State<D>, report: &StepReport)
    where
        Space<D>: Ambient<D>,
    {
        if scene.time.cancel_velocities {
            self.cancelled = Some((state.time, report.unbalanced_force));
        }
        if state.step.is_multiple_of(EVERY) {
            self.look(scene, state);
        }
    }

    fn look<const D: usize>(&mut self, scene: &Scene<D>, state: &State<D>)
    where
        Space<D>: Ambient<D>,
    {
        keep(&mut self.turned, turned(scene, state), state.time);
        keep(&mut self.long, long(scene, state), state.time);
        let meeting = step::prescribed_overlap(scene, state);
        let meeting = meeting.map(|(bodies, depth)| (depth, bodies.map(|b| scene.body_name(b)).join("` and `")));
        keep(&mut self.meeting, meeting, state.time);
    }

    /// In words, the state at present included.
    pub fn tell<const D: usize>(&self, simulation: &Simulation<D>) -> Vec<String>
    where
        Space<D>: Ambient<D>,
    {
        let mut all = self.clone();
        all.look(&simulation.scene, &simulation.state);
        let mut told = Vec::new();
        told.extend(all.turned.map(|n| {
            format!(
                "`{}` has turned by {:.2} rad (beyond {SMALL} from t = {:.6} s on), but `kinematics = \"small\"` takes rotations for strains and makes \
                 it grow: take \"corotational\" or \"finite\"",
                n.who, n.worst, n.since
            )
        }));
        told.extend(all.meeting.map(|n| {
            format!(
                "`{}` are both fixed or driven and have come to overlap by {:.2e} m (from t = {:.6} s on): no contact is made between \
                 prescribed bodies; leave a component of one of them free, or exclude the pair by [[ignore]]",
                n.who, n.worst, n.since
            )
        }));
        told.extend(all.long.map(|n| {
            format!(
                "`{}` moves by {:.1} times its own size in a step (from t = {:.6} s on): take a smaller step",
                n.who, n.worst, n.since
            )
        }));
        told.extend(all.cancelled.filter(|(_, e)| *e > BALANCED).map(|(time, e)| {
            format!(
                "velocity cancelling ended at t = {time:.6} s with an out-of-balance force of {e:.1e} of the loads: this is no equilibrium; give it more \
                 steps, or an `equilibrium` to reach"
            )
        }));
        told
    }
}

/// The body with linear strains that has turned most, if it is too much [rad].
fn turned<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Option<(f64, String)>
where
    Space<D>: Ambient<D>,
{
    let bodies =
        scene.flexibles.iter().zip(&state.fields).enumerate().filter(|(_, (body, _))| body.has_small_strains());
    let turned = bodies.map(|(k, (body, field))| (body.rotation(&field.displacement), k));
    let (angle, k) = turned.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(angle, _)| *angle > SMALL)?;
    Some((angle, scene.body_name(scene.number_of_deformable(k))))
}

/// The body that moves most in a step, in units of its own size, if that is more than 1.
fn long<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Option<(f64, String)>
where
    Space<D>: Ambient<D>,
{
    let moving = scene.bodies.iter().zip(&state.motions).enumerate().filter(|(_, (body, _))| !body.is_obstacle());
    let travel = |(i, (body, motion)): (usize, (&crate::body::Body<D>, &crate::body::Motion<D>))| {
        let (first, count) = body.parts;
        let parts = &scene.parts[first as usize..(first + count) as usize];
        let size = 2.0 * parts.iter().map(|part| part.radius).fold(0.0, f64::max);
        (state.last_step * motion.velocity.norm() / size, i)
    };
    let (most, body) = moving.map(travel).max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(most, _)| *most > 1.0)?;
    Some((most, scene.body_name(body as u32)))
}
