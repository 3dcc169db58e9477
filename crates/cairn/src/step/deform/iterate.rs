//! One deformable body within a step: Newton's iteration on the velocity at the end of the step.
//!
//!   ρ(v) = −M (v − v(i)) + h (ξ F(q) + (1−ξ) F(i)) − h C (ξ v + (1−ξ) v(i)) + h P_ξ,     q = q(i) + h (θ v + (1−θ) v(i))
//!   v ← v + M̂⁻¹ (ρ(v) + r),     r = H R
//!
//! The forces of a body that turns are taken in the axes Q̃ that it has in the shifted configuration q̃, h F = h Q̃ (ξ f(q) + (1−ξ) f(q(i)))
//! with f in the axes of its own configuration, and have no moment about q̃. Since q × v = q̃ × v at the end of the step and
//! q(i) × v(i) = q̃ × v(i) at its start, angular momentum is conserved exactly, and impulses of contacts have the levers that they have for
//! rigid bodies. (With levers of q(i+1) the iterations would diverge where weights above a block, N m g, turn it faster than its
//! inertia within a step: N g h² > its size, as in every wall in quasi-statics.)
//!
//! Materials with memory answer the step as a whole: their force takes the place of the mean of the ends, and what they remember from the
//! start of the step is kept apart from what they will, until the step is accepted.
//!
//! With a conserving force F̄(q(i), q(i+1)) takes the place of the mean of the ends; the tangent at the end stands for its own,
//! from which it differs by O(h).
//!
//! A degree of freedom without mass has no equation of motion: it is in equilibrium at the end of the step, h (F − C v + P) + r = 0, not in
//! the mean over it, which would let it swing for ever. Its row is multiplied by ξ (`shares`), after which M̂ is that of the others.
//!
//! For small perturbations one iteration is exact, and v + M̂⁻¹ ρ is the free velocity of the linear scheme.

use super::fictitious;
use super::line_search::Origin;
use super::response::Response;
use crate::flexible::{Correction, Flexible, Kinematics, NodeDrive, NodeLoadKind, StepForce, dot, turn_all};
use crate::scene::{DriveKind, History, Scene, Time};
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;
use crate::step::StepError;
use cairn_fem::continuum::{Advance, Work};
use cairn_fem::material::Lost;
use cairn_sparse::Symmetric;

/// Impulses below this share of the momentum of a body are round-off (some 1e5 units of it: of forces, in stiff bodies far from
/// where they started).
const ROUND_OFF: f64 = 1e-11;

/// Buffers of one deformable body; nothing in them outlives the step.
#[derive(Clone, Debug, Default)]
pub(in crate::step) struct BodyIterate {
    /// v(i).
    pub before: Vec<f64>,
    /// The iterate, v(i+1) in the end.
    pub velocity: Vec<f64>,
    /// The iterate without the contact impulses.
    pub free: Vec<f64>,
    /// q at the end of the step.
    pub displacement: Vec<f64>,
    /// h P_ξ, steady gravity included.
    pub external: Vec<f64>,
    /// h P_ξ of steady gravity alone, whose work is accounted as potential energy.
    pub weight: Vec<f64>,
    /// r = H R.
    pub contact: Vec<f64>,
    /// h F_ξ.
    pub internal: Vec<f64>,
    /// h C v_ξ.
    pub damping: Vec<f64>,
    /// ρ.
    pub balance: Vec<f64>,
    /// Fictitious masses of the nodes, where the body has them, and the step that they are made for.
    pub fictitious: Vec<f64>,
    pub pace: f64,
    /// Held or driven degrees of freedom.
    pub held: Vec<bool>,
    /// What rows are multiplied by: ξ without mass, else 1.
    pub shares: Vec<f64>,
    /// q̃ of a body that turns: q(i) + (1−θ) h v(i).
    shifted: Vec<f64>,
    /// F(i), axes of the body.
    force_before: Vec<f64>,
    /// F of the last iterate, and where it was: the next step most often starts there.
    force_last: Vec<f64>,
    last: Vec<f64>,
    /// Strain energy at the start and at the end of the step [J].
    pub energy: [f64; 2],
    /// What materials lose in the step [J].
    pub lost: Lost,
    /// What materials remember at the end of the step.
    pub history: Vec<f64>,
    past: Past,
    /// The tangent of the present iterate of a body with memory, and its skew part, if it has one: they come with the force.
    tangent: [Option<Symmetric>; 2],
    work: Vec<f64>,
    buffer: Vec<f64>,
    /// Where Newton's step began.
    pub(super) origin: Origin,
}

/// Where a body with memory starts from.
#[derive(Clone, Debug, Default)]
struct Past {
    displacement: Vec<f64>,
    history: Vec<f64>,
    scheme: Scheme,
}

/// The scheme: h, ξ, θ.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::step) struct Scheme {
    pub h: f64,
    pub xi: f64,
    pub theta: f64,
}

impl Scheme {
    pub fn of(time: &Time, h: f64) -> Self {
        Self { h, xi: time.xi, theta: time.theta }
    }
}

impl BodyIterate {
    /// Loads of the step, force at its start, and the first iterate: v(i) with the prescribed velocities put in. Returns the axes Q̃.
    pub(super) fn start<const D: usize>(
        &mut self,
        scene: &Scene<D>,
        k: usize,
        state: &State<D>,
        scheme: Scheme,
    ) -> Mat<D>
    where
        Space<D>: Ambient<D>,
    {
        let (body, field) = (&scene.flexibles[k], &state.fields[k]);
        let size = body.model.dofs();
        self.before.clone_from(&field.velocity);
        self.velocity.clone_from(&field.velocity);
        self.pace = state.ledger.pace.max(scheme.h);
        self.held = body.held();
        self.shares.clear();
        self.shares.extend((0..size).map(|i| if body.model.is_massless(i) { scheme.xi } else { 1.0 }));
        for drive in &body.drives {
            let velocity = driven_velocity(drive, state, k, scheme);
            drive.nodes.iter().for_each(|&n| self.velocity[D * n as usize + drive.component] = velocity[n as usize]);
        }
        let buffers =
            [&mut self.force_before, &mut self.force_last, &mut self.internal, &mut self.damping, &mut self.work];
        buffers.into_iter().for_each(|buffer| buffer.resize(size, 0.0));
        self.contact.clear();
        self.contact.resize(size, 0.0);
        if body.has_memory() {
            self.past.displacement.clone_from(&field.displacement);
            self.past.history.clone_from(&field.history);
            self.past.scheme = scheme;
            self.history.resize(field.history.len(), 0.0);
            self.energy[0] = body.stored_energy(field);
        } else if body.step_force == StepForce::OfEnds && self.last == field.displacement {
            self.energy[0] = self.energy[1];
            self.force_before.copy_from_slice(&self.force_last);
        } else {
            self.energy[0] = body.own_force(&field.displacement, &mut self.force_before);
        }
        self.loads(scene, body, &field.displacement, state.time, scheme);
        self.shifted.clear();
        if body.kinematics != Kinematics::Corotational {
            return body.axes(&field.displacement);
        }
        let shift = (1.0 - scheme.theta) * scheme.h;
        self.shifted.extend(field.displacement.iter().zip(&field.velocity).map(|(u, v)| u + shift * v));
        body.axes(&self.shifted)
    }

    fn loads<const D: usize>(&mut self, scene: &Scene<D>, body: &Flexible<D>, u: &[f64], t: f64, scheme: Scheme)
    where
        Space<D>: Ambient<D>,
    {
        let Scheme { h, xi, .. } = scheme;
        let mean = |history: &History| xi * history.at(t + h) + (1.0 - xi) * history.at(t);
        let (steady, unsteady) = (scene.steady_gravity() * h, scene.unsteady_acceleration(&mean) * h);
        let spread = |a: Vect<D>, nodal: &mut Vec<f64>| {
            nodal.clear();
            body.model.shares.iter().for_each(|m| nodal.extend((a * *m).iter()));
        };
        spread(steady, &mut self.weight);
        spread(steady + unsteady, &mut self.external);
        for load in &body.loads {
            let factor = h * mean(&load.history);
            let follower;
            let forces = match &load.kind {
                NodeLoadKind::Dead(forces) => forces,
                NodeLoadKind::Follower(boundary) => {
                    let q = body.axes(u);
                    let mut forces = vec![0.0; u.len()];
                    let local = body.local_displacement(&q, u);
                    // The reader of the scene has checked the name of the boundary.
                    let _ = body.model.continuum.pressure(boundary, 1.0, &local, true, &mut forces);
                    turn_all(&q, &mut forces);
                    follower = forces;
                    &follower
                }
            };
            self.external.iter_mut().zip(forces).for_each(|(p, f)| *p += factor * f);
        }
    }

    /// q and ρ of the present iterate of a body with axes Q̃; `wants_tangent` if the next iteration asks for the tangent there.
    pub(super) fn evaluate<const D: usize>(
        &mut self,
        body: &Flexible<D>,
        axes: &Mat<D>,
        at_start: &[f64],
        scheme: Scheme,
        wants_tangent: bool,
    ) where
        Space<D>: Ambient<D>,
    {
        let Scheme { h, xi, theta } = scheme;
        self.displacement.clear();
        let moved = at_start.iter().zip(&self.before).zip(&self.velocity);
        self.displacement.extend(moved.map(|((u, v0), v)| u + h * (theta * v + (1.0 - theta) * v0)));
        match body.step_force {
            _ if body.has_memory() => {
                let mut tangent = std::mem::take(&mut self.tangent);
                let has_skew = body.model.continuum.has_skew_tangent() && body.correction != Correction::Mass;
                for (part, has_part) in tangent.iter_mut().zip([true, has_skew]) {
                    if part.is_none() && wants_tangent && has_part {
                        *part = Some(Symmetric::zero(body.model.mass.pattern()));
                    }
                }
                let work = self.advance(body, xi, tangent.each_mut().map(|k| k.as_mut().filter(|_| wants_tangent)));
                self.tangent = tangent;
                (self.energy[1], self.lost) = (work.stored, work.lost);
                self.internal.iter_mut().zip(&self.force_last).for_each(|(internal, f)| *internal = h * f);
                if body.model.has_massless {
                    let kept = std::mem::take(&mut self.history);
                    self.history.resize(kept.len(), 0.0);
                    self.advance(body, 1.0, [None, None]);
                    self.history = kept;
                    let massless = (0..self.force_last.len()).filter(|&i| body.model.is_massless(i));
                    massless.for_each(|i| self.internal[i] = h * self.force_last[i]);
                }
                turn_all(axes, &mut self.internal);
                if body.kinematics == Kinematics::Corotational {
                    body.balance_moment(&self.shifted, &mut self.internal);
                }
            }
            StepForce::OfEnds => {
                self.energy[1] = body.own_force(&self.displacement, &mut self.force_last);
                self.last.clone_from(&self.displacement);
                for (i, (f, f0)) in self.force_last.iter().zip(&self.force_before).enumerate() {
                    self.internal[i] = if body.model.is_massless(i) { h * f } else { h * (xi * f + (1.0 - xi) * f0) };
                }
                turn_all(axes, &mut self.internal);
                if body.kinematics == Kinematics::Corotational {
                    body.balance_moment(&self.shifted, &mut self.internal);
                }
            }
            StepForce::Conserving => {
                let change = body.mean_force(at_start, &self.displacement, &mut self.internal);
                self.energy[1] = self.energy[0] + change;
                self.internal.iter_mut().for_each(|f| *f *= h);
                if body.model.has_massless {
                    body.own_force(&self.displacement, &mut self.work);
                    turn_all(axes, &mut self.work);
                    let massless = (0..self.work.len()).filter(|&i| body.model.is_massless(i));
                    massless.for_each(|i| self.internal[i] = h * self.work[i]);
                }
            }
        }
        self.damp(body, scheme);
        self.work.clear();
        self.work.extend(self.velocity.iter().zip(&self.before).map(|(v, v0)| v0 - v));
        self.balance.clear();
        self.balance.resize(self.work.len(), 0.0);
        if self.work.iter().any(|dv| *dv != 0.0) {
            match body.fictitious {
                Some(_) => fictitious::times::<D>(&self.fictitious, &self.work, &mut self.balance),
                None => body.model.mass_times(&self.work, &mut self.balance),
            }
        }
        for (i, rho) in self.balance.iter_mut().enumerate() {
            *rho = (*rho + self.internal[i] - self.damping[i] + self.external[i]) * self.shares[i];
        }
    }

    /// The force of a body with memory from the start of the step to the present iterate, axes of the body, into `force_last`.
    fn advance<const D: usize>(&mut self, body: &Flexible<D>, xi: f64, tangent: [Option<&mut Symmetric>; 2]) -> Work
    where
        Space<D>: Ambient<D>,
    {
        let Past { displacement, history, scheme } = &self.past;
        let step = Advance { before: displacement, after: &self.displacement, history, h: scheme.h, xi };
        body.advance(&step, &mut self.force_last, tangent, &mut self.history)
    }

    /// h C v_ξ.
    fn damp<const D: usize>(&mut self, body: &Flexible<D>, scheme: Scheme)
    where
        Space<D>: Ambient<D>,
    {
        let [alpha, beta] = body.damping;
        self.damping.fill(0.0);
        if alpha == 0.0 && beta == 0.0 {
            return;
        }
        let q = body.axes(&self.displacement);
        let damping = |xi: f64| {
            let velocities = self.velocity.iter().zip(&self.before);
            let mut mean: Vec<f64> = velocities.map(|(v, v0)| scheme.h * (xi * v + (1.0 - xi) * v0)).collect();
            let (mut of_mass, mut of_strain) = (vec![0.0; mean.len()], vec![0.0; mean.len()]);
            body.model.mass.multiply_add(alpha, &mean, &mut of_mass);
            turn_all(&q.transpose(), &mut mean);
            body.model.stiffness.multiply_add(beta, &mean, &mut of_strain);
            turn_all(&q, &mut of_strain);
            of_mass.iter_mut().zip(of_strain).for_each(|(c, k)| *c += k);
            of_mass
        };
        let mut all = damping(scheme.xi);
        if body.model.has_massless {
            let at_end = damping(1.0);
            (0..all.len()).filter(|&i| body.model.is_massless(i)).for_each(|i| all[i] = at_end[i]);
        }
        self.damping = all;
    }

    /// The velocity without contact impulses: v + M̂⁻¹ ρ.
    pub(super) fn predict<const D: usize>(&mut self, response: &Response<D>, axes: &Mat<D>)
    where
        Space<D>: Ambient<D>,
    {
        self.free.clone_from(&self.velocity);
        self.work.clone_from(&self.balance);
        respond(response, axes, &self.held, &mut self.work, &mut self.buffer);
        self.free.iter_mut().zip(&self.work).for_each(|(v, dv)| *v += dv);
    }

    /// v ← free + M̂⁻¹ r.
    pub(super) fn correct<const D: usize>(&mut self, response: &Response<D>, axes: &Mat<D>)
    where
        Space<D>: Ambient<D>,
    {
        self.velocity.clone_from(&self.free);
        if self.contact.iter().any(|&r| r != 0.0) {
            self.work.clear();
            self.work.extend(self.contact.iter().zip(&self.shares).map(|(r, share)| r * share));
            respond(response, axes, &self.held, &mut self.work, &mut self.buffer);
            self.velocity.iter_mut().zip(&self.work).for_each(|(v, dv)| *v += dv);
        }
    }

    /// ‖ρ + r‖ over free degrees of freedom, and the largest of the impulses that it is a balance of. What is round-off of the
    /// momentum counts as nothing: in a body that flies undeformed there is nothing else.
    pub(super) fn out_of_balance<const D: usize>(&self, body: &Flexible<D>) -> (f64, f64)
    where
        Space<D>: Ambient<D>,
    {
        let (mut rest, mut momentum) = (0.0, 0.0);
        let (mut internal, mut external, mut contact) = (0.0, 0.0, 0.0);
        for i in 0..self.balance.len() {
            let [p, f, r] = [self.external[i], self.internal[i], self.contact[i]];
            if !self.held[i] {
                rest += (self.balance[i] + r * self.shares[i]).powi(2);
            }
            // M (v(i) − v), what the balance has beside the forces.
            if !body.model.is_massless(i) {
                momentum += (self.balance[i] - f + self.damping[i] - p).powi(2);
            }
            (internal, external, contact) = (internal + f * f, external + p * p, contact + r * r);
        }
        let carried =
            self.velocity.chunks_exact(D).zip(&body.model.lumped).map(|(v, m)| m * m * dot(v, v)).sum::<f64>();
        let scale = f64::max(internal, external).max(contact).max(momentum).sqrt();
        let rest = f64::sqrt(rest);
        (if rest <= ROUND_OFF * carried.sqrt() { 0.0 } else { rest }, scale)
    }

    /// Fictitious masses for the step, from the tangent at its start.
    pub(super) fn choose_masses<const D: usize>(&mut self, body: &Flexible<D>, scheme: Scheme)
    where
        Space<D>: Ambient<D>,
    {
        let mut masses = std::mem::take(&mut self.fictitious);
        if let Some((tangent, _)) = self.remembered_tangent() {
            fictitious::masses::<D>(tangent, scheme.xi, self.pace, &mut masses);
        } else if body.stiffness_changes() {
            let mut tangent = Symmetric::zero(body.model.mass.pattern());
            self.tangent(body, false, &mut tangent);
            fictitious::masses::<D>(&tangent, 1.0, self.pace, &mut masses);
        } else {
            fictitious::masses::<D>(&body.model.stiffness, 1.0, self.pace, &mut masses);
        }
        self.fictitious = masses;
    }

    /// The tangent of the present iterate of a body with memory, if it was wanted, and its skew part, where there is one now.
    pub(super) fn remembered_tangent(&self) -> Option<(&Symmetric, Option<&Symmetric>)> {
        let [tangent, skew] = self.tangent.each_ref().map(Option::as_ref);
        tangent.map(|tangent| (tangent, skew.filter(|skew| skew.values.iter().any(|&v| v != 0.0))))
    }

    /// The tangent stiffness of the present iterate of an elastic body, axes of the reference mesh; `definite` as bodies under pressure need it.
    pub(super) fn tangent<const D: usize>(&mut self, body: &Flexible<D>, definite: bool, tangent: &mut Symmetric)
    where
        Space<D>: Ambient<D>,
    {
        debug_assert!(body.stiffness_changes() && !body.has_memory());
        let q = body.axes(&self.displacement);
        let local = body.local_displacement(&q, &self.displacement);
        match definite {
            true => body.model.continuum.definite_tangent(&local, tangent),
            false => body.model.continuum.tangent(&local, tangent),
        }
    }

    /// Every number is one?
    pub(super) fn is_finite(&self) -> bool {
        let squares = dot(&self.velocity, &self.velocity) + dot(&self.displacement, &self.displacement);
        squares.is_finite()
    }
}

/// x ← Q M̂⁻¹ Qᵀ x on the free degrees of freedom.
fn respond<const D: usize>(response: &Response<D>, axes: &Mat<D>, held: &[bool], x: &mut [f64], buffer: &mut Vec<f64>)
where
    Space<D>: Ambient<D>,
{
    x.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
    turn_all(&axes.transpose(), x);
    response.solve(x, buffer);
    turn_all(axes, x);
}

/// Prescribed velocity of each node of a drive (indexed by node): as for rigid bodies, the one that carries the shifted
/// configuration along a prescribed displacement exactly.
fn driven_velocity<const D: usize>(drive: &NodeDrive, state: &State<D>, k: usize, scheme: Scheme) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let (t, d, Scheme { h, theta, .. }) = (state.time, &drive.history, scheme);
    let field = &state.fields[k];
    let mut velocities = vec![0.0; field.velocity.len() / D];
    for &n in &drive.nodes {
        let dof = D * n as usize + drive.component;
        velocities[n as usize] = match drive.kind {
            DriveKind::Velocity => d.at(t + (1.0 - theta) * h + 0.5 * h),
            DriveKind::Displacement => {
                let shifted = field.displacement[dof] + (1.0 - theta) * h * field.velocity[dof];
                (d.at(t + h + (1.0 - theta) * h) - shifted) / h
            }
        };
    }
    velocities
}

/// The error of a matrix that cannot be factorized.
impl StepError {
    pub(super) fn matrix(error: cairn_sparse::Error) -> Self {
        Self::Matrix { message: error.to_string() }
    }
}
