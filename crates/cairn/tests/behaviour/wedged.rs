//! Bodies that are wedged: impulses are not unique there, and `auto` must not press them on each other harder than plain sweeps do.
//!
//! Scenes by seed: drums with a rough wall that turn, grooves, hoppers, bridges between abutments that do not give way. Forces are
//! compared, not residuals: these see no difference.

use crate::support::plane;
use std::f64::consts::TAU;

/// A scene with `body` in it, solved by `method`.
fn scene(method: &str, body: &str) -> String {
    format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = 1e-3, end = 10 }}\n\
         materials.m = {{ density = 2500 }}\nsolver = {{ method = \"{method}\", tolerance = 1e-4 }}\n\
         [[contact]]\nbetween = \"any\"\nfriction = 0.6\n{body}"
    )
}

fn grains(seed: u64, count: usize, low: [f64; 2], high: [f64; 2]) -> String {
    format!(
        "[[generate]]\nkind = \"grains\"\nname = \"grains\"\nmaterial = \"m\"\ncount = {count}\nlow = {low:?}\nhigh = {high:?}\nseed = {seed}\n\
         radius = {{ kind = \"uniform\", min = 0.004, max = 0.006 }}\n"
    )
}

/// Two half planes through the origin that lean by ± `lean` from the upright.
fn groove(lean: f64) -> String {
    let side = |sign: f64| {
        format!(
            "[[bodies]]\nname = \"side{}\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [{}, {}] }}\n",
            if sign > 0.0 { 1 } else { 2 },
            sign * lean.cos(),
            lean.sin()
        )
    };
    side(1.0) + &side(-1.0)
}

/// A drum whose wall is a ring of disks, 0.05 rad/s.
fn rough_drum(bumps: usize) -> String {
    let bump = |k: usize| {
        let angle = TAU * k as f64 / bumps as f64;
        format!("{{ kind = \"disk\", radius = 0.005, position = [{}, {}] }}", 0.08 * angle.cos(), 0.08 * angle.sin())
    };
    let parts: Vec<String> = (0..bumps).map(bump).collect();
    format!(
        "[[bodies]]\nname = \"drum\"\nmaterial = \"m\"\nfixed = [\"x\", \"y\"]\n\
         shape = {{ kind = \"union\", parts = [{{ kind = \"hollow_disk\", radius = 0.085 }}, {}] }}\n\
         [[drive]]\nbodies = \"drum\"\ncomponent = \"rotation\"\nvelocity = 0.05\n",
        parts.join(", ")
    )
}

/// The largest force of a contact in each of the last `steps` steps, beside the weight of all.
fn forces(text: &str, settle: usize, steps: usize) -> Vec<f64> {
    let mut s = plane(text);
    let weight = 9.81 * s.scene.bodies.iter().map(|b| b.mass).filter(|m| m.is_finite()).sum::<f64>();
    let mut found = Vec::new();
    for step in 0..settle + steps {
        s.step().unwrap();
        if step >= settle {
            let largest = s.state.reactions.iter().map(|r| r.impulse.norm()).fold(0.0, f64::max);
            found.push(largest / s.state.last_step / weight);
        }
    }
    found
}

/// `auto` presses no harder than twice what plain sweeps do, in the worst step and in the middle one.
fn presses_no_harder(name: &str, body: &str, settle: usize, steps: usize) {
    let [mut auto, mut swept] = ["auto", "nlgs"].map(|method| forces(&scene(method, body), settle, steps));
    auto.sort_by(f64::total_cmp);
    swept.sort_by(f64::total_cmp);
    for k in [steps / 2, steps - 1] {
        assert!(auto[k] < 2.0 * swept[k], "{name}: {} of the weight, sweeps {}", auto[k], swept[k]);
    }
}

#[test]
fn grains_in_rough_drums() {
    for seed in 1..=3 {
        let body = rough_drum(20 + 4 * seed as usize) + &grains(seed, 60, [-0.05, -0.05], [0.05, 0.05]);
        presses_no_harder(&format!("drum {seed}"), &body, 400, 600);
    }
}

#[test]
fn grains_in_grooves_and_hoppers() {
    for (seed, lean) in [(1, 0.15), (2, 0.4), (3, 0.8)] {
        let low = 0.03 / f64::tan(lean);
        let body = groove(lean) + &grains(seed, 50, [-0.02, low], [0.02, low + 0.3]);
        presses_no_harder(&format!("groove {lean}"), &body, 700, 200);
    }
}

/// An arch between fixed springings under a load off its middle: many states of self-stress.
#[test]
fn bridges_between_abutments() {
    for (seed, voussoirs) in [(1, 7), (2, 13), (3, 20)] {
        let load = 200.0 * seed as f64;
        let body = format!(
            "[[generate]]\nkind = \"segmental_arch\"\nname = \"bridge\"\nmaterial = \"m\"\nvoussoirs = {voussoirs}\nspan = 4\nrise = 1\nthickness = 0.6\n\
             [[load]]\nbodies = \"bridge#{}\"\nforce = [0, -{load}]\n",
            voussoirs / 3 + 1
        );
        presses_no_harder(&format!("bridge of {voussoirs}"), &body, 100, 100);
    }
}
