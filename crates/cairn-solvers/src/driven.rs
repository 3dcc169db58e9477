//! How strong the impulses of a rigid collection have to be: what the resultants on the bodies ask for.
//!
//! Impulses that press bodies on each other and move nothing have no resultant on any body; those that carry a load do, and the
//! load goes from contact to contact down to what does not move. With the resultant p_b on body b (moments counted with the
//! radius of gyration as their arm), and d_b the number of contacts on the shortest way from it to the ground,
//!
//!   T = Σ_b p_b d_b,   P = Σ_b p_b
//!
//! are about the sum of the impulses of all contacts and the largest that there can be, as in a column of N equal bodies, where
//! Σ R = ½ N² p and the lowest contact carries N p. Hence Σ R² is at most about T P, and
//!
//!   driven = (T P / n)^½ · rms(1/ρ),   n contacts with R ≠ 0
//!
//! is the strength (see [`crate::residual`]) that the loads can explain, up to what leverage does (arches and wedges press a few times
//! their load). A column has 1.2 times its strength, a heavy body on a light one, or a pressed layer, as much; self-stress adds
//! nothing. Bodies without a way to the ground, as in a collision in flight, find theirs to the heaviest of them.

use crate::problem::{GROUND, Link, Mass, Vect, in_space};

/// Impulses within this of the largest count; what is less is round-off.
const PART: f64 = 1e-12;

/// The strength that resultants of the impulses in `links` ask for [m/s]; ρ per contact, 0 where nothing responds.
pub(crate) fn driven<const D: usize>(masses: &[Mass<D>], links: &[Link<D>], rho: &[f64]) -> f64 {
    let largest = links.iter().map(|link| link.impulse.amax()).fold(0.0, f64::max);
    let bears = |a: &usize| rho[*a] > 0.0 && rho[*a].is_finite() && links[*a].impulse.amax() > PART * largest;
    let active: Vec<usize> = (0..links.len()).filter(bears).collect();
    if active.is_empty() {
        return 0.0;
    }
    let resultants = resultants(masses, links, &active);
    let distances = distances(masses, links, &active);
    let all: f64 = resultants.iter().sum();
    let carried: f64 = resultants.iter().zip(&distances).map(|(p, &d)| p * f64::from(d)).sum();
    let mobility = active.iter().map(|&a| rho[a].powi(-2)).sum::<f64>() / active.len() as f64;
    (carried * all / active.len() as f64 * mobility).sqrt()
}

/// p_b, of components that respond.
fn resultants<const D: usize>(masses: &[Mass<D>], links: &[Link<D>], active: &[usize]) -> Vec<f64> {
    let mut sums = vec![(Vect::<D>::zeros(), Vect::<3>::zeros()); masses.len()];
    for &a in active {
        let impulse = links[a].frame * links[a].impulse;
        for (sign, mass, arm) in links[a].sides() {
            let sum = &mut sums[mass as usize];
            sum.0 += impulse * sign;
            sum.1 += in_space(arm).cross(&in_space(&impulse)) * sign;
        }
    }
    let size = |(mass, (force, moment)): (&Mass<D>, &(Vect<D>, Vect<3>))| {
        let free = Vect::<D>::from_fn(|i, _| if mass.inverse_mass[i] > 0.0 { force[i] } else { 0.0 });
        let turn = mass.spin_mobility * moment;
        let lightest = mass.inverse_mass.max();
        // ½ Lω = ½ p²/m: the impulse that would give as much energy.
        let turning = if lightest > 0.0 { turn.dot(moment).max(0.0) / lightest } else { 0.0 };
        (free.norm_squared() + turning).sqrt()
    };
    masses.iter().zip(&sums).map(size).collect()
}

/// d_b by contacts with impulses; 0 of bodies that do not respond.
fn distances<const D: usize>(masses: &[Mass<D>], links: &[Link<D>], active: &[usize]) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let is_ground = |mass: u32| mass == GROUND || !masses[mass as usize].responds();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); masses.len()];
    let mut distance = vec![UNKNOWN; masses.len()];
    let mut front: Vec<u32> = Vec::new();
    for &a in active {
        let [first, second] = links[a].masses;
        match (is_ground(first), is_ground(second)) {
            (false, false) => {
                neighbours[first as usize].push(second);
                neighbours[second as usize].push(first);
            }
            (true, true) => {}
            (ground, _) => {
                let body = if ground { second } else { first };
                if distance[body as usize] == UNKNOWN {
                    distance[body as usize] = 1;
                    front.push(body);
                }
            }
        }
    }
    let mut by_mass: Vec<u32> = (0..masses.len() as u32).filter(|&m| !neighbours[m as usize].is_empty()).collect();
    let lightness = |m: &u32| masses[*m as usize].inverse_mass.max();
    by_mass.sort_by(|a, b| lightness(a).total_cmp(&lightness(b)));
    let mut heaviest = by_mass.into_iter();
    loop {
        while !front.is_empty() {
            let mut next = Vec::new();
            for body in front {
                for &other in &neighbours[body as usize] {
                    if distance[other as usize] == UNKNOWN {
                        distance[other as usize] = distance[body as usize] + 1;
                        next.push(other);
                    }
                }
            }
            front = next;
        }
        let Some(root) = heaviest.find(|&m| distance[m as usize] == UNKNOWN) else { break };
        distance[root as usize] = 1;
        front = vec![root];
    }
    distance.into_iter().map(|d| if d == UNKNOWN { 0 } else { d }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{LocalForm, Mat};

    /// Unit masses on top of each other, with these impulses upwards between them, the first on the ground.
    fn column(masses: &[f64], impulses: &[f64]) -> (Vec<Mass<2>>, Vec<Link<2>>, Vec<f64>) {
        let mass = |m: &f64| Mass {
            velocity: Vect::zeros(),
            spin: Vect::zeros(),
            inverse_mass: Vect::<2>::repeat(1.0 / m),
            spin_mobility: Mat::zeros(),
        };
        let link = |(i, r): (usize, &f64)| Link {
            masses: [i as u32, if i == 0 { GROUND } else { i as u32 - 1 }],
            frame: Mat::<2>::new(0.0, 1.0, 1.0, 0.0),
            arms: [Vect::zeros(); 2],
            form: LocalForm::plain(0.5, Vect::zeros()),
            impulse: Vect::<2>::new(*r, 0.0),
            velocity: Vect::zeros(),
        };
        let masses: Vec<_> = masses.iter().map(mass).collect();
        let links: Vec<_> = impulses.iter().enumerate().map(link).collect();
        let rho = links.iter().map(|l| 2.0 / l.own_block(&masses).trace()).collect();
        (masses, links, rho)
    }

    fn strength(links: &[Link<2>], rho: &[f64]) -> f64 {
        let squares = links.iter().zip(rho).map(|(l, rho)| (l.impulse.norm() / rho).powi(2)).sum::<f64>();
        (squares / links.len() as f64).sqrt()
    }

    #[test]
    fn a_column_of_a_thousand_bodies_needs_what_it_has() {
        let impulses: Vec<f64> = (0..1000).map(|i| 1000.0 - i as f64).collect();
        let (masses, links, rho) = column(&[1.0; 1000], &impulses);
        let ratio = driven(&masses, &links, &rho) / strength(&links, &rho);
        // (½ N² · N / N)^½ against (N²/3)^½.
        assert!((ratio - 1.5_f64.sqrt()).abs() < 2e-3, "{ratio}");
    }

    #[test]
    fn a_heavy_body_on_a_light_one_needs_what_it_has() {
        let (masses, links, rho) = column(&[1.0, 1000.0], &[1001.0, 1000.0]);
        let ratio = driven(&masses, &links, &rho) / strength(&links, &rho);
        assert!((1.0..2.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn what_presses_and_moves_nothing_is_not_needed() {
        // A body of weight 1 between floor and ceiling that press with any force.
        let (masses, mut links, mut rho) = column(&[1.0], &[1.0]);
        let needed = driven(&masses, &links, &rho);
        let ceiling = Link { frame: Mat::<2>::new(0.0, 1.0, -1.0, 0.0), ..links[0] };
        links.push(ceiling);
        rho.push(rho[0]);
        for squeeze in [1.0, 1e3, 1e9] {
            (links[0].impulse[0], links[1].impulse[0]) = (1.0 + squeeze, squeeze);
            let ratio = driven(&masses, &links, &rho) / needed;
            assert!((0.7..1.01).contains(&ratio), "{squeeze}: {ratio}");
        }
    }

    #[test]
    fn a_collision_in_flight_is_measured_from_the_heaviest() {
        let (masses, links, rho) = column(&[1.0, 5.0], &[0.0, 2.0]);
        let found = driven(&masses, &links, &rho);
        // T = 2·1 + 2·2, P = 4, one contact.
        assert!((found - (6.0_f64 * 4.0).sqrt() / rho[1]).abs() < 1e-12 * found, "{found}");
    }
}
