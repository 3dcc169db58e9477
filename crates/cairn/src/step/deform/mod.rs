//! The step of scenes with deformable bodies: Newton's iterations with the contact problem nested inside.
//!
//! In each iteration every deformable body predicts its velocity without contact, v + M̂⁻¹ρ(v); the contacts of all bodies,
//! rigid and deformable, are solved with W = Hᵀ M̂⁻¹ H; and the impulses found give the next iterate. Contacts are found, and H
//! is evaluated, once, in the shifted configuration. With small perturbations only, one iteration is exact.

mod account;
mod contacts;
mod coupling;
mod response;
mod rigid_modes;
mod tissue;

pub(super) use account::post;
pub(super) use contacts::find_contacts;
pub(super) use tissue::Tissue;

use super::{StepError, Workspace, assemble, joints, settings};
use crate::contact::Reaction;
use crate::detect::mesh::Hold;
use crate::flexible::{Correction, Field, Kinematics};
use crate::scene::{Scene, Start};
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;
use cairn_solvers::coupled::Coupled;
use cairn_solvers::delassus::Stored;
use cairn_solvers::report::Report;
use cairn_sparse::Symmetric;
use response::{Response, Weights};
use tissue::Scheme;

/// Workspace of the deformable bodies; what is kept between steps can be rebuilt.
pub(super) struct Deform<const D: usize> {
    /// One per distinct (model, held degrees of freedom, step), or per body if its matrix changes.
    responses: Vec<Response<D>>,
    /// Which response each body uses.
    response_of: Vec<usize>,
    /// Buffers, body by body.
    pub bodies: Vec<Tissue>,
    /// How each contact holds its two sides; rigid sides have an empty hold.
    pub holds: Vec<[Hold; 2]>,
    found: contacts::Found<D>,
    tangent: Option<Symmetric>,
    /// W of the last contact problem, with U_free.
    w: Option<Stored<D>>,
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
            holds: Vec::new(),
            found: contacts::Found::default(),
            tangent: None,
            w: None,
        }
    }
}

impl<const D: usize> Deform<D> {
    /// Strain energy at the end of the step [J].
    pub fn strain_energy(&self) -> f64 {
        self.bodies.iter().map(|tissue| tissue.energy[1]).sum()
    }

    /// W of the last contact problem, with U_free.
    pub fn delassus(&self) -> Option<&Stored<D>> {
        self.w.as_ref()
    }

    /// Hands the new fields over.
    pub fn commit(&mut self, fields: &mut [Field]) {
        for (tissue, field) in self.bodies.iter_mut().zip(fields) {
            std::mem::swap(&mut field.displacement, &mut tissue.displacement);
            std::mem::swap(&mut field.velocity, &mut tissue.velocity);
            std::mem::swap(&mut field.history, &mut tissue.history);
        }
    }
}

/// Velocity of a held point: Σ w v_node.
pub(super) fn held_velocity<const D: usize>(hold: &Hold, nodal: &[f64]) -> Vect<D> {
    let of_node = |node: u32| Vect::from_column_slice(&nodal[D * node as usize..D * (node as usize + 1)]);
    hold.iter().fold(Vect::zeros(), |sum, (node, weight)| sum + of_node(node) * weight)
}

/// Shares an impulse on a held point out to the nodes.
fn spread<const D: usize>(hold: &Hold, impulse: &Vect<D>, nodal: &mut [f64]) {
    for (node, weight) in hold.iter() {
        let of_node = &mut nodal[D * node as usize..D * (node as usize + 1)];
        of_node.iter_mut().zip(impulse.iter()).for_each(|(r, x)| *r += weight * x);
    }
}

/// How Newton's iterations went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Newton {
    /// Iterations made.
    pub iterations: usize,
    /// Largest out-of-balance impulse of a body, relative to the largest impulse at work in it.
    pub out_of_balance: f64,
    /// The contact solver's report of the last iteration, sweeps of all; not converged if Newton is not.
    pub contacts: Report,
}

/// The velocities at the end of the step, of rigid masses and of nodes, and the impulses between them.
pub(super) fn solve<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    remembered: &[Option<&Reaction<D>>],
    h: f64,
    work: &mut Workspace<D>,
) -> Result<Newton, StepError>
where
    Space<D>: Ambient<D>,
{
    let scheme = Scheme::of(&scene.time, h);
    work.deform.bodies.resize_with(scene.flexibles.len(), Tissue::default);
    let mut shifted: Vec<Mat<D>> = Vec::with_capacity(scene.flexibles.len());
    for (k, body) in scene.flexibles.iter().enumerate() {
        shifted.push(work.deform.bodies[k].start(scene, k, state, scheme));
        work.deform.bodies[k].evaluate(body, &shifted[k], &state.fields[k].displacement, scheme);
    }
    find_responses(scene, scheme, &mut work.deform)?;
    let free_masses = work.masses.clone();
    let linear = scene.flexibles.iter().all(|body| body.is_linear() || body.correction == Correction::Mass);
    let most = if linear { 1 } else { scene.newton.max_iterations.max(1) };
    let mut newton = Newton::default();
    while newton.iterations < most {
        let changed = refactor(scene, newton.iterations, &mut work.deform)?;
        let axes: Vec<Mat<D>> =
            scene.flexibles.iter().zip(&work.deform.bodies).map(|(body, t)| body.axes(&t.displacement)).collect();
        work.deform.predict(&axes);
        work.masses.clone_from(&free_masses);
        if newton.iterations == 0 {
            assemble::links(scene, state, remembered, h, work);
            if scene.solver.start == Start::RigidModes {
                rigid_modes::start(scene, work);
            }
        }
        joints::suppose_whole(scene, work);
        let contacts = relax(scene, work, &axes, changed, newton.iterations);
        push(work, &axes);
        newton.iterations += 1;
        newton.add(contacts);
        newton.out_of_balance = 0.0;
        for (k, body) in scene.flexibles.iter().enumerate() {
            let tissue = &mut work.deform.bodies[k];
            tissue.evaluate(body, &shifted[k], &state.fields[k].displacement, scheme);
            if !tissue.is_finite() {
                let body = scene.body_name((scene.bodies.len() + k) as u32);
                return Err(StepError::NotFinite { body, step: state.step + 1 });
            }
            let (rest, scale) = tissue.out_of_balance(body);
            newton.out_of_balance = newton.out_of_balance.max(if scale > 0.0 { rest / scale } else { 0.0 });
        }
        if newton.out_of_balance <= scene.newton.tolerance {
            return Ok(newton);
        }
    }
    newton.contacts.converged &= linear;
    Ok(newton)
}

impl Newton {
    /// The last report counts, but the sweeps of all.
    fn add(&mut self, last: Report) {
        let (sweeps, relaxations) = (self.contacts.sweeps, self.contacts.relaxations);
        let seconds = self.contacts.seconds_sweeping;
        self.contacts = last;
        self.contacts.sweeps += sweeps;
        self.contacts.relaxations += relaxations;
        self.contacts.seconds_sweeping += seconds;
    }
}

impl<const D: usize> Deform<D>
where
    Space<D>: Ambient<D>,
{
    fn predict(&mut self, axes: &[Mat<D>]) {
        for ((tissue, &r), q) in self.bodies.iter_mut().zip(&self.response_of).zip(axes) {
            tissue.predict(&self.responses[r], q);
        }
    }
}

/// Finds, or makes, the factorized matrix of each body.
fn find_responses<const D: usize>(scene: &Scene<D>, scheme: Scheme, deform: &mut Deform<D>) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let old = std::mem::take(&mut deform.response_of);
    for (k, body) in scene.flexibles.iter().enumerate() {
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
    Ok(())
}

/// Brings the matrices of bodies with finite deformations or memory up to date; true if one has changed.
fn refactor<const D: usize>(scene: &Scene<D>, iteration: usize, deform: &mut Deform<D>) -> Result<bool, StepError>
where
    Space<D>: Ambient<D>,
{
    let mut changed = iteration == 0;
    for (k, body) in scene.flexibles.iter().enumerate() {
        let wanted = match body.correction {
            Correction::Tangent => true,
            Correction::FirstTangent => iteration == 0,
            Correction::Mass => false,
        };
        if !body.stiffness_changes() || !wanted {
            continue;
        }
        let pattern = body.model.mass.pattern();
        let tangent = match &mut deform.tangent {
            Some(tangent) if std::sync::Arc::ptr_eq(tangent.pattern(), pattern) => tangent,
            other => other.insert(Symmetric::zero(pattern)),
        };
        deform.bodies[k].tangent(body, tangent);
        deform.responses[deform.response_of[k]].refactor(tangent)?;
        changed = true;
    }
    // Co-rotational bodies turn with their axes.
    Ok(changed || scene.flexibles.iter().any(|b| b.kinematics == Kinematics::Corotational))
}

/// Solves the contact problem of the present iterate; impulses and velocities go to the links. Impulses of the last iteration that
/// still solve it stay as they are: Newton would not come to rest on an answer that moves within its tolerance.
fn relax<const D: usize>(
    scene: &Scene<D>,
    work: &mut Workspace<D>,
    axes: &[Mat<D>],
    changed: bool,
    iteration: usize,
) -> Report
where
    Space<D>: Ambient<D>,
{
    let free: Vec<Vect<D>> = (0..work.contacts.len())
        .map(|i| {
            let link = &work.links[i];
            let velocity = |side: usize| {
                let is_obstacle =
                    scene.bodies.get(work.contacts[i].bodies[side] as usize).is_some_and(|b| b.is_obstacle());
                if is_obstacle {
                    return Vect::zeros();
                }
                work.point_velocity(i, side, &link.arms[side], assemble::When::Free)
            };
            link.frame.tr_mul(&(velocity(0) - velocity(1)))
        })
        .collect();
    if changed {
        ask_for_columns(scene, work);
        let Workspace { contacts, links, masses, deform, .. } = &*work;
        let flexible = deform.response_of.iter().zip(axes).map(|(&r, q)| (&deform.responses[r], *q)).collect();
        let parts = coupling::Parts { contacts, links, holds: &deform.holds, masses, flexible };
        work.deform.w = Some(coupling::stored(&parts, free));
    } else if let Some(w) = &mut work.deform.w {
        w.free_mut().copy_from_slice(&free);
    }
    let Some(w) = work.deform.w.take() else { return Report::default() };
    let mut coupled = Coupled::new(&w);
    let may_stand = iteration > 0 && work.bonded.is_empty();
    let solve = |work: &mut Workspace<D>| {
        let standing = if may_stand { coupled.stands(&mut work.links, &settings(scene)) } else { None };
        standing.unwrap_or_else(|| coupled.solve(&mut work.links, &settings(scene)))
    };
    let report = joints::settle(scene, work, solve);
    work.deform.w = Some(w);
    report
}

/// Columns of M̂⁻¹ of the nodes that the contacts hold.
fn ask_for_columns<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Workspace { contacts, deform, .. } = work;
    let Deform { responses, response_of, holds, .. } = deform;
    let mut unknown: Vec<(usize, u32)> = Vec::new();
    for (contact, holds) in contacts.iter().zip(holds.iter()) {
        for (body, hold) in contact.bodies.iter().zip(holds) {
            if let Some(k) = (*body as usize).checked_sub(scene.bodies.len()) {
                let r = response_of[k];
                unknown.extend(hold.iter().map(|(node, _)| (r, node)).filter(|&(r, n)| !responses[r].knows(n)));
            }
        }
    }
    unknown.sort_unstable();
    unknown.dedup();
    for of_response in unknown.chunk_by(|a, b| a.0 == b.0) {
        let nodes: Vec<u32> = of_response.iter().map(|u| u.1).collect();
        responses[of_response[0].0].ask_for(&nodes);
    }
}

/// Applies the impulses: r = H R, rigid masses and nodes to their velocities at the end of the step.
fn push<const D: usize>(work: &mut Workspace<D>, axes: &[Mat<D>])
where
    Space<D>: Ambient<D>,
{
    let Workspace { contacts, links, masses, deform, .. } = work;
    deform.bodies.iter_mut().for_each(|t| t.contact.fill(0.0));
    for ((contact, link), holds) in contacts.iter().zip(links.iter()).zip(&deform.holds) {
        if link.impulse == Vect::<D>::zeros() {
            continue;
        }
        let world = link.frame * link.impulse;
        link.push(masses, &link.impulse);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(k) = (contact.bodies[side] as usize).checked_sub(masses.len()) {
                spread(&holds[side], &(world * sign), &mut deform.bodies[k].contact);
            }
        }
    }
    for ((tissue, &r), q) in deform.bodies.iter_mut().zip(&deform.response_of).zip(axes) {
        tissue.correct(&deform.responses[r], q);
    }
}
