//! Deformable bodies in the step: their free velocities, how they respond to contacts, and their balance at the end of it. A scene
//! without any pays nothing here.

mod account;
mod contacts;
mod coupling;
mod fictitious;
mod iterate;
mod line_search;
mod look_again;
mod passing;
mod pressed;
mod response;
mod rigid_modes;

pub(super) use account::post;
pub(super) use contacts::find_contacts;
pub use fictitious::Inertia;
pub(super) use fictitious::inertia;
pub(super) use iterate::{BodyIterate, Scheme};
pub(super) use look_again::{add, overlaps};
pub(super) use passing::{must_not_pass, outran};
pub(super) use rigid_modes::start as start_from_rigid_modes;

use super::{StepError, Workspace};
use crate::contact::Reaction;
use crate::detect::mesh::NodeWeights;
use crate::flexible::{Correction, Field, Flexible, Kinematics};
use crate::scene::Scene;
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;
use cairn_solvers::boundary::Boundary;
use cairn_solvers::watch::Watched;
use cairn_sparse::Symmetric;
use pressed::Hold;
use rayon::prelude::*;
use response::{Response, Weights};

/// Bodies that a thread takes at a time at least.
const BODIES: usize = 8;

/// Workspace of the deformable bodies; what is kept between steps can be rebuilt.
pub(super) struct Deform<const D: usize> {
    /// One per distinct (model, held degrees of freedom, step), or per body if its matrix changes.
    responses: Vec<Response<D>>,
    /// Which response each body uses.
    response_of: Vec<usize>,
    /// Buffers, body by body.
    pub bodies: Vec<BodyIterate>,
    /// The contacts on them.
    pub touched: contacts::Touched,
    pub found: contacts::Found<D>,
    /// How far bodies may go without passing others, kept; it follows from the scene.
    safe: Vec<f64>,
    tangent: Option<Symmetric>,
    /// Which bodies are under pressure: their tangents had to be made positive definite.
    pressed: Vec<bool>,
    /// Axes Q̃ of each body in the shifted configuration, and Q of the present iterate.
    shifted: Vec<Mat<D>>,
    axes: Vec<Mat<D>>,
}

impl<const D: usize> Default for Deform<D>
where
    Space<D>: Ambient<D>,
{
    fn default() -> Self {
        Self {
            responses: Vec::new(),
            response_of: Vec::new(),
            bodies: Vec::new(),
            touched: contacts::Touched::default(),
            found: contacts::Found::default(),
            safe: Vec::new(),
            tangent: None,
            pressed: Vec::new(),
            shifted: Vec::new(),
            axes: Vec::new(),
        }
    }
}

impl<const D: usize> Deform<D> {
    /// Is a body under pressure?
    pub fn is_pressed(&self) -> bool {
        self.pressed.contains(&true)
    }

    /// Strain energy at the end of the step [J].
    pub fn strain_energy(&self) -> f64 {
        self.bodies.iter().map(|iterate| iterate.energy[1]).sum()
    }

    /// Hands the new fields over.
    pub fn commit(&mut self, fields: &mut [Field]) {
        for (iterate, field) in self.bodies.iter_mut().zip(fields) {
            std::mem::swap(&mut field.displacement, &mut iterate.displacement);
            std::mem::swap(&mut field.velocity, &mut iterate.velocity);
            std::mem::swap(&mut field.history, &mut iterate.history);
        }
    }
}

/// Velocity of a held point: Σ w v_node.
pub(super) fn held_velocity<const D: usize>(hold: &NodeWeights, nodal: &[f64]) -> Vect<D> {
    let of_node = |node: u32| Vect::from_column_slice(&nodal[D * node as usize..D * (node as usize + 1)]);
    hold.iter().fold(Vect::zeros(), |sum, (node, weight)| sum + of_node(node) * weight)
}

/// Shares an impulse on a held point out to the nodes.
fn spread<const D: usize>(hold: &NodeWeights, impulse: &Vect<D>, nodal: &mut [f64]) {
    for (node, weight) in hold.iter() {
        let of_node = &mut nodal[D * node as usize..D * (node as usize + 1)];
        of_node.iter_mut().zip(impulse.iter()).for_each(|(r, x)| *r += weight * x);
    }
}

/// Does the same for every body, by threads where there are several of both.
fn over_bodies<R: Send>(bodies: &mut [BodyIterate], each: impl Fn(usize, &mut BodyIterate) -> R + Sync) -> Vec<R> {
    if rayon::current_num_threads() == 1 || bodies.len() <= BODIES {
        return bodies.iter_mut().enumerate().map(|(k, iterate)| each(k, iterate)).collect();
    }
    bodies.par_iter_mut().with_min_len(BODIES).enumerate().map(|(k, iterate)| each(k, iterate)).collect()
}

/// Is the first iteration of a step exact?
pub(super) fn is_exact<const D: usize>(scene: &Scene<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    scene.flexibles.iter().all(|body| body.is_linear() || body.correction == Correction::Mass)
}

/// The first iterate: loads of the step, forces at its start, the matrix of each body.
pub(super) fn begin<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    scheme: Scheme,
    work: &mut Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let Deform { bodies, shifted, .. } = &mut work.deform;
    bodies.resize_with(scene.flexibles.len(), BodyIterate::default);
    let start = |k: usize, iterate: &mut BodyIterate| {
        let shifted = iterate.start(scene, k, state, scheme);
        let body = &scene.flexibles[k];
        let wants_tangent = body.correction != Correction::Mass || body.fictitious.is_some();
        iterate.evaluate(body, &shifted, &state.fields[k].displacement, scheme, wants_tangent);
        if body.fictitious.is_some() {
            iterate.choose_masses(body, scheme);
        }
        shifted
    };
    *shifted = over_bodies(bodies, start);
    find_responses(scene, state, scheme, work)
}

/// Velocities without contact, v + M̂⁻¹ρ; true if M̂ or the axes of a body have changed since the iteration before.
pub(super) fn predict<const D: usize>(
    scene: &Scene<D>,
    (state, remembered): (&State<D>, &[Option<&Reaction<D>>]),
    iteration: usize,
    work: &mut Workspace<D>,
) -> Result<bool, StepError>
where
    Space<D>: Ambient<D>,
{
    let changed = refactor(scene, (state, remembered), iteration, work)?;
    let Deform { bodies, responses, response_of, axes, .. } = &mut work.deform;
    let predict = |k: usize, iterate: &mut BodyIterate| {
        let axes = scene.flexibles[k].axes(&iterate.displacement);
        iterate.predict(&responses[response_of[k]], &axes);
        axes
    };
    *axes = over_bodies(bodies, predict);
    Ok(changed)
}

/// The deformable body that is farthest from balance, and how far: its impulse out of balance relative to those at work in it.
pub(super) struct Worst {
    pub body: usize,
    pub out_of_balance: f64,
    /// Has the step of any body been shortened?
    pub is_damped: bool,
}

/// Velocities with the impulses of the links, v = free + M̂⁻¹ r, and what is out of balance there. Steps that lead away from balance are
/// shortened, unless the iteration is the last that there may be.
pub(super) fn correct<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    scheme: Scheme,
    (iteration, is_last): (usize, bool),
    work: &mut Workspace<D>,
) -> Result<Worst, StepError>
where
    Space<D>: Ambient<D>,
{
    let may_damp = !is_last && !is_exact(scene);
    if may_damp {
        let kept = |(body, iterate): (&Flexible<D>, &mut BodyIterate)| {
            iterate.keep_origin(if iteration == 0 { f64::INFINITY } else { iterate.out_of_balance(body).0 });
        };
        scene.flexibles.iter().zip(&mut work.deform.bodies).for_each(kept);
    }
    spread_impulses(scene, work);
    let Deform { bodies, responses, response_of, shifted, axes, .. } = &mut work.deform;
    let correct = |k: usize, iterate: &mut BodyIterate| {
        iterate.correct(&responses[response_of[k]], &axes[k]);
        let body = &scene.flexibles[k];
        let wants_tangent = body.correction == Correction::Tangent;
        let evaluate = |iterate: &mut BodyIterate| {
            iterate.evaluate(body, &shifted[k], &state.fields[k].displacement, scheme, wants_tangent);
            iterate.out_of_balance(body)
        };
        let whole = evaluate(iterate);
        let enough = line_search::NEAR * whole.1;
        let is_damped = may_damp
            && body.kinematics == Kinematics::Finite
            && iterate.search((whole.0, enough), |iterate| evaluate(iterate).0);
        let (rest, scale) = if is_damped { iterate.out_of_balance(body) } else { whole };
        iterate.is_finite().then_some((if scale > 0.0 { rest / scale } else { 0.0 }, is_damped))
    };
    let found: Vec<Option<(f64, bool)>> = over_bodies(bodies, correct);
    if let Some(k) = found.iter().position(Option::is_none) {
        let body = scene.body_name(scene.number_of_deformable(k));
        return Err(StepError::NotFinite { body, step: state.step + 1 });
    }
    let mut worst = Worst { body: 0, out_of_balance: 0.0, is_damped: false };
    for (body, (out_of_balance, is_damped)) in found.into_iter().flatten().enumerate() {
        worst.is_damped |= is_damped;
        if out_of_balance > worst.out_of_balance {
            worst = Worst { body, out_of_balance, ..worst };
        }
    }
    Ok(worst)
}

/// Finds, or makes, the factorized matrix of each body.
fn find_responses<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    scheme: Scheme,
    work: &mut Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let old = std::mem::take(&mut work.deform.response_of);
    for (k, body) in scene.flexibles.iter().enumerate() {
        work.must_go_on(state)?;
        let deform = &mut work.deform;
        let held = &deform.bodies[k].held;
        let weights = Weights::of(body, scheme.h, scheme.xi, scheme.theta);
        let fits = |r: &usize| deform.responses[*r].fits(body, held, weights);
        let shared = !body.stiffness_changes();
        let found =
            old.get(k).copied().filter(fits).or_else(|| (0..deform.responses.len()).filter(|_| shared).find(fits));
        let index = match found {
            Some(index) => index,
            None => {
                deform.responses.push(Response::new(body, held.clone(), weights)?);
                deform.responses.len() - 1
            }
        };
        deform.response_of.push(index);
    }
    forget_unused(&mut work.deform);
    Ok(())
}

/// Frees the factorizations that no body has used for some steps.
fn forget_unused<const D: usize>(deform: &mut Deform<D>)
where
    Space<D>: Ambient<D>,
{
    let Deform { responses, response_of, .. } = deform;
    let mut is_used = vec![false; responses.len()];
    response_of.iter().for_each(|&r| is_used[r] = true);
    let kept: Vec<bool> = responses.iter_mut().zip(is_used).map(|(response, used)| response.keep(used)).collect();
    if kept.iter().all(|kept| *kept) {
        return;
    }
    let number = |r: usize| kept[..r].iter().filter(|kept| **kept).count();
    response_of.iter_mut().for_each(|r| *r = number(*r));
    let mut all = kept.iter();
    responses.retain(|_| all.next() == Some(&true));
}

/// Brings the matrices of bodies with finite deformations or memory up to date; true if one has changed.
fn refactor<const D: usize>(
    scene: &Scene<D>,
    (state, remembered): (&State<D>, &[Option<&Reaction<D>>]),
    iteration: usize,
    work: &mut Workspace<D>,
) -> Result<bool, StepError>
where
    Space<D>: Ambient<D>,
{
    let mut changed = iteration == 0;
    if iteration == 0 {
        work.deform.pressed.clear();
        work.deform.pressed.resize(scene.flexibles.len(), false);
    }
    let holds = pressed::holds(scene, remembered, iteration == 0, work);
    for (k, body) in scene.flexibles.iter().enumerate() {
        work.must_go_on(state)?;
        if body.fictitious.is_some() {
            let Deform { responses, response_of, bodies, .. } = &mut work.deform;
            responses[response_of[k]].set_masses(&bodies[k].fictitious);
            changed = true;
        }
        let wanted = match body.correction {
            Correction::Tangent => true,
            Correction::FirstTangent => iteration == 0,
            Correction::Mass => false,
        };
        if body.stiffness_changes() && wanted {
            changed = true;
            work.deform.refactor(k, body, &holds)?;
        }
    }
    // Co-rotational bodies turn with their axes.
    Ok(changed || scene.flexibles.iter().any(|b| b.kinematics == Kinematics::Corotational))
}

impl<const D: usize> Deform<D>
where
    Space<D>: Ambient<D>,
{
    /// The matrix of a body: by its tangent, by that with what holds it, or without what presses, whichever is positive definite first, since
    /// contacts are solved through it. What was not in this step is not tried again.
    fn refactor(&mut self, k: usize, body: &Flexible<D>, holds: &[Hold<D>]) -> Result<(), StepError> {
        let is_touched = self.touched.bodies.contains(&(k as u32));
        let Self { bodies, responses, response_of, tangent: kept, pressed, .. } = self;
        let (iterate, response) = (&mut bodies[k], &mut responses[response_of[k]]);
        // What a material with memory answers with is taken as it is: softening, or flow that is not associated, is no pressure.
        if let Some((remembered, skew)) = iterate.remembered_tangent() {
            return response.refactor(remembered, skew);
        }
        let pattern = body.model.mass.pattern();
        let tangent = match kept {
            Some(tangent) if std::sync::Arc::ptr_eq(tangent.pattern(), pattern) => tangent,
            other => other.insert(Symmetric::zero(pattern)),
        };
        iterate.tangent(body, false, tangent);
        if !pressed[k] {
            response.refactor(tangent, None)?;
            if response.is_definite() || !is_touched {
                return Ok(());
            }
            pressed[k] = true;
        }
        if pressed::add(k, body, holds, tangent) {
            response.refactor(tangent, None)?;
            if response.is_definite() {
                return Ok(());
            }
        }
        iterate.tangent(body, true, tangent);
        response.refactor(tangent, None)
    }
}

/// How the deformable bodies respond to their contacts, and the free velocities there, for the present iterate; false if who waits for
/// the step has asked to stop.
pub(super) fn update_boundary<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>, changed: bool) -> bool
where
    Space<D>: Ambient<D>,
{
    if changed {
        ask_for_columns(scene, work);
    }
    if work.is_stopped() {
        return false;
    }
    let Workspace { contacts, links, deform, boundary, .. } = work;
    let Deform { responses, response_of, touched, bodies, axes, .. } = deform;
    let body_of = |side: u32| scene.deformable_of(side);
    let touching =
        || touched.contacts.iter().zip(&touched.node_weights).map(|(&i, node_weights)| (i as usize, node_weights));
    let free = touching().map(|(i, node_weights)| {
        let velocity = |side: usize| match body_of(contacts[i].bodies[side]) {
            Some(k) => held_velocity(&node_weights[side], &bodies[k].free),
            None => Vect::zeros(),
        };
        links[i].frame.tr_mul(&(velocity(0) - velocity(1)))
    });
    let free: Vec<Vect<D>> = free.collect();
    if !changed {
        boundary.free_mut().copy_from_slice(&free);
        return true;
    }
    let parts = coupling::Parts {
        links: touching().map(|(i, _)| &links[i]).collect(),
        bodies: touching().map(|(i, _)| contacts[i].bodies.map(body_of)).collect(),
        node_weights: &touched.node_weights,
        flexible: response_of.iter().zip(axes.iter()).map(|(&r, q)| (&responses[r], *q)).collect(),
    };
    *boundary = Boundary::new(touched.contacts.clone(), coupling::stored(&parts, free));
    true
}

/// Columns of M̂⁻¹ of the nodes that the contacts hold; not all of them if who waits for the step has asked to stop.
fn ask_for_columns<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Workspace { contacts, deform, watch, .. } = work;
    let Deform { responses, response_of, touched, .. } = deform;
    let watch = Watched::by(watch.as_deref());
    let mut unknown: Vec<(usize, u32)> = Vec::new();
    for (&contact, node_weights) in touched.contacts.iter().zip(&touched.node_weights) {
        for (body, hold) in contacts[contact as usize].bodies.iter().zip(node_weights) {
            if let Some(k) = scene.deformable_of(*body) {
                let r = response_of[k];
                unknown.extend(hold.iter().map(|(node, _)| (r, node)).filter(|&(r, n)| !responses[r].knows(n)));
            }
        }
    }
    unknown.sort_unstable();
    unknown.dedup();
    for of_response in unknown.chunk_by(|a, b| a.0 == b.0) {
        let nodes: Vec<u32> = of_response.iter().map(|u| u.1).collect();
        responses[of_response[0].0].ask_for(&nodes, watch);
    }
}

/// The impulses on nodes: r = H R.
fn spread_impulses<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Workspace { contacts, links, deform, .. } = work;
    let Deform { bodies, touched, .. } = deform;
    bodies.iter_mut().for_each(|t| t.contact.fill(0.0));
    for (&i, node_weights) in touched.contacts.iter().zip(&touched.node_weights) {
        let (contact, link) = (&contacts[i as usize], &links[i as usize]);
        if link.impulse == Vect::<D>::zeros() {
            continue;
        }
        let world = link.frame * link.impulse;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(k) = scene.deformable_of(contact.bodies[side]) {
                spread(&node_weights[side], &(world * sign), &mut bodies[k].contact);
            }
        }
    }
}
