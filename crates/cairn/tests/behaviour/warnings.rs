//! What a run says beside its numbers: models used beyond what they mean are told, others are not.

use crate::support::plane;
use cairn::run::Diary;
use cairn::simulation::Simulation;

fn told(mut simulation: Simulation<2>, steps: usize) -> Vec<String> {
    let mut diary = Diary::default();
    for _ in 0..steps {
        let report = simulation.step().unwrap();
        diary.note(&simulation.scene, &simulation.state, &report);
    }
    diary.summary(&simulation).warnings
}

const START: &str = "dimension = 2\nmaterials.m = { density = 1000, young = 1e7, poisson = 0.3 }\n\
    contact = [{ between = \"any\", friction = 0.5 }]\n";

#[test]
fn a_body_with_small_strains_may_not_turn() {
    let spun = |kinematics: &str, steps: usize| {
        let scene = format!(
            "{START}time = {{ step = 1e-3, end = 1 }}\n[[deformable]]\nname = \"plate\"\nmaterial = \"m\"\nspin = 2\n\
             kinematics = \"{kinematics}\"\nmesh = {{ kind = \"rectangle\", size = [0.2, 0.1], cells = [2, 1] }}\n"
        );
        told(plane(&scene), steps)
    };
    // ω t = 0.09 and 0.25 rad: linear strains resist neither, nor do they turn back.
    assert!(spun("small", 45).is_empty());
    let warnings = spun("small", 125);
    assert!(warnings.len() == 1 && warnings[0].contains("`plate` has turned by 0.2"), "{warnings:?}");
    assert!(warnings[0].contains("from t = 0.06"), "{warnings:?}");
    assert!(spun("corotational", 125).is_empty());
}

/// A plate that is driven down, onto a fixed block or along it.
fn led(position: [f64; 2]) -> Vec<String> {
    told(
        plane(&format!(
            "{START}time = {{ step = 1e-2, end = 1 }}\n[[bodies]]\nname = \"block\"\nmaterial = \"m\"\nfixed = true\n\
             shape = {{ kind = \"rectangle\", size = [0.2, 0.2] }}\n[[bodies]]\nname = \"plate\"\nmaterial = \"m\"\nfixed = true\n\
             position = {position:?}\nshape = {{ kind = \"rectangle\", size = [0.2, 0.02] }}\n\
             [[drive]]\nbodies = \"plate\"\ncomponent = \"y\"\nvelocity = -0.1\n"
        )),
        100,
    )
}

#[test]
fn a_driven_body_that_is_led_into_a_fixed_one_is_told() {
    // They meet at 0.5 s; every tenth step is looked at.
    let warnings = led([0.0, 0.16]);
    assert!(
        warnings.len() == 1 && warnings[0].contains("`block` and `plate` are both fixed or driven"),
        "{warnings:?}"
    );
    assert!(warnings[0].contains("from t = 0.6"), "{warnings:?}");
    // Along its side, and from its inside, where it was meant to be.
    assert!(led([0.2, 0.16]).is_empty());
    assert!(led([0.0, 0.0]).is_empty());
}

#[test]
fn bodies_that_outrun_their_size_are_told() {
    let flight = |speed: f64| {
        let scene = format!(
            "{START}time = {{ step = 1e-2, end = 1 }}\n[[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nvelocity = [{speed}, 0]\n\
             shape = {{ kind = \"disk\", radius = 0.05 }}\n"
        );
        told(plane(&scene), 3)
    };
    assert!(flight(9.0).is_empty());
    let warnings = flight(30.0);
    assert!(warnings.len() == 1 && warnings[0].contains("`ball` moves by 3.0 times its own size"), "{warnings:?}");
}

#[test]
fn velocity_cancelling_that_ends_before_equilibrium_is_told() {
    let falling = |steps: usize| {
        let scene = format!(
            "{START}gravity = {{ acceleration = [0, -10] }}\ntime = {{ step = 1e-2, end = 1, theta = 1, quasi_static = \"velocity_cancelling\" }}\n\
             [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
             [[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nposition = [0, 0.105]\nshape = {{ kind = \"disk\", radius = 0.1 }}\n"
        );
        told(plane(&scene), steps)
    };
    // g h² = 1 mm in each step, 5 mm to go.
    let warnings = falling(3);
    assert!(warnings.len() == 1 && warnings[0].contains("out-of-balance force of 1.0e0"), "{warnings:?}");
    assert!(falling(8).is_empty());
}
