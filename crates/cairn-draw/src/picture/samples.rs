//! Scenes for the tests of pictures.

use cairn::body::{Body, Motion, Part};
use cairn::contact::{Contact, Key, Reaction, Status, Touch};
use cairn::scene::{History, Method, OnFailure, Order, Output, Scene, Solver, Time};
use cairn::shape::{Ball, HalfSpace, Shape};
use cairn::space::{Ambient, Moments, Placement, Space, Spin, Vect};

/// A scene without bodies.
pub fn empty<const D: usize>(title: &str) -> Scene<D>
where
    Space<D>: Ambient<D>,
{
    let mut down = Vect::<D>::zeros();
    down[D - 1] = -9.81;
    Scene {
        title: title.into(),
        materials: vec![],
        groups: vec!["grains".into(), "walls".into()],
        bodies: vec![],
        parts: vec![],
        start: vec![],
        laws: vec![],
        law_of: vec![],
        ignored: vec![],
        bonds: vec![],
        gravity: (down, History::Constant(1.0)),
        tilt: Vec::new(),
        ground_acceleration: vec![],
        cell: None,
        drives: vec![],
        loads: vec![],
        membranes: vec![],
        flexibles: vec![],
        newton: Default::default(),
        accuracy: cairn::scene::Accuracy::of(1e-5),
        time: Time { step: 1e-3, end: 1.0, theta: 0.5, xi: 0.5, cancel_velocities: false, unit: Default::default() },
        stages: Vec::new(),
        chapters: Vec::new(),
        varying: Vec::new(),
        solver: Solver {
            tolerance: 1e-8,
            outliers: 1.0,
            max_sweeps: 100,
            method: Method::default(),
            order: Order::default(),
            on_failure: OnFailure::default(),
            start: Default::default(),
        },
        output: Output {
            interval: 0.1,
            history_interval: 0.1,
            checkpoint_interval: 1.0,
            paraview: true,
            resultants: vec![],
        },
        measures: Vec::new(),
    }
}

/// Adds a body of one part.
pub fn add<const D: usize>(
    scene: &mut Scene<D>,
    shape: Shape<D>,
    centre: Vect<D>,
    radius: f64,
    fixed: bool,
    moments: Moments<D>,
) where
    Space<D>: Ambient<D>,
{
    let body = scene.bodies.len() as u32;
    scene.bodies.push(Body {
        group: fixed as u32,
        number: body,
        material: 0,
        mass: 1.0,
        moments,
        parts: (body, 1),
        held: [fixed; 6],
        is_gone: false,
    });
    scene.parts.push(Part { body, shape, local: Placement::identity(), radius });
    let place = Placement { centre, turn: Space::<D>::no_turn() };
    scene.start.push(Motion { place, velocity: Vect::zeros(), spin: Spin::<D>::default() });
}

/// Adds a disk or a sphere.
pub fn add_ball<const D: usize>(scene: &mut Scene<D>, centre: Vect<D>, radius: f64, moments: Moments<D>)
where
    Space<D>: Ambient<D>,
{
    add(scene, Shape::Ball(Ball { radius }), centre, radius, false, moments);
}

/// Adds a fixed half-space.
pub fn add_floor<const D: usize>(scene: &mut Scene<D>, origin: Vect<D>, normal: Vect<D>, moments: Moments<D>)
where
    Space<D>: Ambient<D>,
{
    add(scene, Shape::HalfSpace(HalfSpace { normal }), origin, f64::INFINITY, true, moments);
}

/// A contact between two bodies of one part each that carries `force` on the candidate.
pub fn reaction<const D: usize>(bodies: [u32; 2], point: Vect<D>, normal: Vect<D>, force: Vect<D>) -> Reaction<D> {
    let key = Key::new(bodies[0], bodies[1], 0);
    let touch = Touch { feature: 0, point, normal, gap: 0.0, area: 0.0 };
    let contact = Contact { key, bodies, touch, law: 0 };
    Reaction::new(contact, force * 1e-3, Vect::zeros(), Status::Stick)
}
