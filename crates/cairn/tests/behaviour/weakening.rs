//! Friction that weakens with slip.

use crate::support::{go, plane};
use cairn::law::kept::columns;
use cairn::measure::balance_error;

/// A block that slides on a plane, μ from 0.6 down to 0.2 over 0.1 m, g = 10 m/s².
fn slide(speed: f64) -> String {
    format!(
        "dimension = 2\ntime = {{ step = 1e-4, end = 1 }}\ngravity = {{ acceleration = [0, -10] }}\nmaterials.m = {{ density = 1000 }}\n\
         contact = [{{ between = \"any\", friction = {{ static = 0.6, dynamic = 0.2, weakening_distance = 0.1 }} }}]\n\
         [[bodies]]\nname = \"plane\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"block\"\nmaterial = \"m\"\nposition = [0, 0.05]\nvelocity = [{speed}, 0]\n\
         shape = {{ kind = \"rectangle\", size = [0.4, 0.1] }}\n"
    )
}

/// ½v² = g ∫μ ds: stopped within the weakening (0.6 s − 2 s² = v²/20), and beyond it (0.04 + 0.2 (s − 0.1) = v²/20).
#[test]
fn a_block_slides_as_far_as_its_energy_takes_it() {
    for (speed, expected) in
        [(0.5, 0.15 - (0.15_f64.powi(2) - 0.0125 / 2.0).sqrt()), (1.5, 0.1 + (0.1125 - 0.04) / 0.2)]
    {
        let mut s = plane(&slide(speed));
        go(&mut s, 8000);
        let far = s.state.motions[1].place.centre[0];
        assert!(s.state.motions[1].velocity[0].abs() < 1e-9);
        // μ is that of the start of each step: early by half a step's way, which weighs most where it is steep.
        assert!((far - expected).abs() < 2.0 * speed * 1e-4, "{speed}: {far} instead of {expected}");
        let [slip] = &columns(&s.scene.laws)[..] else { panic!("friction that weakens keeps one number") };
        assert_eq!((slip.kept.name, slip.kept.unit), ("slip", "m"));
        let slips: Vec<f64> = s.state.reactions.iter().map(|r| slip.of(r)).collect();
        assert!(slips.len() == 2 && slips.iter().all(|slip| (slip - far).abs() < 2e-4), "{slips:?} after {far}");
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
    }
}

/// Lifted off, the contact forgets.
#[test]
fn it_heals_when_the_contact_opens() {
    let mut s = plane(&slide(1.5));
    go(&mut s, 3000);
    let slip = &columns(&s.scene.laws)[0];
    assert!(s.state.reactions.iter().all(|r| slip.of(r) > 0.1));
    s.state.motions[1].velocity[1] = 0.5;
    go(&mut s, 100);
    assert!(s.state.reactions.iter().all(|r| !r.remembers()));
}
