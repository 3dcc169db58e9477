//! Contacts on deformable bodies, and how these bodies respond where they are touched.
//!
//! A contact has rigid sides, whose velocities are those of masses, and deformable ones, whose velocities follow from the impulses on
//! the same body:
//!
//!   U_α = H_αᵀ v + q_α + Σ_β B_αβ R_β
//!
//! q is the free velocity of the deformable sides, B = Hᵀ M̂⁻¹ H of deformable bodies alone, stored by blocks between contacts that share
//! one. Contacts between rigid bodies have no row here: they stay as cheap as they are without any deformable body.

use crate::delassus::{Delassus, Stored};
use crate::problem::{Link, Mass, Mat, Vect};

/// The contacts that hold a deformable body, with B and q.
#[derive(Clone, Debug, Default)]
pub struct Boundary<const D: usize> {
    /// Their links, ascending.
    links: Vec<u32>,
    /// B with q, in the order of `links`.
    response: Stored<D>,
}

impl<const D: usize> Boundary<D> {
    /// From the links, ascending, and B with q in their order.
    pub fn new(links: Vec<u32>, response: Stored<D>) -> Self {
        assert!(links.len() == response.contacts() && links.is_sorted_by(|a, b| a < b));
        Self { links, response }
    }

    /// Does no contact hold a deformable body?
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The links on deformable bodies, ascending.
    pub fn links(&self) -> &[u32] {
        &self.links
    }

    /// B and q, in the order of [`links`](Self::links).
    pub fn response(&self) -> &Stored<D> {
        &self.response
    }

    /// q, to be changed.
    pub fn free_mut(&mut self) -> &mut [Vect<D>] {
        self.response.free_mut()
    }

    /// Is B the whole W? So it is if every contact is on a deformable body and none on a mass that responds.
    pub fn is_whole(&self, masses: &[Mass<D>], links: &[Link<D>]) -> bool {
        self.links.len() == links.len()
            && !links.iter().any(|l| l.sides().any(|(_, m, _)| masses[m as usize].responds()))
    }

    /// W of all contacts with U_free, `masses` having their free velocities.
    pub fn whole(&self, masses: &[Mass<D>], links: &[Link<D>]) -> Stored<D> {
        let rigid = Stored::new(masses, links);
        let (mut starts, mut columns, mut blocks) = (vec![0], Vec::new(), Vec::new());
        let (mut own, mut free) = (Vec::with_capacity(links.len()), rigid.free().to_vec());
        let mut of_boundary = self.links.iter().enumerate().peekable();
        for (a, free) in free.iter_mut().enumerate() {
            let row = of_boundary.next_if(|(_, link)| **link as usize == a).map(|(k, _)| k);
            let elastic = row.into_iter().flat_map(|k| self.response.neighbours(k));
            let elastic = elastic.map(|(k, block)| (self.links[k] as usize, block));
            merge_rows(rigid.neighbours(a), elastic, &mut columns, &mut blocks);
            starts.push(columns.len());
            own.push(rigid.block(a) + row.map_or_else(Mat::zeros, |k| *self.response.block(k)));
            *free += row.map_or_else(Vect::zeros, |k| self.response.free()[k]);
        }
        Stored::from_rows(starts, columns, blocks, own, free)
    }

    /// Adds to the velocities in `links` what their impulses make of the deformable sides: q + B R.
    pub fn add_velocities(&self, links: &mut [Link<D>]) {
        let impulses: Vec<Vect<D>> = self.links.iter().map(|&link| links[link as usize].impulse).collect();
        for (k, &link) in self.links.iter().enumerate() {
            links[link as usize].velocity += self.response.velocity(k, &impulses);
        }
    }
}

/// Appends two ascending rows as one; blocks of the same column are added.
fn merge_rows<'a, const D: usize>(
    first: impl Iterator<Item = (usize, &'a Mat<D>)>,
    second: impl Iterator<Item = (usize, &'a Mat<D>)>,
    columns: &mut Vec<u32>,
    blocks: &mut Vec<Mat<D>>,
) {
    let (mut first, mut second) = (first.peekable(), second.peekable());
    while let Some(next) = [first.peek(), second.peek()].into_iter().flatten().map(|(column, _)| *column).min() {
        let here = first.next_if(|(column, _)| *column == next).into_iter().chain(second.next_if(|(c, _)| *c == next));
        columns.push(next as u32);
        blocks.push(here.map(|(_, block)| block).sum());
    }
}
