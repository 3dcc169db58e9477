//! Bonds through a step: made where the scene says, handed on as normals turn, tested against what the step makes of
//! them.
//!
//! The contact problem is solved with every bond ending the step as it is *supposed* to. Each law then judges what it
//! carries. Where bonds carry more than they stand, those overloaded by more than half as much as the worst break, and
//! the problem is solved again from there: the impulses that a lost bond sheds may break others, or relieve them.
//! Bonds that soften are supposed to have the damage of a jump that those found so far lead to (`mixing.rs`), and are
//! asked again; what has lost all is broken when all agree.

use super::Workspace;
use super::assemble::When;
use super::mixing::Mixing;
use crate::contact::{Bond, Contact, Memory, Reaction};
use crate::law::{Cohesion, ContactKinematics, Judgement, Trial};
use crate::scene::{BondRule, Scene};
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use cairn_solvers::problem::Link;
use cairn_solvers::report::Report;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// Solutions of a step at most: bonds still in doubt are judged in the next one.
const MOST_PASSES: usize = 1000;
/// Gap up to which bodies count as touching when bonds are made, relative to the smaller one.
const TOUCHING: f64 = 1e-3;

/// A contact of a scene with bonds, in the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bonded<const D: usize> {
    /// What the law looks at.
    pub kinematics: ContactKinematics<D>,
    /// How the bond is supposed to end the step.
    pub trial: Trial,
    /// Velocity of obstacles, part of the bias.
    pub obstacle: Vect<D>,
    /// Energy stored at the start of the step [J].
    pub energy: f64,
}

/// What a contact remembers at the start of the step, [u] in the local frame; a new bond where the scene makes one.
pub(super) fn recall<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    contact: &Contact<D>,
    remembered: Option<&Reaction<D>>,
) -> Memory<D>
where
    Space<D>: Ambient<D>,
{
    let mut memory = remembered.map_or_else(Memory::default, Reaction::memory);
    let law = &scene.laws[contact.law as usize];
    let keeps_jump = memory.bond == Bond::Whole || law.springs_in_series().is_some();
    if let Some(before) = remembered.filter(|_| keeps_jump) {
        let turned = turned(&memory.jump, &before.contact.touch.normal, &contact.touch.normal);
        memory.jump = Space::<D>::frame(&contact.touch.normal).tr_mul(&turned);
    }
    let cohesion = &law.cohesion;
    if let Cohesion::Capillary(bridge) = cohesion {
        let holds = bridge.holds(contact.touch.gap, memory.bond == Bond::Whole);
        return if holds { Memory { bond: Bond::Whole, ..memory } } else { Memory::default() };
    }
    let bonds = || cohesion.bonds(contact.touch.area);
    let asked = |rule: &BondRule| rule.step == state.step && rule.joins(contact.bodies, &contact.touch.point);
    if memory.bond == Bond::None && scene.bonds.iter().any(asked) && bonds() && is_touching(scene, contact) {
        memory = Memory { bond: Bond::Whole, ..Memory::default() };
    }
    memory
}

/// The jump carried along as the normal turns: its tangential part keeps its length.
fn turned<const D: usize>(jump: &Vect<D>, old: &Vect<D>, new: &Vect<D>) -> Vect<D> {
    if old == new {
        return *jump;
    }
    let opening = jump.dot(old);
    let slip = jump - old * opening;
    let turned = slip - new * slip.dot(new);
    let length = turned.norm();
    let slip = if length > 0.0 { turned * (slip.norm() / length) } else { turned };
    new * opening + slip
}

/// Do the bodies of a contact touch, so that a bond can be made?
pub fn is_touching<const D: usize>(scene: &Scene<D>, contact: &Contact<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    let size = |body: u32| match scene.flexible(body) {
        Some(flexible) => flexible.skin.size(),
        None => {
            let (first, count) = scene.bodies[body as usize].parts;
            scene.parts[first as usize..(first + count) as usize].iter().map(|p| p.radius).fold(0.0, f64::max)
        }
    };
    contact.touch.gap <= TOUCHING * size(contact.bodies[0]).min(size(contact.bodies[1]))
}

/// Bonds are again as they were at the start of the step.
pub(super) fn reset_trial<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    for i in 0..work.bonded.len() {
        let ContactKinematics { bond, damage, .. } = work.bonded[i].kinematics;
        let trial = Trial { bond, damage };
        if work.bonded[i].trial != trial {
            work.bonded[i].trial = trial;
            reform(scene, work, i);
        }
    }
}

/// Solves by `solve` until all bonds are as supposed. If they never are, the step has not converged.
pub(super) fn solve_with_bonds<const D: usize>(
    scene: &Scene<D>,
    work: &mut Workspace<D>,
    mut solve: impl FnMut(&mut Workspace<D>) -> Report,
) -> Report
where
    Space<D>: Ambient<D>,
{
    let mut report = solve(work);
    if work.bonded.is_empty() {
        return report;
    }
    let mut mixing = Mixing::new(work.bonded.iter().flat_map(|b| b.kinematics.jump.iter().copied()).collect());
    let mut passes = 1;
    while !work.is_stopped() && check_bonds(scene, work, &mut mixing) {
        if passes == MOST_PASSES {
            report.converged = false;
            break;
        }
        report = report.followed_by(solve(work));
        passes += 1;
    }
    for bonded in work.bonded.iter_mut().filter(|b| b.trial.damage >= 1.0) {
        bonded.trial.bond = Bond::Broken;
    }
    report
}

/// Corrects what was supposed; true if something was.
fn check_bonds<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>, mixing: &mut Mixing) -> bool
where
    Space<D>: Ambient<D>,
{
    let carried = carried(work);
    let judged = |i: usize| {
        let (bonded, link) = (&work.bonded[i], &work.links[i]);
        let law = &scene.laws[work.contacts[i].law as usize];
        law.judge(&bonded.kinematics, &bonded.trial, &carried[i], &(link.velocity + bonded.obstacle))
    };
    let judgements: Vec<Judgement> = (0..work.bonded.len()).map(judged).collect();
    let mut worst: f64 = 0.0;
    for judgement in &judgements {
        if let Judgement::Overloaded(times) = judgement {
            worst = worst.max(*times);
        }
    }
    let limit = 1.0 + 0.5 * (worst - 1.0);
    let mut changed = false;
    for (i, judgement) in judgements.iter().enumerate() {
        if matches!(judgement, Judgement::Overloaded(times) if *times >= limit) {
            work.bonded[i].trial.bond = Bond::Broken;
            reform(scene, work, i);
            changed = true;
        }
    }
    soften(scene, work, &judgements, mixing) || changed
}

/// Supposes other damages where the jumps that were found do not lead to those supposed; true if there are any.
fn soften<const D: usize>(
    scene: &Scene<D>,
    work: &mut Workspace<D>,
    judgements: &[Judgement],
    mixing: &mut Mixing,
) -> bool
where
    Space<D>: Ambient<D>,
{
    if !judgements.iter().any(|j| matches!(j, Judgement::Damaged(_))) {
        return false;
    }
    let found =
        |(bonded, link): (&Bonded<D>, &Link<D>)| bonded.kinematics.jump_after(&(link.velocity + bonded.obstacle));
    let found: Vec<Vect<D>> = work.bonded.iter().zip(&work.links).map(found).collect();
    let next = mixing.next(found.iter().flat_map(|u| u.iter().copied()).collect());
    for (i, jump) in next.chunks_exact(D).enumerate() {
        let Bonded { kinematics, trial, .. } = &work.bonded[i];
        let cohesion = &scene.laws[work.contacts[i].law as usize].cohesion;
        let damage = cohesion.damage(kinematics, &Vect::from_column_slice(jump));
        if trial.bond == Bond::Whole && damage != trial.damage {
            work.bonded[i].trial.damage = damage;
            reform(scene, work, i);
        }
    }
    true
}

/// Impulses as the laws see them, local frames. How rigid bonds between the same two faces share what they carry is
/// not determined (more than three unknowns a joint, or six in space); they are judged by the one distribution that
/// equal springs on their areas would give: A (c + ω × d), with the same resultant and moment about the middle.
fn carried<const D: usize>(work: &Workspace<D>) -> Vec<Vect<D>>
where
    Space<D>: Ambient<D>,
{
    let mut carried: Vec<Vect<D>> = work.links.iter().map(|link| link.impulse).collect();
    let mut first = 0;
    for joint in work.contacts.chunk_by(same_joint) {
        let held: Vec<usize> = (first..first + joint.len()).filter(|&i| is_rigid_bond(&work.links[i])).collect();
        first += joint.len();
        if held.len() > 1 {
            share_evenly(work, &held, &mut carried);
        }
    }
    carried
}

/// How bonds that spring share their load is determined.
fn is_rigid_bond<const D: usize>(link: &Link<D>) -> bool {
    link.form.joint.bilateral && !link.form.joint.gives_way()
}

/// Cosine of the largest angle between the normals of one joint.
const SAME_FACE: f64 = 0.99;

fn same_joint<const D: usize>(a: &Contact<D>, b: &Contact<D>) -> bool {
    a.key.pair() == b.key.pair() && a.touch.normal.dot(&b.touch.normal) > SAME_FACE
}

fn share_evenly<const D: usize>(work: &Workspace<D>, held: &[usize], carried: &mut [Vect<D>])
where
    Space<D>: Ambient<D>,
{
    let lift = |v: &Vect<D>| Vector3::from(Space::<D>::lift(v));
    let whole: f64 = held.iter().map(|&i| work.contacts[i].touch.area).sum();
    let area = |i: usize| if whole > 0.0 { work.contacts[i].touch.area } else { 1.0 };
    let total: f64 = held.iter().map(|&i| area(i)).sum();
    let point = |i: usize| lift(&work.contacts[i].touch.point);
    let middle = held.iter().map(|&i| point(i) * area(i)).sum::<Vector3<f64>>() / total;
    let impulse = |i: usize| lift(&(work.links[i].frame * work.links[i].impulse));
    let resultant = held.iter().map(|&i| impulse(i)).sum::<Vector3<f64>>();
    let moment = held.iter().map(|&i| (point(i) - middle).cross(&impulse(i))).sum::<Vector3<f64>>();
    let mut inertia = Matrix3::zeros();
    for &i in held {
        let d = point(i) - middle;
        inertia += (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * area(i);
    }
    // Points on a line have no inertia about it, and carry no moment either.
    inertia += Matrix3::identity() * (1e-12 * inertia.trace() + f64::MIN_POSITIVE);
    let (resultant, moment) = determined(work, held[0], &middle, (total, &inertia), (resultant, moment));
    let turn = inertia.try_inverse().map_or_else(Vector3::zeros, |inverse| inverse * moment);
    for &i in held {
        let world = (resultant / total + turn.cross(&(point(i) - middle))) * area(i);
        carried[i] = work.links[i].frame.tr_mul(&Vect::from_fn(|k, _| world[k]));
    }
}

/// What of the resultant F and the moment M of a joint the motion of its bodies determines. Supports take any force and moment in what they
/// hold, and what of w = (F, M) goes there is whatever the solution happened to be: of all w that move the bodies in the same way, N w
/// being their motion, N = Σ Jᵀ M⁻¹ J with J w = (F, r × F + M), the one is taken that strains equal springs on the areas least,
/// F²/A + M·I⁻¹M.
fn determined<const D: usize>(
    work: &Workspace<D>,
    contact: usize,
    middle: &Vector3<f64>,
    (area, inertia): (f64, &Matrix3<f64>),
    (resultant, moment): (Vector3<f64>, Vector3<f64>),
) -> (Vector3<f64>, Vector3<f64>)
where
    Space<D>: Ambient<D>,
{
    let mut motion = Matrix6::<f64>::zeros();
    for (&mass, &body) in work.links[contact].masses.iter().zip(&work.contacts[contact].bodies) {
        let Some(place) = work.shifted.get(body as usize) else { return (resultant, moment) };
        let Some(mass) = work.masses.get(mass as usize) else { continue };
        let arm = middle - Vector3::from(Space::<D>::lift(&place.centre));
        let mut lever = Matrix6::identity();
        lever.fixed_view_mut::<3, 3>(3, 0).copy_from(&arm.cross_matrix());
        let mut response = Matrix6::zeros();
        let push = Matrix3::from_diagonal(&Space::<D>::lift(&mass.inverse_mass).into());
        response.fixed_view_mut::<3, 3>(0, 0).copy_from(&push);
        response.fixed_view_mut::<3, 3>(3, 3).copy_from(&mass.spin_mobility);
        motion += lever.tr_mul(&(response * lever));
    }
    // With w = S y, S² = diag(A, I), the least strain is the least ‖y‖: y projected onto the range of S N S.
    let axes = inertia.symmetric_eigen();
    let root = |power: f64| {
        let values = axes.eigenvalues.map(|value| value.max(0.0).powf(power));
        let mut scale = Matrix6::from_diagonal_element(area.powf(power));
        let of_moment = axes.eigenvectors * Matrix3::from_diagonal(&values) * axes.eigenvectors.transpose();
        scale.fixed_view_mut::<3, 3>(3, 3).copy_from(&of_moment);
        scale
    };
    let (scale, unscale) = (root(0.5), root(-0.5));
    let eigen = (scale * motion * scale).symmetric_eigen();
    let least = 1e-10 * eigen.eigenvalues.max();
    let counts = eigen.eigenvalues.map(|value| f64::from(u8::from(value > least)));
    let onto_range = eigen.eigenvectors * Matrix6::from_diagonal(&counts) * eigen.eigenvectors.transpose();
    let wrench = Vector6::from_fn(|i, _| if i < 3 { resultant[i] } else { moment[i - 3] });
    let taken = scale * onto_range * unscale * wrench;
    (taken.fixed_rows::<3>(0).into(), taken.fixed_rows::<3>(3).into())
}

/// The law in normal form again, for what is supposed now.
fn reform<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>, i: usize)
where
    Space<D>: Ambient<D>,
{
    let Bonded { kinematics, trial, obstacle, .. } = &work.bonded[i];
    let mut form = scene.laws[work.contacts[i].law as usize].prepare(kinematics, trial);
    form.bias += obstacle;
    work.links[i].form = form;
}

/// What each contact remembers after the step, and the account of the joints. To be called while motions are still
/// old, and reactions are new; `worked` is the work of the joints on the bodies in this step.
pub(super) fn post<const D: usize>(scene: &Scene<D>, state: &mut State<D>, work: &Workspace<D>, worked: f64)
where
    Space<D>: Ambient<D>,
{
    let (mut stored, mut found_again, mut dissipated, mut rubbed) = (0.0, 0.0, 0.0, 0.0);
    for (i, bonded) in work.bonded.iter().enumerate() {
        let link = &work.links[i];
        let velocity = |side: usize| work.point_velocity(scene, (i, side), &link.arms[side], When::Solved);
        let after = link.frame.tr_mul(&(velocity(0) - velocity(1)));
        let Trial { bond, damage } = bonded.trial;
        state.ledger.broken += u64::from(bonded.kinematics.bond == Bond::Whole && bond == Bond::Broken);
        let law = &scene.laws[work.contacts[i].law as usize];
        let settled = law.settle(&bonded.kinematics, &bonded.trial, &after, &link.impulse);
        let jump = link.frame * settled.jump;
        dissipated += settled.damaged;
        rubbed += settled.rubbed;
        found_again += bonded.energy;
        stored += settled.energy;
        let energy = settled.energy;
        state.reactions[i].remember(Memory { bond, damage, jump, energy, kept: settled.kept, ..Memory::default() });
    }
    // Bonds that were not found again took their energy with them.
    let lost = state.ledger.joints - found_again + dissipated;
    state.ledger.scheme -= worked + (stored - state.ledger.joints) + lost + rubbed;
    state.ledger.friction += rubbed;
    state.ledger.damage += lost;
    state.ledger.joints = stored;
}
