//! Elastic–Coulomb joints: shear box, tension, dilatancy, against the formulas.

use crate::support::{go, plane, solid};
use cairn::contact::{Bond, Status};
use cairn::law::kept::columns;
use cairn::law::{
    Cohesion, ContactKinematics, ElasticCoulomb, Friction, Law, MohrCoulomb, Rolling, Springs, Strength, Trial,
    Unilateral,
};
use cairn::measure::{balance_error, kinetic_energy};
use cairn::scene::History;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};

const STIFFNESS: [f64; 2] = [1e8, 1e7];
const FRICTION: f64 = 0.5;
/// The normal force on the block [N].
const PRESS: f64 = 1e5;

/// U–R graph of the law itself: sheared there and back under a constant pressure, in steps of two lengths, in both schemes.
#[test]
fn the_law_is_a_spring_in_series_with_a_slider() {
    let joint = ElasticCoulomb {
        springs: Springs { normal: STIFFNESS[0], tangential: STIFFNESS[1] },
        envelope: MohrCoulomb { cohesion: Strength::Stress(0.0), tension: Strength::Stress(0.0) },
        dilatancy: 0.0,
    };
    let law = Law {
        name: "joint".into(),
        unilateral: Unilateral::Natural,
        friction: Friction::constant(FRICTION),
        rolling: Rolling::default(),
        cohesion: Cohesion::ElasticCoulomb(joint),
    };
    let (h, area) = (1e-2, 2.0);
    for (scheme, step) in [(1.0, 1e-4), (1.0, 7e-3), (0.5, 1e-4)] {
        // Elastic part of the shear by hand: it follows the displacement, and stops at μσ/k_T.
        let opening = -PRESS / STIFFNESS[0];
        let most = FRICTION * PRESS / STIFFNESS[1];
        let (mut jump, mut by_hand, mut before) = (Vect::<2>::new(opening, 0.0), 0.0f64, 0.0);
        let path =
            [1.0, -1.0, 1.0].into_iter().flat_map(|way| std::iter::repeat_n(way * step, (2.5e-2 / step) as usize));
        for moved in path {
            let velocity = if scheme == 1.0 { moved / h } else { 2.0 * moved / h - before };
            let kinematics = ContactKinematics {
                h,
                scheme: [scheme; 2],
                gap: opening,
                area,
                before: Vect::<2>::new(0.0, before),
                free: Vect::zeros(),
                status: Status::Stick,
                bond: Bond::None,
                jump,
                damage: 0.0,
                kept: Default::default(),
                is_deformable: false,
            };
            let trial = Trial { bond: Bond::None, damage: 0.0 };
            let form = law.prepare(&kinematics, &trial);
            let u = Vect::<2>::new(0.0, velocity) + form.bias;
            let normal = (-u[0] / form.joint.compliance[0]).max(0.0);
            let shear = (-u[1] / form.joint.compliance[1]).clamp(-FRICTION * normal, FRICTION * normal);
            let settled =
                law.settle(&kinematics, &trial, &Vect::<2>::new(0.0, velocity), &Vect::<2>::new(normal, shear));
            (jump, before) = (settled.jump, velocity);
            by_hand = (by_hand + moved).clamp(-most, most);
            assert!((normal / h - PRESS * area).abs() < 1e-6 * PRESS, "{normal}");
            // With θ = ½ the force is that of the middle of the step: a step late where it begins to slip.
            let late = if scheme == 1.0 { 1e-12 } else { 1.01 * step };
            assert!((jump[1] - by_hand).abs() <= late, "{scheme} {step}: {} by hand {by_hand}", jump[1]);
        }
    }
}

/// A block of 1 m on a held one, pressed with 1e5 N and sheared with 10 mm/s; `joint` is added to stiffness and friction.
fn shear_box(dimension: usize, joint: &str) -> String {
    let (size, wide, up, held, gravity) = match dimension {
        2 => {
            ("\"rectangle\", size = [1, 1]", "\"rectangle\", size = [4, 1]", "[0, 0.5]", "[\"rotation\"]", "[0, -1e5]")
        }
        _ => (
            "\"box\", size = [1, 1, 1]",
            "\"box\", size = [4, 4, 1]",
            "[0, 0, 0.5]",
            "[\"y\", \"rx\", \"ry\", \"rz\"]",
            "[0, 0, -1e5]",
        ),
    };
    format!(
        "dimension = {dimension}\ntime = {{ step = 1e-3, end = 10, theta = 1 }}\nmaterials.m = {{ density = 1000 }}\nsolver = {{ tolerance = 1e-10 }}\n\
         contact = [{{ between = \"any\", friction = {FRICTION}, joint = {{ law = \"elastic_coulomb\", normal_stiffness = 1e8, \
         tangential_stiffness = 1e7{joint} }} }}]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nposition = {below}\nshape = {{ kind = {wide} }}\n\
         [[bodies]]\nname = \"block\"\nmaterial = \"m\"\nposition = {up}\nfixed = {held}\nshape = {{ kind = {size} }}\n\
         [[drive]]\nbodies = \"block\"\ncomponent = \"x\"\nvelocity = 0\n[[load]]\nbodies = \"block\"\nforce = {gravity}\n",
        below = if dimension == 2 { "[0, -0.5]" } else { "[0, 0, -0.5]" },
    )
}

fn set_speed<const D: usize>(s: &mut Simulation<D>, speed: f64)
where
    Space<D>: Ambient<D>,
{
    s.scene.drives[0].history = History::Constant(speed);
}

fn checked<const D: usize>(s: &mut Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let report = s.step().unwrap();
    assert!(report.solver.converged, "{report:?}");
    let error = balance_error(&s.scene, &s.state).abs();
    assert!(error < 1e-10, "balance {error:e} {:?}", s.state.ledger);
}

/// Sheared by 8 mm, back by 16: the force is k_T of the way until it slips at `peak`, and from then on of the way back until it slips at μN.
fn goes_round<const D: usize>(mut s: Simulation<D>, peak: f64)
where
    Space<D>: Ambient<D>,
{
    // Pressed first, until it rests.
    go(&mut s, 300);
    let slides = FRICTION * PRESS;
    let (mut elastic, mut whole, mut slipped) = (0.0f64, peak > slides, 0.0);
    for (speed, steps) in [(0.01, 800), (-0.01, 1600)] {
        set_speed(&mut s, speed);
        for step in 0..steps {
            checked(&mut s);
            elastic += speed * 1e-3;
            whole &= elastic.abs() * STIFFNESS[1] <= peak * (1.0 + 1e-9);
            if !whole {
                let most = slides / STIFFNESS[1];
                slipped += (elastic.abs() - most).max(0.0);
                elastic = elastic.clamp(-most, most);
            }
            let force = s.resultant(&[1]);
            assert!(
                (force[0] + STIFFNESS[1] * elastic).abs() < 1e-4 * slides,
                "{speed} {step}: {} by hand {}",
                force[0],
                STIFFNESS[1] * elastic
            );
            assert!((force[D - 1] - PRESS).abs() < 1e-4 * PRESS, "{speed} {step}: {force}");
        }
    }
    // The drop from the peak is not friction, but damage.
    let rubbed = slides * slipped;
    let dropped = if peak > slides { 0.5 * (peak - slides).powi(2) / STIFFNESS[1] } else { 0.0 };
    let l = &s.state.ledger;
    assert!((l.friction - rubbed).abs() < 2e-3 * rubbed, "friction {} by hand {rubbed}", l.friction);
    assert!((l.damage - dropped).abs() < 2e-2 * dropped + 1e-12, "damage {} by hand {dropped}", l.damage);
    let stored = 0.5 * PRESS * PRESS / STIFFNESS[0] + 0.5 * slides * slides / STIFFNESS[1];
    assert!((l.joints - stored).abs() < 1e-3 * stored, "stored {} by hand {stored}", l.joints);
}

#[test]
fn a_sheared_block_springs_slips_and_springs_back() {
    goes_round(plane(&shear_box(2, "")), FRICTION * PRESS);
    goes_round(solid(&shear_box(3, "")), FRICTION * PRESS);
}

#[test]
fn cohesion_makes_a_peak_and_is_lost_with_it() {
    goes_round(plane(&shear_box(2, ", cohesion = 2e4")), 2e4 + FRICTION * PRESS);
    goes_round(solid(&shear_box(3, ", cohesion = 2e4")), 2e4 + FRICTION * PRESS);
}

#[test]
fn a_pulled_joint_breaks_at_its_tensile_strength_and_loses_what_it_stored() {
    let mut s = plane(&shear_box(2, ", cohesion = 2e4, tensile_strength = 1.5e4").replace("[0, -1e5]", "[0, 0]"));
    s.scene.drives[0].component = 1;
    // Pulled up, free to the side.
    s.scene.bodies[1].held = [false, true, true, false, false, false];
    let mut s = Simulation::new(s.scene);
    set_speed(&mut s, 1e-4);
    let mut peak = 0.0f64;
    for step in 1..=2000 {
        checked(&mut s);
        peak = peak.max(-s.resultant(&[1])[1]);
        if s.state.ledger.broken > 0 {
            // k_N u = f_t at u = 0.15 mm, after 1500 steps.
            assert!((1500..=1502).contains(&step), "{step}");
            break;
        }
    }
    assert!((peak - 1.5e4).abs() < 20.0, "{peak}");
    let l = &s.state.ledger;
    let by_hand = 0.5 * 1.5e4 * 1.5e4 / 1e8;
    assert!(l.broken > 0 && (l.damage - by_hand).abs() < 3e-3 * by_hand && l.joints == 0.0, "{l:?}");
}

#[test]
fn faces_that_slip_ride_up_by_the_angle_of_dilatancy() {
    let mut s = plane(&shear_box(2, ", dilatancy = 10"));
    go(&mut s, 300);
    let start = s.state.motions[1].place.centre.y;
    set_speed(&mut s, 0.01);
    for _ in 0..1500 {
        checked(&mut s);
    }
    // 15 mm, of which 5 are elastic.
    let risen = s.state.motions[1].place.centre.y - start;
    let by_hand = 0.01 * 10f64.to_radians().tan();
    assert!((risen - by_hand).abs() < 1e-2 * by_hand, "{risen} by hand {by_hand}");
    // What the press was lifted by is not lost: μ N s − N s tan ψ is.
    let lost = PRESS * 0.01 * (FRICTION - 10f64.to_radians().tan());
    assert!((s.state.ledger.friction - lost).abs() < 1e-2 * lost, "{} by hand {lost}", s.state.ledger.friction);
}

#[test]
fn a_meshed_block_on_the_same_joint_has_the_same_force() {
    let mut s = plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 10, theta = 1 }}\nmaterials.m = {{ density = 1000, young = 1e10, poisson = 0 }}\nsolver = {{ tolerance = 1e-7 }}\n\
         contact = [{{ between = \"any\", friction = {FRICTION}, joint = {{ law = \"elastic_coulomb\", normal_stiffness = 1e8, tangential_stiffness = 1e7 }} }}]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nposition = [0, -0.5]\nshape = {{ kind = \"rectangle\", size = [12, 1] }}\n\
         [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nposition = [0, 0.5]\nkinematics = \"small\"\nmesh = {{ kind = \"rectangle\", size = [4, 1], cells = [4, 2] }}\n\
         [[drive]]\nbodies = \"block\"\nboundary = \"top\"\ncomponent = \"x\"\nvelocity = 0.01\n\
         [[load]]\nbodies = \"block\"\nboundary = \"top\"\ntraction = [0, -1e5]\n"
    ));
    for _ in 0..1000 {
        checked(&mut s);
    }
    // 4 m wide, it is pressed all over; where most, 1.75 times the mean, it slips at 8.75 of the 10 mm: all of it does.
    let (force, press) = (s.resultant(&[1]), 4.0 * PRESS);
    assert!((force.x + FRICTION * press).abs() < 1e-3 * press && (force.y - press).abs() < 1e-3 * press, "{force}");
}

#[test]
fn a_joint_that_was_saved_goes_on_to_the_same_bits() {
    let mut s = plane(&shear_box(2, ", cohesion = 2e4, dilatancy = 5"));
    set_speed(&mut s, 0.01);
    go(&mut s, 900);
    let rest_gap = &columns(&s.scene.laws)[0];
    assert!(s.state.reactions.iter().any(|r| rest_gap.of(r) > 0.0 && r.memory().jump.x != 0.0));
    let mut again = Simulation::resume(s.scene.clone(), s.state.clone());
    go(&mut s, 50);
    go(&mut again, 50);
    assert_eq!(s.state, again.state);
}

/// A wall of 24 blocks on joints so stiff that the step is three times 2/ω, pushed until it fails: faces open, close and chatter.
fn wall_that_fails(law: &str, theta: f64) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = 1e-3, end = 0.5, theta = {theta} }}\n\
         materials.stone = {{ density = 2000 }}\n[[contact]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6\n{law}\n\
         [[generate]]\nkind = \"wall\"\nname = \"wall\"\nmaterial = \"stone\"\ncourses = 6\nblocks = 4\nsize = [0.5, 0.25]\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\nposition = [2.5, -0.25]\n\
         shape = {{ kind = \"rectangle\", size = [8, 0.5] }}\n\
         [[drive]]\nbodies = \"wall#20\"\ncomponent = \"x\"\n\
         displacement = {{ ramp = {{ to = 0.05, start = 0.1, end = 3 }} }}\n"
    ))
}

/// With the mean force of both ends of a step (θ = ½) these walls exploded: 7 and 13 MJ out of 0.1 kJ that the push gives.
#[test]
fn faces_that_chatter_gain_no_energy() {
    let joint = "joint = { law = \"elastic_coulomb\", normal_stiffness = 5e10, tangential_stiffness = 2e10, cohesion = 1e5, \
                 tensile_strength = 5e4 }";
    let compliant = "unilateral = \"compliant\"\ncompression_stiffness = 5e10";
    for (law, theta) in [(joint, 0.5), (joint, 1.0), (compliant, 0.5)] {
        let mut s = wall_that_fails(law, theta);
        go(&mut s, 400);
        let ledger = &s.state.ledger;
        let given = ledger.work_drives.abs() + 10.0;
        assert!(-ledger.scheme < 0.05 * given, "{law} θ = {theta}: {} J out of nothing", -ledger.scheme);
        let kinetic = kinetic_energy(&s.scene, &s.state.motions, &s.state.fields);
        assert!(kinetic < given, "{law} θ = {theta}: {kinetic} J");
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
    }
}
