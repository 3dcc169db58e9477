//! The graphs of the laws in docs/laws.md, made by the laws themselves: jumps are prescribed, step by step, and what a
//! contact of 1 m² answers is drawn. With `CAIRN_BLESS=1` the files are written anew.

use cairn::contact::{Bond, Status};
use cairn::law::{
    Bilinear, Brittle, Capillary, Cohesion, Compliant, ContactKinematics, Elastic, ElasticCoulomb, Exponential,
    Friction, Judgement, Law, MixedMode, MohrCoulomb, RaousCangemiCocou, Rolling, Springs, Strength, Trial, Unilateral,
};
use cairn::scene::{AnyScene, Document};
use cairn::simulation::Simulation;
use cairn::space::Vect;
use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use std::path::Path;

/// A 2D scene in motion.
fn plane(text: &str) -> Simulation<2> {
    let document = Document::from_toml(text, "scene.toml", Path::new("")).unwrap();
    match document.scene().unwrap().scene {
        AnyScene::Plane(scene) => Simulation::new(scene),
        AnyScene::Solid(_) => panic!("a 3D scene"),
    }
}

fn law(cohesion: Cohesion, unilateral: Unilateral) -> Law {
    Law { name: "law".into(), unilateral, friction: Friction::constant(0.5), rolling: Rolling::default(), cohesion }
}

fn kinematics(jump: Vect<2>, damage: f64, bond: Bond, h: f64) -> ContactKinematics<2> {
    ContactKinematics {
        is_deformable: false,
        h,
        scheme: [1.0, 1.0],
        gap: jump[0],
        area: 1.0,
        before: Vect::zeros(),
        free: Vect::zeros(),
        status: Status::Stick,
        bond,
        jump,
        damage,
        kept: Default::default(),
    }
}

/// The forces with which a bond resists a path of jumps [N], a step of `h` for each.
fn answers(law: &Law, path: &[Vect<2>], h: f64) -> Vec<Vect<2>> {
    let (mut jump, mut trial) = (Vect::<2>::zeros(), Trial { bond: Bond::Whole, damage: 0.0 });
    let step = |next: &Vect<2>| {
        let kinematics = kinematics(jump, trial.damage, trial.bond, h);
        let velocity = (next - jump) / h;
        loop {
            let form = law.prepare(&kinematics, &trial);
            let (joint, biased) = (&form.joint, velocity + form.bias);
            let mut impulse = joint.pull - joint.resist(&biased);
            if joint.compliance[0] > 0.0 {
                impulse[0] += (-biased[0] / joint.compliance[0]).max(0.0);
            }
            match law.judge(&kinematics, &trial, &impulse, &velocity) {
                Judgement::Damaged(damage) if damage < 1.0 => trial.damage = damage,
                Judgement::Damaged(_) | Judgement::Overloaded(_) => trial.bond = Bond::Broken,
                Judgement::Holds => {
                    jump = *next;
                    return -impulse / h;
                }
            }
        }
    };
    path.iter().map(step).collect()
}

/// From corner to corner, in small steps.
fn path(corners: &[f64], along: Vect<2>) -> Vec<Vect<2>> {
    let between = |w: &[f64]| -> Vec<Vect<2>> {
        (1..=200).map(|i| along * (w[0] + (w[1] - w[0]) * f64::from(i) / 200.0)).collect()
    };
    std::iter::once(along * corners[0]).chain(corners.windows(2).flat_map(between)).collect()
}

/// Force over jump along a direction.
fn curve(law: &Law, name: &str, corners: &[f64], along: [f64; 2], h: f64) -> Series {
    let along = Vect::<2>::from(along);
    let path = path(corners, along);
    let points = path.iter().zip(answers(law, &path, h)).map(|(u, f)| (u.dot(&along), f.dot(&along))).collect();
    Series { name: name.into(), style: Style::Line, points }
}

fn graph(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> PlotData {
    PlotData { title: title.into(), x, panels: vec![Panel { y, series }] }
}

/// Tension, shear both ways, and both at 45°, with unloading and reloading.
fn story(title: &str, cohesion: Cohesion) -> PlotData {
    let law = law(cohesion, Unilateral::QuasiInelastic);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let series = vec![
        curve(&law, "tension, unloaded and reloaded", &[0.0, 0.4e-3, 0.0, 1.2e-3], [1.0, 0.0], 1.0),
        curve(&law, "shear, to and fro", &[0.0, 0.5e-3, -0.5e-3, 1.8e-3], [0.0, 1.0], 1.0),
        curve(&law, "both at 45°", &[0.0, 1.8e-3], [half, half], 1.0),
    ];
    graph(title, Axis::linear("jump", "m"), Axis::linear("traction", "Pa"), series)
}

fn modes() -> MixedMode {
    MixedMode { stiffness: 1e9, strength: [1e5, 1.5e5], toughness: [50.0, 120.0], exponent: 2.0 }
}

/// Where a utilization becomes 1, from pure tension round to pressure.
fn envelope(name: &str, utilization: impl Fn(&Vect<2>) -> f64) -> Series {
    let on_ray = |angle: f64| {
        let ray = Vect::<2>::new(angle.sin(), angle.cos());
        let size = 1.0 / utilization(&ray);
        (size * ray[0], size * ray[1])
    };
    let points: Vec<(f64, f64)> = (0..=200).map(|i| on_ray(-1.57 + 2.4 * f64::from(i) / 200.0)).collect();
    let inside = |(n, t): &(f64, f64)| *n < 4e5 && t.is_finite() && n.is_finite();
    Series { name: name.into(), style: Style::Line, points: points.into_iter().filter(inside).collect() }
}

fn envelopes() -> PlotData {
    let stress = Strength::Stress;
    let brittle = Brittle { tension: stress(1e5), shear: stress(1.5e5) };
    let mohr = MohrCoulomb { cohesion: stress(1.5e5), tension: stress(1e5) };
    let left =
        envelope("friction alone, once broken", |f| if f[0] > 0.0 { f[1] / (0.5 * f[0]) } else { f64::INFINITY });
    let series = vec![
        envelope("brittle", |f| brittle_at(&brittle, f)),
        envelope("Mohr–Coulomb with cut-off", |f| mohr.utilization(f, 1.0, 0.5)),
        Series { style: Style::Dashed, points: vec![(0.0, 0.0), (4e5, 2e5)], ..left },
    ];
    graph("What rigid bonds stand", Axis::linear("pressure", "Pa"), Axis::linear("shear", "Pa"), series)
}

/// The threshold in shear grows with pressure, so that the load factor on a ray is not one division.
fn brittle_at(law: &Brittle, ray: &Vect<2>) -> f64 {
    let (mut low, mut high) = (1.0, 1e8);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let over = law.utilization(&(ray * middle), 1.0, 0.5) > 1.0;
        (low, high) = if over { (low, middle) } else { (middle, high) };
    }
    1.0 / low
}

fn elastic() -> PlotData {
    let springs = Springs { normal: 1e9, tangential: 4e8 };
    let strength = Some(Brittle { tension: Strength::Stress(6e5), shear: Strength::Stress(5e5) });
    let compliant = Unilateral::Compliant(Compliant::PerArea(3e9));
    let law = law(Cohesion::Elastic(Elastic { springs, strength }), compliant);
    let series = vec![
        curve(&law, "tension with a strength, and elastic compression", &[0.0, 0.4e-3, -0.2e-3, 1e-3], [1.0, 0.0], 1.0),
        curve(&law, "shear with a strength", &[0.0, 0.5e-3, -0.5e-3, 2e-3], [0.0, 1.0], 1.0),
    ];
    graph("Elastic bonds", Axis::linear("jump", "m"), Axis::linear("traction", "Pa"), series)
}

/// A joint under a constant pressure, sheared to and fro: whole up to c + μσ, then μσ.
fn elastic_coulomb() -> PlotData {
    let (springs, h, shear) = (Springs { normal: 1e9, tangential: 4e8 }, 1.0, [0.0, 0.6e-3, -0.6e-3, 0.4e-3]);
    let series = [2e5, 1e5].map(|pressure| {
        let envelope = MohrCoulomb { cohesion: Strength::Stress(6e4), tension: Strength::Stress(4e4) };
        let law = law(
            Cohesion::ElasticCoulomb(ElasticCoulomb { springs, envelope, dilatancy: 0.0 }),
            Unilateral::QuasiInelastic,
        );
        let (mut jump, mut trial) = (Vect::<2>::new(-pressure / 1e9, 0.0), Trial { bond: Bond::Whole, damage: 0.0 });
        let (mut total, mut points) = (0.0, Vec::new());
        for next in path(&shear, Vect::<2>::new(0.0, 1.0)) {
            let kinematics = kinematics(jump, 0.0, trial.bond, h);
            let velocity = Vect::<2>::new(0.0, (next[1] - total) / h);
            let impulse = loop {
                let form = law.prepare(&kinematics, &trial);
                let [c_n, c_t] = form.joint.compliance;
                let u = velocity + form.bias;
                let (normal, shear) = (-u[0] / c_n, -u[1] / c_t);
                let most = if form.joint.bilateral { f64::INFINITY } else { form.friction * normal };
                let impulse = Vect::<2>::new(normal, shear.clamp(-most, most));
                match law.judge(&kinematics, &trial, &impulse, &velocity) {
                    Judgement::Overloaded(_) => trial.bond = Bond::Broken,
                    _ => break impulse,
                }
            };
            jump = law.settle(&kinematics, &trial, &velocity, &impulse).jump;
            total = next[1];
            points.push((total, -impulse[1] / h));
        }
        Series { name: format!("pressure {} kPa", 1e-3 * pressure), style: Style::Line, points }
    });
    let axes = (Axis::linear("shear displacement", "m"), Axis::linear("shear stress", "Pa"));
    graph("Elastic–Coulomb joint, c = 60 kPa, μ = 0.5", axes.0, axes.1, series.into())
}

fn adhesion() -> PlotData {
    let springs = Springs { normal: 1e9, tangential: 1e9 };
    let of = |viscosity: f64| {
        let cohesion = Cohesion::RaousCangemiCocou(RaousCangemiCocou { springs, energy: 50.0, viscosity });
        law(cohesion, Unilateral::QuasiInelastic)
    };
    let pull = [0.0, 0.4e-3, 0.0, 1e-3];
    let series = vec![
        curve(&of(0.0), "b = 0, unloaded and reloaded", &pull, [1.0, 0.0], 1e-3),
        curve(&of(1.0), "b = 1 J·s/m², 2 mm/s", &[0.0, 1e-3], [1.0, 0.0], 2.5e-3),
        curve(&of(1.0), "b = 1 J·s/m², 20 mm/s", &[0.0, 1e-3], [1.0, 0.0], 2.5e-4),
    ];
    graph("Raous–Cangémi–Cocou", Axis::linear("opening", "m"), Axis::linear("traction", "Pa"), series)
}

fn capillary() -> PlotData {
    let bridge = Capillary { force: 2e-3, range: 1e-4 };
    let law = law(Cohesion::Capillary(bridge), Unilateral::QuasiInelastic);
    let pull = |gap: f64, bond: Bond| {
        let kinematics = kinematics(Vect::<2>::new(gap, 0.0), 0.0, bond, 1.0);
        -law.prepare(&kinematics, &Trial { bond, damage: 0.0 }).joint.pull[0]
    };
    let walk = |name: &str, gaps: Vec<f64>, mut holds: bool| {
        let mut points = Vec::new();
        for gap in gaps {
            holds = bridge.holds(gap, holds);
            points.push((gap, pull(gap, if holds { Bond::Whole } else { Bond::None })));
        }
        Series { name: name.into(), style: Style::Line, points }
    };
    let gaps: Vec<f64> = (0..=300).map(|i| 1.5e-4 * f64::from(i) / 300.0).collect();
    let series = vec![
        walk("parting", gaps.clone(), true),
        Series { style: Style::Dashed, ..walk("approaching", gaps.into_iter().rev().collect(), false) },
    ];
    graph("A bridge of liquid", Axis::linear("gap", "m"), Axis::linear("pull", "N"), series)
}

fn friction() -> PlotData {
    let of = |transition: f64| Friction { at_rest: 0.6, sliding: 0.35, transition, weakening: 0.0 };
    let series = [0.02, 0.1].map(|v| {
        let at = |u: f64| (u, of(v).coefficient(Status::Slip, &Vect::<2>::new(0.0, u), &[]));
        let points = (0..=300).map(|i| at(0.5 * f64::from(i) / 300.0)).collect();
        Series { name: format!("v = {v} m/s"), style: Style::Line, points }
    });
    graph(
        "Friction that falls with velocity",
        Axis::linear("sliding velocity", "m/s"),
        Axis::linear("μ", "-"),
        series.into(),
    )
}

/// A disk of 1 kg that is turned to and fro on a plane and rolls along: the moment in the contact over the angle.
fn rolling() -> PlotData {
    let story = |arm: f64| {
        let mut s = plane(&format!(
            "dimension = 2\ntime = {{ step = 5e-3, end = 4 }}\ngravity = {{ acceleration = [0, -10] }}\n\
             materials.m = {{ density = {} }}\nsolver = {{ tolerance = 1e-12 }}\n\
             contact = [{{ between = \"m\", friction = 0.5, rolling_resistance = {arm} }}]\n\
             [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
             [[bodies]]\nname = \"disk\"\nmaterial = \"m\"\nposition = [0, 0.1]\nshape = {{ kind = \"disk\", radius = 0.1 }}\n\
             [[drive]]\nbodies = \"disk\"\ncomponent = \"rotation\"\n\
             displacement = {{ sine = {{ amplitude = 1, frequency = 0.3 }} }}\n",
            100.0 / std::f64::consts::PI
        ));
        let mut points = vec![];
        while s.state.time < 4.0 - 1e-9 {
            s.step().unwrap();
            let Some(reaction) = s.state.reactions.first() else { continue };
            // On the candidate, which is the plane: it is dragged along with what turns.
            let moment = reaction.memory().moment[2] / s.state.last_step;
            points.push((s.state.motions[1].place.turn.angle(), moment));
        }
        Series { name: format!("ℓ = {} mm", 1e3 * arm), style: Style::Line, points }
    };
    graph(
        "Rolling resistance, 10 N",
        Axis::linear("rotation", "rad"),
        Axis::linear("moment", "N·m"),
        vec![story(0.01), story(0.005)],
    )
}

#[test]
fn the_graphs_in_the_documents_are_those_of_the_laws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/laws");
    let graphs = [
        ("envelopes", envelopes()),
        ("elastic", elastic()),
        ("elastic_coulomb", elastic_coulomb()),
        ("raous_cangemi_cocou", adhesion()),
        ("bilinear", story("Bilinear cohesive zone", Cohesion::Bilinear(Bilinear { modes: modes() }))),
        ("exponential", story("Exponential cohesive zone", Cohesion::Exponential(Exponential { modes: modes() }))),
        ("capillary", capillary()),
        ("friction", friction()),
        ("rolling", rolling()),
    ];
    for (name, data) in graphs {
        let finite = data.panels[0].series.iter().all(|s| s.points.iter().all(|p| p.0.is_finite() && p.1.is_finite()));
        assert!(finite, "{name}");
        let made = plot(&data, &PlotOptions { width: 800, panel_height: 400 }).svg().unwrap();
        let file = folder.join(format!("{name}.svg"));
        if std::env::var_os("CAIRN_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == made, "docs/laws/{name}.svg is old: run this test with CAIRN_BLESS=1");
    }
}
