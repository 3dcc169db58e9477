//! Force, tangent and energy of a cell over a step (`crate::continuum::advance` has the scheme); elastic laws are asked with a step of no length.

use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, SMatrix, SVector, Vector6};

use super::strain::{Gradient, Initial, Nodes, Operator, Placed, Reference, to_axes};
use crate::continuum::advance::Work;
use crate::continuum::cell::positive_part;
use crate::continuum::inside::{self, Inside};
use crate::material::{Increment, Outcome};
use crate::section::Kinematics;
use crate::section::point::PointLaw;
use crate::tensor::{components, from_stress, inverse};

/// Enhanced modes of a cell.
pub const MODES: usize = 5;
/// Their amplitudes.
type Modes = SVector<f64, MODES>;
/// Component and direction of the modes behind the first.
const MEMBRANE: [(usize, usize); 4] = [(0, 0), (1, 1), (3, 0), (3, 1)];

/// What a cell needs to know of the step.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    pub reference: &'a Reference,
    pub law: PointLaw<'a>,
    pub kinematics: Kinematics,
    /// Numbers that a point keeps.
    pub numbers: usize,
    pub h: f64,
    pub xi: f64,
    /// Is the law taken as it is before anything has happened?
    pub is_elastic: bool,
    /// Of the initial stress only tension stiffens the tangent.
    pub only_tension: bool,
}

/// A cell as it is in the reference configuration.
pub struct Sheet<'a> {
    pub nodes: Nodes,
    pub weights: &'a [f64],
    /// Size that a band of cracks would have [m].
    pub length: f64,
    /// T and M at each point.
    bases: Vec<(Matrix6<f64>, SMatrix<f64, 6, MODES>)>,
}

/// Ends of a step, and what the points keep at its start.
#[derive(Clone, Copy)]
pub struct Ends<'a> {
    pub before: &'a Nodes,
    pub after: &'a Nodes,
    pub modes_before: &'a [f64],
    pub old: &'a [f64],
}

/// What a cell answers.
pub struct Answer {
    pub force: Gradient,
    /// Not condensed.
    pub tangent: Option<Box<Tangent>>,
    pub work: Work,
    inner: Modes,
}

/// The blocks of the tangent: nodes, nodes with modes, modes.
pub struct Tangent {
    pub nodes: SMatrix<f64, 24, 24>,
    mixed: SMatrix<f64, 24, MODES>,
    inner: SMatrix<f64, MODES, MODES>,
}

/// A point: its strain at the end of the step, and the answer of its law.
pub struct Point {
    pub strain: Vector6<f64>,
    pub outcome: Outcome<6>,
}

impl<'a> Sheet<'a> {
    pub fn new(reference: &Reference, nodes: Nodes, weights: &'a [f64], length: f64) -> Self {
        let (centre_jacobian, centre_inverse) = inverse(&(nodes * reference.centre));
        // Unit strains, so that modes across a thin sheet and in its plane are of the same size.
        let mut centre = to_axes(&centre_inverse);
        centre.column_iter_mut().for_each(|mut column| column /= column.norm());
        let volume: f64 = weights.iter().sum();
        let middle = reference.places.iter().zip(weights).map(|(place, w)| place[2] * w).sum::<f64>() / volume;
        let base = |(q, place): (usize, &[f64; 3])| {
            let (jacobian, inverted) = inverse(&(nodes * reference.slopes[q]));
            let mut modes = SMatrix::<f64, 6, MODES>::zeros();
            modes.set_column(0, &(centre.column(2) * (place[2] - middle)));
            for (k, (component, direction)) in MEMBRANE.into_iter().enumerate() {
                modes.set_column(k + 1, &(centre.column(component) * (place[direction] * centre_jacobian / jacobian)));
            }
            (to_axes(&inverted), modes)
        };
        let bases = reference.places.iter().enumerate().map(base).collect();
        Sheet { nodes, weights, length, bases }
    }

    /// The motion F of the displacements at a point.
    pub fn motion(&self, reference: &Reference, u: &Nodes, q: usize) -> Matrix3<f64> {
        let slopes = &reference.slopes[q];
        let (_, inverted) = inverse(&(self.nodes * slopes));
        Matrix3::identity() + u * slopes * inverted
    }
}

impl Rules<'_> {
    /// The answers of all points; `new` gets what they keep.
    pub fn points(
        &self,
        sheet: &Sheet<'_>,
        ends: Ends<'_>,
        modes: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Vec<Point> {
        let placed = |u| Placed::new(self.reference, self.kinematics, &sheet.nodes, u);
        let (first, last) = (placed(ends.before), placed(ends.after));
        let amplitudes = [ends.modes_before, modes].map(Modes::from_column_slice);
        let one = |(q, (axes, enhanced)): (usize, &(Matrix6<f64>, SMatrix<f64, 6, MODES>))| {
            let before = axes * first.strains(q) + enhanced * amplitudes[0];
            let strain = axes * last.strains(q) + enhanced * amplitudes[1];
            let step = Increment {
                before,
                after: strain,
                h: self.h,
                xi: self.xi,
                is_finite: self.kinematics == Kinematics::Finite,
                wants_tangent,
                length: sheet.length,
            };
            if self.is_elastic {
                return Point { strain, outcome: self.law.elastically(&step) };
            }
            let own = q * self.numbers..(q + 1) * self.numbers;
            Point { strain, outcome: self.law.respond(&step, &ends.old[own.clone()], &mut new[own]) }
        };
        sheet.bases.iter().enumerate().map(one).collect()
    }

    /// Force, tangent if it is asked for, and work with the modes as they are.
    fn respond(
        &self,
        sheet: &Sheet<'_>,
        ends: Ends<'_>,
        modes: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Answer {
        let points = self.points(sheet, ends, modes, new, wants_tangent);
        let between = ends.before * (1.0 - self.xi) + ends.after * self.xi;
        let placed = Placed::new(self.reference, self.kinematics, &sheet.nodes, &between);
        let ties = placed.tie_gradients();
        let (mut force, mut inner, mut work) = (Gradient::zeros(), Modes::zeros(), Work::default());
        let mut tangent = wants_tangent.then(|| Box::new(Tangent::new()));
        let mut initial = Initial::new();
        for (q, (Point { outcome, .. }, &weight)) in points.iter().zip(sheet.weights).enumerate() {
            work.stored += weight * outcome.stored;
            work.lost.add(weight, &outcome.lost);
            let (axes, enhanced) = &sheet.bases[q];
            let operator = placed.operator(q, &ties);
            let natural = axes.tr_mul(&outcome.stress) * weight;
            force += operator.tr_mul(&natural);
            inner += enhanced.tr_mul(&outcome.stress) * weight;
            let Some(tangent) = tangent.as_deref_mut() else { continue };
            let modulus = (outcome.tangent + outcome.tangent.transpose()) * (0.5 * weight / self.xi);
            tangent.add(&operator, axes, enhanced, &modulus);
            let stress = match self.only_tension {
                true => axes.tr_mul(&components::<6>(&positive_part(&from_stress(&outcome.stress)))) * weight,
                false => natural,
            };
            initial.add(self.reference, q, &stress);
        }
        if let Some(tangent) = tangent.as_deref_mut().filter(|_| self.kinematics == Kinematics::Finite) {
            tangent.stiffen(&initial.pairs(self.reference));
        }
        Answer { force, tangent, work, inner }
    }

    /// As [`Self::respond`], with the modes at which the cell is in balance; `modes` has those to start from and gets these. The tangent is condensed.
    pub fn settled(&self, sheet: &Sheet<'_>, ends: Ends<'_>, modes: &mut [f64], new: &mut [f64]) -> Answer {
        let (_, inverted) = inverse(&(sheet.nodes * self.reference.centre));
        // Displacements over the thickness.
        let scale = ends.after.amax() * inverted.amax();
        let size: f64 = sheet.bases.iter().zip(sheet.weights).map(|((_, m), w)| w * m.norm_squared()).sum();
        let elastic = self.law.law.stiffness()[(0, 0)] * size / MODES as f64;
        let mut found = None;
        let factor = inside::settle(modes, scale, elastic, |modes| {
            let answer = self.respond(sheet, ends, modes, new, true);
            let matrix = answer.tangent.as_ref().map_or(SMatrix::zeros(), |t| t.inner * self.xi);
            let inside = Inside {
                residual: DVector::from_column_slice(answer.inner.as_slice()),
                matrix: DMatrix::from_column_slice(MODES, MODES, matrix.as_slice()),
                // Forces on modes are moments of stresses, as strains are relative to sizes.
                largest: answer.force.amax() / inverted.amax(),
            };
            found = Some(answer);
            inside
        });
        let mut answer = found.expect("the modes are asked for at least once");
        let condensed = factor.zip(answer.tangent.as_deref_mut()).and_then(|(factor, tangent)| {
            let coupling = DMatrix::from_column_slice(24, MODES, tangent.mixed.as_slice()).transpose();
            let solved = factor.solve(&coupling)? * self.xi;
            let solved = SMatrix::<f64, MODES, 24>::from_column_slice(solved.as_slice());
            tangent.nodes -= tangent.mixed * solved;
            Some(())
        });
        if condensed.is_none() {
            answer.work = Work::nowhere();
        }
        // No step may be made of what is no answer.
        if answer.work.stored.is_nan() {
            answer.force.fill(f64::NAN);
        }
        answer
    }
}

impl Tangent {
    fn new() -> Self {
        Tangent { nodes: SMatrix::zeros(), mixed: SMatrix::zeros(), inner: SMatrix::zeros() }
    }

    /// Adds a point with a modulus, times its volume.
    fn add(
        &mut self,
        operator: &Operator,
        axes: &Matrix6<f64>,
        enhanced: &SMatrix<f64, 6, MODES>,
        modulus: &Matrix6<f64>,
    ) {
        let turned = axes.tr_mul(modulus);
        let natural = turned * axes;
        self.nodes += operator.tr_mul(&(natural * operator));
        self.mixed += operator.tr_mul(&(turned * enhanced));
        self.inner += enhanced.tr_mul(&(modulus * enhanced));
    }

    /// Adds the initial stress.
    fn stiffen(&mut self, pairs: &SMatrix<f64, 8, 8>) {
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            (0..3).for_each(|c| self.nodes[(3 * a + c, 3 * b + c)] += pairs[(a, b)]);
        }
    }
}
