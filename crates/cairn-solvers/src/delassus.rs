//! W = Hᵀ M⁻¹ H, stored by blocks.
//!
//! Blocks W_αβ are kept for contacts that share a mass, so the cost of a row is the number of neighbours. The own block
//! W_αα is kept apart: a relaxation needs U_loc, the velocity without it.
//! [`Stored`] serves problems read from files, deformable bodies, and as the check of the matrix-free [`crate::matrix_free`].

use crate::csc::Csc;
use crate::problem::{Link, Mass, Mat, Vect, in_space};

/// What a solver may ask of W.
pub trait Delassus<const D: usize> {
    /// Number of contacts.
    fn contacts(&self) -> usize;
    /// W_αα.
    fn block(&self, contact: usize) -> &Mat<D>;
    /// U_free,α + Σ_{β≠α} W_αβ R_β: what the others do to a contact.
    fn others(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D>;
    /// U_α = U_free,α + Σ_β W_αβ R_β.
    fn velocity(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D> {
        self.others(contact, impulses) + self.block(contact) * impulses[contact]
    }
}

/// W as rows of blocks, with U_free. It need not be symmetric.
#[derive(Clone, Debug, Default)]
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
        let mut w = Self { starts: vec![0], ..Self::default() };
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

    /// From a matrix of any symmetry and U_free, contact by contact. Blocks of zeros are left out, but for a contact's
    /// own. `None` if the sizes do not fit together.
    pub fn from_csc(matrix: &Csc, free: &[f64]) -> Option<Self> {
        let size = free.len();
        if !size.is_multiple_of(D) || matrix.rows() != size || matrix.columns() != size {
            return None;
        }
        let contacts = size / D;
        let mut blocks: Vec<(u32, u32, Mat<D>)> = (0..contacts as u32).map(|a| (a, a, Mat::zeros())).collect();
        // One column of blocks at a time: `place` says where the block of a row is in the list.
        let mut place = vec![usize::MAX; contacts];
        for b in 0..contacts {
            let first = blocks.len();
            place[b] = b;
            for j in 0..D {
                for (i, x) in matrix.column(D * b + j).filter(|e| e.1 != 0.0) {
                    let a = i / D;
                    if place[a] == usize::MAX {
                        place[a] = blocks.len();
                        blocks.push((a as u32, b as u32, Mat::zeros()));
                    }
                    blocks[place[a]].2[(i % D, j)] += x;
                }
            }
            place[b] = usize::MAX;
            blocks[first..].iter().for_each(|block| place[block.0 as usize] = usize::MAX);
        }
        Self::from_blocks(blocks, free.chunks_exact(D).map(Vect::from_column_slice).collect())
    }

    /// From blocks (α, β, W_αβ) in any order, none twice and every contact's own among them, and U_free per contact.
    /// `None` if this is not so.
    pub fn from_blocks(mut blocks: Vec<(u32, u32, Mat<D>)>, free: Vec<Vect<D>>) -> Option<Self> {
        blocks.sort_unstable_by_key(|b| (b.0, b.1));
        let contacts = free.len();
        let inside = |b: &(u32, u32, Mat<D>)| (b.0 as usize) < contacts && (b.1 as usize) < contacts;
        let twice = blocks.windows(2).any(|p| (p[0].0, p[0].1) == (p[1].0, p[1].1));
        let own: Vec<Mat<D>> = blocks.iter().filter(|b| b.0 == b.1).map(|b| b.2).collect();
        if twice || own.len() != contacts || !blocks.iter().all(inside) {
            return None;
        }
        blocks.retain(|b| b.0 != b.1);
        let mut starts = vec![0; contacts + 1];
        blocks.iter().for_each(|b| starts[b.0 as usize + 1] += 1);
        for a in 0..contacts {
            starts[a + 1] += starts[a];
        }
        let columns = blocks.iter().map(|b| b.1).collect();
        Some(Self { starts, columns, blocks: blocks.iter().map(|b| b.2).collect(), own, free })
    }

    /// From rows of blocks as they are kept: `columns[starts[α]..starts[α+1]]` are the contacts β ≠ α of row α in
    /// ascending order, `blocks` beside them, `own` the blocks W_αα.
    pub fn from_rows(
        starts: Vec<usize>,
        columns: Vec<u32>,
        blocks: Vec<Mat<D>>,
        own: Vec<Mat<D>>,
        free: Vec<Vect<D>>,
    ) -> Self {
        assert!(starts.len() == free.len() + 1 && own.len() == free.len() && columns.len() == blocks.len());
        assert!(columns.iter().all(|&b| (b as usize) < free.len()));
        Self { starts, columns, blocks, own, free }
    }

    /// A copy of the whole row of blocks of a contact: the contacts β in ascending order, its own among them, and W_αβ of
    /// each.
    pub fn row(&self, contact: usize) -> (Vec<u32>, Vec<Mat<D>>) {
        let own = std::iter::once((contact, &self.own[contact]));
        let mut row: Vec<(usize, &Mat<D>)> = own.chain(self.neighbours(contact)).collect();
        row.sort_by_key(|&(column, _)| column);
        row.into_iter().map(|(column, block)| (column as u32, *block)).unzip()
    }

    /// U_free per contact.
    pub fn free(&self) -> &[Vect<D>] {
        &self.free
    }

    /// A contact's own block, to be changed.
    pub fn own_mut(&mut self, contact: usize) -> &mut Mat<D> {
        &mut self.own[contact]
    }

    /// U_free per contact, to be changed.
    pub fn free_mut(&mut self) -> &mut [Vect<D>] {
        &mut self.free
    }

    /// The neighbours β ≠ α of a contact, in ascending order, with W_αβ.
    pub fn neighbours(&self, contact: usize) -> impl Iterator<Item = (usize, &Mat<D>)> {
        let (columns, blocks) = self.neighbours_of(contact);
        columns.iter().map(|&c| c as usize).zip(blocks)
    }

    /// Number of blocks outside the diagonal.
    pub fn couplings(&self) -> usize {
        self.blocks.len()
    }

    /// The neighbours β ≠ α of a contact, in ascending order, and beside them W_αβ.
    pub(crate) fn neighbours_of(&self, contact: usize) -> (&[u32], &[Mat<D>]) {
        let row = self.starts[contact]..self.starts[contact + 1];
        (&self.columns[row.clone()], &self.blocks[row])
    }

    /// The matrix W; zeros are left out.
    pub fn to_csc(&self) -> Csc {
        let mut entries = Vec::new();
        for a in 0..self.free.len() {
            let (columns, blocks) = self.row(a);
            for (&b, block) in columns.iter().zip(blocks) {
                for (i, j) in (0..D).flat_map(|j| (0..D).map(move |i| (i, j))).filter(|&at| block[at] != 0.0) {
                    entries.push((D * a + i, D * b as usize + j, block[(i, j)]));
                }
            }
        }
        let size = D * self.free.len();
        Csc::from_triplets(size, size, &entries).unwrap_or_default()
    }
}

impl<const D: usize> Delassus<D> for Stored<D> {
    fn contacts(&self) -> usize {
        self.free.len()
    }

    fn block(&self, contact: usize) -> &Mat<D> {
        &self.own[contact]
    }

    #[inline(always)]
    fn others(&self, contact: usize, impulses: &[Vect<D>]) -> Vect<D> {
        // Sums of even and of odd neighbours: no addition waits for the one before.
        let mut sums = [[Vect::<D>::zeros(); D]; 2];
        for (k, (b, block)) in self.neighbours(contact).enumerate() {
            for (j, sum) in sums[k % 2].iter_mut().enumerate() {
                *sum += block.column(j) * impulses[b][j];
            }
        }
        self.free[contact] + (0..D).fold(Vect::zeros(), |u, j| u + (sums[0][j] + sums[1][j]))
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
