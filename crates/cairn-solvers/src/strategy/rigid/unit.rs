//! Bodies measured so that every mass is 1: y = M^½ (v − v_free).
//!
//! With M⁻¹ = L Lᵀ (components that are held have a zero column, so that nothing moves them) and G = Lᵀ H:
//!
//!   y = G R,   Ũ = Ũ_free + Gᵀ y,   W = Gᵀ G
//!
//! 3 unknowns a body in the plane, 6 in space.

use crate::problem::{GROUND, Link, Mass, Mat, Vect, in_space};

/// Most unknowns of a body.
pub(super) const MOST: usize = 6;

/// One side of a contact: which body (its place among those that respond), and Lᵀ H, a column for each local direction.
struct Side<const D: usize> {
    node: usize,
    columns: [[f64; MOST]; D],
}

/// The contacts of a collection over unit masses.
pub(super) struct Unit<const D: usize> {
    /// Bodies that respond.
    pub nodes: usize,
    sides: Vec<[Option<Side<D>>; 2]>,
    /// Ũ_free.
    free: Vec<Vect<D>>,
    /// ρ = D / tr W_αα (of the block that a joint leaves); 0 where nothing responds.
    pub rho: Vec<f64>,
}

impl<const D: usize> Unit<D> {
    /// Unknowns of a body.
    pub const BLOCK: usize = if D == 2 { 3 } else { 6 };

    /// From masses with their free velocities.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>]) -> Self {
        let mut nodes = 0;
        let mut number = |m: &Mass<D>| {
            nodes += usize::from(m.responds());
            m.responds().then(|| nodes - 1)
        };
        let node_of: Vec<Option<usize>> = masses.iter().map(&mut number).collect();
        let roots: Vec<[[f64; MOST]; MOST]> = masses.iter().map(root).collect();
        let side = |link: &Link<D>, which: usize| {
            let mass = (link.masses[which] != GROUND).then_some(link.masses[which] as usize)?;
            let sign = if which == 0 { 1.0 } else { -1.0 };
            let columns = std::array::from_fn(|k| unit_force(link, which, k, sign, &roots[mass]));
            Some(Side { node: node_of[mass]?, columns })
        };
        let sides: Vec<_> = links.iter().map(|link| [side(link, 0), side(link, 1)]).collect();
        let free = links.iter().map(|link| link.relative_velocity(masses) + link.form.bias).collect();
        let trace = |sides: &[Option<Side<D>>; 2]| {
            sides.iter().flatten().flat_map(|s| s.columns.iter().flatten()).map(|x| x * x).sum::<f64>()
        };
        let eased = |link: &Link<D>, plain: f64| match link.form.joint.is_some() {
            true => link.form.joint.block(&link.own_block(masses)).trace(),
            false => plain,
        };
        let traces = sides.iter().zip(links).map(|(s, link)| eased(link, trace(s)));
        let rho = traces.map(|t| if t > 0.0 { D as f64 / t } else { 0.0 }).collect();
        Self { nodes, sides, free, rho }
    }

    /// Unknowns.
    pub fn size(&self) -> usize {
        self.nodes * Self::BLOCK
    }

    /// The bodies of a contact that respond.
    pub fn nodes_of(&self, contact: usize) -> impl Iterator<Item = u32> {
        self.sides[contact].iter().flatten().map(|s| s.node as u32)
    }

    /// The same, with their columns of G.
    pub fn columns(&self, contact: usize) -> impl Iterator<Item = (usize, &[[f64; MOST]; D])> {
        self.sides[contact].iter().flatten().map(|s| (s.node, &s.columns))
    }

    /// Ũ.
    pub fn velocity(&self, y: &[f64], contact: usize) -> Vect<D> {
        let mut u = self.free[contact];
        for side in self.sides[contact].iter().flatten() {
            let y = &y[side.node * Self::BLOCK..][..Self::BLOCK];
            for (u, column) in u.iter_mut().zip(&side.columns) {
                *u += y.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        u
    }

    /// Ũ_free.
    pub fn free(&self, contact: usize) -> &Vect<D> {
        &self.free[contact]
    }

    /// y += G R.
    pub fn push(&self, impulse: &Vect<D>, contact: usize, y: &mut [f64]) {
        for side in self.sides[contact].iter().flatten() {
            let y = &mut y[side.node * Self::BLOCK..][..Self::BLOCK];
            for (r, column) in impulse.iter().zip(&side.columns) {
                y.iter_mut().zip(column).for_each(|(y, c)| *y += r * c);
            }
        }
    }

    /// Adds G P Gᵀ of one contact, P symmetric, to the matrix of its bodies that respond, stored by columns.
    pub fn add_square(&self, contact: usize, weight: &Mat<D>, matrix: &mut [f64]) {
        let sides: Vec<&Side<D>> = self.sides[contact].iter().flatten().collect();
        let size = sides.len() * Self::BLOCK;
        for (p, a) in sides.iter().enumerate() {
            for (q, b) in sides.iter().enumerate() {
                for i in 0..Self::BLOCK {
                    let weighed = weight * Vect::<D>::from_fn(|k, _| a.columns[k][i]);
                    let row = &mut matrix[(p * Self::BLOCK + i) * size + q * Self::BLOCK..][..Self::BLOCK];
                    for (j, x) in row.iter_mut().enumerate() {
                        *x += (0..D).map(|k| weighed[k] * b.columns[k][j]).sum::<f64>();
                    }
                }
            }
        }
    }
}

/// Lᵀ times the generalized force of a unit impulse along local direction k.
fn unit_force<const D: usize>(
    link: &Link<D>,
    side: usize,
    k: usize,
    sign: f64,
    root: &[[f64; MOST]; MOST],
) -> [f64; MOST] {
    let force: Vect<D> = link.frame.column(k).into();
    let moment = in_space(&link.arms[side]).cross(&in_space(&force));
    let mut h = [0.0; MOST];
    for i in 0..D {
        h[i] = sign * force[i];
    }
    if D == 2 {
        h[2] = sign * moment[2];
    } else {
        (0..3).for_each(|i| h[3 + i] = sign * moment[i]);
    }
    std::array::from_fn(|i| (0..MOST).map(|j| root[j][i] * h[j]).sum())
}

/// Lᵀ times a moment (world axes).
pub(super) fn unit_moment<const D: usize>(mass: &Mass<D>, moment: &Vect<3>) -> [f64; MOST] {
    let root = root(mass);
    let turns = if D == 2 { 2..3 } else { 3..6 };
    std::array::from_fn(|i| turns.clone().map(|j| root[j][i] * moment[if D == 2 { 2 } else { j - 3 }]).sum())
}

/// L with L Lᵀ = M⁻¹.
fn root<const D: usize>(mass: &Mass<D>) -> [[f64; MOST]; MOST] {
    let mut l = [[0.0; MOST]; MOST];
    mass.inverse_mass.iter().enumerate().for_each(|(i, m)| l[i][i] = m.sqrt());
    if D == 2 {
        l[2][2] = mass.spin_mobility[(2, 2)].sqrt();
    } else {
        let turning = cholesky(&mass.spin_mobility);
        (0..3).for_each(|i| l[3 + i][3..].copy_from_slice(&turning[i]));
    }
    l
}

/// The same for a matrix that may be singular: a direction without response gets a zero column.
fn cholesky(a: &Mat<3>) -> [[f64; 3]; 3] {
    let mut l = [[0.0; 3]; 3];
    for j in 0..3 {
        let pivot = a[(j, j)] - (0..j).map(|k| l[j][k] * l[j][k]).sum::<f64>();
        if pivot <= 16.0 * f64::EPSILON * a[(j, j)] {
            continue;
        }
        l[j][j] = pivot.sqrt();
        for i in j + 1..3 {
            l[i][j] = (a[(i, j)] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>()) / l[j][j];
        }
    }
    l
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_of_a_mobility_and_of_a_singular_one() {
        let a = Mat::<3>::new(2.0, 0.3, 0.1, 0.3, 1.0, 0.2, 0.1, 0.2, 1.5);
        for a in [a, Mat::<3>::from_diagonal(&Vect::<3>::new(0.0, 2.0, 0.0)), Mat::zeros()] {
            let l = cholesky(&a);
            let l = Mat::<3>::from_fn(|i, j| l[i][j]);
            assert!((l * l.transpose() - a).norm() < 1e-15, "{l}");
        }
    }
}
