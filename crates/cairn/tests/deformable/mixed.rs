//! Deformable bodies among many rigid ones: contacts of rigid bodies are swept as if there were no others.

use crate::support::{go, plane};
use cairn::simulation::Simulation;
use cairn::space::Vect;

/// Forty disks in a box under an elastic lid.
fn loaded_disks(method: &str) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = 1e-3, end = 1 }}\n\
         materials.m = {{ density = 2000, young = 1e7, poisson = 0.3, damping = [20, 1e-4] }}\n\
         [[contact]]\nbetween = \"m\"\nfriction = 0.4\n[solver]\ntolerance = 1e-9\nmethod = \"{method}\"\n\
         [[generate]]\nkind = \"box\"\nname = \"box\"\nmaterial = \"m\"\nlow = [-0.1, -0.1]\nhigh = [1.5, 3]\n\
         [[generate]]\nkind = \"lattice\"\nname = \"disks\"\nmaterial = \"m\"\npattern = \"square\"\nradius = 0.1\ncounts = [8, 5]\n\
         [[deformable]]\nname = \"lid\"\nmaterial = \"m\"\nposition = [0.7, 0.95]\n\
         mesh = {{ kind = \"rectangle\", size = [1.58, 0.1], cells = [24, 2] }}\n"
    ))
}

/// After a while the floor carries disks and lid.
#[test]
fn an_elastic_lid_on_disks_is_carried_by_the_floor() {
    let mut s = loaded_disks("auto");
    for step in 0..400 {
        let report = s.step().unwrap();
        assert!(report.solver.converged, "{step}: {report:?}");
    }
    let mass: f64 = s.scene.bodies.iter().map(|b| b.mass).filter(|m| m.is_finite()).sum::<f64>()
        + s.scene.flexibles[0].model.total_mass();
    let boxes: Vec<u32> =
        (0..s.scene.bodies.len() as u32).filter(|&b| s.scene.bodies[b as usize].is_obstacle()).collect();
    let carried = -s.resultant(&boxes).y;
    assert!((carried / (9.81 * mass) - 1.0).abs() < 1e-3, "{carried} against {}", 9.81 * mass);
}

/// Sweeps that never form W give what Newton on the whole W gives.
#[test]
fn the_mixed_sweep_gives_what_newton_on_the_whole_w_gives() {
    let (mut swept, mut solved) = (loaded_disks("nlgs"), loaded_disks("newton"));
    for _ in 0..5 {
        swept.step().unwrap();
        solved.step().unwrap();
    }
    for (a, b) in swept.state.motions.iter().zip(&solved.state.motions) {
        assert!((a.velocity - b.velocity).norm() < 1e-6, "{} {}", a.velocity, b.velocity);
    }
    let nodes = |s: &Simulation<2>| s.state.fields[0].velocity.clone();
    for (a, b) in nodes(&swept).chunks_exact(2).zip(nodes(&solved).chunks_exact(2)) {
        assert!((Vect::<2>::new(a[0], a[1]) - Vect::<2>::new(b[0], b[1])).norm() < 1e-6, "{a:?} {b:?}");
    }
}

#[test]
fn the_same_bits_with_one_and_with_two_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut s = loaded_disks("auto");
            go(&mut s, 20);
            s.state
        })
    };
    assert!(run(1) == run(2));
}

/// Contacts of rigid bodies that are found at the end of the step come in between those of a mesh, which lies still.
#[test]
fn blocks_that_tumble_beside_a_mesh_leave_its_contacts_alone() {
    let scene = |dice: &str| {
        let mut s = plane(&format!(
            "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = 5e-3, end = 1 }}\n\
             materials.m = {{ density = 2000, young = 1e7, poisson = 0.3, damping = [20, 1e-4] }}\n\
             [[contact]]\nbetween = \"m\"\nfriction = 0.4\n\
             [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n{dice}\
             [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nposition = [0, 0.1]\n\
             mesh = {{ kind = \"rectangle\", size = [0.4, 0.2], cells = [8, 4] }}\n"
        ));
        go(&mut s, 120);
        s.state.fields.swap_remove(0).displacement
    };
    let alone = scene("");
    let beside = scene(
        "[[bodies]]\nname = \"die\"\nmaterial = \"m\"\nposition = [2, 0.3]\nspin = 25\n\
         shape = { kind = \"rectangle\", size = [0.3, 0.2] }\ncopies = { count = 8, step = [0.05, 0.4] }\n",
    );
    let largest = alone.iter().fold(0.0f64, |m, u| m.max(u.abs()));
    let off = alone.iter().zip(&beside).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    // The two are solved to the tolerance of the collection, whose scale the dice set.
    assert!(off < 2e-2 * largest, "{off} of {largest}");
}
