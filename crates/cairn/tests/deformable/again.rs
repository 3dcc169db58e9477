//! A run that was interrupted goes on with the same bits, on any number of threads.

use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::state::State;
use std::path::Path;

fn example(name: &str, changes: &[(&str, &str)]) -> AnyScene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    read(&path, &changes).unwrap_or_else(|e| panic!("{}", e.plain())).scene
}

fn threads(count: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap()
}

/// Steps on from a state with new buffers.
fn go_on<const D: usize>(simulation: &Simulation<D>, steps: usize, count: usize) -> State<D>
where
    Space<D>: Ambient<D>,
{
    let mut next = Simulation::resume(simulation.scene.clone(), simulation.state.clone());
    threads(count).install(|| {
        for _ in 0..steps {
            next.step().unwrap();
        }
    });
    next.state
}

pub fn same_bits<const D: usize>(mut simulation: Simulation<D>, steps: usize)
where
    Space<D>: Ambient<D>,
{
    let whole = go_on(&simulation, 2 * steps, 1);
    assert!(whole.reactions.iter().any(|r| r.impulse.norm() > 0.0), "there is contact");
    assert!(go_on(&simulation, 2 * steps, 2) == whole, "one and two threads");
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    assert!(go_on(&simulation, steps, 2) == whole, "interrupted");
}

#[test]
fn a_small_strain_wall_and_a_disc_of_large_strain_go_on_with_the_same_bits() {
    match example("masonry-wall/scene.toml", &[("generate.0.courses", "4"), ("generate.0.blocks", "4")]) {
        AnyScene::Solid(scene) => same_bits(Simulation::new(scene), 15),
        AnyScene::Plane(_) => unreachable!(),
    }
    let coarse =
        [("deformable.0.mesh.core", "6"), ("deformable.0.mesh.layers", "4"), ("deformable.0.position", "[0, 1.002]")];
    match example("disc-between-plates/scene.toml", &coarse) {
        AnyScene::Plane(scene) => same_bits(Simulation::new(scene), 15),
        AnyScene::Solid(_) => unreachable!(),
    }
}
