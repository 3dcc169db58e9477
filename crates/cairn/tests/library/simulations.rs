//! Simulations of either dimension: stepped, read, changed, saved.

use cairn::any::{AnySimulation, Data, Ended, RestoreError, ViewError, nodal_quantities, quantities};
use cairn::run::Go;
use cairn::scene::Document;
use cairn::state::block::Table;
use cairn::step::StepError;
use cairn_solvers::watch::Watch;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

const G: f64 = 9.81;

/// A block of 2 m × 1 m on the ground, pushed and pulled by name.
const BLOCK: &str = "dimension = 2\n[time]\nstep = 1e-3\nend = 1\ntheta = 1\n[gravity]\nacceleration = [0, -9.81]\n\
    [materials.m]\ndensity = 1000\n[[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
    [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nshape = { kind = \"half_plane\", normal = [0, 1] }\nfixed = true\n\
    [[bodies]]\nname = \"block\"\nmaterial = \"m\"\nshape = { kind = \"rectangle\", size = [2, 1] }\nposition = [0, 0.5]\n\
    [[load]]\nname = \"push\"\nbodies = \"block\"\nforce = [1000, 0]\nhistory = 0\n";

/// The same in space, on a plate that is driven.
const ON_PLATE: &str = "dimension = 3\n[time]\nstep = 1e-3\nend = 0.02\n[gravity]\nacceleration = [0, 0, -9.81]\n\
    [materials.m]\ndensity = 1000\n[[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
    [[bodies]]\nname = \"plate\"\nmaterial = \"m\"\nshape = { kind = \"box\", size = [4, 4, 1] }\nposition = [0, 0, -0.5]\n\
    fixed = [\"y\", \"z\", \"rx\", \"ry\", \"rz\"]\n\
    [[bodies]]\nname = \"cubes\"\nmaterial = \"m\"\nshape = { kind = \"box\", size = [1, 1, 1] }\nposition = [0, 0, 0.5]\n\
    copies = { count = 2, step = [0, 0, 1] }\n\
    [[drive]]\nname = \"belt\"\nbodies = \"plate\"\ncomponent = \"x\"\nvelocity = 0.1\n";

/// A meshed block on the ground; steps near half a period and θ = 1 bring it to rest.
const MESHED: &str = "dimension = 2\ngravity = { acceleration = [0, -9.81] }\ntime = { step = 0.05, end = 5, theta = 1 }\n\
    materials.m = { density = 1000, young = 1e6, poisson = 0 }\n\
    [[contact]]\nbetween = \"m\"\nfriction = 0\nunilateral = \"gap\"\n\
    [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n\
    [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nposition = [0, 0.5]\nmesh = { kind = \"rectangle\", size = [1, 1], cells = [2, 2] }\n\
    [[load]]\nname = \"weight\"\nbodies = \"block\"\nboundary = \"top\"\npressure = 0\n";

fn simulation(text: &str) -> AnySimulation {
    let document = Document::from_toml(text, "test.toml", Path::new("")).unwrap_or_else(|e| panic!("{}", e.plain()));
    AnySimulation::new(&document).unwrap_or_else(|e| panic!("{}", e.plain())).0
}

fn go(simulation: &mut AnySimulation, steps: usize) {
    (0..steps).for_each(|_| {
        simulation.step().unwrap();
    });
}

/// Every array and number, with all bits.
fn all(simulation: &AnySimulation) -> Vec<u64> {
    let mut bits: Vec<u64> = vec![simulation.step_number(), simulation.time().to_bits()];
    for quantity in quantities() {
        match simulation.view(quantity.name).unwrap().data {
            Data::Real(numbers) => bits.extend(numbers.iter().map(|x| x.to_bits())),
            Data::Whole(numbers) => bits.extend(numbers.iter().map(|x| u64::from(*x))),
        }
    }
    bits
}

#[test]
fn arrays_have_names_units_and_the_shapes_of_their_dimension() {
    for (text, dimension, spins, bodies) in [(BLOCK, 2, 1, 2), (ON_PLATE, 3, 3, 3)] {
        let mut s = simulation(text);
        go(&mut s, 3);
        assert_eq!((s.dimension(), s.rigid_bodies(), s.step_number()), (dimension, bodies, 3));
        let contacts = s.view("contact gaps").unwrap().shape[0];
        assert!(contacts > 0);
        let shape = |name: &str| s.view(name).unwrap().shape;
        assert_eq!(shape("positions"), [bodies, dimension]);
        assert_eq!(shape("rotations"), [bodies, 4]);
        assert_eq!(shape("spins"), [bodies, spins]);
        assert_eq!(shape("contact bodies"), [contacts, 2]);
        assert_eq!(shape("contact forces"), [contacts, dimension]);
        for quantity in quantities() {
            let view = s.view(quantity.name).unwrap();
            let length = match &view.data {
                Data::Real(numbers) => numbers.len(),
                Data::Whole(numbers) => numbers.len(),
            };
            assert_eq!(view.shape.iter().product::<usize>(), length, "{}", quantity.name);
            assert_eq!(view.unit, quantity.unit);
        }
    }
    let unknown = simulation(BLOCK).view("colours").unwrap_err();
    assert!(matches!(&unknown, ViewError::Quantity { known, .. } if known.contains("velocities")), "{unknown}");
}

/// μ = 0.5, and 0.2 once it has slid by a metre: the push of 15 kN against 9.81 kN at most makes it slide.
#[test]
fn what_laws_keep_of_contacts_is_read_under_its_name() {
    let weakening = "friction = { static = 0.5, dynamic = 0.2, weakening_distance = 1 }";
    let text =
        BLOCK.replace("friction = 0.5", weakening).replace("force = [1000, 0]\nhistory = 0", "force = [15000, 0]");
    let mut s = simulation(&text);
    go(&mut s, 100);
    let slip = s.view("slip").unwrap();
    let way = s.view("positions").unwrap().real()[2];
    assert_eq!((&*slip.name, &*slip.unit, &slip.shape[..]), ("slip", "m", &[2][..]));
    // As far as the block does not turn: to the solver's tolerance.
    assert!(way > 0.01 && slip.real().iter().all(|s| (s / way - 1.0).abs() < 1e-6), "{slip:?} after {way}");
    assert!(s.view("wear").unwrap_err().to_string().ends_with(", slip"));
    assert!(simulation(BLOCK).view("slip").is_err());
}

#[test]
fn blocks_declare_their_numbers_and_give_them_by_name() {
    let s = simulation(BLOCK);
    let [rigid] = s.blocks() else { panic!("{:?}", s.blocks()) };
    let names = |table: &Table| table.quantities.iter().map(|q| format!("{} [{}]", q.name, q.unit)).collect::<Vec<_>>();
    assert_eq!(names(&rigid.coordinates), ["position [m]", "rotation [-]"]);
    assert_eq!(names(&rigid.velocities), ["velocity [m/s]", "spin [rad/s]"]);
    assert_eq!(s.block(0, "position").unwrap().real(), s.view("positions").unwrap().real());
    assert_eq!((&s.block(0, "rotation").unwrap().shape[..], s.block(0, "spin").unwrap().shape.len()), (&[2, 2][..], 1));
    let unknown = s.block(0, "colour").unwrap_err().to_string();
    assert!(unknown.ends_with("position, rotation, velocity, spin"), "{unknown}");
    assert!(s.block(1, "position").is_err());
}

#[test]
fn a_block_at_rest_weighs_what_it_weighs() {
    let mut s = simulation(BLOCK);
    go(&mut s, 20);
    let weight = 2000.0 * G;
    let ground = s.bodies("ground").unwrap();
    assert!((s.resultant(&ground)[1] + weight).abs() < 1e-3 * weight, "{:?}", s.resultant(&ground));
    let forces = s.view("contact forces").unwrap();
    let normals = s.view("contact normals").unwrap();
    let carried: f64 = forces.rows().zip(normals.rows()).map(|(f, n)| f[0] * n[0] + f[1] * n[1]).sum();
    assert!((carried - weight).abs() < 1e-3 * weight, "{carried}");
    assert!(s.view("contact status").unwrap().whole().iter().all(|status| *status == 1), "all stick");
    assert_eq!(s.scalar("contacts"), Some(s.view("contact gaps").unwrap().shape[0] as f64));
    assert!(s.scalars().iter().any(|x| x.name == "kinetic energy" && x.unit == "J"));
    assert!(s.report().unbalanced_force < 1e-3, "{}", s.report().unbalanced_force);
    assert_eq!(s.body_names(), ["ground", "block"]);
    assert_eq!(s.summary().steps, 20);
}

/// Pushed by more than friction holds, a = P/m − μ g.
#[test]
fn loads_and_friction_are_set_on_the_way() {
    let mut s = simulation(BLOCK);
    go(&mut s, 10);
    s.set_load("push", 2.0 * G).unwrap();
    go(&mut s, 100);
    let velocity = |s: &AnySimulation| s.view("velocities").unwrap().real()[2];
    let first = velocity(&s);
    assert!(s.report().unbalanced_force > 0.4, "it slides: {}", s.report().unbalanced_force);
    assert!((first - 0.1 * (G - 0.5 * G)).abs() < 1e-2 * G * 0.1, "{first}");
    s.set_friction(["m", "m"], 0.8).unwrap();
    go(&mut s, 100);
    let second = velocity(&s) - first;
    assert!((second - 0.1 * (G - 0.8 * G)).abs() < 1e-2 * G * 0.1, "{second}");
    assert!(s.scalar("energy balance error").unwrap().abs() < 1e-9);
    assert!(s.set_load("pull", 1.0).unwrap_err().to_string().contains("push"));
    assert!(s.set_load("push", f64::NAN).is_err() && s.set_friction(["m", "m"], -1.0).is_err());
    assert!(s.set_friction(["m", "wood"], 1.0).is_err() && s.set_drive("push", 1.0).is_err());
}

#[test]
fn drives_are_set_on_the_way_and_carry_what_lies_on_them() {
    let mut s = simulation(ON_PLATE);
    go(&mut s, 5);
    assert_eq!(s.view("velocities").unwrap().real()[0], 0.1);
    s.set_drive("belt", -0.02).unwrap();
    go(&mut s, 200);
    let velocities = s.view("velocities").unwrap();
    let along: Vec<f64> = velocities.rows().map(|v| v[0]).collect();
    assert_eq!(along[0], -0.02);
    assert!(along.iter().all(|v| (v + 0.02).abs() < 1e-6), "{along:?}");
}

/// ½ m v² comes in as work, and friction takes it out.
#[test]
fn a_velocity_that_is_set_is_accounted_for() {
    let mut s = simulation(BLOCK);
    go(&mut s, 5);
    s.set_velocity(1, [1.0, 0.0, 0.0], [0.0; 3]).unwrap();
    let energy = 0.5 * 2000.0;
    assert!((s.scalar("work of loads").unwrap() - energy).abs() < 1e-9 * energy);
    go(&mut s, 100);
    assert!(s.scalar("dissipated by friction").unwrap() > 0.3 * energy);
    assert!(s.scalar("energy balance error").unwrap().abs() < 1e-9);
    // What is held stays where it is.
    s.set_velocity(0, [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]).unwrap();
    assert_eq!(s.view("velocities").unwrap().real()[..2], [0.0, 0.0]);
    assert!(s.set_velocity(2, [0.0; 3], [0.0; 3]).is_err());
    assert!(s.set_velocity(1, [f64::INFINITY, 0.0, 0.0], [0.0; 3]).is_err());
}

#[test]
fn fields_of_a_meshed_block() {
    let mut s = simulation(MESHED);
    s.set_load("weight", 1e4).unwrap();
    s.run(None, |_| Ok::<_, Infallible>(Go::On)).unwrap();
    let block = s.bodies("block").unwrap()[0];
    let (u, stress) = (s.nodal(block, "displacement").unwrap(), s.nodal(block, "stress").unwrap());
    assert_eq!((u.shape.clone(), stress.shape.clone()), (vec![9, 2], vec![9, 3, 3]));
    let lowest = u.rows().map(|u| u[1]).fold(0.0, f64::min);
    // Under its weight and the pressure, with ν = 0: u = −(p + ρ g l/2) l/E at the top.
    let expected = -(1e4 + 0.5 * 1000.0 * G) / 1e6;
    assert!((lowest - expected).abs() < 0.02 * expected.abs(), "{lowest} {expected}");
    for quantity in nodal_quantities() {
        assert_eq!(s.nodal(block, quantity.name).unwrap().shape[0], 9, "{}", quantity.name);
    }
    assert!(matches!(s.nodal(0, "stress"), Err(ViewError::Body { body: 0 })));
}

/// Saved, restored and copied simulations go on as the one that they come from, with what was set on the way.
#[test]
fn the_future_is_the_same_bit_for_bit() {
    for (text, set) in [
        (BLOCK, &(|s: &mut AnySimulation| s.set_load("push", 3.0 * G).unwrap()) as &dyn Fn(&mut AnySimulation)),
        (ON_PLATE, &|s| s.set_drive("belt", 0.3).unwrap()),
        (MESHED, &|s| s.set_load("weight", 2e3).unwrap()),
        (BLOCK, &|s| s.set_friction(["m", "m"], 0.1).unwrap()),
    ] {
        let mut one = simulation(text);
        go(&mut one, 7);
        set(&mut one);
        go(&mut one, 2);
        let saved = one.save().unwrap();
        let mut copy = one.clone().with_threads(2);
        let mut restored = AnySimulation::restore(&saved).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(all(&one), all(&restored));
        assert_eq!(restored.save().unwrap(), saved);
        for s in [&mut one, &mut copy, &mut restored] {
            go(s, 10);
        }
        assert_eq!(all(&one), all(&copy));
        assert_eq!(all(&one), all(&restored));
        // Not because nothing depends on what was set.
        let mut without = simulation(text);
        go(&mut without, 19);
        let differs = all(&one) != all(&without);
        assert!(differs || text == BLOCK && one.scalar("dissipated by friction") == Some(0.0), "it made no difference");
    }
}

#[test]
fn what_is_no_saved_simulation_is_refused() {
    let mut s = simulation(BLOCK);
    go(&mut s, 2);
    let good = s.save().unwrap();
    assert!(matches!(AnySimulation::restore(b"a text"), Err(RestoreError::NotASimulation)));
    for length in 0..good.len() {
        assert!(AnySimulation::restore(&good[..length]).is_err(), "cut at {length}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(matches!(AnySimulation::restore(&longer), Err(RestoreError::Damaged)));
    let mut other = good.clone();
    other[8] = 99;
    assert!(matches!(AnySimulation::restore(&other), Err(RestoreError::OtherVersion { found: 99 })));
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(matches!(AnySimulation::restore(&flipped), Err(RestoreError::State(_))));
}

#[test]
fn a_saved_simulation_holds_the_files_of_its_scene() {
    let folder = tempfile::tempdir().unwrap();
    let text = BLOCK.replace("history = 0", "history = { table = \"push.csv\" }");
    std::fs::write(folder.path().join("push.csv"), "0, 0\n0.01, 30\n").unwrap();
    let document = Document::from_toml(&text, "test.toml", folder.path()).unwrap();
    let mut one = AnySimulation::new(&document).unwrap().0;
    go(&mut one, 5);
    let saved = one.save().unwrap();
    drop(folder);
    assert!(one.save().unwrap_err().to_string().contains("push.csv"));
    let mut restored = AnySimulation::restore(&saved).unwrap();
    go(&mut one, 20);
    go(&mut restored, 20);
    assert!(one.view("velocities").unwrap().real()[2] > 0.05);
    assert_eq!(all(&one), all(&restored));
}

#[test]
fn a_callback_may_look_stop_and_fail() {
    let mut s = simulation(BLOCK);
    let ended = s.run(Some(0.05), |s| Ok::<_, String>(if s.step_number() == 7 { Go::Stop } else { Go::On }));
    assert_eq!((ended.unwrap(), s.step_number()), (Go::Stop, 7));
    let ended = s.run(Some(0.05), |_| Err("no more".to_string()));
    assert!(matches!(ended, Err(Ended::Callback(why)) if why == "no more"));
    assert_eq!(s.step_number(), 8);
    assert_eq!(s.run(Some(0.05), |_| Ok::<_, String>(Go::On)).unwrap(), Go::On);
    assert_eq!((s.step_number(), s.is_over()), (50, false));
    assert!((s.time() - 0.05).abs() < 1e-12);
}

#[test]
fn a_step_that_fails_says_where_and_leaves_the_state() {
    let text = ON_PLATE.replace(
        "[gravity]",
        "[solver]\nmax_sweeps = 1\nmethod = \"nlgs\"\ntolerance = 1e-12\non_failure = \"stop\"\n[gravity]",
    );
    let mut s = simulation(&text);
    let before = all(&s);
    let Err(StepError::NotConverged { step, residual, worst, .. }) = s.step() else { panic!("one sweep is enough") };
    assert_eq!(step, 1);
    assert!(residual > 1e-12 && worst.iter().all(|name| s.body_names().contains(name)), "{residual} {worst:?}");
    assert_eq!(all(&s), before);
}

#[test]
fn a_body_faster_than_light_ends_the_run_by_its_name() {
    let mut s =
        simulation(&BLOCK.replace("history = 0", "history = 1").replace("force = [1000, 0]", "force = [1e18, 0]"));
    let before = all(&s);
    assert!(matches!(s.step(), Err(StepError::TooFast { step: 1, body, .. }) if body == "block"));
    assert_eq!(all(&s), before);
}

#[test]
fn a_step_that_is_interrupted_leaves_the_state_and_its_future() {
    for text in [BLOCK, ON_PLATE, MESHED] {
        let (mut one, mut other) = (simulation(text), simulation(text));
        let watch = Arc::new(Watch::new());
        one.set_watch(Some(watch.clone()));
        go(&mut one, 5);
        let before = all(&one);
        watch.stop();
        assert!(matches!(one.step(), Err(StepError::Interrupted { step: 6 })));
        assert_eq!(all(&one), before);
        watch.go_on();
        go(&mut one, 5);
        go(&mut other, 10);
        assert_eq!(all(&one), all(&other));
        assert!(watch.iterations() > 0, "the last step told nothing");
    }
}

#[test]
fn simulations_can_be_sent_to_other_threads() {
    fn sent<T: Send + Sync>() {}
    sent::<AnySimulation>();
    sent::<Document>();
}
