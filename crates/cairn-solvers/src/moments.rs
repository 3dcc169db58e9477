//! Contacts that resist rolling as a problem with a stored W: moments are components like those of impulses.
//!
//!   W = Gᵀ M⁻¹ G,   r = (R, M/L),   u = (Ũ, L Ω),   bounds μ, ℓ_T/L, ℓ_N/L        (see [`crate::cone`] and [`crate::rolling`])
//!
//! Moments are about t, s, n in space (n only where there is a sixth component), about z in the plane; L is a length, by contact.
//! Columns of G are unit reactions as forces and moments about the centres of masses; what does not resist has zeros.

use crate::delassus::Stored;
use crate::discrete::Problem;
use crate::problem::{Link, Mass, Mat, Vect, in_space};
use crate::rolling::Roll;

/// Forces and moments about a mass's centre of unit reactions.
struct Side<const D: usize, const N: usize> {
    mass: u32,
    columns: [(Vect<D>, Vect<3>); N],
}

/// The problem of masses with their free velocities, L being told by link; and the axes of its moments times L. N is 3 in the plane, 5 or 6 in
/// space; joints are left out.
#[allow(clippy::type_complexity)]
pub(crate) fn problem<const D: usize, const N: usize>(
    masses: &[Mass<D>],
    links: &[Link<D>],
    rolls: &[Roll],
    unit: impl Fn(&Link<D>) -> f64,
) -> (Problem<N>, Vec<[Vect<3>; N]>) {
    let mut axes = vec![[Vect::zeros(); N]; links.len()];
    let mut arms = vec![[0.0; 2]; links.len()];
    let mut spins = vec![Vect::zeros(); links.len()];
    for roll in rolls {
        let (link, unit) = (&links[roll.link], unit(&links[roll.link]));
        axes[roll.link] = axes_of(link, roll, unit);
        arms[roll.link] = roll.arms.map(|arm| arm / unit);
        spins[roll.link] = roll.spin(link, masses);
    }
    let sides: Vec<Vec<Side<D, N>>> = links.iter().zip(&axes).map(|(link, axes)| sides(link, axes)).collect();
    let free = links.iter().zip(axes.iter().zip(&spins)).map(|(link, (axes, spin))| {
        let u = link.relative_velocity(masses) + link.form.bias;
        Vect::from_fn(|i, _| if i < D { u[i] } else { axes[i].dot(spin) })
    });
    let w = delassus(masses, &sides, free.collect());
    let friction = links.iter().map(|link| link.form.friction).collect();
    (Problem { w, friction, arms }, axes)
}

/// Axes of moments t, s, n (z in the plane), times L; zero where there is no arm.
fn axes_of<const D: usize, const N: usize>(link: &Link<D>, roll: &Roll, unit: f64) -> [Vect<3>; N] {
    let axis =
        |k: usize, arm: f64| if arm > 0.0 { in_space(&link.frame.column(k).into()) * unit } else { Vect::zeros() };
    let [rolling, twisting] = roll.arms;
    std::array::from_fn(|i| match i {
        i if i < D => Vect::zeros(),
        _ if D == 2 => Vect::<3>::z() * if rolling > 0.0 { unit } else { 0.0 },
        3 => axis(1, rolling),
        4 => axis(2, rolling),
        _ => axis(0, twisting),
    })
}

fn sides<const D: usize, const N: usize>(link: &Link<D>, axes: &[Vect<3>; N]) -> Vec<Side<D, N>> {
    let columns = |sign: f64, arm: &Vect<D>| {
        std::array::from_fn(|i| {
            if i >= D {
                return (Vect::zeros(), axes[i] * sign);
            }
            let force: Vect<D> = link.frame.column(i) * sign;
            (force, in_space(arm).cross(&in_space(&force)))
        })
    };
    link.sides().map(|(sign, mass, arm)| Side { mass, columns: columns(sign, arm) }).collect()
}

/// W, contacts that share a mass being neighbours.
fn delassus<const D: usize, const N: usize>(
    masses: &[Mass<D>],
    sides: &[Vec<Side<D, N>>],
    free: Vec<Vect<N>>,
) -> Stored<N> {
    let mut of_mass = vec![Vec::new(); masses.len()];
    sides.iter().enumerate().for_each(|(a, sides)| sides.iter().for_each(|s| of_mass[s.mass as usize].push(a as u32)));
    let block = |a: usize, b: usize| {
        let mut w = Mat::<N>::zeros();
        for (p, q) in
            sides[a].iter().flat_map(|p| sides[b].iter().map(move |q| (p, q))).filter(|(p, q)| p.mass == q.mass)
        {
            let mass = &masses[p.mass as usize];
            for (j, (force, moment)) in q.columns.iter().enumerate() {
                let (velocity, spin) = (mass.inverse_mass.component_mul(force), mass.spin_mobility * moment);
                p.columns.iter().enumerate().for_each(|(i, (f, m))| w[(i, j)] += f.dot(&velocity) + m.dot(&spin));
            }
        }
        w
    };
    let (mut starts, mut columns, mut blocks, mut own) = (vec![0], vec![], vec![], vec![]);
    for (a, mine) in sides.iter().enumerate() {
        let mut neighbours: Vec<u32> = mine.iter().flat_map(|s| of_mass[s.mass as usize].iter().copied()).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        for b in neighbours.into_iter().filter(|&b| b as usize != a) {
            columns.push(b);
            blocks.push(block(a, b as usize));
        }
        starts.push(columns.len());
        own.push(block(a, a));
    }
    Stored::from_rows(starts, columns, blocks, own, free)
}
