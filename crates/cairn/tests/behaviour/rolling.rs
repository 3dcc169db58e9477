//! Rolling resistance: balls and disks of radius r = 0.1 m on planes, with known answers.

use crate::support::{go, plane, solid};
use cairn::measure::{balance_error, kinetic_energy};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const G: f64 = 9.81;
const R: f64 = 0.1;

/// A ball on a slope of tan α = 0.75, with these laws and velocities; the friction is more than it needs to roll.
fn ball(dimension: usize, slope: bool, laws: &str, start: &str) -> String {
    let (kind, shape) = if dimension == 2 { ("half_plane", "disk") } else { ("half_space", "sphere") };
    let (normal, at, down) = match (dimension, slope) {
        (2, true) => ("[0.6, 0.8]", "[0.06, 0.08]", "[0, -9.81]"),
        (2, false) => ("[0, 1]", "[0, 0.1]", "[0, -9.81]"),
        (_, true) => ("[0.48, 0.36, 0.8]", "[0.048, 0.036, 0.08]", "[0, 0, -9.81]"),
        _ => ("[0, 0, 1]", "[0, 0, 0.1]", "[0, 0, -9.81]"),
    };
    format!(
        "dimension = {dimension}\ntime = {{ step = 1e-3, end = 9 }}\ngravity = {{ acceleration = {down} }}\n\
         materials.m = {{ density = 1000 }}\nsolver = {{ tolerance = 1e-11 }}\n\
         contact = [{{ between = \"m\", friction = 0.9, {laws} }}]\n\
         [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"{kind}\", normal = {normal} }}\n\
         [[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nposition = {at}\n{start}\nshape = {{ kind = \"{shape}\", radius = {R} }}\n"
    )
}

/// I/(m r²) of a disk and of a sphere.
fn inertia(dimension: usize) -> f64 {
    if dimension == 2 { 0.5 } else { 0.4 }
}

/// Converged steps with a closed balance.
fn checked<const D: usize>(s: &mut Simulation<D>, steps: usize)
where
    Space<D>: Ambient<D>,
{
    go(s, steps);
    assert_eq!(s.state.ledger.unconverged, 0);
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-10, "{:?}", s.state.ledger);
}

/// With ℓ/r = tan α (1 ± 1 %) a ball stays, or rolls with g (sin α − ℓ/r cos α)/(1 + I/(m r²)).
fn on_a_slope<const D: usize>(start: impl Fn(&str) -> Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let law = |share: f64| format!("rolling_resistance = {:?}", share * 0.75 * R);
    let mut held = start(&ball(D, true, &law(1.01), ""));
    checked(&mut held, 200);
    assert!(held.state.motions[1].velocity.norm() < 1e-9, "{}", held.state.motions[1].velocity);
    // What holds it is m g r sin α, as the contact remembers and the output shows.
    let moment = held.state.reactions[0].memory().moment.norm() / held.state.last_step;
    let expected = held.scene.bodies[1].mass * G * R * 0.6;
    assert!((moment / expected - 1.0).abs() < 1e-8, "{moment} instead of {expected}");
    // It starts from there: nothing is left to do.
    assert_eq!(held.step().unwrap().sweeps, 1);
    for share in [0.5, 0.99] {
        let mut rolls = start(&ball(D, true, &law(share), ""));
        checked(&mut rolls, 200);
        let expected = G * 0.6 * (1.0 - share) / (1.0 + inertia(D)) * 0.2;
        let speed = rolls.state.motions[1].velocity.norm();
        // It takes one step to come to rest on the plane.
        assert!((speed / expected - 1.0).abs() < 0.01, "{share}: {speed} instead of {expected}");
    }
}

#[test]
fn a_ball_rolls_down_a_slope_iff_it_is_steeper_than_its_rolling_resistance() {
    on_a_slope(plane);
    on_a_slope(solid);
}

/// Rolling with 1 m/s, ℓ = 10 mm: it slows down by (ℓ/r) g/(1 + I/(m r²)), stops and stays, and all that it had went into
/// rolling: nothing slides.
fn slows_down<const D: usize>(mut s: Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let deceleration = 0.1 * G / (1.0 + inertia(D));
    let start = kinetic_energy(&s.scene, &s.state.motions, &s.state.fields);
    checked(&mut s, 500);
    let speed = s.state.motions[1].velocity.norm();
    assert!((speed - (1.0 - 0.5 * deceleration)).abs() < 2.0 * deceleration * 1e-3, "{speed}");
    checked(&mut s, (1e3 / deceleration) as usize - 500 + 5);
    assert!(s.state.motions[1].velocity.norm() < 1e-9, "{}", s.state.motions[1].velocity);
    let place = s.state.motions[1].place;
    assert!((place.centre[0] - 0.5 / deceleration).abs() < 2e-3, "{}", place.centre);
    checked(&mut s, 100);
    assert!((s.state.motions[1].place.centre - place.centre).norm() < 1e-9);
    let Simulation { scene, state, .. } = &s;
    assert!((state.ledger.rolling - start).abs() < 1e-6 * start, "{:?}", state.ledger);
    assert!(state.ledger.friction.abs() < 1e-6 * start, "{:?}", state.ledger);
    assert!(kinetic_energy(scene, &state.motions, &state.fields) < 1e-15 * start);
}

/// A disk that is turned at 2 rad/s rolls along and resists with ℓ m g; the drive does all the work.
#[test]
fn a_wheel_that_is_driven_resists_by_its_arm_times_its_weight() {
    let text = ball(2, false, "rolling_resistance = 0.01", "");
    let mut s = plane(&format!("{text}[[drive]]\nbodies = \"ball\"\ncomponent = \"rotation\"\nvelocity = 2\n"));
    checked(&mut s, 500);
    let weight = s.scene.bodies[1].mass * G;
    let reaction = &s.state.reactions[0];
    // On the candidate, which is the plane.
    assert_eq!(reaction.contact.bodies, [0, 1]);
    let moment = reaction.memory().moment / s.state.last_step;
    assert!((moment[2] / (0.01 * weight) - 1.0).abs() < 1e-9, "{moment}");
    assert!((s.state.motions[1].velocity[0] + 2.0 * R).abs() < 1e-9);
    // In half a second it turns by 1 rad, less what it has before it touches down.
    let expected = 0.01 * weight;
    assert!((s.state.ledger.rolling / expected - 1.0).abs() < 5e-3, "{:?}", s.state.ledger);
}

#[test]
fn a_rolling_ball_slows_down_and_stops() {
    let law = "rolling_resistance = 0.01";
    slows_down(plane(&ball(2, false, law, "velocity = [1, 0]\nspin = -10")));
    slows_down(solid(&ball(3, false, law, "velocity = [1, 0, 0]\nspin = [0, 10, 0]")));
}

#[test]
fn a_twisting_ball_slows_down_about_its_normal_alone() {
    // ℓ m g against 0.4 m r² ω, ℓ = 4 mm: dω/dt = −ℓ g/(0.4 r²).
    let mut s = solid(&ball(3, false, "twisting_resistance = 0.004", "spin = [0, 0, 10]"));
    checked(&mut s, 500);
    let expected = 10.0 - 0.5 * 0.004 * G / (0.4 * R * R);
    assert!((s.state.motions[1].spin[2] - expected).abs() < 0.02, "{}", s.state.motions[1].spin);
    // Without an arm for rolling, it rolls as it likes.
    let mut s = solid(&ball(3, false, "twisting_resistance = 0.004", "velocity = [1, 0, 0]\nspin = [0, 10, 0]"));
    checked(&mut s, 500);
    assert!((s.state.motions[1].velocity[0] - 1.0).abs() < 1e-9, "{}", s.state.motions[1].velocity);
}

/// Two balls that roll on each other share the moment: angular momentum about the common centre is kept.
#[test]
fn moments_between_two_bodies_are_opposite() {
    let text = "dimension = 2\ntime = { step = 1e-3, end = 9 }\nmaterials.m = { density = 1000 }\n\
         contact = [{ between = \"m\", friction = 0.5, rolling_resistance = 0.02 }]\nsolver = { tolerance = 1e-11 }\n\
         [[bodies]]\nname = \"a\"\nmaterial = \"m\"\nposition = [-0.1, 0]\nvelocity = [1, 0]\nspin = 3\n\
         shape = { kind = \"disk\", radius = 0.1 }\n\
         [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = [0.1, 0]\nvelocity = [-1, 0]\nspin = -1\n\
         shape = { kind = \"disk\", radius = 0.1 }\n";
    let mut s = plane(text);
    let momentum = |s: &Simulation<2>| {
        let mass = s.scene.bodies[0].mass;
        let of = |k: usize| {
            let m = &s.state.motions[k];
            mass * (m.place.centre.perp(&m.velocity) + 0.5 * R * R * m.spin)
        };
        of(0) + of(1)
    };
    let before = momentum(&s);
    checked(&mut s, 3);
    let spins = [s.state.motions[0].spin, s.state.motions[1].spin];
    assert!((spins[0] - spins[1]).abs() < 3.9, "no moment acted: {spins:?}");
    assert!((momentum(&s) - before).abs() < 1e-12 * before.abs(), "{} {before}", momentum(&s));
}

#[test]
fn a_heap_that_resists_rolling_converges_and_goes_on_with_the_same_bits_on_any_threads() {
    let text = "dimension = 2\ntime = { step = 2e-3, end = 9 }\ngravity = { acceleration = [0, -9.81] }\n\
         materials.m = { density = 1000 }\nsolver = { tolerance = 1e-7 }\n\
         contact = [{ between = \"m\", friction = 0.5, rolling_resistance = 0.01 }]\n\
         [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n\
         [[bodies]]\nname = \"low\"\nmaterial = \"m\"\nposition = [0, 0.1]\nshape = { kind = \"disk\", radius = 0.1 }\n\
         copies = { count = 4, step = [0.205, 0] }\n\
         [[bodies]]\nname = \"high\"\nmaterial = \"m\"\nposition = [0.1, 0.3]\nshape = { kind = \"disk\", radius = 0.1 }\n\
         copies = { count = 3, step = [0.205, 0] }\n";
    let mut s = plane(text);
    checked(&mut s, 100);
    let mut again = Simulation::resume(s.scene.clone(), s.state.clone());
    go(&mut s, 50);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    threads.install(|| go(&mut again, 50));
    assert!(s.state == again.state);
}

/// Methods that a scene can name, and that know moments, find the same heap.
#[test]
fn methods_by_name_roll_the_same_heap() {
    let text = |method: &str| {
        format!(
            "dimension = 3\ntime = {{ step = 2e-3, end = 9 }}\ngravity = {{ acceleration = [0, 0, -9.81] }}\n\
         materials.m = {{ density = 1000 }}\nsolver = {{ tolerance = 1e-8, max_sweeps = 200000, method = \"{method}\" }}\n\
         contact = [{{ between = \"m\", friction = 0.5, rolling_resistance = 0.01, twisting_resistance = 0.005 }}]\n\
         [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = [0, 0, 1] }}\n\
         [[bodies]]\nname = \"low\"\nmaterial = \"m\"\nposition = [0, 0, 0.1]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\n\
         copies = {{ count = 3, step = [0.202, 0, 0] }}\n\
         [[bodies]]\nname = \"high\"\nmaterial = \"m\"\nposition = [0.1, 0.01, 0.28]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\n\
         copies = {{ count = 2, step = [0.202, 0, 0] }}\n"
        )
    };
    let run = |method: &str| {
        let mut s = solid(&text(method));
        checked(&mut s, 100);
        s
    };
    let expected = run("nlgs");
    assert!(expected.state.ledger.rolling > 0.0, "nothing rolls");
    // Newton alone is no global method, and sweeps on a stored W, contact by contact with moments, take long or leave a step
    // unconverged here: they have their test on one problem, with the solvers.
    for method in ["auto", "proximal", "admm", "gradient", "bipotential", "portfolio"] {
        let found = run(method);
        for (a, b) in found.state.motions.iter().zip(&expected.state.motions) {
            let apart = (a.place.centre - b.place.centre).norm();
            assert!(apart < 1e-6 * R, "{method}: {apart:e}");
        }
    }
}

/// A ball on a soft block, pushed by a force below and above what its rolling resistance stands: ℓ N = F r.
#[test]
fn rolling_resistance_holds_a_disk_on_a_mesh() {
    let start = |force: f64| {
        plane(&format!(
            "dimension = 2\ngravity = {{ acceleration = [0, -10] }}\ntime = {{ step = 1e-3, end = 1 }}\n\
             materials.m = {{ density = 1000, young = 1e9, poisson = 0.3, damping = [50, 1e-4] }}\n\
             [[contact]]\nbetween = \"m\"\nfriction = 0.8\nrolling_resistance = 0.02\n[solver]\ntolerance = 1e-9\n\
             [[deformable]]\nname = \"floor\"\nmaterial = \"m\"\nposition = [0, -0.25]\n\
             mesh = {{ kind = \"rectangle\", size = [4, 0.5], cells = [8, 1] }}\n[[fix]]\nbodies = \"floor\"\nboundary = \"bottom\"\n\
             [[bodies]]\nname = \"disk\"\nmaterial = \"m\"\nposition = [0, 0.2]\nshape = {{ kind = \"disk\", radius = 0.2 }}\n\
             [[load]]\nbodies = \"disk\"\nforce = [{force}, 0]\n"
        ))
    };
    // The weight is 10 m; the limit ℓ N / r a tenth of it.
    let weight = 10.0 * start(0.0).scene.bodies[0].mass;
    for (share, rolls) in [(0.08, false), (0.12, true)] {
        let mut s = start(share * weight);
        go(&mut s, 500);
        let moved = s.state.motions[0].place.centre.x;
        assert_eq!(moved.abs() > 1e-3, rolls, "{share}: {moved}");
    }
}
