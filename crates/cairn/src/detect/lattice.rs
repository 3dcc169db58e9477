//! Contacts across the images of a periodic cell.
//!
//! Bodies keep the place that they have moved to, wherever that is; nothing is copied in the state. With Λ the matrix of the lattice vectors
//! and c the origin of the cell, a part at x is in the cell w = ⌊Λ⁻¹(x − c)⌋, and is folded to x − Λ w for the broad phase. What is near the
//! faces of the cell is entered there once more, shifted by Λ k, so that it meets what is near the opposite face. Such a pair (a, b shifted by
//! k) stands for a and the image
//!
//!   z = w_a − w_b + k
//!
//! of b, at x_b + Λ z: a number that does not depend on where the two have been folded to, and stays the same when one of them crosses a
//! face. Of k and −k, which stand for the same pair, only the one is entered whose first component that is not zero is positive.

use super::bounds::{BoundingBall, Bounds};
use crate::contact::Image;
use crate::shape::Aabb;
use crate::space::{Ambient, Mat, Placement, Space, Vect};

/// A pair of parts, and the image of the second that the first may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// The two, the lower number first.
    pub parts: [u32; 2],
    /// Which image of the second.
    pub image: Image,
}

/// The lattice of a periodic cell at a time.
#[derive(Clone, Debug)]
pub struct Lattice<const D: usize> {
    /// Origin of the cell [m].
    pub low: Vect<D>,
    /// Lattice vectors as columns [m]; unit vectors where it is not periodic.
    pub vectors: Mat<D>,
    /// Inverse of this matrix.
    pub inverse: Mat<D>,
    /// Directions in which it is periodic.
    pub periodic: [bool; 3],
    /// How the vectors move while contacts are looked for [m].
    pub moved: Mat<D>,
}

/// How parts were folded into the cell, and what was entered twice.
pub(super) struct Folded {
    parts: usize,
    cells: Vec<[i32; 3]>,
    ghosts: Vec<(u32, [i32; 3])>,
    is_wide: Vec<bool>,
}

impl<const D: usize> Lattice<D> {
    /// Where an image of something is.
    pub fn offset(&self, image: Image) -> Vect<D> {
        self.vectors * image.cells::<D>()
    }

    /// An image of a placement.
    pub fn image_of(&self, place: &Placement<D>, image: Image) -> Placement<D>
    where
        Space<D>: Ambient<D>,
    {
        Placement { centre: place.centre + self.offset(image), turn: place.turn }
    }

    /// How far an image moves while contacts are looked for, beyond what the two move as they are seen in the cell [m].
    pub fn travel(&self, image: Image, [a, b]: [&Vect<D>; 2]) -> f64 {
        if self.moved == Mat::<D>::zeros() {
            return 0.0;
        }
        let (from, to) = (self.cell_of(a), self.cell_of(b));
        (self.moved * Vect::<D>::from_fn(|k, _| f64::from(i32::from(image.0[k]) - from[k] + to[k]))).norm()
    }

    /// The cell that a point is in.
    pub fn cell_of(&self, x: &Vect<D>) -> [i32; 3] {
        let at = self.inverse * (x - self.low);
        // A cast saturates: what has flown away is not followed for ever.
        std::array::from_fn(|k| if k < D && self.periodic[k] { at[k].floor() as i32 } else { 0 })
    }

    /// The vector from one cell to another [m].
    pub fn between(&self, cells: [i32; 3]) -> Vect<D> {
        self.vectors * Vect::<D>::from_fn(|k, _| f64::from(cells[k]))
    }

    /// Folds bounds into the cell and enters those near its faces once more.
    pub(super) fn fold(&self, bounds: &mut Bounds<D>) -> Folded {
        let parts = bounds.balls.len();
        let mut folded = Folded {
            parts,
            cells: vec![[0; 3]; parts],
            ghosts: Vec::new(),
            is_wide: bounds.balls.iter().map(|ball| ball.is_wide).collect(),
        };
        let bounded = |ball: &&BoundingBall<D>| !ball.is_wide;
        let size = |ball: &BoundingBall<D>| ball.radius + ball.reach;
        let largest = bounds.balls.iter().filter(bounded).map(size).fold(0.0, f64::max);
        for part in (0..parts).filter(|part| !folded.is_wide[*part]) {
            let cells = self.cell_of(&bounds.balls[part].centre);
            folded.cells[part] = cells;
            shift(bounds, part, &-self.between(cells));
        }
        for part in (0..parts).filter(|part| !folded.is_wide[*part]) {
            let ball = bounds.balls[part];
            self.each_ghost(&ball, largest, |shifted| {
                let cells = Vect::<D>::from_fn(|k, _| f64::from(shifted[k]));
                let travel = (self.moved * cells).norm();
                bounds.balls.push(BoundingBall { reach: ball.reach + travel, ..ball });
                if let Some(around) = bounds.boxes.get(part).copied() {
                    bounds.boxes.push(around.grown(travel));
                }
                shift(bounds, bounds.balls.len() - 1, &self.between(shifted));
                folded.ghosts.push((part as u32, shifted));
            });
        }
        folded
    }

    /// The shifts k of a part in the cell by which it may meet another in it.
    fn each_ghost(&self, ball: &BoundingBall<D>, largest: f64, mut enter: impl FnMut([i32; 3])) {
        let at = self.inverse * (ball.centre - self.low);
        let (mut low, mut high) = ([0_i32; 3], [0_i32; 3]);
        for k in (0..D).filter(|k| self.periodic[*k]) {
            // Lattice planes of this direction are 1/‖row‖ apart.
            let room = (ball.radius + ball.reach + largest) * self.inverse.row(k).norm()
                + self.moved.iter().map(|x| x.abs()).sum::<f64>() * self.inverse.row(k).norm();
            low[k] = (-room - at[k]).ceil() as i32;
            high[k] = (1.0 + room - at[k]).floor() as i32;
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    if [x, y, z] > [0, 0, 0] {
                        enter([x, y, z]);
                    }
                }
            }
        }
    }
}

fn shift<const D: usize>(bounds: &mut Bounds<D>, entry: usize, by: &Vect<D>) {
    bounds.balls[entry].centre += by;
    if let Some(around) = bounds.boxes.get_mut(entry) {
        *around = Aabb { min: around.min + by, max: around.max + by };
    }
}

impl Folded {
    /// What a pair of entries stands for; `None` for two that are entered once more as they are.
    pub(super) fn seen(&self, [i, j]: [u32; 2]) -> Option<Seen> {
        let real = |entry: u32| (entry as usize) < self.parts;
        if !real(i) || !real(j) && self.is_wide[i as usize] {
            return None;
        }
        let (b, k) = if real(j) { (j, [0; 3]) } else { self.ghosts[j as usize - self.parts] };
        // Planes are the same seen from everywhere.
        let is_wide = self.is_wide[i as usize] || self.is_wide[b as usize];
        let [from, to] = [i, b].map(|part| self.cells[part as usize]);
        let z: [i32; 3] = std::array::from_fn(|i| if is_wide { 0 } else { from[i] - to[i] + k[i] });
        let (parts, sign) = if i < b { ([i, b], 1) } else { ([b, i], -1) };
        let cells = z.map(|z| i16::try_from(sign * z).ok());
        let [Some(x), Some(y), Some(z)] = cells else { return None };
        Some(Seen { parts, image: Image([x, y, z]) })
    }
}
