//! `cairn dump-problem` and `cairn solve`: from a scene to a problem file and back to the velocities of the step.

use super::program::Bench;
use super::scenes;
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use cairn_solvers::discrete::{AnyProblem, Problem, flat};
use cairn_solvers::format;
use serde_json::Value;
use std::fs;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn a_dumped_problem_is_that_of_the_step_and_gives_its_velocities_again() {
    let bench = Bench::with(&scenes::spheres().replace("tolerance = 1e-3, max_sweeps = 60", "tolerance = 1e-9"));
    let steps = 60;
    bench.must(&format!("dump-problem s.toml --step {steps} -o p.hdf5"));
    bench.must(&format!("dump-problem s.toml --step {steps} -o p.dat"));
    let AnyScene::Solid(scene) = scene::read(&bench.path("s.toml"), &[]).unwrap().scene else { panic!() };
    let mut simulation = Simulation::new(scene);
    let last = (0..steps).map(|_| simulation.step().unwrap().solver).last().unwrap();
    assert!(last.converged, "the step to compare with has a residual of {}", last.residual);
    let (masses, links) = simulation.work.problem();
    let (expected, _, velocities) = Problem::of_solved(masses, links);
    assert!(expected.contacts() > 20, "{} contacts: too few to tell", expected.contacts());
    for name in ["p.hdf5", "p.dat"] {
        let AnyProblem::Solid(read) = format::read(&bench.path(name)).unwrap() else { panic!("{name}") };
        assert_eq!(read.w.to_csc(), expected.w.to_csc(), "{name}");
        assert_eq!(read.w.free(), expected.w.free(), "{name}");
        assert_eq!(read.friction, expected.friction, "{name}");
    }
    bench.must("solve p.hdf5 --tol 1e-9 -o answers");
    let answer: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("answers/p.hdf5.solution.json")).unwrap()).unwrap();
    let (u, velocities) = (numbers(&answer["u"]), flat(&velocities));
    assert_eq!((u.len(), numbers(&answer["r"]).len()), (velocities.len(), velocities.len()));
    let largest = velocities.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
    let worst = u.iter().zip(&velocities).fold(0.0, |a: f64, (u, v)| a.max((u - v).abs()));
    assert!(worst < 1e-6 * largest, "velocities differ by {worst} of {largest}");
}

/// Moments of contacts in space are written; what has no place in the files is told, and left out if the user insists.
#[test]
fn rolling_is_dumped_and_what_cannot_be_is_refused() {
    let rolling = |more: &str| {
        let spheres = scenes::spheres().replace(
            "tolerance = 1e-3, max_sweeps = 60",
            "tolerance = 1e-10, max_sweeps = 100000, on_failure = \"accept\"",
        );
        spheres.replace("friction = {", &format!("rolling_resistance = 5e-4{more}\nfriction = {{"))
    };
    let bench = Bench::with(&rolling(""));
    bench.must("dump-problem s.toml --step 60 -o p.hdf5");
    bench.must("dump-problem s.toml --step 60 -o p.dat");
    let AnyScene::Solid(scene) = scene::read(&bench.path("s.toml"), &[]).unwrap().scene else { panic!() };
    let mut simulation = Simulation::new(scene);
    (0..60).for_each(|_| _ = simulation.step().unwrap());
    let (masses, links) = simulation.work.problem();
    let (expected, _, velocities) = Problem::of_solved_rolling(masses, links, simulation.work.rolls());
    for name in ["p.hdf5", "p.dat"] {
        let AnyProblem::Rolling(read) = format::read(&bench.path(name)).unwrap() else { panic!("{name}") };
        assert_eq!((&read.matrix, &read.friction), (&expected.w.to_csc(), &expected.friction), "{name}");
        assert!(read.rolling_friction.iter().all(|&arm| arm == 5e-4), "{name}");
    }
    bench.must("solve p.hdf5 --tol 1e-9 -o answers");
    let answer: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("answers/p.hdf5.solution.json")).unwrap()).unwrap();
    let (u, velocities) = (numbers(&answer["u"]), flat(&velocities));
    let largest = velocities.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
    let worst = u.iter().zip(&velocities).fold(0.0, |a: f64, (u, v)| a.max((u - v).abs()));
    assert!(u.len() == velocities.len() && worst < 1e-6 * largest, "velocities differ by {worst} of {largest}");

    let bench = Bench::with(&rolling("\ntwisting_resistance = 1e-4"));
    let told = bench.call("dump-problem s.toml --step 60 -o p.hdf5");
    told.failed_with(&["no place for twisting", "--leave-out"]);
    assert!(!bench.path("p.hdf5").exists());
    let told = bench.must("dump-problem s.toml --step 60 -o p.hdf5 --leave-out");
    assert!(told.out.contains("without twisting resistance of"), "{}", told.out);

    let bench = Bench::with(
        "dimension = 2\ntime = { step = 1e-3, end = 1 }\ngravity = { acceleration = [0, -9.81] }\nmaterials.m = { density = 1000 }\n\
         contact = [{ between = \"m\", friction = 0.5, unilateral = \"compliant\", contact_stiffness = 1e6, rolling_resistance = 0.01 }]\n\
         [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n\
         [[bodies]]\nname = \"disk\"\nmaterial = \"m\"\nposition = [0, 0.1]\nshape = { kind = \"disk\", radius = 0.1 }\n",
    );
    let told = bench.call("dump-problem s.toml --step 5 -o p.dat");
    told.failed_with(&["compliance of 1 contacts,", "in 2D of 1"]);
    bench.must("dump-problem s.toml --step 5 -o p.dat --leave-out");
    assert!(matches!(format::read(&bench.path("p.dat")).unwrap(), AnyProblem::Plane(p) if p.contacts() == 1));
}

#[test]
fn the_problem_of_elastic_blocks_gives_the_velocities_of_their_step() {
    let bench = Bench::with(scenes::ELASTIC_BLOCKS);
    bench.must("dump-problem s.toml --step 30 -o p.hdf5");
    let AnyScene::Plane(scene) = scene::read(&bench.path("s.toml"), &[]).unwrap().scene else { panic!() };
    let mut simulation = Simulation::new(scene);
    for _ in 0..30 {
        simulation.step().unwrap();
    }
    let links = simulation.work.problem().1;
    let velocities: Vec<f64> =
        links.iter().flat_map(|l| (l.velocity + l.form.bias).iter().copied().collect::<Vec<_>>()).collect();
    assert!(links.len() >= 6 && links.iter().any(|l| l.impulse[0] > 0.0), "{} contacts", links.len());
    bench.must("solve p.hdf5 --tol 1e-10 -o answers");
    let answer: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("answers/p.hdf5.solution.json")).unwrap()).unwrap();
    // Nothing moves any more: what the blocks would do without contacts is the measure.
    let AnyProblem::Plane(read) = format::read(&bench.path("p.hdf5")).unwrap() else { panic!() };
    let largest = read.w.free().iter().fold(0.0, |a: f64, q| a.max(q.amax()));
    let worst = numbers(&answer["u"]).iter().zip(&velocities).fold(0.0, |a: f64, (u, v)| a.max((u - v).abs()));
    assert!(worst < 1e-6 * largest, "velocities differ by {worst} of {largest}");
}

#[test]
fn a_results_folder_gives_the_problem_that_the_scene_gives() {
    let bench = Bench::with(&scenes::polygons());
    bench.must("run s.toml -o r --quiet");
    bench.must("dump-problem s.toml --step 205 -o scene.dat");
    bench.must("dump-problem r --step 205 -o stored.dat");
    assert_eq!(fs::read(bench.path("scene.dat")).unwrap(), fs::read(bench.path("stored.dat")).unwrap());
}

/// u = r + q with one contact that slides: r_N = 1, r_T = −μ = −0.1, u_T = 3 − 0.1.
const SLIDER: &str = "2 1\n0 2 2\n2 2\n1 0 0 1\n-1 3\n0.1\n";

#[test]
fn scripts_get_the_keys_that_are_promised_and_people_a_table() {
    let bench = Bench::with("");
    fs::write(bench.path("slider.dat"), SLIDER).unwrap();
    fs::write(bench.path("none.dat"), "3 0\n0 0 0\n0 0\n").unwrap();
    let told = bench.must("solve slider.dat none.dat --json -o answers");
    let found: Value = serde_json::from_str(&told.out).unwrap();
    let keys: Vec<_> = found[0].as_object().unwrap().keys().collect();
    let promised = ["file", "contacts", "solver", "iterations", "residual_q", "residual_max", "seconds", "converged"];
    assert_eq!(keys, promised);
    assert!(found[0]["converged"] == true && found[1]["converged"] == true && found[1]["contacts"] == 0);
    let answer: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("answers/slider.dat.solution.json")).unwrap()).unwrap();
    let close = |found: &[f64], expected: [f64; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8);
    assert!(close(&numbers(&answer["r"]), [1.0, -0.1]) && close(&numbers(&answer["u"]), [0.0, 2.9]), "{answer}");
    let table = bench.must("solve slider.dat").out;
    assert!(table.contains("slider.dat") && table.contains("1 of 1 solved"), "{table}");
}

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let bench = Bench::with("");
    fs::write(bench.path("slider.dat"), SLIDER).unwrap();
    fs::write(bench.path("torn.dat"), &SLIDER[..20]).unwrap();
    fs::write(
        bench.path("rolling.dat"),
        "5 1\n0 5 5\n5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n-1 0 0 0 0\n0.5\n0.1\n",
    )
    .unwrap();
    let told = bench.call("solve torn.dat missing.dat rolling.dat slider.dat");
    told.failed_with(&["torn.dat: line 4: expected", "missing.dat:"]);
    assert!(told.out.contains("2 of 4 solved"), "{}", told.out);
    bench.must("solve rolling.dat --solver newton");
    bench
        .call("solve rolling.dat --solver interior")
        .failed_with(&["rolling.dat: this method does not know rolling friction"]);
    bench.call("dump-problem s.toml --step 1 -o p.xml").failed_with(&["s.toml"]);
}
