//! The contract over the run: what a step leaves undone is made good in positions by the next ones.
//!
//! A step solved to a residual η lets bodies come closer by h η, always the same way, and the quasi-inelastic law never gives that
//! back: a tolerance alone bounds nothing over a run. For each contact, with a the half width of the
//! smaller one (planes and shells take the other's), Δ the penetration that the scene allows in units of a, δ = min(5·10⁻⁴, Δ/4) a,
//! and S the residual scale of the step before,
//!
//!   η      ≤ min(tolerance · S, Δ a_min/(20 h))                  in each step, or it has not converged
//!   ε      = 2 min(tolerance · S, Δ a_min/(20 h))
//!   bias_N = … − min(γ max(0, −g̃ − g₀ − δ)/h, ε + ε_φ)        penetrations beyond those of the start, g₀, are pushed out
//!   bias_T = min(γ max(0, ‖s‖ − 2δ)/h, ε) s/‖s‖                 contacts that stick are pulled back to where they stuck
//!   s      ← s + h U_T while R_N > 0; 0 when the contact opens; ‖s‖ ≤ δ when it slips: what has slid is not pulled back
//!
//! What a step lets in, at most h η, is pushed out at the rate γ: penetrations stay below δ + h η/γ, half of Δ. Drifts are allowed
//! twice as much. A contact that has slid and sticks again is left at half of what is pulled back: were it left at the brink, every
//! error of the solver would be answered by a pull, in a pack at rest for ever (13.8 sweeps a step instead of 5.7 in 2000 disks).
//!
//! Corrections are as small as the error that the solver is allowed, so that they lie within the laws as they are kept anyway: no energy
//! to speak of, no pop-corn. The dead zone δ keeps them from working against each other for ever; the anchor s from turning them into
//! creep. A body that turns by φ = h‖ω‖ has a second error, of the linear contact: corners leave the straight line by ½φ²r, and normals
//! turn under what slides; h ε_φ = Σ φ (½φ r + h‖U‖) over the two bodies bounds it, and corrections may be as fast as that. They are part of the bias, with no second solution, and their work is in the account like that of any contact.

use super::{Workspace, settings};
use crate::contact::{Anchor, Contact, Reaction, Status};
use crate::law::{Law, Unilateral};
use crate::scene::Scene;
use crate::shape::Shape;
use crate::space::{Ambient, Space, Vect};
use crate::state::{Ledger, Margin, State};
use cairn_solvers::report::{Report, Settings};

/// δ/a, and in units of Δ, at most.
const DEAD_ZONE: f64 = 5e-4;
const DEAD_PART: f64 = 0.25;
/// Drift that is pulled back, in units of δ.
const DRIFT: f64 = 2.0;
/// γ: the part of what is left to repair that a step repairs.
const SHARE: f64 = 0.2;
/// Largest error of the solver in a step, h η/a_min, in units of Δ.
const MOST_ERROR: f64 = 0.05;
/// ε in units of the solver's error.
const AS_FAST: f64 = 2.0;

/// Lengths of parts, and what they mean for the step.
#[derive(Default)]
pub(super) struct Repair<const D: usize> {
    /// a of each part, rigid ones and then deformable bodies [m]; infinite for planes and shells.
    lengths: Vec<f64>,
    /// The smallest of rigid bodies that can move, and of deformable ones [m].
    pub smallest: f64,
    smallest_deformable: f64,
    /// Δ: penetration that the scene allows, in units of a.
    pub allowed: f64,
    /// Largest h η [m].
    error: f64,
    /// δ/a.
    dead_zone: f64,
    /// ε [m/s]; 0 where nothing is repaired.
    speed: f64,
    /// Of each contact, as the step before left it, in the order of the contacts.
    pub anchors: Vec<Anchor<D>>,
}

/// Half the width of a shape along its thinnest axis [m]: exact for balls and boxes. Infinite without an inside.
pub(super) fn half_width<const D: usize>(shape: &Shape<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    if let Shape::Ball(ball) = shape {
        return ball.radius;
    }
    let Some(mass) = shape.mass_properties().filter(|mass| mass.volume > 0.0) else { return f64::INFINITY };
    (3.0 * mass.second_moment.diagonal().min() / mass.volume).sqrt()
}

impl<const D: usize> Repair<D> {
    /// What the step needs to know before its contacts are prepared.
    pub fn begin(&mut self, scene: &Scene<D>, state: &State<D>, h: f64)
    where
        Space<D>: Ambient<D>,
    {
        if self.lengths.len() != scene.parts.len() + scene.flexibles.len() || self.smallest == 0.0 {
            let rigid = scene.parts.iter().map(|part| half_width(&part.shape));
            self.lengths = rigid.chain(scene.flexibles.iter().map(|body| body.half_width())).collect();
            let moves = |part: u32| !scene.bodies[part as usize].is_obstacle();
            let lengths = scene.parts.iter().zip(&self.lengths).filter(|(part, _)| moves(part.body));
            self.smallest = lengths.map(|(_, a)| *a).fold(f64::INFINITY, f64::min);
            let deformable = &self.lengths[scene.parts.len()..];
            self.smallest_deformable = deformable.iter().copied().fold(f64::INFINITY, f64::min);
        }
        let allowed = scene.accuracy.limits[Margin::Penetration as usize];
        self.allowed = allowed;
        self.error = MOST_ERROR * allowed * self.smallest.min(self.smallest_deformable);
        self.dead_zone = DEAD_ZONE.min(DEAD_PART * allowed);
        let growth = if state.last_step > 0.0 { h / state.last_step } else { 0.0 };
        let error = (scene.solver.tolerance * state.ledger.scale * growth).min(self.error / h);
        self.speed = if scene.accuracy.repair { AS_FAST * error } else { 0.0 };
    }

    /// a of a contact [m]; infinite where neither side has a width.
    fn length(&self, contact: &Contact<D>) -> f64 {
        self.length_of([contact.key.candidate, contact.key.antagonist])
    }

    /// The same of two parts.
    pub fn length_of(&self, parts: [u32; 2]) -> f64 {
        self.lengths[parts[0] as usize].min(self.lengths[parts[1] as usize])
    }

    /// What is added to the bias of a contact, local frame; its anchor, to be kept until the step is solved. `turning` tells ε_φ [m/s], and
    /// nothing where the law itself pushes out what overlaps.
    pub fn bias(
        &self,
        (contact, law): (&Contact<D>, &Law),
        frame: &nalgebra::SMatrix<f64, D, D>,
        before: Option<&Reaction<D>>,
        (h, is_first): (f64, bool),
        turning: Option<impl FnOnce() -> f64>,
    ) -> (Vect<D>, Anchor<D>) {
        let penetration = (-contact.touch.gap).max(0.0);
        let mut anchor = before.map_or_else(Anchor::default, |reaction| reaction.anchor);
        anchor.overlap = if is_first { penetration } else { anchor.overlap.min(penetration) };
        // The drift is carried along as the normal turns.
        anchor.drift -= contact.touch.normal * anchor.drift.dot(&contact.touch.normal);
        let a = self.length(contact);
        if self.speed == 0.0 || !a.is_finite() || !is_repaired(law) {
            return (Vect::zeros(), anchor);
        }
        let dead = self.dead_zone * a;
        let pulled = |excess: f64| SHARE * excess.max(0.0) / h;
        let drift = anchor.drift.norm();
        let pull = pulled(drift - DRIFT * dead).min(self.speed);
        let mut bias = frame.tr_mul(&anchor.drift) * if pull > 0.0 { pull / drift } else { 0.0 };
        let push = pulled(penetration - anchor.overlap - dead);
        if let Some(turning) = turning {
            bias[0] = -if push > self.speed { push.min(self.speed + turning()) } else { push };
        }
        (bias, anchor)
    }

    /// The settings of the solver, with what the sizes of the bodies ask for.
    pub fn settings(&self, scene: &Scene<D>, h: f64) -> Settings<'static>
    where
        Space<D>: Ambient<D>,
    {
        let most_error = if scene.accuracy.repair { self.error / h } else { f64::INFINITY };
        Settings { most_error, ..settings(scene) }
    }
}

/// Penetrations of the gap form are pushed out by the law itself, and those of springs are meant.
pub(super) fn is_repaired(law: &Law) -> bool {
    law.unilateral != Unilateral::Gap && !law.gives_way()
}

/// What one contact adds to the margins, relative to its length: penetration, drift while it sticks, motion in the step.
fn measured<const D: usize>(reaction: &Reaction<D>, law: &Law, a: f64, h: f64) -> [(Margin, f64); 3] {
    let depth = -reaction.contact.touch.gap - reaction.anchor.overlap;
    let is_meant = law.gives_way();
    let drift = if reaction.status == Status::Stick && law.springs_in_series().is_none() {
        reaction.anchor.drift.norm()
    } else {
        0.0
    };
    [
        (Margin::Penetration, if is_meant { 0.0 } else { depth.max(0.0) / a }),
        (Margin::Sliding, drift / a),
        (Margin::Motion, h * reaction.velocity.norm() / a),
    ]
}

/// Keeps anchors with the reactions, and measures the margins of the step. To be called when reactions are posted.
pub(super) fn post<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    h: f64,
    work: &Workspace<D>,
    solver: &Report,
) -> [f64; Margin::COUNT]
where
    Space<D>: Ambient<D>,
{
    let mut step = Step { time: state.time + h, values: [0.0; Margin::COUNT] };
    let mut largest = 0.0f64;
    for (reaction, anchor) in state.reactions.iter_mut().zip(&work.repair.anchors) {
        let (contact, a) = (reaction.contact, work.repair.length(&reaction.contact));
        reaction.anchor = *anchor;
        if !a.is_finite() {
            continue;
        }
        let normal = contact.touch.normal;
        let slide = reaction.velocity - normal * reaction.velocity.dot(&normal);
        let drift = match reaction.status {
            Status::Open => Vect::zeros(),
            Status::Stick => anchor.drift + slide * h,
            Status::Slip => clipped(anchor.drift + slide * h, work.repair.dead_zone * a),
        };
        reaction.anchor.drift = drift;
        largest = largest.max(reaction.impulse.norm_squared());
        for (margin, value) in measured(reaction, &scene.laws[contact.law as usize], a, h) {
            step.note(&mut state.ledger, margin, value, contact.bodies);
        }
    }
    let worst = solver.worst.map_or([0; 2], |link| work.contacts[link].bodies);
    if largest > 0.0 {
        step.note(&mut state.ledger, Margin::Impulse, solver.margins.impulse / largest.sqrt(), worst);
    }
    if solver.bounds.driven > 0.0 {
        step.note(&mut state.ledger, Margin::SelfStress, solver.strength / solver.bounds.driven, worst);
    }
    state.ledger.scale = solver.scale.min(solver.strength);
    step.values
}

/// The same for the energy that the scheme and shocks have brought in so far: neither may give any, but some schemes do. To be called when the
/// account of the step is closed.
pub(super) fn post_energy<const D: usize>(state: &mut State<D>, h: f64, values: &mut [f64; Margin::COUNT])
where
    Space<D>: Ambient<D>,
{
    let ledger = &mut state.ledger;
    let gained = (-ledger.scheme).max(0.0) + (-ledger.shocks).max(0.0);
    if ledger.throughput > 0.0 {
        let mut step = Step { time: state.time + h, values: *values };
        let share = gained / ledger.throughput;
        step.note(ledger, Margin::Energy, share, [0; 2]);
        *values = step.values;
    }
}

/// A vector shortened to this length.
fn clipped<const D: usize>(x: Vect<D>, most: f64) -> Vect<D> {
    let length = x.norm();
    if length > most { x * (most / length) } else { x }
}

/// Margins of one step.
struct Step {
    time: f64,
    values: [f64; Margin::COUNT],
}

impl Step {
    /// Keeps the worst of the step, and of the run with its time and place.
    fn note(&mut self, ledger: &mut Ledger, margin: Margin, value: f64, bodies: [u32; 2]) {
        let here = &mut self.values[margin as usize];
        *here = here.max(value);
        let worst = &mut ledger.margins[margin as usize];
        if value > worst.value {
            (worst.value, worst.time, worst.bodies) = (value, self.time, bodies);
        }
    }
}
