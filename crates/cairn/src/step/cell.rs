//! The lattice of a periodic cell in a step.
//!
//! A contact sees its antagonist in an image z, at x + Λ z, which moves with v + Λ̇ z. Λ is prescribed; as with prescribed displacements, the
//! shifted configuration is on the history, Λ̃ = Λ(t + (1−θ) h), and Λ̇ leads from there to the next one. A strain that begins at t, unforeseen
//! by the step before, has its first value still in Λ̃. Where Λ̇ changes, bodies are given
//!
//!   Δv = ΔΛ̇ Λ̃⁻¹ (x̃ − c)
//!
//! so that the deformation of the cell is homogeneous: which cell a body is counted in makes no difference, nor where the cell begins. That is so
//! of what is prescribed; where the cell gives way to a stress (`servo.rs`), its faces push the bodies, and bodies each other.

use super::servo::Giving;
use super::{StepError, Workspace};
use crate::contact::Image;
use crate::detect::Lattice;
use crate::scene::{Control, History, Scene};
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;

/// The lattice in the shifted configuration, and how it moves.
pub(super) struct Moving<const D: usize> {
    pub lattice: Lattice<D>,
    /// Λ̇ of the step before [m/s].
    pub before: Mat<D>,
    /// Λ̇ of this one [m/s]; until the contacts are solved as it would be without them.
    pub after: Mat<D>,
    /// Λ̇ of this one as prescribed, what gives way going on as it did.
    pub coasting: Mat<D>,
    /// What gives way to stresses.
    pub servos: Vec<Giving<D>>,
}

/// Does a strain begin with a step of length l from s? Times are sums; steps are told apart all the same.
fn begins(history: &History, s: f64, l: f64) -> bool {
    let start = if let History::Staged { start, .. } = history { *start } else { 0.0 };
    (s - start).abs() < 0.25 * l
}

impl<const D: usize> Moving<D> {
    /// Of the cell of the scene, if it has one.
    pub fn of(scene: &Scene<D>, state: &State<D>, h: f64) -> Option<Self>
    where
        Space<D>: Ambient<D>,
    {
        let cell = scene.cell.as_ref()?;
        let (now, last, ahead) = (state.time, state.last_step, 1.0 - scene.time.theta);
        let given = |servo: usize, s: f64| {
            let [strain, rate] = Control::strain_of(&state.controls, servo);
            strain + rate * (s - now)
        };
        // The shifted configuration of a step of length l from s: what begins at s has moved nothing yet.
        let shifted_at = |s: f64, l: f64| {
            let value = |history: &History| if begins(history, s, l) { 0.0 } else { history.at(s + ahead * l) };
            cell.vectors_by(&value, &|servo| given(servo, s + ahead * l))
        };
        let foreseen = shifted_at(now, if last > 0.0 { last } else { h });
        let before = if last > 0.0 { (foreseen - shifted_at(now - last, last)) / last } else { Mat::<D>::zeros() };
        let vectors = if last > 0.0 { foreseen + before * (ahead * (h - last)) } else { foreseen };
        let next = now + ahead * h + h;
        let coasting = (cell.vectors_by(&|history| history.at(next), &|servo| given(servo, next)) - vectors) / h;
        let servos = Giving::all(scene, state, &vectors, h);
        let after = servos.iter().fold(coasting, |sum, servo| sum + servo.way * (servo.free - servo.before));
        let inverse = vectors.try_inverse().unwrap_or_else(Mat::<D>::identity);
        let lattice = Lattice { low: cell.low, vectors, inverse, periodic: cell.periodic, moved: after * h };
        Some(Self { lattice, before, after, coasting, servos })
    }

    /// The lattice at the start of the step, `dt` before the shifted configuration, while it moves on to there.
    pub fn at_start(&self, dt: f64) -> Lattice<D> {
        let vectors = self.lattice.vectors - self.before * dt;
        let inverse = vectors.try_inverse().unwrap_or(self.lattice.inverse);
        Lattice { vectors, inverse, moved: self.before * dt, ..self.lattice.clone() }
    }

    /// The lattice where the motions of the step lead bodies from the shifted configuration in a time `h`.
    pub fn at_end(&self, h: f64) -> Lattice<D> {
        let vectors = self.lattice.vectors + self.after * h;
        let inverse = vectors.try_inverse().unwrap_or(self.lattice.inverse);
        Lattice { vectors, inverse, moved: Mat::<D>::zeros(), ..self.lattice.clone() }
    }

    /// A velocity as it is seen in the cell, of something at x.
    pub fn seen(&self, x: &Vect<D>, velocity: &Vect<D>) -> Vect<D> {
        let cells = self.lattice.cell_of(x);
        velocity - self.before * Vect::<D>::from_fn(|k, _| f64::from(cells[k]))
    }

    /// What a body at x is given where the rate of the cell changes.
    pub fn kick(&self, x: &Vect<D>) -> Vect<D> {
        (self.coasting - self.before) * (self.lattice.inverse * (x - self.lattice.low))
    }

    /// A bound of it for bodies in the cell, beside what changes with the cell that they are in.
    pub fn largest_kick(&self) -> f64 {
        (self.coasting - self.before).norm() * (D as f64).sqrt()
    }
}

impl<const D: usize> Workspace<D>
where
    Space<D>: Ambient<D>,
{
    /// Where an image of an antagonist is, seen from itself, in the shifted configuration.
    pub(super) fn image(&self, image: Image) -> Vect<D> {
        match &self.cell {
            Some(cell) if image != Image::HOME => cell.lattice.offset(image),
            _ => Vect::zeros(),
        }
    }

    /// The velocity that the lattice gives an image, before the step and in it.
    pub(super) fn image_velocity(&self, image: Image) -> [Vect<D>; 2] {
        match &self.cell {
            Some(cell) if image != Image::HOME => [cell.before, cell.after].map(|rate| rate * image.cells::<D>()),
            _ => [Vect::zeros(); 2],
        }
    }
}

/// Bodies must not be so many cells away that images cannot be counted any more.
pub(super) fn must_be_near<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    work: &Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let Some(cell) = &work.cell else { return Ok(()) };
    let is_far = |x: &Vect<D>| cell.lattice.cell_of(x).iter().any(|cells| cells.abs() > Image::MOST / 2);
    match work.shifted.iter().position(|place| is_far(&place.centre)) {
        None => Ok(()),
        Some(body) => Err(StepError::TooFar { body: scene.body_name(body as u32), step: state.step + 1 }),
    }
}
