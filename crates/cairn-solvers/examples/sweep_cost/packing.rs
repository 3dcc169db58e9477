//! Synthetic collections of the sizes that users have.

use cairn_solvers::problem::{GROUND, Link, LocalForm, Mass, Mat, Vect};

/// A repeatable number between −1 and 1.
fn noise(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn frame<const D: usize>(n: Vect<D>) -> Mat<D> {
    if D == 2 {
        return Mat::from_fn(|i, j| if j == 0 { n[i] } else { [-n[1], n[0]][i] });
    }
    let n = Vect::<3>::new(n[0], n[1], n[2]);
    let other = if n[0].abs() < 0.6 { Vect::<3>::x() } else { Vect::<3>::y() };
    let t = n.cross(&other).normalize();
    let s = n.cross(&t);
    Mat::from_fn(|i, j| [n, t, s][j][i])
}

fn link<const D: usize>(masses: [u32; 2], normal: Vect<D>, arms: [Vect<D>; 2], friction: f64) -> Link<D> {
    let form = LocalForm::plain(friction, Vect::zeros());
    Link { masses, frame: frame(normal), arms, form, impulse: Vect::zeros(), velocity: Vect::zeros() }
}

/// A box of balls on a jittered lattice of the given size, with a floor, after a step of weight: about D contacts each.
pub fn balls<const D: usize>(size: [usize; 3]) -> (Vec<Mass<D>>, Vec<Link<D>>) {
    let mut seed = 0x1234_5678_9abc_def1;
    let radius = 1e-3;
    let mut masses = Vec::new();
    let mut places = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                let cell = [x, y, z];
                places.push(Vect::<D>::from_fn(|i, _| radius * (2.0 * cell[i] as f64 + 0.3 * noise(&mut seed))));
                let mass = 1e-5 * (1.0 + 0.3 * noise(&mut seed));
                masses.push(Mass {
                    velocity: Vect::<D>::from_fn(|i, _| if i + 1 == D { -1e-2 } else { 1e-3 * noise(&mut seed) }),
                    spin: Vect::zeros(),
                    inverse_mass: Vect::repeat(1.0 / mass),
                    spin_mobility: Mat::<3>::identity() * (2.5 / (mass * radius * radius)),
                });
            }
        }
    }
    let index = |x: usize, y: usize, z: usize| x + size[0] * (y + size[1] * z);
    let floor = -Vect::<D>::from_fn(|i, _| if i + 1 == D { radius } else { 0.0 });
    let mut links = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                let here = index(x, y, z);
                let next = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1)];
                for &(a, b, c) in next.iter().filter(|(a, b, c)| *a < size[0] && *b < size[1] && *c < size[2]) {
                    let there = index(a, b, c);
                    let apart = places[here] - places[there];
                    let normal = apart.normalize();
                    links.push(link([here as u32, there as u32], normal, [-apart * 0.5, apart * 0.5], 0.3));
                }
                if [x, y, z][D - 1] == 0 {
                    links.push(link([here as u32, GROUND], -floor / radius, [floor, Vect::zeros()], 0.3));
                }
            }
        }
    }
    (masses, links)
}

/// A wall in running bond of `courses` × `columns` blocks: about three manifolds of 4 points per block.
pub fn wall(courses: usize, columns: usize) -> (Vec<Mass<3>>, Vec<Link<3>>) {
    let half = Vect::<3>::new(0.12, 0.06, 0.05);
    let mass = 10.0;
    let moment = |a: f64, b: f64| 3.0 / (mass * (a * a + b * b));
    let mobility = Vect::<3>::new(moment(half[1], half[2]), moment(half[0], half[2]), moment(half[0], half[1]));
    let block = Mass {
        velocity: Vect::<3>::new(0.0, 0.0, -1e-2),
        spin: Vect::zeros(),
        inverse_mass: Vect::repeat(1.0 / mass),
        spin_mobility: Mat::<3>::from_diagonal(&mobility),
    };
    let place = |row: usize, column: usize| {
        Vect::<3>::new(half[0] * (2.0 * column as f64 + (row % 2) as f64), 0.0, half[2] * (2.0 * row as f64 + 1.0))
    };
    let mut links = Vec::new();
    for row in 0..courses {
        for column in 0..columns {
            let (here, at) = ((row * columns + column) as u32, place(row, column));
            let mut bed = |below: u32, centre: Vect<3>, from: f64, to: f64| {
                for (x, y) in [(from, -1.0), (to, -1.0), (to, 1.0), (from, 1.0)] {
                    let point = Vect::<3>::new(x, y * half[1], at[2] - half[2]);
                    links.push(link([here, below], Vect::<3>::z(), [point - at, point - centre], 0.5));
                }
            };
            if row == 0 {
                bed(GROUND, Vect::zeros(), at[0] - half[0], at[0] + half[0]);
            } else {
                let left = if row % 2 == 1 { column as isize } else { column as isize - 1 };
                for below in [left, left + 1].into_iter().filter(|b| (0..columns as isize).contains(b)) {
                    let centre = place(row - 1, below as usize);
                    let (from, to) = (at[0].max(centre[0]) - half[0], at[0].min(centre[0]) + half[0]);
                    bed(((row - 1) * columns) as u32 + below as u32, centre, from, to);
                }
            }
            if column + 1 < columns {
                let centre = place(row, column + 1);
                for (y, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let point = Vect::<3>::new(at[0] + half[0], y * half[1], at[2] + z * half[2]);
                    links.push(link([here, here + 1], -Vect::<3>::x(), [point - at, point - centre], 0.5));
                }
            }
        }
    }
    (vec![block; courses * columns], links)
}
