//! Cells that give way to prescribed stresses: strains ε of the cell are unknowns of the step beside the velocities of bodies.
//!
//! An image z moves with Λ̇ z, of which ε̇ has the part G ε̇, G = ∂Λ/∂ε z. With V the volume, σ the stress prescribed (positive in tension) over the
//! step, I the inertia of the cell and r the impulses on the candidates of contacts with images, virtual power says
//!
//!   I (ε̇(i+1) − ε̇(i)) = h V σ − Σ r·G,     I = m L²/12 for each side that grows,
//!
//! so that ε̇ without contacts is ε̇(i) + h V σ/I, and contacts respond to each other through the cell as well as through bodies:
//!
//!   B_αβ = Hᵀ_α G_α ⊗ Hᵀ_β G_β/I.
//!
//! These blocks join all contacts across faces, and the solvers take them as they take the response of a deformable body. At rest
//! V σ = Σ r·G/h: this is the stress of Love and Weber of the whole cell, with what motion carries in it.

use super::Workspace;
use crate::contact::Image;
use crate::scene::{Control, Scene, Target};
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;
use cairn_solvers::boundary::Boundary;
use cairn_solvers::delassus::Stored;

/// The part of m L² that a bar has about its middle.
const BAR: f64 = 1.0 / 12.0;

/// A strain of the cell that gives way.
pub(super) struct Giving<const D: usize> {
    /// Number of the servo.
    number: usize,
    /// ∂Λ/∂ε in the shifted configuration [m].
    pub way: Mat<D>,
    /// I [kg·m²].
    inertia: f64,
    /// ε̇ before the step [1/s].
    pub before: f64,
    /// ε̇ without contacts [1/s].
    pub free: f64,
    /// ε̇ at the end of the step [1/s].
    after: f64,
}

impl<const D: usize> Giving<D> {
    /// Of the servos that are at work, with the lattice vectors of the shifted configuration.
    pub fn all(scene: &Scene<D>, state: &State<D>, vectors: &Mat<D>, h: f64) -> Vec<Self>
    where
        Space<D>: Ambient<D>,
    {
        let Some(cell) = scene.cell.as_ref().filter(|cell| cell.servos.iter().any(|servo| servo.is_active)) else {
            return Vec::new();
        };
        let mass: f64 = scene.bodies.iter().map(|body| body.mass).filter(|mass| mass.is_finite()).sum();
        let (volume, theta) = (cell.volume_of(vectors), scene.time.theta);
        let given = |servo: usize| Control::strain_of(&state.controls, servo)[0];
        let active = cell.servos.iter().enumerate().filter(|(_, servo)| servo.is_active);
        let giving = |(number, servo): (usize, &crate::scene::Servo)| {
            let stress = theta * servo.stress.at(state.time + h) + (1.0 - theta) * servo.stress.at(state.time);
            let sides: Vec<f64> = servo.directions().map(|(_, column)| vectors[(column, column)]).collect();
            let inertia = BAR * mass * sides.iter().map(|side| side * side).sum::<f64>();
            let before = Control::strain_of(&state.controls, number)[1];
            let force = volume * stress * sides.len() as f64 * cell.rate_of(number, &given);
            let free = if inertia > 0.0 { before + h * force / inertia } else { before };
            Self { number, way: cell.gives_way(number, vectors, &given), inertia, before, free, after: free }
        };
        active.map(giving).collect()
    }
}

/// Before the contacts are solved, anew: the cell as it would move without them.
pub(super) fn forget_contacts<const D: usize>(work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Some(cell) = &mut work.cell else { return };
    cell.servos.iter_mut().for_each(|servo| servo.after = servo.free);
    cell.after = cell.servos.iter().fold(cell.coasting, |sum, servo| sum + servo.way * (servo.free - servo.before));
}

/// Does the cell give way?
pub(super) fn is_at_work<const D: usize>(work: &Workspace<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    work.cell.as_ref().is_some_and(|cell| !cell.servos.is_empty())
}

/// HᵀG of a contact for each strain.
fn gives<const D: usize>(work: &Workspace<D>, contact: usize) -> Vec<Vect<D>>
where
    Space<D>: Ambient<D>,
{
    let (cells, frame) = (work.contacts[contact].key.image.cells::<D>(), &work.links[contact].frame);
    let servos = work.cell.iter().flat_map(|cell| &cell.servos);
    servos.map(|servo| frame.tr_mul(&(servo.way * cells))).collect()
}

/// B of the contacts with images that the cell moves.
pub(super) fn update_boundary<const D: usize>(work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let inertias: Vec<f64> = work.cell.iter().flat_map(|cell| &cell.servos).map(|servo| servo.inertia).collect();
    let across = (0..work.contacts.len()).filter(|i| work.contacts[*i].key.image != Image::HOME);
    let rows = across.map(|i| (i as u32, gives(work, i)));
    let rows: Vec<(u32, Vec<Vect<D>>)> =
        rows.filter(|(_, gives)| gives.iter().any(|way| *way != Vect::<D>::zeros())).collect();
    let block = |a: &[Vect<D>], b: &[Vect<D>]| {
        let each = a.iter().zip(b).zip(&inertias).filter(|(_, inertia)| **inertia > 0.0);
        each.fold(Mat::<D>::zeros(), |sum, ((a, b), inertia)| sum + a * b.transpose() / *inertia)
    };
    let (mut starts, mut columns, mut blocks, mut own) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    for (k, (_, gives)) in rows.iter().enumerate() {
        for (j, (_, others)) in rows.iter().enumerate().filter(|(j, _)| *j != k) {
            let block = block(gives, others);
            if block != Mat::<D>::zeros() {
                columns.push(j as u32);
                blocks.push(block);
            }
        }
        starts.push(columns.len());
        own.push(block(gives, gives));
    }
    let free = vec![Vect::zeros(); rows.len()];
    let links = rows.iter().map(|(link, _)| *link).collect();
    work.boundary = Boundary::new(links, Stored::from_rows(starts, columns, blocks, own, free));
}

/// How the cell moves with the impulses of the contacts.
pub(super) fn answer<const D: usize>(work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Some(mut cell) = work.cell.take_if(|cell| !cell.servos.is_empty()) else { return };
    let mut sums = vec![0.0; cell.servos.len()];
    for (contact, link) in work.contacts.iter().zip(&work.links).filter(|(c, _)| c.key.image != Image::HOME) {
        let (cells, impulse) = (contact.key.image.cells::<D>(), link.frame * link.impulse);
        cell.servos.iter().zip(&mut sums).for_each(|(servo, sum)| *sum += impulse.dot(&(servo.way * cells)));
    }
    cell.after = cell.coasting;
    for (servo, sum) in cell.servos.iter_mut().zip(sums) {
        servo.after = if servo.inertia > 0.0 { servo.free - sum / servo.inertia } else { servo.free };
        cell.after += servo.way * (servo.after - servo.before);
    }
    work.cell = Some(cell);
}

/// Makes the strains of the step final: ε(i+1) = ε(i) + h ((1−θ) ε̇(i) + θ ε̇(i+1)).
pub(super) fn commit<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let theta = scene.time.theta;
    for servo in work.cell.iter().flat_map(|cell| &cell.servos) {
        let [strain, _] = Control::strain_of(&state.controls, servo.number);
        let strain = strain + h * ((1.0 - theta) * servo.before + theta * servo.after);
        for (target, value) in [(Target::CellStrain, strain), (Target::CellRate, servo.after)] {
            Control { target, number: servo.number as u32, value }.put(&mut state.controls);
        }
    }
}
