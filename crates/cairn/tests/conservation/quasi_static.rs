//! Velocity cancelling keeps an honest account: drives work as in a slow test, what the cancelling takes has its own place.

use crate::support::{go, plane};
use cairn::measure::{balance_error, strain_energy};

const TIME: &str = "time = { step = 1e-2, end = 1, theta = 1, quasi_static = \"velocity_cancelling\" }";

/// A block of 20 kg pushed over a floor by 10 mm, by hand: friction μ m g d, and m V² in each step, which starts from rest.
#[test]
fn a_block_pushed_over_a_floor_takes_what_friction_dissipates() {
    let mut s = plane(&format!(
        "dimension = 2\n{TIME}\ngravity = {{ acceleration = [0, -10] }}\nmaterials.m = {{ density = 2000 }}\nmaterials.ice = {{ density = 2000 }}\nsolver = {{ tolerance = 1e-10 }}\n\
         contact = [{{ between = \"any\", friction = 0 }}, {{ between = [\"m\", \"m\"], friction = 0.5 }}]\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"block\"\nmaterial = \"m\"\nfixed = [\"rotation\"]\nposition = [0, 0.05]\nshape = {{ kind = \"rectangle\", size = [0.1, 0.1] }}\n\
         [[bodies]]\nname = \"hand\"\nmaterial = \"ice\"\nfixed = true\nposition = [-0.06, 0.05]\nshape = {{ kind = \"disk\", radius = 0.01 }}\n\
         [[drive]]\nbodies = \"hand\"\ncomponent = \"x\"\nvelocity = 0.01\n"
    ));
    go(&mut s, 100);
    let (l, mass, speed) = (&s.state.ledger, 20.0, 0.01);
    let friction = 0.5 * mass * 10.0 * 0.01;
    let taken = 100.0 * mass * speed * speed;
    assert!((l.friction - friction).abs() < 1e-6 * friction, "friction {} by hand {friction}", l.friction);
    assert!((l.cancelled - taken).abs() < 1e-6 * taken, "cancelled {} by hand {taken}", l.cancelled);
    assert!((l.work_drives - friction - taken).abs() < 1e-6 * friction, "drive {}", l.work_drives);
    assert!(l.shocks.abs() < 1e-9 && l.scheme.abs() < 1e-9, "shocks {}, scheme {}", l.shocks, l.scheme);
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
}

/// An elastic block under a plate: the work of the plate is stored, ½ F d, but for what the cancelling takes and one part in the number of steps.
#[test]
fn a_pressed_spring_stores_the_work_of_the_plate() {
    let mut s = plane(&format!(
        "dimension = 2\n{TIME}\nmaterials.m = {{ density = 1, young = 1e6, poisson = 0 }}\nsolver = {{ tolerance = 1e-9 }}\n\
         contact = [{{ between = \"any\", friction = 0 }}]\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[deformable]]\nname = \"spring\"\nmaterial = \"m\"\nposition = [0, 0.05]\nkinematics = \"small\"\n\
         mesh = {{ kind = \"rectangle\", size = [0.1, 0.1], cells = [2, 2] }}\n\
         [[bodies]]\nname = \"plate\"\nmaterial = \"m\"\nfixed = true\nposition = [0, 0.11]\nshape = {{ kind = \"rectangle\", size = [0.2, 0.02] }}\n\
         [[drive]]\nbodies = \"plate\"\ncomponent = \"y\"\nvelocity = -1e-3\n"
    ));
    go(&mut s, 100);
    // E A/L d²/2 with d = 1 mm, A/L = 1.
    let by_hand = 0.5 * 1e6 * 1e-6;
    let (l, stored) = (&s.state.ledger, strain_energy(&s.scene, &s.state.fields));
    assert!((stored - by_hand).abs() < 1e-3 * by_hand, "stored {stored}");
    assert!(
        (l.work_drives - l.cancelled - by_hand).abs() < 1.5e-2 * by_hand,
        "drives {} cancelled {}",
        l.work_drives,
        l.cancelled
    );
    assert!(l.cancelled >= 0.0 && l.cancelled < 1e-3 * by_hand, "cancelled {}", l.cancelled);
    assert!(
        l.scheme > 0.0 && l.scheme < 1.5e-2 * by_hand && l.shocks.abs() < 1e-9,
        "scheme {}, shocks {}",
        l.scheme,
        l.shocks
    );
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
}
