//! Numbers of chosen bodies, for the history.
//!
//! With N bodies b whose centres x_b are in the region, of volume V (without one: the box around them), the contact forces r at x on them, and
//! the contacts c that press between two chosen bodies, in the region, with normals n, normal forces f_N and tangential forces f_T:
//!
//!   σ  = (1/V) Σ_b Σ (x − x_b) ⊗ r                      stress (Love, Weber), tension positive
//!   σ′ = −(1/V) Σ_b m (v − v̄) ⊗ (v − v̄)                  what motion carries, v̄ the mean velocity, in a cell with its gradient
//!   F  = (1/C) Σ_c n ⊗ n,   χ_N = (1/C) Σ_c f_N n ⊗ n,   χ = χ_N + (1/C) Σ_c n ⊗ f_T
//!   a_C = k (F₁ − F₃),   a_N = k (χ_N1 − χ_N3)/tr χ_N − a_C,   a_T = k (χ_1 − χ_3)/tr χ − a_C − a_N
//!
//! in the principal axes 1 and 3 (the last) of χ, with k = 2 in the plane and 5/2 in space (Rothenburg and Bathurst 1989; Azéma, Radjai and
//! Saussine 2009): q/p ≈ (a_C + a_N + a_T)/2, and 2/5 of the sum in triaxial states. A *rattler* has fewer than two neighbours that press it.

use super::flexible::moment_of_mass;
use super::stress::stress_integral;
use super::{resultant, spin_energy};
use crate::contact::{Reaction, Side, Status};
use crate::scene::{Measure, Quantity, Scene};
use crate::shape::{ConvexShape, Shape};
use crate::space::{Ambient, Mat, Space, Spin, Vect};
use crate::state::State;
use nalgebra::Matrix3;
use std::collections::BTreeSet;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Names and units of the columns of a measure.
pub fn chosen_columns<const D: usize>(measure: &Measure<D>) -> Vec<(String, &'static str)>
where
    Space<D>: Ambient<D>,
{
    let vector = |what: &str| AXES[..D].iter().map(|axis| format!("{what} {axis}")).collect::<Vec<_>>();
    let angular = |what: &str| if D == 2 { vec![what.to_string()] } else { vector(what) };
    let tensor = |what: &str| pairs::<D>().map(|(i, j)| format!("{what} {}{}", AXES[i], AXES[j])).collect::<Vec<_>>();
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let of = |quantity: &Quantity| match quantity {
        Quantity::Position => (vector("position"), "m"),
        Quantity::Displacement => (vector("displacement"), "m"),
        Quantity::Velocity => (vector("velocity"), "m/s"),
        Quantity::Rotation => (angular("rotation"), "rad"),
        Quantity::Spin => (angular("spin"), "rad/s"),
        Quantity::Force => (vector("force"), "N"),
        Quantity::Moment => (angular("moment"), "N·m"),
        Quantity::KineticEnergy => (words(&["kinetic energy"]), "J"),
        Quantity::LargestSpeed => (words(&["largest speed"]), "m/s"),
        Quantity::Stress => (tensor("stress"), "Pa"),
        Quantity::KineticStress => (tensor("kinetic stress"), "Pa"),
        Quantity::SolidFraction => (words(&["solid fraction"]), "-"),
        Quantity::VoidRatio => (words(&["void ratio"]), "-"),
        Quantity::Coordination => (words(&["coordination", "coordination without rattlers", "rattlers"]), "-"),
        Quantity::Fabric => (tensor("fabric"), "-"),
        Quantity::Anisotropies => {
            (words(&["anisotropy of contacts", "anisotropy of normal forces", "anisotropy of tangential forces"]), "-")
        }
        Quantity::MobilizedFriction => (words(&["mobilized friction", "sliding contacts"]), "-"),
    };
    let all = measure.of.iter().map(of);
    all.flat_map(|(names, unit)| names.into_iter().map(move |what| (format!("{} {what}", measure.name), unit)))
        .collect()
}

/// Values of [`chosen_columns`].
pub fn chosen_values<const D: usize>(scene: &Scene<D>, state: &State<D>, measure: &Measure<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let sample = Sample::of(scene, state, measure);
    measure.of.iter().flat_map(|quantity| sample.measured(*quantity)).collect()
}

/// Components of a symmetric tensor: the diagonal first.
fn pairs<const D: usize>() -> impl Iterator<Item = (usize, usize)> {
    let off = (0..D).flat_map(|i| (i + 1..D).map(move |j| (i, j)));
    (0..D).map(|i| (i, i)).chain(off)
}

fn components<const D: usize>(tensor: &Mat<D>) -> Vec<f64> {
    pairs::<D>().map(|(i, j)| 0.5 * (tensor[(i, j)] + tensor[(j, i)])).collect()
}

/// A body that is measured.
struct Member<const D: usize> {
    body: u32,
    /// 1 for all if one of them has no finite mass.
    weight: f64,
    centre: Vect<D>,
    moved: Vect<D>,
    velocity: Vect<D>,
}

/// The bodies that are measured at a time.
struct Sample<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    state: &'a State<D>,
    measure: &'a Measure<D>,
    members: Vec<Member<D>>,
}

impl<'a, const D: usize> Sample<'a, D>
where
    Space<D>: Ambient<D>,
{
    fn of(scene: &'a Scene<D>, state: &'a State<D>, measure: &'a Measure<D>) -> Self {
        let there = |body: &&u32| scene.bodies.get(**body as usize).is_none_or(|b| !b.is_gone);
        let mut members: Vec<Member<D>> =
            measure.bodies.iter().filter(there).map(|&body| member(scene, state, (body, measure.node))).collect();
        if let Some(region) = &measure.region {
            members.retain(|member| region.holds(&scene.folded(&member.centre, &state.now())));
        }
        if members.iter().any(|member| !member.weight.is_finite()) {
            members.iter_mut().for_each(|member| member.weight = 1.0);
        }
        Self { scene, state, measure, members }
    }

    fn measured(&self, quantity: Quantity) -> Vec<f64> {
        let Self { scene, state, .. } = self;
        match quantity {
            Quantity::Position => self.mean(|m| m.centre).iter().copied().collect(),
            Quantity::Displacement => self.mean(|m| m.moved).iter().copied().collect(),
            Quantity::Velocity => self.mean(|m| m.velocity).iter().copied().collect(),
            Quantity::Rotation => self.angular(|number| {
                let (now, start) = (&state.motions[number].place.turn, &scene.start[number].place.turn);
                Space::<D>::angle_of(&Space::<D>::compose(now, &Space::<D>::inverse(start)))
            }),
            Quantity::Spin => self.angular(|number| state.motions[number].spin),
            Quantity::Force => resultant(&state.reactions, &self.numbers(), state.last_step).iter().copied().collect(),
            Quantity::Moment => self.moment(),
            Quantity::KineticEnergy => vec![self.kinetic_energy()],
            Quantity::LargestSpeed => vec![self.members.iter().map(|m| m.velocity.norm()).fold(0.0, f64::max)],
            Quantity::Stress => components(&self.stress()),
            Quantity::KineticStress => components(&self.kinetic_stress()),
            Quantity::SolidFraction => vec![ratio(self.solid(), self.volume())],
            Quantity::VoidRatio => vec![ratio(self.volume() - self.solid(), self.solid())],
            Quantity::Coordination => self.coordination(),
            Quantity::Fabric => components(&Tensors::of(self).fabric),
            Quantity::Anisotropies => Tensors::of(self).anisotropies().to_vec(),
            Quantity::MobilizedFriction => self.mobilized(),
        }
    }

    fn numbers(&self) -> Vec<u32> {
        self.members.iter().map(|member| member.body).collect()
    }

    fn has(&self, body: u32) -> bool {
        self.members.binary_search_by_key(&body, |member| member.body).is_ok()
    }

    fn mean(&self, of: impl Fn(&Member<D>) -> Vect<D>) -> Vect<D> {
        let total: f64 = self.members.iter().map(|m| m.weight).sum();
        let sum = self.members.iter().fold(Vect::zeros(), |sum, m| sum + of(m) * m.weight);
        if total > 0.0 { sum / total } else { sum }
    }

    /// Of the one rigid body that is measured; the reader has seen to it that there is no other.
    fn angular(&self, of: impl Fn(usize) -> Spin<D>) -> Vec<f64> {
        let spin = self.members.first().map(|member| of(member.body as usize)).unwrap_or_default();
        Space::<D>::spin_slice(&spin).to_vec()
    }

    fn moment(&self) -> Vec<f64> {
        let (centre, mut sum) = (self.mean(|m| m.centre), Spin::<D>::default());
        for reaction in &self.state.reactions {
            let moment = Space::<D>::moment(&(reaction.contact.touch.point - centre), &reaction.impulse);
            let [candidate, antagonist] = reaction.contact.bodies.map(|body| f64::from(u8::from(self.has(body))));
            sum += moment * (candidate - antagonist);
        }
        let h = if self.state.last_step > 0.0 { self.state.last_step } else { 1.0 };
        Space::<D>::spin_slice(&(sum * (1.0 / h))).to_vec()
    }

    fn kinetic_energy(&self) -> f64 {
        let Self { scene, state, .. } = self;
        let of = |member: &Member<D>| match scene.side(member.body) {
            Side::Rigid(b) if scene.bodies[b].mass.is_finite() => {
                let (body, motion) = (&scene.bodies[b], &state.motions[b]);
                0.5 * body.mass * motion.velocity.norm_squared() + spin_energy(body, motion)
            }
            Side::Rigid(_) => 0.0,
            Side::Deformable(k) => super::flexible::kinetic_energy(&scene.flexibles[k], &state.fields[k].velocity),
        };
        self.members.iter().map(of).sum()
    }

    /// Of the region, of the cell, or of the box around the members.
    fn volume(&self) -> f64 {
        if let Some(region) = &self.measure.region {
            return region.volume();
        }
        let Self { scene, state, .. } = self;
        if let Some(cell) = &scene.cell {
            return cell.volume(&state.now());
        }
        let (mut low, mut high) = (Vect::<D>::repeat(f64::INFINITY), Vect::<D>::repeat(f64::NEG_INFINITY));
        let mut hold = |x: &Vect<D>, radius: f64| {
            low = low.inf(&x.add_scalar(-radius));
            high = high.sup(&x.add_scalar(radius));
        };
        for member in &self.members {
            match scene.side(member.body) {
                Side::Rigid(b) => {
                    let (first, count) = scene.bodies[b].parts;
                    let parts = &scene.parts[first as usize..(first + count) as usize];
                    for part in parts.iter().filter(|part| part.radius.is_finite()) {
                        let place = state.motions[b].place.then(&part.local);
                        match &part.shape {
                            Shape::Convex(convex) => convex.vertices().iter().for_each(|v| hold(&place.point(v), 0.0)),
                            _ => hold(&place.centre, part.radius),
                        }
                    }
                }
                Side::Deformable(k) => {
                    scene.flexibles[k].positions(&state.fields[k].displacement).iter().for_each(|x| hold(x, 0.0));
                }
            }
        }
        if low[0] > high[0] { 0.0 } else { (high - low).iter().product() }
    }

    /// Volume of the members.
    fn solid(&self) -> f64 {
        let of = |member: &Member<D>| match self.scene.side(member.body) {
            Side::Rigid(b) => {
                let (first, count) = self.scene.bodies[b].parts;
                let parts = &self.scene.parts[first as usize..(first + count) as usize];
                parts.iter().filter_map(|part| part.shape.mass_properties()).map(|mass| mass.volume).sum::<f64>()
            }
            Side::Deformable(k) => stress_integral(&self.scene.flexibles[k], &self.state.fields[k]).1,
        };
        self.members.iter().map(of).sum()
    }

    fn stress(&self) -> Mat<D> {
        let Self { scene, state, .. } = self;
        let (mut sum, h) = (Mat::<D>::zeros(), state.last_step);
        for reaction in state.reactions.iter().filter(|_| h > 0.0) {
            let seen = [Vect::zeros(), scene.image_offset(reaction.contact.key.image, &state.now())];
            for ((&body, sign), seen) in reaction.contact.bodies.iter().zip([1.0, -1.0]).zip(seen) {
                if let Side::Rigid(b) = scene.side(body)
                    && self.has(body)
                {
                    let arm = reaction.contact.touch.point - (state.motions[b].place.centre + seen);
                    sum += arm * (reaction.impulse * (sign / h)).transpose();
                }
            }
        }
        for member in &self.members {
            if let Side::Deformable(k) = scene.side(member.body) {
                let (integral, _) = stress_integral(&scene.flexibles[k], &state.fields[k]);
                sum += Mat::<D>::from_fn(|i, j| integral[(i, j)]);
            }
        }
        over(sum, self.volume())
    }

    /// Velocities count relative to the mean, and in a periodic cell to the motion of the cell.
    fn kinetic_stress(&self) -> Mat<D> {
        let (mean, centre) = (self.mean(|m| m.velocity), self.mean(|m| m.centre));
        let cell = self.scene.cell.as_ref();
        let carried = cell.map(|cell| cell.gradient(&self.state.now(), self.state.last_step));
        let of = |m: &Member<D>| {
            let with_cell = carried.map_or_else(Vect::zeros, |gradient| gradient * (m.centre - centre));
            let own = m.velocity - mean - with_cell;
            own * own.transpose() * -m.weight
        };
        over(self.members.iter().map(of).sum(), self.volume())
    }

    /// Neighbours that press, of each member.
    fn coordination(&self) -> Vec<f64> {
        let pressing = self.state.reactions.iter().filter(|r| r.status != Status::Open);
        let pairs: BTreeSet<[u32; 2]> = pressing.map(|r| r.contact.bodies).collect();
        let mut neighbours = vec![0_u32; self.members.len()];
        for body in pairs.iter().flatten() {
            if let Ok(k) = self.members.binary_search_by_key(body, |member| member.body) {
                neighbours[k] += 1;
            }
        }
        let (all, held) = (neighbours.len() as f64, neighbours.iter().filter(|n| **n > 1).count() as f64);
        let sum = |held: bool| neighbours.iter().filter(|n| !held || **n > 1).sum::<u32>();
        vec![ratio(f64::from(sum(false)), all), ratio(f64::from(sum(true)), held), ratio(all - held, all)]
    }

    /// Contacts that press, between two of the chosen bodies, in the region.
    fn contacts(&self) -> impl Iterator<Item = &Reaction<D>> {
        let Measure { bodies, region, .. } = self.measure;
        let chosen = |body: &u32| bodies.binary_search(body).is_ok();
        let seen = |r: &Reaction<D>| self.scene.folded(&r.contact.touch.point, &self.state.now());
        let inside = move |r: &&Reaction<D>| region.as_ref().is_none_or(|x| x.holds(&seen(r)));
        let pressing = self.state.reactions.iter().filter(|r| r.status != Status::Open);
        pressing.filter(move |r| r.contact.bodies.iter().all(chosen)).filter(inside)
    }

    fn mobilized(&self) -> Vec<f64> {
        let (mut used, mut sliding, mut count) = (0.0, 0.0, 0.0);
        for reaction in self.contacts() {
            let (normal, friction) =
                (reaction.contact.touch.normal, self.scene.laws[reaction.contact.law as usize].friction);
            let pressure = reaction.impulse.dot(&normal);
            if friction.at_rest > 0.0 && pressure > 0.0 {
                used += (reaction.impulse - normal * pressure).norm() / (friction.at_rest * pressure);
                sliding += f64::from(u8::from(reaction.status == Status::Slip));
                count += 1.0;
            }
        }
        vec![ratio(used, count), ratio(sliding, count)]
    }
}

/// A body, or a node of it.
fn member<const D: usize>(scene: &Scene<D>, state: &State<D>, (body, node): (u32, Option<u32>)) -> Member<D>
where
    Space<D>: Ambient<D>,
{
    match scene.side(body) {
        Side::Rigid(b) => {
            let (motion, start) = (&state.motions[b], &scene.start[b].place);
            let (weight, centre) = (scene.bodies[b].mass, motion.place.centre);
            let moved = centre - start.centre;
            Member { body, weight, centre, moved, velocity: motion.velocity }
        }
        Side::Deformable(k) => {
            let (flexible, field) = (&scene.flexibles[k], &state.fields[k]);
            if let Some(node) = node.map(|node| node as usize) {
                let of = |all: &[f64]| Vect::<D>::from_column_slice(&all[D * node..D * (node + 1)]);
                let (moved, velocity) = (of(&field.displacement), of(&field.velocity));
                return Member { body, weight: 1.0, centre: flexible.reference(node) + moved, moved, velocity };
            }
            let mass = flexible.model.total_mass();
            let moved = moment_of_mass(flexible, &field.displacement) / mass;
            let rest = flexible.positions(&vec![0.0; field.displacement.len()]);
            let centre = rest.iter().zip(&flexible.model.shares).fold(Vect::zeros(), |sum, (x, m)| sum + x * *m) / mass;
            let velocity = moment_of_mass(flexible, &field.velocity) / mass;
            Member { body, weight: mass, centre: centre + moved, moved, velocity }
        }
    }
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

fn over<const D: usize>(sum: Mat<D>, volume: f64) -> Mat<D> {
    if volume > 0.0 { sum / volume } else { Mat::<D>::zeros() }
}

/// F, χ_N and χ.
struct Tensors<const D: usize> {
    fabric: Mat<D>,
    normal: Mat<D>,
    whole: Mat<D>,
}

impl<const D: usize> Tensors<D>
where
    Space<D>: Ambient<D>,
{
    fn of(sample: &Sample<D>) -> Self {
        Self::of_contacts(sample.contacts())
    }

    fn of_contacts<'a>(contacts: impl Iterator<Item = &'a Reaction<D>>) -> Self {
        let mut tensors = Self { fabric: Mat::<D>::zeros(), normal: Mat::<D>::zeros(), whole: Mat::<D>::zeros() };
        let mut count = 0.0;
        for reaction in contacts {
            let n = reaction.contact.touch.normal;
            let pressure = reaction.impulse.dot(&n);
            let tangential = reaction.impulse - n * pressure;
            let direction = n * n.transpose();
            tensors.fabric += direction;
            tensors.normal += direction * pressure;
            // Its symmetric part is what the stress has.
            tensors.whole += direction * pressure + (n * tangential.transpose() + tangential * n.transpose()) * 0.5;
            count += 1.0;
        }
        let all = [&mut tensors.fabric, &mut tensors.normal, &mut tensors.whole];
        all.into_iter().filter(|_| count > 0.0).for_each(|tensor| *tensor /= count);
        tensors
    }

    /// a_C, a_N, a_T.
    fn anisotropies(&self) -> [f64; 3] {
        let factor = if D == 2 { 2.0 } else { 2.5 };
        let axes = principal_axes::<D>(&self.whole);
        let along = |tensor: &Mat<D>, axis: &Vect<D>| axis.dot(&(tensor * axis));
        let spread =
            |tensor: &Mat<D>| factor * ratio(along(tensor, &axes[0]) - along(tensor, &axes[1]), tensor.trace());
        let contacts = spread(&self.fabric);
        let normal = spread(&self.normal) - contacts;
        [contacts, normal, spread(&self.whole) - contacts - normal]
    }
}

/// Unit vectors along the largest and the smallest principal value.
fn principal_axes<const D: usize>(tensor: &Mat<D>) -> [Vect<D>; 2] {
    if D == 2 {
        let angle = 0.5 * (2.0 * tensor[(0, 1)]).atan2(tensor[(0, 0)] - tensor[(1, 1)]);
        let [major, minor] = [[angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]];
        return [Vect::from_fn(|i, _| major[i]), Vect::from_fn(|i, _| minor[i])];
    }
    let eigen = Matrix3::from_fn(|i, j| tensor[(i, j)]).symmetric_eigen();
    let axis = |k: usize| Vect::from_fn(|i, _| eigen.eigenvectors[(i, k)]);
    [axis(eigen.eigenvalues.imax()), axis(eigen.eigenvalues.imin())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, Key, Touch};

    /// Contacts with P(θ) = (1/π)(1 + a cos 2θ) at the middles of equal shares, and the forces f_N = 1 + b cos 2θ,
    /// f_T = −c sin 2θ along t = (−sin θ, cos θ), all turned by `turn`.
    fn spread([a, b, c]: [f64; 3], turn: f64, count: usize) -> Vec<Reaction<2>> {
        let share = |t: f64| (t + 0.5 * a * (2.0 * t).sin()) / std::f64::consts::PI;
        let angle = |k: usize| {
            let (mut low, mut high) = (0.0, std::f64::consts::PI);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if share(middle) < (k as f64 + 0.5) / count as f64 { low = middle } else { high = middle }
            }
            low
        };
        let contact = |k: usize| {
            let theta = angle(k);
            let at = theta + turn;
            let normal = Vect::<2>::new(at.cos(), at.sin());
            let force = normal * (1.0 + b * (2.0 * theta).cos())
                - Vect::<2>::new(-at.sin(), at.cos()) * (c * (2.0 * theta).sin());
            let touch = Touch { feature: 0, point: Vect::zeros(), normal, gap: 0.0, area: 0.0 };
            let contact = Contact { key: Key::default(), bodies: [0, 1], touch, law: 0 };
            Reaction::new(contact, force, Vect::zeros(), Status::Stick)
        };
        (0..count).map(contact).collect()
    }

    /// By hand: F₁ − F₂ = a/2, tr χ_N = tr χ = 1 + ab/2, χ_N1 − χ_N2 = (a + b)/2; forces tangential to the normals add
    /// ½∫P f_T (−2 sin 2θ) = c/2 without the a, whose share is odd.
    #[test]
    fn anisotropies_of_known_distributions_come_back() {
        for (given, turn) in [([0.3, 0.2, 0.1], 0.0), ([0.4, 0.3, 0.15], 0.6), ([0.2, 0.0, 0.0], -1.0)] {
            let contacts = spread(given, turn, 40_000);
            let found = Tensors::<2>::of_contacts(contacts.iter()).anisotropies();
            let [a, b, c] = given;
            let trace = 1.0 + 0.5 * a * b;
            let expected = [a, (a + b) / trace - a, c / trace];
            assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-4), "{found:?} instead of {expected:?}");
        }
    }

    #[test]
    fn principal_axes_are_those_of_the_largest_and_smallest_value() {
        let tensor = Mat::<3>::new(2.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.5, 1.0);
        let [major, minor] = principal_axes::<3>(&tensor);
        assert!((major.x.abs() - 1.0).abs() < 1e-12 && (minor.dot(&(tensor * minor)) - 0.5).abs() < 1e-12);
    }
}
