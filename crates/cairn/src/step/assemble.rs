//! The local problem: for each contact its frame, arms, law in normal form and starting impulse.

use super::joints::{self, Bonded};
use super::repair::Repair;
use super::{Workspace, deform};
use crate::contact::{Anchor, Bond, Contact, Image, Memory, Reaction, Side};
use crate::law::{ContactKinematics, Trial, Unilateral};
use crate::scene::Scene;
use crate::shape::Shape;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use crate::threads;
use cairn_solvers::problem::{GROUND, Link};
use cairn_solvers::rolling::Roll;
use nalgebra::Vector3;

/// Which velocities of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At its start, in the shifted configuration.
    Before,
    /// Without reactions; for rigid bodies to be asked for before the contacts are solved.
    Free,
    /// At its end.
    Solved,
}

impl<const D: usize> Workspace<D>
where
    Space<D>: Ambient<D>,
{
    /// Velocity of the point where contact `i` holds its candidate (side 0) or antagonist (side 1), world axes.
    pub(super) fn point_velocity(
        &self,
        scene: &Scene<D>,
        (i, side): (usize, usize),
        arm: &Vect<D>,
        when: When,
    ) -> Vect<D> {
        let iterate = match scene.side(self.contacts[i].bodies[side]) {
            Side::Rigid(body) => {
                let (velocity, spin) = if when == When::Before { self.before[body] } else { self.solved(body as u32) };
                let velocity = velocity + Space::<D>::swing(&spin, arm);
                let image = self.contacts[i].key.image;
                if side == 0 || image == Image::HOME {
                    return velocity;
                }
                return velocity + self.image_velocity(image)[usize::from(when != When::Before)];
            }
            Side::Deformable(k) => &self.deform.bodies[k],
        };
        let nodal = match when {
            When::Before => &iterate.before,
            When::Free => &iterate.free,
            When::Solved => &iterate.velocity,
        };
        deform::held_velocity(&self.deform.touched.hold(i)[side], nodal)
    }
}

/// Fills `links`, in the order of `contacts`.
pub(super) fn links<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    remembered: &[Option<&Reaction<D>>],
    h: f64,
    work: &mut Workspace<D>,
) where
    Space<D>: Ambient<D>,
{
    let mut repair = std::mem::take(&mut work.repair);
    repair.begin(scene, state, h);
    let (mut links, mut anchors) = (std::mem::take(&mut work.links), std::mem::take(&mut repair.anchors));
    work.bonded.clear();
    work.rolls.clear();
    let made = Making { scene, state, remembered, h, repair: &repair, work };
    if scene.laws_remember() || scene.has_rolling() {
        let (mut bonded, mut rolls) = (Vec::new(), Vec::new());
        (links, anchors) = (0..work.contacts.len())
            .map(|i| {
                let (link, anchor, bond, roll) = made.link(i);
                bonded.extend(bond);
                rolls.extend(roll);
                (link, anchor)
            })
            .unzip();
        (work.bonded, work.rolls) = (bonded, rolls);
    } else {
        threads::fill_two((&mut links, &mut anchors), work.contacts.len(), |i| {
            let (link, anchor, ..) = made.link(i);
            (link, anchor)
        });
    }
    repair.anchors = anchors;
    (work.links, work.repair) = (links, repair);
}

/// What links are made from.
struct Making<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    state: &'a State<D>,
    remembered: &'a [Option<&'a Reaction<D>>],
    h: f64,
    repair: &'a Repair<D>,
    work: &'a Workspace<D>,
}

impl<const D: usize> Making<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// The link of a contact, its anchor, what its bond looks at and its resistance to rolling.
    fn link(&self, i: usize) -> (Link<D>, Anchor<D>, Option<Bonded<D>>, Option<Roll>) {
        let Self { scene, state, h, work, .. } = *self;
        let (contact, memory) = (&work.contacts[i], self.remembered[i]);
        // Impulses grow with the step: a halved step starts from half of them.
        let growth = if state.last_step > 0.0 { h / state.last_step } else { 0.0 };
        let laws_remember = scene.laws_remember();
        let frame = Space::<D>::frame(&contact.touch.normal);
        let arms = arms(scene, contact, &work.shifted, &work.image(contact.key.image));
        let velocity = |side: usize, when: When| work.point_velocity(scene, (i, side), &arms[side], when);
        let free = [velocity(0, When::Free), velocity(1, When::Free)];
        let memory_of_law =
            if laws_remember { joints::recall(scene, state, contact, memory) } else { Memory::default() };
        let law = &scene.laws[contact.law as usize];
        // What overlaps before anything has moved is how the scene is meant.
        let is_first = state.last_step == 0.0;
        let is_deformable = contact.bodies.iter().any(|&b| scene.deformable_of(b).is_some());
        let pushes_itself = is_deformable && law.unilateral == Unilateral::Natural;
        let turning = || self.turning(contact, &arms, velocity(0, When::Before) - velocity(1, When::Before));
        let turning = (!pushes_itself).then_some(turning);
        let (repaired, anchor) = self.repair.bias((contact, law), &frame, memory, (h, is_first), turning);
        let mut kinematics = ContactKinematics {
            h,
            scheme: [scene.time.theta, scene.time.xi],
            gap: contact.touch.gap,
            area: contact.touch.area,
            bond: memory_of_law.bond,
            jump: memory_of_law.jump,
            damage: memory_of_law.damage,
            kept: memory_of_law.kept,
            before: frame.tr_mul(&(velocity(0, When::Before) - velocity(1, When::Before))),
            free: frame.tr_mul(&(free[0] - free[1])),
            status: memory.as_ref().map(|m| m.status).unwrap_or_default(),
            is_deformable,
        };
        if laws_remember {
            let is_new = kinematics.bond == Bond::Whole && memory.is_none_or(|m| m.memory().bond != Bond::Whole);
            law.recall(&mut kinematics, is_new);
        }
        let trial = Trial { bond: kinematics.bond, damage: kinematics.damage };
        let mut form = law.prepare(&kinematics, &trial);
        if !form.joint.is_some() {
            form.bias += repaired;
        }
        form.bias[0] -= work.look_again.push(&contact.key) / h;
        // To the solver an obstacle is ground at rest: its velocity goes into the bias.
        let mut masses = [GROUND; 2];
        let mut obstacle = Vect::zeros();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            match scene.side(contact.bodies[side]) {
                Side::Rigid(body) if scene.bodies[body].is_obstacle() => obstacle += frame.tr_mul(&free[side]) * sign,
                Side::Rigid(body) => masses[side] = body as u32,
                // It responds through its boundary, not as a mass.
                Side::Deformable(_) => {}
            }
        }
        if contact.key.image != Image::HOME && masses[1] != GROUND {
            obstacle -= frame.tr_mul(&work.image_velocity(contact.key.image)[1]);
        }
        form.bias += obstacle;
        let bonded = laws_remember.then_some(Bonded { kinematics, trial, obstacle, energy: memory_of_law.energy });
        // Facets of meshes do not turn: the moment acts on the rigid side alone.
        let resists = law.rolling.resists() && masses != [GROUND; 2];
        let roll = resists.then(|| Roll {
            link: i,
            arms: [law.rolling.rolling, law.rolling.twisting],
            bias: obstacle_spin(scene, contact, work),
            moment: memory.as_ref().map_or_else(Vect::zeros, |m| m.memory().moment * growth),
        });
        let remembered = || memory.as_ref().map_or_else(Vect::zeros, |m| m.impulse * growth);
        let impulse = frame.tr_mul(&work.look_again.impulse(&contact.key).unwrap_or_else(remembered));
        (Link { masses, frame, arms, form, impulse, velocity: Vect::zeros() }, anchor, bonded, roll)
    }
}

impl<const D: usize> Making<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// ε_φ of a contact: how fast the gap may close in the step without the linear contact's knowledge [m/s].
    fn turning(&self, contact: &Contact<D>, arms: &[Vect<D>; 2], sliding: Vect<D>) -> f64 {
        let of = |side: usize| {
            let body = contact.bodies[side];
            let Some(motion) = self.work.before.get(body as usize).filter(|_| !is_ball(self.scene, body)) else {
                return 0.0;
            };
            let spin = Space::<D>::spin_dot(&motion.1, &motion.1).sqrt();
            self.h * spin * (0.5 * spin * arms[side].norm() + sliding.norm())
        };
        of(0) + of(1)
    }
}

/// A single ball: it looks the same however it turns.
pub(super) fn is_ball<const D: usize>(scene: &Scene<D>, body: u32) -> bool
where
    Space<D>: Ambient<D>,
{
    let parts = scene.bodies[body as usize].parts;
    parts.1 == 1 && matches!(scene.parts[parts.0 as usize].shape, Shape::Ball(_))
}

/// The part of the relative spin that obstacles have, which are ground at rest to the solver.
fn obstacle_spin<const D: usize>(scene: &Scene<D>, contact: &Contact<D>, work: &Workspace<D>) -> Vector3<f64>
where
    Space<D>: Ambient<D>,
{
    let mut spin = Vector3::zeros();
    for (&body, sign) in contact.bodies.iter().zip([1.0, -1.0]) {
        if let Side::Rigid(body) = scene.side(body)
            && scene.bodies[body].is_obstacle()
        {
            spin += work.masses[body].spin * sign;
        }
    }
    spin
}

/// From each rigid body's centre, of the antagonist as it is seen, to the contact point. For a ball exactly along the normal, so that its own frictionless
/// contacts never turn it.
fn arms<const D: usize>(
    scene: &Scene<D>,
    contact: &Contact<D>,
    shifted: &[crate::space::Placement<D>],
    image: &Vect<D>,
) -> [Vect<D>; 2]
where
    Space<D>: Ambient<D>,
{
    [(0, Vect::zeros()), (1, *image)].map(|(side, seen)| {
        let Side::Rigid(body) = scene.side(contact.bodies[side]) else { return Vect::zeros() };
        let arm = contact.touch.point - (shifted[body].centre + seen);
        let is_ball = is_ball(scene, contact.bodies[side]);
        if is_ball { contact.touch.normal * arm.dot(&contact.touch.normal) } else { arm }
    })
}
