//! Linear contacts over unit masses in the plane, of which one after the other changes.
//!
//! Each contact answers its velocity w by the impulse R = −P w, P a block of its own, not symmetric. With Ũ = e without impulses:
//!
//!   w = e + Gᵀ y,   y = G R      ⇒      A y = −G P e,   A = I + G P Gᵀ          (3 unknowns a body)
//!
//! A is factorized with the blocks P₀ of some moment. Those that have changed since, P = P₀ + Δ, are few, and are found from a small
//! dense system (Woodbury's identity), with Z = A₀⁻¹ G for their columns:
//!
//!   (1 + Gᵀ Z Δ) w = e + Gᵀ y₀,   y = y₀ − Z Δ w,   y₀ = −A₀⁻¹ G P₀ e

use nalgebra::{DMatrix, Matrix2x3};

use super::unit::Unit;
use crate::problem::{Mat, Vect};
use crate::solver::block_lu::{BlockLu, Symbolic};
use crate::watch::Watched;

/// Corrections for round-off.
const CORRECTIONS: usize = 2;

/// A body's columns of G for one contact, transposed: rows n, t.
type Side = (usize, Matrix2x3<f64>);
/// Velocities of contacts at t: the first plus t times the second.
pub(super) type Line = [Vec<Vect<2>>; 2];

/// Factor, and what has changed since.
pub(super) struct Updated {
    sides: Vec<Vec<Side>>,
    contacts_of: Vec<Vec<usize>>,
    factor: BlockLu<3>,
    /// P, and P₀.
    weights: Vec<Mat<2>>,
    factorized: Vec<Mat<2>>,
    /// Contacts whose P has changed, and Z for them.
    changed: Vec<usize>,
    columns: Vec<[Vec<Vect<3>>; 2]>,
    /// e and y₀.
    free: Line,
    bodies: [Vec<Vect<3>>; 2],
}

impl Updated {
    /// Of a collection in the plane, no contact answering yet; nothing if a factor would be too much work.
    pub fn new<const D: usize>(unit: &Unit<D>) -> Option<Self> {
        let contacts = unit.rho.len();
        let sides: Vec<Vec<Side>> = (0..contacts)
            .map(|a| unit.columns(a).map(|(node, g)| (node, Matrix2x3::from_fn(|i, j| g[i][j]))).collect())
            .collect();
        let mut contacts_of = vec![vec![]; unit.nodes];
        sides.iter().enumerate().for_each(|(a, sides)| sides.iter().for_each(|s| contacts_of[s.0].push(a)));
        let pairs = sides.iter().filter(|s| s.len() == 2).map(|s| (s[0].0, s[1].0));
        let factor = BlockLu::new(Symbolic::of_graph(unit.nodes, pairs)?);
        Some(Self {
            sides,
            contacts_of,
            factor,
            weights: vec![Mat::zeros(); contacts],
            factorized: vec![],
            changed: vec![],
            columns: vec![],
            free: [vec![], vec![]],
            bodies: [vec![], vec![]],
        })
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.factor.entries()
    }

    /// Contacts that have changed since the last factorization.
    pub fn changes(&self) -> usize {
        self.changed.len()
    }

    /// Starts with these blocks and velocities without impulses; false if the matrix is singular.
    pub fn start(&mut self, weights: Vec<Mat<2>>, free: Line) -> bool {
        (self.weights, self.free) = (weights, free);
        self.factorize()
    }

    /// Factorizes with the blocks as they are.
    pub fn factorize(&mut self) -> bool {
        self.changed.clear();
        self.columns.clear();
        self.factorized.clone_from(&self.weights);
        let Self { sides, contacts_of, factor, weights, .. } = self;
        let regular = factor.factorize(Watched::NONE, |body, add| {
            add(body, &Mat::identity());
            for &a in &contacts_of[body] {
                let own = sides[a].iter().filter(|s| s.0 == body);
                for (mine, other) in own.flat_map(|mine| sides[a].iter().map(move |other| (mine, other))) {
                    add(other.0, &(mine.1.transpose() * weights[a] * other.1));
                }
            }
        });
        self.bodies = [0, 1].map(|k| {
            let mut y = vec![Vect::zeros(); self.contacts_of.len()];
            for (a, (p, e)) in self.weights.iter().zip(&self.free[k]).enumerate() {
                self.push(a, &-(p * e), &mut y);
            }
            self.factor.solve(&mut y);
            y
        });
        regular
    }

    /// Another block for a contact.
    pub fn set(&mut self, contact: usize, weight: Mat<2>) {
        self.weights[contact] = weight;
        if self.changed.contains(&contact) {
            return;
        }
        self.changed.push(contact);
        self.columns.push([0, 1].map(|k| {
            let mut z = vec![Vect::zeros(); self.contacts_of.len()];
            self.push(contact, &Vect::<2>::ith(k, 1.0), &mut z);
            self.factor.solve(&mut z);
            z
        }));
    }

    /// w of all contacts; nothing if the matrix has become singular.
    pub fn velocities(&self) -> Option<Line> {
        let [first, second] = self.answer(&self.bodies, Some(&self.free))?;
        Some([self.line_of(0, &first), self.line_of(1, &second)])
    }

    /// w at t, once more corrected for round-off: P is large, and multiplies it.
    pub fn velocities_at(&self, t: f64) -> Option<Vec<Vect<2>>> {
        let [first, second] = self.answer(&self.bodies, Some(&self.free))?;
        let mut y: Vec<Vect<3>> = first.iter().zip(&second).map(|(a, b)| a + b * t).collect();
        let at = |a: usize, y: &[Vect<3>]| self.free[0][a] + self.free[1][a] * t + self.pull(a, y);
        for _ in 0..CORRECTIONS {
            let mut missing: Vec<Vect<3>> = y.iter().map(|y| -y).collect();
            (0..self.sides.len()).for_each(|a| self.push(a, &-(self.weights[a] * at(a, &y)), &mut missing));
            self.factor.solve(&mut missing);
            let [correction] = self.answer(&[missing], None)?;
            y.iter_mut().zip(&correction).for_each(|(y, c)| *y += c);
        }
        Some((0..self.sides.len()).map(|a| at(a, &y)).collect())
    }

    fn line_of(&self, k: usize, y: &[Vect<3>]) -> Vec<Vect<2>> {
        (0..self.sides.len()).map(|a| self.free[k][a] + self.pull(a, y)).collect()
    }

    /// Motions y with the contacts as they are now, from those with the factorized ones, y₀; e is zero if it is not given.
    fn answer<const N: usize>(&self, factorized: &[Vec<Vect<3>>; N], free: Option<&Line>) -> Option<[Vec<Vect<3>>; N]> {
        let size = 2 * self.changed.len();
        let mut answers = factorized.clone();
        if size == 0 {
            return Some(answers);
        }
        let change = |k: usize| self.weights[self.changed[k]] - self.factorized[self.changed[k]];
        let mut matrix = DMatrix::<f64>::identity(size, size);
        let mut right = DMatrix::<f64>::zeros(size, N);
        for (j, &a) in self.changed.iter().enumerate() {
            for (k, z) in self.columns.iter().enumerate() {
                let [n, t] = [0, 1].map(|i| self.pull(a, &z[i]));
                let block = Mat::<2>::from_columns(&[n, t]) * change(k);
                (0..4).for_each(|e| matrix[(2 * j + e % 2, 2 * k + e / 2)] += block[(e % 2, e / 2)]);
            }
            for (line, y) in factorized.iter().enumerate() {
                let w = self.pull(a, y) + free.map_or(Vect::zeros(), |free| free[line][a]);
                (0..2).for_each(|i| right[(2 * j + i, line)] = w[i]);
            }
        }
        if !matrix.lu().solve_mut(&mut right) {
            return None;
        }
        for (line, answer) in answers.iter_mut().enumerate() {
            for (k, z) in self.columns.iter().enumerate() {
                let share = change(k) * Vect::<2>::new(right[(2 * k, line)], right[(2 * k + 1, line)]);
                for (i, z) in z.iter().enumerate() {
                    answer.iter_mut().zip(z).for_each(|(y, z)| *y -= z * share[i]);
                }
            }
        }
        Some(answers)
    }

    /// y += G R of one contact.
    fn push(&self, contact: usize, impulse: &Vect<2>, y: &mut [Vect<3>]) {
        self.sides[contact].iter().for_each(|(node, g)| y[*node] += g.tr_mul(impulse));
    }

    /// Gᵀ y of one contact.
    fn pull(&self, contact: usize, y: &[Vect<3>]) -> Vect<2> {
        self.sides[contact].iter().fold(Vect::zeros(), |u, (node, g)| u + g * y[*node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{GROUND, Link, LocalForm, Mass};

    /// A row of bodies, each in contact with the next, the first with the ground.
    fn row(count: u32) -> Unit<2> {
        let mass = |k: u32| Mass::<2> {
            velocity: Vect::<2>::new(-1.0, 0.1 * f64::from(k)),
            spin: Vect::zeros(),
            inverse_mass: Vect::repeat(1.0 + 0.1 * f64::from(k)),
            spin_mobility: Mat::<3>::identity() * 2.0,
        };
        let link = |k: u32| Link::<2> {
            masses: [k, if k == 0 { GROUND } else { k - 1 }],
            frame: Mat::identity(),
            arms: [Vect::<2>::new(-1.0, 0.1), Vect::<2>::new(1.0, 0.0)],
            form: LocalForm::plain(0.3, Vect::zeros()),
            impulse: Vect::zeros(),
            velocity: Vect::zeros(),
        };
        let masses: Vec<_> = (0..count).map(mass).collect();
        Unit::new(&masses, &(0..count).map(link).collect::<Vec<_>>())
    }

    /// w = e + Gᵀ G R with R = −P w, before and after changes, and the same when they are factorized.
    #[test]
    fn changed_blocks_are_answered_as_factorized_ones() {
        let unit = row(6);
        let mut system = Updated::new(&unit).unwrap();
        let stick = Mat::<2>::identity() * 1e3;
        let slip = Mat::<2>::new(1.0, 0.0, -0.3, 0.0) * 1e3;
        let free: Vec<Vect<2>> = (0..6).map(|a| *unit.free(a)).collect();
        let slope: Vec<Vect<2>> = (0..6).map(|a| Vect::<2>::new(0.1 * a as f64, -0.2)).collect();
        assert!(system.start(vec![stick; 6], [free.clone(), slope]));
        for (contact, weight) in [(2, slip), (4, Mat::zeros()), (2, Mat::zeros()), (0, slip), (4, stick)] {
            system.set(contact, weight);
        }
        let updated = system.velocities().unwrap();
        let mut y = vec![0.0; unit.size()];
        for (a, w) in updated[0].iter().enumerate() {
            unit.push(&-(system.weights[a] * w), a, &mut y);
        }
        for (a, w) in updated[0].iter().enumerate() {
            assert!((unit.velocity(&y, a) - w).norm() < 1e-10, "contact {a}");
        }
        assert!(system.changes() == 3 && system.factorize() && system.changes() == 0);
        let factorized = system.velocities().unwrap();
        let apart = updated.iter().flatten().zip(factorized.iter().flatten()).map(|(a, b)| (a - b).norm());
        // Round-off, twice times P.
        assert!(apart.fold(0.0, f64::max) < 1e-9);
        let corrected = system.velocities_at(0.5).unwrap();
        let between = |a: usize| (factorized[0][a] + factorized[1][a] * 0.5 - corrected[a]).norm();
        assert!((0..6).map(between).fold(0.0, f64::max) < 1e-9);
    }
}
