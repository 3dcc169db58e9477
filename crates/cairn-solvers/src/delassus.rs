//! W = Hᵀ M⁻¹ H, stored by blocks.
//!
//! Blocks W_αβ are kept for contacts that share a mass, so the cost of a row is the number of neighbours. The own block
//! W_αα is kept apart: a relaxation needs U_loc, the velocity without it.
//! [`Stored`] serves problems read from files, deformable bodies, and as the check of the matrix-free [`crate::exchange`].

use crate::problem::{Link, Mass, Mat, Vect, in_space};

/// What a solver may ask of W.
pub trait Delassus<const D: usize> {
    /// Number of contacts.
    fn contacts(&self) -> usize;
    /// W_αα.
    fn block(&self, contact: usize) -> &Mat<D>;
    /// U_α = U_free,α + Σ_β W_αβ R_β.
    fn velocity(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D>;
}

/// W as rows of blocks, with U_free. It need not be symmetric.
#[derive(Clone, Debug)]
pub struct Stored<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<Mat<D>>,
    own: Vec<Mat<D>>,
    free: Vec<Vect<D>>,
}

impl<const D: usize> Stored<D> {
    /// From masses with their free velocities (no impulse applied) and the contacts between them.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>]) -> Self {
        let mut of_mass = vec![Vec::new(); masses.len()];
        for (a, link) in links.iter().enumerate() {
            link.sides().for_each(|(_, m, _)| of_mass[m as usize].push(a as u32));
        }
        let mut w = Self { starts: vec![0], columns: vec![], blocks: vec![], own: vec![], free: vec![] };
        for (a, link) in links.iter().enumerate() {
            let mut neighbours: Vec<u32> =
                link.sides().flat_map(|(_, m, _)| of_mass[m as usize].iter().copied()).collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            for b in neighbours.into_iter().filter(|&b| b as usize != a) {
                w.columns.push(b);
                w.blocks.push(coupling(masses, link, &links[b as usize]));
            }
            w.starts.push(w.columns.len());
            w.own.push(link.own_block(masses));
            w.free.push(link.relative_velocity(masses));
        }
        w
    }

    /// From blocks (row, column, W_αβ) in any order; blocks of the same place are added up in the order given. Blocks
    /// outside the contacts that `free` has are left out.
    pub fn from_blocks(free: Vec<Vect<D>>, blocks: impl IntoIterator<Item = (usize, usize, Mat<D>)>) -> Self {
        let contacts = free.len();
        let mut own = vec![Mat::zeros(); contacts];
        let mut rows: Vec<Vec<(u32, Mat<D>)>> = vec![vec![]; contacts];
        for (row, column, block) in blocks.into_iter().filter(|b| b.0 < contacts && b.1 < contacts) {
            if row == column {
                own[row] += block;
            } else {
                rows[row].push((column as u32, block));
            }
        }
        let mut w = Self { starts: vec![0], columns: vec![], blocks: vec![], own, free };
        for mut row in rows {
            row.sort_by_key(|&(column, _)| column);
            for (column, block) in row {
                match w.columns.last() {
                    Some(&last) if last == column && w.columns.len() > w.starts[w.starts.len() - 1] => {
                        let end = w.blocks.len() - 1;
                        w.blocks[end] += block;
                    }
                    _ => {
                        w.columns.push(column);
                        w.blocks.push(block);
                    }
                }
            }
            w.starts.push(w.columns.len());
        }
        w
    }

    /// U_free.
    pub fn free(&self) -> &[Vect<D>] {
        &self.free
    }

    /// U_free, to be changed.
    pub fn free_mut(&mut self) -> &mut [Vect<D>] {
        &mut self.free
    }

    /// The neighbours β ≠ α of a contact, in ascending order, with W_αβ.
    pub fn row(&self, contact: usize) -> impl Iterator<Item = (usize, &Mat<D>)> {
        let row = self.starts[contact]..self.starts[contact + 1];
        self.columns[row.clone()].iter().map(|&c| c as usize).zip(&self.blocks[row])
    }

    /// Number of blocks outside the diagonal.
    pub fn couplings(&self) -> usize {
        self.blocks.len()
    }

    /// U_free,α + Σ_{β≠α} W_αβ R_β: what the others do to a contact.
    #[inline]
    pub fn others(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D> {
        self.row(contact).fold(self.free[contact], |u, (b, w)| u + w * impulses[b])
    }
}

impl<const D: usize> Delassus<D> for Stored<D> {
    fn contacts(&self) -> usize {
        self.free.len()
    }

    fn block(&self, contact: usize) -> &Mat<D> {
        &self.own[contact]
    }

    fn velocity(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D> {
        self.others(contact, impulses) + self.own[contact] * impulses[contact]
    }
}

/// W_αβ = Σ over shared masses of ± H_αᵀ M⁻¹ H_β, + where both hold the mass on the same side.
fn coupling<const D: usize>(masses: &[Mass<D>], a: &Link<D>, b: &Link<D>) -> Mat<D> {
    let mut w = Mat::zeros();
    for (sign_a, mass_a, arm_a) in a.sides() {
        for (sign_b, mass_b, arm_b) in b.sides().filter(|s| s.1 == mass_a) {
            let mass = &masses[mass_b as usize];
            let moment =
                |link: &Link<D>, arm: &Vect<D>, j: usize| in_space(arm).cross(&in_space(&link.frame.column(j).into()));
            w += Mat::<D>::from_fn(|i, j| {
                let push = (0..D).map(|k| a.frame[(k, i)] * mass.inverse_mass[k] * b.frame[(k, j)]).sum::<f64>();
                let turn = moment(a, arm_a, i).dot(&(mass.spin_mobility * moment(b, arm_b, j)));
                sign_a * sign_b * (push + turn)
            });
        }
    }
    w
}
