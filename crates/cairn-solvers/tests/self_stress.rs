//! Bodies that press on each other for nothing: impulses are not unique there, and none but the small ones are wanted.
//!
//! Disks between walls that do not give way, in grooves, and under arches of their own: W is singular. Every method that says that it
//! has solved such a problem has to come to forces of the same size as plain sweeps from the same start: residuals do not see the
//! difference.

use cairn_solvers::problem::{GROUND, Link, LocalForm, Mass, Mat, Vect};
use cairn_solvers::report::{Method, Report, Settings};
use cairn_solvers::solver::Solver;
use cairn_solvers::strategy::rigid::RigidStrategy;

/// Numbers without pattern in [0, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

const G_H: f64 = 9.81e-3;

fn disk(radius: f64) -> Mass<2> {
    let mass = 2500.0 * std::f64::consts::PI * radius * radius;
    Mass {
        velocity: Vect::<2>::new(0.0, -G_H),
        spin: Vect::<3>::zeros(),
        inverse_mass: Vect::<2>::repeat(1.0 / mass),
        spin_mobility: Mat::<3>::from_diagonal(&Vect::<3>::new(0.0, 0.0, 2.0 / (mass * radius * radius))),
    }
}

/// A contact at the point of candidate `a` (radius r) opposite to the normal; μ and approach of the other side.
fn link(a: usize, b: u32, normal: Vect<2>, radii: [f64; 2], friction: f64, bias: f64) -> Link<2> {
    Link {
        masses: [a as u32, b],
        frame: Mat::<2>::new(normal[0], -normal[1], normal[1], normal[0]),
        arms: [normal * -radii[0], normal * radii[1]],
        form: LocalForm::plain(friction, Vect::<2>::new(bias, 0.0)),
        impulse: Vect::zeros(),
        velocity: Vect::zeros(),
    }
}

/// Disks on a hexagonal lattice between two rough walls that lean by `lean` (a hopper, or upright: over-constrained), the floor
/// being a row of grooves; radii differ a little, so that no two contacts are alike, and all touch: as many contacts as a lattice has.
fn wedged(seed: u64, columns: usize, rows: usize, lean: f64, friction: f64) -> (Vec<Mass<2>>, Vec<Link<2>>) {
    let mut noise = Noise(seed);
    let radius = 0.005;
    let mut masses = Vec::new();
    let mut links = Vec::new();
    let at = |row: usize, column: usize| row * columns + column;
    for row in 0..rows {
        for column in 0..columns {
            masses.push(disk(radius * (0.98 + 0.04 * noise.next())));
            let here = at(row, column);
            let turned = |angle: f64, noise: &mut Noise| {
                let angle = angle + 0.1 * (noise.next() - 0.5);
                Vect::<2>::new(angle.cos(), angle.sin())
            };
            let radii = [radius; 2];
            if column > 0 {
                links.push(link(here, at(row, column - 1) as u32, turned(0.0, &mut noise), radii, friction, 0.0));
            }
            let up = std::f64::consts::FRAC_PI_3;
            for (side, angle) in [(0, up), (1, 2.0 * up)] {
                let below = if row % 2 == 0 { column as i64 - 1 + side } else { column as i64 + side };
                if row == 0 {
                    links.push(link(here, GROUND, turned(angle, &mut noise), radii, friction, 0.0));
                } else if (0..columns as i64).contains(&below) {
                    links.push(link(
                        here,
                        at(row - 1, below as usize) as u32,
                        turned(angle, &mut noise),
                        radii,
                        friction,
                        0.0,
                    ));
                }
            }
            // A wall that comes in by a hundredth of g h where it stands upright would have no solution: it stands still.
            if column == 0 {
                links.push(link(here, GROUND, turned(lean, &mut noise), radii, friction, 0.0));
            }
            if column + 1 == columns {
                let normal = turned(std::f64::consts::PI - lean, &mut noise);
                links.push(link(here, GROUND, normal, radii, friction, 0.0));
            }
        }
    }
    links.sort_by_key(|l| (l.masses[0], l.masses[1]));
    (masses, links)
}

fn solve(method: Method, tolerance: f64, masses: &[Mass<2>], links: &[Link<2>]) -> (Report, f64) {
    let (mut masses, mut links) = (masses.to_vec(), links.to_vec());
    let settings = Settings { tolerance, max_sweeps: 20_000, method, ..Settings::default() };
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    (report, links.iter().map(|l| l.impulse.norm()).fold(0.0, f64::max))
}

#[test]
fn auto_presses_no_harder_than_plain_sweeps() {
    let mut compared = 0;
    for seed in 1..=12 {
        let lean = [0.0, 0.3, -0.2, 0.6][seed as usize % 4];
        let friction = [0.3, 0.5, 0.9][seed as usize % 3];
        let (masses, links) = wedged(seed, 4 + seed as usize % 5, 6 + seed as usize % 7, lean, friction);
        let (plain, swept) = solve(Method::Nlgs, 1e-4, &masses, &links);
        let (auto, found) = solve(Method::Auto, 1e-6, &masses, &links);
        if !plain.converged || !auto.converged {
            continue;
        }
        compared += 1;
        assert!(found < 2.0 * swept, "seed {seed}: {found:.2e} N·s, sweeps {swept:.2e}; {auto:?}");
    }
    assert!(compared >= 8, "only {compared} problems were solved by both");
}

/// Methods that can be asked for by name. One that comes from afar may refuse: what it claims to have solved has forces like those of sweeps.
#[test]
fn methods_by_name_that_have_solved_it_press_as_hard_as_sweeps() {
    let names = ["auto", "admm", "gradient", "newton", "proximal", "interior"];
    let mut solved = [0; 6];
    for seed in 1..=8 {
        let lean = [0.2, 0.0, 0.5, -0.2][seed as usize % 4];
        let (masses, links) = wedged(seed, 4 + seed as usize % 3, 5 + seed as usize % 4, lean, 0.5);
        let (plain, swept) = solve(Method::Nlgs, 1e-4, &masses, &links);
        assert!(plain.converged, "seed {seed}: {plain:?}");
        for (name, solved) in names.iter().zip(&mut solved) {
            let method = Method::Stored(Solver::named(name).unwrap());
            let (report, found) = solve(method, 1e-4, &masses, &links);
            if report.converged {
                *solved += 1;
                let (all, most) = (report.strength / plain.strength, found / swept);
                assert!((0.5..2.0).contains(&all), "seed {seed}, {name}: {all} times as strong; {report:?}");
                assert!((0.5..2.0).contains(&most), "seed {seed}, {name}: {most} times the largest; {report:?}");
            }
        }
    }
    // Those that come from afar may refuse, but not always.
    assert!(solved[..3].iter().all(|&n| n >= 4) && solved[3..].iter().sum::<i32>() >= 6, "{names:?}: {solved:?} of 8");
}

/// A column under a heavy disk: impulses are unique, and far stronger than a few sweeps from nothing make them.
#[test]
fn what_has_to_be_strong_is_not_refused() {
    let (count, radius) = (30, 0.005);
    let mut masses = vec![disk(radius); count];
    masses[count - 1].inverse_mass /= 100.0;
    masses[count - 1].spin_mobility /= 100.0;
    let below = |i: usize| if i == 0 { GROUND } else { i as u32 - 1 };
    let links: Vec<_> = (0..count).map(|i| link(i, below(i), Vect::<2>::y(), [radius; 2], 0.5, 0.0)).collect();
    let weight = (count as f64 + 99.0) * G_H / disk(radius).inverse_mass[0];
    for name in ["auto", "admm", "newton", "proximal", "interior"] {
        let (report, found) = solve(Method::Stored(Solver::named(name).unwrap()), 1e-7, &masses, &links);
        assert!(report.converged, "{name}: {report:?}");
        assert!((found / weight - 1.0).abs() < 1e-2, "{name}: {found} of {weight}");
    }
}

#[test]
fn touching_without_load_is_solved_at_once() {
    for speed in [0.0, 1.0, 1e3] {
        let (mut masses, links) = wedged(3, 5, 5, 0.0, 0.5);
        let links: Vec<_> = links.into_iter().filter(|l| l.masses[1] != GROUND).collect();
        let together = Vect::<2>::new(0.3, -0.7) * speed;
        // One that falls behind by less than round-off, as integration leaves it.
        masses.iter_mut().for_each(|m| m.velocity = together);
        masses[7].velocity *= 1.0 - 4.0 * f64::EPSILON;
        let settings = Settings { tolerance: 1e-8, ..Settings::default() };
        let report = RigidStrategy::default().solve(&mut masses, &mut links.clone(), &mut [], &settings);
        assert!(report.converged && report.residual.is_finite(), "{report:?}");
        assert!(report.sweeps <= 2, "{} sweeps for nothing", report.sweeps);
    }
}

/// Impulses that grow for ever must not make an error small: two walls that close in on a body have no solution.
#[test]
fn closing_in_on_a_body_is_never_called_solved() {
    let masses = vec![disk(0.005)];
    let normals = [Vect::<2>::x(), -Vect::<2>::x()];
    let links: Vec<_> = normals.into_iter().map(|n| link(0, GROUND, n, [0.005; 2], 0.5, -0.01)).collect();
    for method in [Method::Nlgs, Method::Auto] {
        let (report, _) = solve(method, 1e-3, &masses, &links);
        assert!(!report.converged, "{report:?}");
    }
}
