//! Bodies whose materials remember: the account closes, a run goes on with the same bits, a step that is halved leaves no trace, and what
//! is remembered is saved and drawn.

use super::again::same_bits;
use crate::support::{go, plane, solid};
use cairn::measure;
use cairn::output::{Column, Progress, Results, Run, checkpoint};
use cairn::scene::read;
use cairn::simulation::Simulation;
use cairn_fem::material::Law;
use rust_hdf5::H5File;

const VISCOUS: &str = "viscosity = 500";
const DUCTILE: &str = "plasticity = { yield_stress = 1e4, modulus = 2e4, kinematic = { modulus = 3e4, recall = 2 } }";
const BRITTLE: &str = "damage = { strength = 2e4, fracture_energy = 1000, criterion = \"energy\" }";
const KINEMATICS: [&str; 3] = ["small", "corotational", "finite"];

/// Every law with memory, as a scene has it; a new one is a line here, and counted in [`kind`].
const EVERY: [&str; 14] = [
    VISCOUS,
    DUCTILE,
    BRITTLE,
    "damage = { strength = 2e3, fracture_energy = 1000 }",
    "plasticity = { yield_stress = 1e4, modulus = 2e4 }",
    "plasticity = { hardening = \"voce\", yield_stress = 1e4, gain = 5e3, saturation = 20 }",
    "plasticity = { hardening = \"swift\", strength = 3e4, offset = 0.01, exponent = 0.3 }",
    "plasticity = { yield_stress = 1e4, modulus = 2e4, rate = { stress = 1e3, exponent = 0.5 } }",
    "plasticity = { yield_stress = 1e4, modulus = 2e4, r_values = [1.8, 1.2, 2.3], rolling_angle = 30 }",
    "maxwell = { viscosity = 5e4 }",
    "maxwell = { viscosity = 5e4, rate = \"jaumann\" }",
    "prony = { shares = [0.3, 0.3], times = [0.01, 0.1] }",
    "drucker_prager = { cohesion = 5e3, friction_angle = 20, dilatancy_angle = 10 }",
    "mohr_coulomb = { cohesion = 5e3, friction_angle = 20, dilatancy_angle = 20, tension = 4e3 }",
];

/// The kinds of laws with memory, counted: a new one does not compile without a number.
fn kind(law: &Law) -> Option<usize> {
    match law {
        Law::Isotropic(_) | Law::Orthotropic(_) | Law::SaintVenantKirchhoff(_) | Law::NeoHookean(_) => None,
        Law::KelvinVoigt(_) => Some(0),
        Law::Damage(_) => Some(1),
        Law::Maxwell(_) => Some(2),
        Law::Prony(_) => Some(3),
        Law::Plastic(_) => Some(4),
        Law::DruckerPrager(_) => Some(5),
        Law::MohrCoulomb(_) => Some(6),
        Law::Hill(_) => Some(7),
    }
}

/// A block of 1 m that comes down on the ground; its strains reach some hundredths.
fn text(memory: &str, kinematics: &str, more: &str, time: &str) -> String {
    format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ end = 1, {time} }}\n\
         materials.m = {{ density = 1000, young = 1e6, poisson = 0.3, {memory} }}\n\
         newton = {{ tolerance = 1e-12 }}\nsolver = {{ tolerance = 1e-10, on_failure = \"halve_step\" }}\n\
         [[contact]]\nbetween = \"m\"\nfriction = 0.5\nunilateral = \"gap\"\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nposition = [0, 0.501]\nvelocity = [0.5, -1.2]\n\
         kinematics = \"{kinematics}\"\n{more}\nmesh = {{ kind = \"rectangle\", size = [1, 1], cells = [4, 4] }}\n"
    )
}

fn block(memory: &str, kinematics: &str, more: &str) -> Simulation<2> {
    plane(&text(memory, kinematics, more, "step = 1e-3"))
}

#[test]
fn what_goes_in_is_stored_or_lost() {
    for (memory, kinematics) in [VISCOUS, BRITTLE, DUCTILE].iter().flat_map(|m| KINEMATICS.map(|k| (*m, k))) {
        // A node without mass is held by the stiffness alone, which damage takes.
        let massless = if memory != BRITTLE { "\nmass = \"redistributed\"" } else { "" };
        for more in ["", &format!("formulation = \"b_bar\"{massless}"), "section = \"plane_stress\""] {
            let mut s = block(memory, kinematics, more);
            let (mut lost, mut worst) = (0.0, 0.0_f64);
            for _ in 0..300 {
                s.step().unwrap();
                assert!(
                    s.state.ledger.materials.total() >= lost,
                    "{memory} {kinematics}: a material gives energy back"
                );
                lost = s.state.ledger.materials.total();
                worst = worst.max(measure::balance_error(&s.scene, &s.state).abs());
            }
            let l = &s.state.ledger;
            assert!(worst < 1e-10, "{memory} {kinematics} {more}: {worst:e}");
            assert!(lost > 0.01 * l.initial_energy && l.unconverged == 0, "{memory} {kinematics} {more}: {lost}");
            // The dashpot's loss is that of the scheme itself, where nodes have masses and the cell has one motion.
            if memory == VISCOUS && kinematics != "corotational" && !more.contains("b_bar") {
                assert!(l.scheme.abs() < 1e-9 * l.throughput, "{kinematics} {more}: scheme {}", l.scheme);
            }
        }
    }
}

#[test]
fn it_goes_on_with_the_same_bits_on_any_number_of_threads() {
    let mut found = [false; 8];
    for (memory, kinematics) in EVERY.iter().flat_map(|m| KINEMATICS.map(|k| (*m, k))) {
        let s = block(memory, kinematics, "");
        found[kind(&s.scene.flexibles[0].model.continuum.materials()[0].law).unwrap()] = true;
        same_bits(s, 15);
    }
    assert_eq!(found, [true; 8], "a law has no line");
    same_bits(block(VISCOUS, "finite", "formulation = \"incompatible\""), 20);
}

#[test]
fn a_checkpoint_holds_what_is_remembered() {
    for memory in EVERY {
        let mut s = block(memory, "finite", "section = \"plane_stress\"");
        go(&mut s, 40);
        assert!(s.state.ledger.materials.total() > 0.0, "{memory}: nothing has happened");
        let dir = tempfile::tempdir().unwrap();
        checkpoint::save(dir.path(), &s.state, checkpoint::Promise::default()).unwrap();
        let restored = checkpoint::load::<2>(dir.path(), Some(&s.state.blocks)).unwrap();
        assert_eq!(restored.state, s.state, "{memory}");
        let mut next = Simulation::resume(s.scene.clone(), restored.state);
        go(&mut s, 10);
        go(&mut next, 10);
        assert!(next.state == s.state, "{memory}: other bits after a restart");
    }
}

#[test]
fn a_checkpoint_of_other_materials_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let (brittle, ductile) = (block(BRITTLE, "small", "").state, block(DUCTILE, "small", "").state);
    checkpoint::save(dir.path(), &brittle, checkpoint::Promise::default()).unwrap();
    let told = checkpoint::load::<2>(dir.path(), Some(&ductile.blocks)).unwrap_err().to_string();
    assert!(
        told.contains("holds other bodies than the scene: `block` has 16 rows × 4 points of largest_strain")
            && told.contains("damage [-]"),
        "{told}"
    );
    assert!(told.contains("plastic"), "{told}");
}

#[test]
fn a_block_gives_what_its_points_keep() {
    let mut s = block(BRITTLE, "small", "");
    go(&mut s, 40);
    let (quantity, damage) = s.state.quantity(s.state.blocks.len() - 1, "damage").unwrap();
    assert_eq!((&*quantity.unit, quantity.width, damage.len()), ("-", 1, 16 * 4));
    // Each point keeps its largest strain and its damage.
    let kept: Vec<f64> = s.state.fields[0].history.chunks_exact(2).map(|point| point[1]).collect();
    assert_eq!(damage, kept);
    assert!(damage.iter().any(|d| *d > 0.5) && damage.iter().all(|d| (0.0..1.0).contains(d)), "{damage:?}");
}

/// Newton is given one iteration, and a tolerance that it reaches in halves of the step only: it is made of two halves, as if the scene
/// had asked for them.
#[test]
fn a_halved_step_remembers_nothing_of_the_attempt() {
    for kinematics in KINEMATICS {
        let mut whole = block(BRITTLE, kinematics, "");
        let mut compared = 0;
        while compared == 0 && whole.state.step < 40 {
            go(&mut whole, 1);
            for exponent in (6..40).step_by(2) {
                let mut halved = Simulation::resume(whole.scene.clone(), whole.state.clone());
                halved.scene.newton.max_iterations = 1;
                halved.scene.newton.tolerance = 0.5_f64.powi(exponent);
                let report = halved.step().unwrap();
                let lost = halved.state.ledger.materials.total() - whole.state.ledger.materials.total();
                if report.substeps != 2 || !report.solver.converged || lost == 0.0 {
                    continue;
                }
                let mut fine = Simulation::resume(halved.scene.clone(), whole.state.clone());
                fine.scene.time.step *= 0.5;
                go(&mut fine, 2);
                assert!(fine.state.fields == halved.state.fields, "{kinematics} step {}", whole.state.step);
                assert_eq!(fine.state.ledger.materials, halved.state.ledger.materials);
                compared += 1;
            }
        }
        assert!(compared > 0, "{kinematics}: no step was halved");
    }
}

/// A layer held below and pushed along its top creeps as γ = τ/μ (1 − exp(−t μ/η)), in each kinematics while strains are small. Inertia is
/// next to none; implicit Euler errs by the first order of the step.
#[test]
fn a_viscous_layer_creeps() {
    for kinematics in ["small", "finite"] {
        let mut s = plane(&format!(
            "dimension = 2\ntime = {{ step = 1e-3, end = 1, theta = 1 }}\n\
             materials.m = {{ density = 1e-3, young = 2e6, poisson = 0, viscosity = 1e6 }}\n\
             newton = {{ tolerance = 1e-10 }}\n\
             [[deformable]]\nname = \"layer\"\nmaterial = \"m\"\nkinematics = \"{kinematics}\"\n\
             mesh = {{ kind = \"rectangle\", size = [1, 1], cells = [2, 2] }}\n\
             [[fix]]\nbodies = \"layer\"\nboundary = \"bottom\"\n[[fix]]\nbodies = \"layer\"\ncomponents = [\"y\"]\n\
             [[load]]\nbodies = \"layer\"\nboundary = \"top\"\ntraction = [100, 0]\n"
        ));
        go(&mut s, 1000);
        let body = &s.scene.flexibles[0];
        let top = body.model.nodes().iter().position(|x| x.y > 0.49 && x.x > 0.49).unwrap();
        let gamma = s.state.fields[0].displacement[2 * top];
        let exact = 100.0 / 1e6 * (1.0 - (-1.0_f64).exp());
        assert!((gamma / exact - 1.0).abs() < 1e-3, "{kinematics}: {gamma} {exact}");
    }
}

#[test]
fn a_solid_remembers_too_and_turning_is_no_strain() {
    for kinematics in ["corotational", "finite"] {
        let mut s = solid(&format!(
            "dimension = 3\ntime = {{ step = 1e-3, end = 1 }}\nnewton = {{ tolerance = 1e-12 }}\n\
             materials.m = {{ density = 1000, young = 1e8, poisson = 0.2, viscosity = 1e5 }}\n\
             [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nkinematics = \"{kinematics}\"\nspin = [1, 2, -0.5]\n\
             mesh = {{ kind = \"block\", size = [0.5, 0.3, 0.2], cells = [2, 2, 1] }}\n"
        ));
        go(&mut s, 500);
        let l = &s.state.ledger;
        // It has turned by more than a radian; the strain of its spin is 1e-6, and so is what the dashpots can have taken.
        assert!(
            l.materials.viscous >= 0.0 && l.materials.viscous < 1e-4 * l.initial_energy,
            "{kinematics}: {:?}",
            l.materials
        );
        // Newton's iterations leave 1e-11 of the momentum in each step, as round-off.
        let error = measure::balance_error(&s.scene, &s.state).abs();
        assert!(error < 500.0 * 1e-11, "{kinematics}: {error:e}");
    }
}

#[test]
fn what_is_remembered_is_written() {
    let text = text(BRITTLE, "small", "", "step = 1e-3");
    let mut s = plane(&text);
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene_file) = (tmp.path().join("r"), tmp.path().join("s.toml"));
    std::fs::write(&scene_file, &text).unwrap();
    let run = Run { scene_file, columns: vec![Column::new("time", "s")], ..Run::default() };
    let mut results = Results::create(&dir, false, &s.scene, &run).unwrap();
    go(&mut s, 40);
    results.append(&s.scene, &s.state).unwrap();
    results.finish(Progress::Finished, &"done").unwrap();
    let (body, field) = (&s.scene.flexibles[0], &s.state.fields[0]);
    let file = H5File::open(dir.join("meshes.vtkhdf")).unwrap();
    for name in ["damage", "largest_strain"] {
        let known = body.model.continuum.nodal_history(&field.history, name).unwrap();
        let written = file.dataset(&format!("VTKHDF/PointData/{name}")).unwrap().read_raw::<f32>().unwrap();
        assert_eq!(written, known.iter().map(|x| *x as f32).collect::<Vec<_>>());
        assert!(written.iter().any(|x| *x > 0.0));
    }
}

#[test]
fn impossible_memories_are_errors_with_a_line() {
    let errors = [
        ("viscosity = 1, damage = { strength = 1, fracture_energy = 1 }", "", "exclude each other"),
        ("viscosity = 1, elasticity = \"neo_hookean\"", "", "`materials.m.viscosity` needs"),
        ("viscosity = -1", "", "positive"),
        ("damage = { strength = 1e6, fracture_energy = 1 }", "", "smaller than"),
        (BRITTLE, "formulation = \"incompatible\"", "softens"),
        ("maxwell = { viscosity = 0 }", "", "positive"),
        ("prony = { shares = [0.5], times = [1, 2] }", "", "has 2 numbers"),
        ("prony = { shares = [0.5, 0.6], times = [1, 2] }", "", "leave of the shear modulus"),
        ("mohr_coulomb = { cohesion = 1, friction_angle = 20, dilatancy_angle = 30 }", "", "would give energy"),
        ("drucker_prager = { cohesion = 0 }", "", "cohesion is 0"),
        ("plasticity = { modulus = 1 }", "", "yield_stress` is missing"),
        ("plasticity = { yield_stress = 1, modulus = -1 }", "", "must not fall"),
        ("plasticity = { hardening = \"table\" }", "", "table` is missing"),
        ("plasticity = { hardening = \"table\", table = \"none.csv\" }", "", "none.csv"),
        ("plasticity = { yield_stress = 1, rate = { stress = 0 } }", "", "positive"),
        ("plasticity = { yield_stress = 1 }, viscosity = 1", "", "exclude each other"),
        (VISCOUS, "force = \"conserving\"", "elastic materials"),
    ];
    for (memory, more, expected) in errors {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scene.toml");
        std::fs::write(&path, text(memory, "finite", more, "step = 1e-3")).unwrap();
        let error = read(&path, &[]).map(|_| ()).unwrap_err().plain();
        assert!(error.contains(expected) && error.contains("scene.toml:"), "{error}");
    }
}

/// Ground under its own weight, between smooth walls: nothing moves, and the stress across is K₀ times that along gravity, to the bottom.
#[test]
fn initial_stress_is_in_balance_at_once() {
    let soils = [
        "mohr_coulomb = { cohesion = 5e3, friction_angle = 30 }",
        "drucker_prager = { cohesion = 5e3, friction_angle = 30 }",
        "plasticity = { yield_stress = 1e5 }",
    ];
    for (memory, kinematics, (element, formulation), ratio) in soils.iter().flat_map(|memory| {
        // In quadratic cells weights are those of lumped masses, which a linear stress is not in balance with cell by cell.
        let meshes = [("Q4", "standard"), ("Q4", "b_bar")];
        let of_mesh =
            move |mesh| [("small", 0.5), ("finite", 0.5), ("finite", 1.0)].map(|(k, r)| (*memory, k, mesh, r));
        meshes.into_iter().flat_map(of_mesh)
    }) {
        let text = format!(
            "dimension = 2\ngravity = {{ acceleration = [0, -10] }}\ntime = {{ step = 0.1, end = 1, theta = 1 }}\n\
             materials.m = {{ density = 2000, young = 1e7, poisson = 0.3, {memory} }}\n\
             [[deformable]]\nname = \"ground\"\nmaterial = \"m\"\nposition = [0, 1]\nkinematics = \"{kinematics}\"\nformulation = \"{formulation}\"\n\
             mesh = {{ kind = \"rectangle\", size = [2, 2], cells = [3, 4], element = \"{element}\" }}\n\
             initial_stress = {{ surface = 2, ratio = {ratio} }}\n\
             [[fix]]\nbodies = \"ground\"\nboundary = \"bottom\"\n[[fix]]\nbodies = \"ground\"\nboundary = \"left\"\ncomponents = [\"x\"]\n\
             [[fix]]\nbodies = \"ground\"\nboundary = \"right\"\ncomponents = [\"x\"]\n"
        );
        let mut s = plane(&text);
        go(&mut s, 10);
        let (body, field) = (&s.scene.flexibles[0], &s.state.fields[0]);
        let moved = field.displacement.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        // Finite kinematics know the stress up to half the elastic strain, 0.004 here, and settle by that share of what they would without it.
        let share = if kinematics == "finite" { 0.5 * 4e-3 } else { 0.0 };
        let (most, error) = (1e-12 + share * 4e-3, (1e-6 + share) * 4e4);
        assert!(moved < most, "{memory} {kinematics} {element} {formulation}: {moved:e} m");
        for sample in body.model.continuum.samples(&field.displacement, &field.history) {
            let [across, along, out] = [0, 1, 2].map(|k| sample.stress[(k, k)]);
            // The origin of the mesh is its middle.
            let weight = -2e4 * (1.0 - sample.place[1]);
            assert!((along - weight).abs() < error, "{along} {weight}");
            assert!((across - ratio * weight).abs() < error && (out - across).abs() < error, "{across} {out}");
        }
    }
}
