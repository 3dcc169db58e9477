//! Free motion: velocities at the end of the step if no reaction acted, and how each body responds to impulses.
//!
//!   v_free = v(i) + h g + M⁻¹ h P_θ,     P_θ = θ P(t+h) + (1−θ) P(t)
//!
//! The gyroscopic term needs no formula of its own: the angular momentum is what is kept between steps, and the spin
//! in the shifted orientation, I(q̃)⁻¹ L, carries it. A driven component takes its prescribed velocity.

use super::Workspace;
use super::membrane;
use super::servo;
use super::shift::turns_freely;
use crate::body::Body;
use crate::scene::{Drive, DriveKind, History, LoadKind, Scene};
use crate::space::{Ambient, Mat, Space, Spin, SpinMobility, Vect};
use crate::state::State;
use crate::threads;
use cairn_solvers::problem::Mass;
use nalgebra::Matrix3;

/// Fills `external` and `masses`.
pub(super) fn free_motion<const D: usize>(scene: &Scene<D>, state: &State<D>, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    servo::forget_contacts(work);
    external_impulses(scene, state.time, h, work);
    let gravity = scene.steady_gravity() * h;
    let Workspace { masses, before, shifted, external, .. } = work;
    threads::fill(masses, scene.bodies.len(), |i| {
        let (body, place) = (&scene.bodies[i], &shifted[i]);
        let (mut velocity, mut spin) = before[i];
        let mobility = SpinResponse::<D>::of(body, &place.turn);
        let mut inverse_mass = Vect::zeros();
        for k in 0..D {
            if !body.held[k] {
                inverse_mass[k] = 1.0 / body.mass;
                velocity[k] += gravity[k] + inverse_mass[k] * external[i].0[k];
            }
        }
        spin += mobility.respond(&external[i].1);
        Mass { velocity, spin: Space::<D>::lift_spin(&spin).into(), inverse_mass, spin_mobility: mobility.lifted() }
    });
    for drive in scene.drives.iter().filter(|drive| drive.is_active) {
        let velocity = driven_velocity(drive, state, h, scene.time.theta);
        let mass = &mut work.masses[drive.body as usize];
        match drive.component.checked_sub(D) {
            None => mass.velocity[drive.component] = velocity,
            Some(spin) => mass.spin[if D == 2 { 2 } else { spin }] = velocity,
        }
    }
}

/// The velocity that carries the shifted configuration along the prescribed motion exactly, q̃ + h v = d(τ + h) with
/// τ = t + (1−θ) h. The step before, of length h⁻, left q = d(t + (1−θ) h⁻) − (1−θ) h⁻ v⁻, so q̃ is known without
/// looking at it: also when the length of the step changes, and for rotations of more than a turn. Where the drive takes over, at the
/// beginning of its stage, the displacement counts from where the body is: q̃ = (1−θ) h v⁻, whatever moved it there.
fn driven_velocity<const D: usize>(drive: &Drive, state: &State<D>, h: f64, theta: f64) -> f64
where
    Space<D>: Ambient<D>,
{
    let (t, d, ahead) = (state.time, &drive.history, 1.0 - theta);
    match drive.kind {
        DriveKind::Velocity => d.at(t + ahead * h + 0.5 * h),
        DriveKind::Displacement => {
            let h_before = state.last_step;
            let motion = &state.motions[drive.body as usize];
            let v_before = match drive.component.checked_sub(D) {
                None => motion.velocity[drive.component],
                Some(k) => Space::<D>::spin_slice(&motion.spin)[k],
            };
            let takes_over = matches!(d, History::Staged { start, .. } if *start == t);
            let shifted = if takes_over {
                ahead * h * v_before
            } else {
                d.at(t + ahead * h_before) + ahead * (h - h_before) * v_before
            };
            (d.at(t + ahead * h + h) - shifted) / h
        }
    }
}

/// h P_θ and its moment for each body, gravity excepted where it is steady.
fn external_impulses<const D: usize>(scene: &Scene<D>, time: f64, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let theta = scene.time.theta;
    let mean = |history: &History| theta * history.at(time + h) + (1.0 - theta) * history.at(time);
    let acceleration = scene.unsteady_acceleration(&mean) * h;
    let Workspace { external, cell, shifted, .. } = &mut *work;
    threads::fill(external, scene.bodies.len(), |i| {
        let mass = scene.bodies[i].mass;
        let kick = cell.as_ref().map_or_else(Vect::zeros, |cell| cell.kick(&shifted[i].centre));
        (if mass.is_finite() { (acceleration + kick) * mass } else { Vect::zeros() }, Spin::<D>::default())
    });
    for load in &scene.loads {
        let factor = h * mean(&load.history);
        let (impulse, moment) = &mut work.external[load.body as usize];
        match &load.kind {
            LoadKind::Force(force) => *impulse += force * factor,
            LoadKind::Torque(torque) => {
                let components = if D == 2 { &torque[2..] } else { &torque[..] };
                for (m, t) in Space::<D>::spin_slice_mut(moment).iter_mut().zip(components) {
                    *m += t * factor;
                }
            }
            LoadKind::Pressure { normal, point, area, widths, follower } => {
                let body = load.body as usize;
                let moved = |body: u32| work.shifted[body as usize].centre - scene.start[body as usize].place.centre;
                let grown = widths.iter().map(|width| width.now(&moved) / width.start).product::<f64>();
                let place = &work.shifted[body];
                let normal =
                    if *follower { place.direction(normal) } else { scene.start[body].place.direction(normal) };
                let push = normal * (-area * grown * factor);
                *impulse += push;
                *moment += Space::<D>::moment(&place.direction(point), &push);
            }
        }
    }
    for membrane in &scene.membranes {
        membrane::push(scene, membrane, mean(&membrane.pressure), h, &work.shifted, &mut work.external);
    }
}

/// I⁻¹ in world axes, or the restriction to what is not held.
enum SpinResponse<const D: usize>
where
    Space<D>: Ambient<D>,
{
    Held,
    Free(SpinMobility<D>),
}

impl<const D: usize> SpinResponse<D>
where
    Space<D>: Ambient<D>,
{
    fn of(body: &Body<D>, turn: &crate::space::Turn<D>) -> Self {
        let held = &body.held[D..D + Space::<D>::SPINS];
        if held.iter().all(|&h| h) {
            Self::Held
        } else {
            debug_assert!(turns_freely(body) || body.mass.is_finite());
            Self::Free(Space::<D>::spin_mobility(&body.moments, turn, held))
        }
    }

    fn respond(&self, moment: &Spin<D>) -> Spin<D> {
        match self {
            Self::Held => Spin::<D>::default(),
            Self::Free(mobility) => Space::<D>::respond(mobility, moment),
        }
    }

    fn lifted(&self) -> Mat<3> {
        match self {
            Self::Held => Matrix3::zeros(),
            Self::Free(mobility) => Space::<D>::lift_mobility(mobility),
        }
    }
}
