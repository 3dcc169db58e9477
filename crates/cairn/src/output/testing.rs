//! Small scenes and states for the tests of this room.

use crate::body::{Body, Motion, Part};
use crate::contact::{Anchor, Bond, Contact, Image, Key, Memory, Reaction, Status, Touch};
use crate::flexible::Field;
use crate::scene::{Accuracy, History, Material, Method, Newton, OnFailure, Order, Output, Scene, Solver, Time};
use crate::scene::{Control, StageStart, Target};
use crate::shape::{Ball, HalfSpace, Hollow, Polygon, Polyhedron, Shape, Surface};
use crate::space::{Ambient, Moments, Placement, Space, Spin, Vect};
use crate::state::block::{Layout, Quantity, Table};
use crate::state::{Ledger, State, Worst};
use std::sync::Arc;

/// Two disks, a half-plane, a hollow disk, a fixed chain and a rectangle.
pub(super) fn flat_scene() -> Scene<2> {
    let chain = Surface::new(vec![Vect::<2>::new(0.0, 0.0), Vect::<2>::new(1.0, 0.2)], vec![[0, 1]]).unwrap();
    let half = HalfSpace { normal: Vect::<2>::new(0.6, 0.8) };
    let shapes = vec![
        Shape::Ball(Ball { radius: 0.5 }),
        Shape::Ball(Ball { radius: 0.25 }),
        Shape::HalfSpace(half),
        Shape::Hollow(Hollow { radius: 3.0 }),
        Shape::Surface(Arc::new(chain)),
        Shape::Convex(Arc::new(Polygon::rectangle(1.0, 0.5).unwrap())),
    ];
    scene(shapes, 0.1)
}

/// Two spheres, a half-space, a hollow cylinder, a fixed triangle and a cuboid.
pub(super) fn solid_scene() -> Scene<3> {
    let triangle = Surface::new(vec![Vect::<3>::x(), Vect::<3>::y(), Vect::<3>::z()], vec![[0, 1, 2]]).unwrap();
    let shapes = vec![
        Shape::Ball(Ball { radius: 0.5 }),
        Shape::Ball(Ball { radius: 0.25 }),
        Shape::HalfSpace(HalfSpace { normal: Vect::<3>::z() }),
        Shape::Hollow(Hollow { radius: 3.0 }),
        Shape::Surface(Arc::new(triangle)),
        Shape::Convex(Arc::new(Polyhedron::cuboid(&Vect::<3>::new(1.0, 0.5, 0.7)).unwrap())),
    ];
    scene(shapes, Vect::<3>::new(0.1, 0.1, 0.2))
}

/// One body per shape, side by side.
pub(super) fn scene<const D: usize>(shapes: Vec<Shape<D>>, moments: Moments<D>) -> Scene<D>
where
    Space<D>: Ambient<D>,
{
    let body = |k: usize| Body {
        group: (k % 2) as u32,
        number: (k / 2) as u32,
        material: 0,
        mass: 2.0,
        moments,
        parts: (k as u32, 1),
        held: [false; 6],
        is_gone: false,
    };
    let bodies = (0..shapes.len()).map(body).collect();
    let start = (0..shapes.len()).map(|k| motion(k, 0)).collect();
    let part = |(k, shape): (usize, Shape<D>)| {
        let radius = match &shape {
            Shape::Ball(ball) => ball.radius,
            Shape::Surface(_) | Shape::Convex(_) => 1.0,
            _ => f64::INFINITY,
        };
        Part { body: k as u32, shape, local: Placement::identity(), radius }
    };
    Scene {
        title: "test".into(),
        materials: vec![Material { name: "stone".into(), density: 2500.0 }],
        groups: vec!["even".into(), "odd".into()],
        bodies,
        parts: shapes.into_iter().enumerate().map(part).collect(),
        start,
        laws: Vec::new(),
        law_of: vec![0],
        ignored: Vec::new(),
        bonds: Vec::new(),
        gravity: (Vect::zeros(), History::Constant(1.0)),
        tilt: Vec::new(),
        ground_acceleration: Vec::new(),
        cell: None,
        drives: Vec::new(),
        loads: Vec::new(),
        flexibles: Vec::new(),
        membranes: Vec::new(),
        time: Time { step: 1e-3, end: 1.0, theta: 0.5, xi: 0.5, cancel_velocities: false, unit: Default::default() },
        stages: Vec::new(),
        chapters: Vec::new(),
        varying: Vec::new(),
        solver: Solver {
            tolerance: 1e-6,
            outliers: 1.0,
            max_sweeps: 100,
            method: Method::default(),
            order: Order::Listed,
            on_failure: OnFailure::Accept,
            start: Default::default(),
        },
        newton: Newton::default(),
        accuracy: Accuracy::of(1e-6),
        output: Output {
            interval: 0.1,
            history_interval: 0.1,
            checkpoint_interval: 0.1,
            paraview: true,
            resultants: Vec::new(),
        },
        measures: Vec::new(),
    }
}

/// Number `k` of a fixed series without pattern, in (−1, 1).
fn noise(k: usize) -> f64 {
    (12.9898 * (k as f64 + 1.0)).sin()
}

fn motion<const D: usize>(body: usize, k: usize) -> Motion<D>
where
    Space<D>: Ambient<D>,
{
    let mut spin = Spin::<D>::default();
    for (i, s) in Space::<D>::spin_slice_mut(&mut spin).iter_mut().enumerate() {
        *s = noise(7 * body + i + k);
    }
    let mut centre = Vect::from_fn(|i, _| 0.1 * k as f64 * noise(body + i));
    centre[0] += 1.5 * body as f64;
    let turn = Space::<D>::turn_by(&(spin * (0.3 * k as f64)));
    Motion { place: Placement { centre, turn }, velocity: Vect::from_fn(|i, _| noise(31 * k + body + i)), spin }
}

fn reaction<const D: usize>(k: usize, bodies: usize) -> Reaction<D>
where
    Space<D>: Ambient<D>,
{
    let at = |shift: usize| Vect::<D>::from_fn(|i, _| noise(17 * k + shift + i));
    let touch = Touch { feature: 9, point: at(0), normal: at(3).normalize(), gap: noise(k), area: 0.25 };
    let key = Key { image: Image([k as i16, -1, -16383]), ..Key::new(k as u32, k as u32 + 1, 3) };
    let contact = Contact { key, bodies: [(k % bodies) as u32, ((k + 1) % bodies) as u32], touch, law: 2 };
    let status = [Status::Open, Status::Stick, Status::Slip][k % 3];
    let bond = [Bond::None, Bond::Whole, Bond::Broken][k % 3];
    let moment = Vect::<3>::from_fn(|i, _| noise(17 * k + 15 + i));
    let kept = std::array::from_fn(|i| noise(k + 4 + i));
    let memory = Memory { bond, jump: at(12), damage: noise(k + 1), energy: noise(k + 2), kept, moment };
    let mut reaction = Reaction::new(contact, at(6), at(9), status);
    reaction.anchor = Anchor { drift: at(20), overlap: noise(k + 3) };
    if k % 4 != 1 {
        reaction.remember(memory);
    }
    reaction
}

fn field(dofs: usize, k: usize) -> Field {
    let numbers = |shift: usize| (0..dofs).map(|i| noise(13 * k + shift + i)).collect();
    Field { displacement: numbers(0), velocity: numbers(100), history: numbers(200)[..dofs / 2].to_vec() }
}

/// What the blocks of such a state declare.
fn fields_and_bodies<const D: usize>(bodies: usize, fields: &[Field]) -> Arc<[Layout]>
where
    Space<D>: Ambient<D>,
{
    let of_field = |(k, field): (usize, &Field)| Layout {
        history: vec![Table {
            rows: field.history.len(),
            points: 1,
            quantities: vec![Quantity { name: "damage".into(), unit: "-".into(), width: 1 }],
            rest: 0,
        }],
        ..Layout::nodal::<D>(format!("beam {k}"), field.displacement.len() / D)
    };
    [Layout::rigid::<D>(bodies)].into_iter().chain(fields.iter().enumerate().map(of_field)).collect()
}

/// State number `k` of a run of `bodies` bodies: other motions and another number of contacts (none at first).
pub(super) fn state<const D: usize>(bodies: usize, contacts: usize, k: usize) -> State<D>
where
    Space<D>: Ambient<D>,
{
    let worst = |i: usize| Worst { value: noise(k + i), time: noise(k + 2 * i), bodies: [i as u32, k as u32] };
    let margins = std::array::from_fn(worst);
    let fields = vec![field(2 * D, k), field(3 * D, k + 1)];
    State {
        blocks: fields_and_bodies::<D>(bodies, &fields),
        step: 10 * k as u64,
        time: 0.1 * k as f64,
        last_step: 0.01,
        motions: (0..bodies).map(|b| motion(b, k)).collect(),
        fields,
        reactions: (0..contacts).map(|c| reaction(c + k, bodies)).collect(),
        stages: (0..k).map(|s| StageStart { step: 3 * s as u64, time: noise(s) }).collect(),
        controls: (0..k).map(|c| Control { target: Target::Load, number: c as u32, value: noise(c) }).collect(),
        ledger: Ledger {
            friction: noise(k),
            sweeps: 5,
            painleve: k as u64,
            margins,
            scale: noise(k + 4),
            pace: noise(k + 5),
            ..Ledger::default()
        },
    }
}

/// State `k` of [`flat_scene`].
pub(super) fn flat_state(k: usize) -> State<2> {
    state(flat_scene().bodies.len(), 2 * k, k)
}

/// State `k` of [`solid_scene`].
pub(super) fn solid_state(k: usize) -> State<3> {
    state(solid_scene().bodies.len(), 2 * k, k)
}
