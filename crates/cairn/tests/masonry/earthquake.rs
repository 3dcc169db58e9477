//! A wall with brittle joints under a record of ground acceleration: it cracks, and twice the same to the last bit.

use crate::support::plane_with;
use cairn::measure::balance_error;
use cairn::state::State;

const SCENE: &str = r#"
dimension = 2
[time]
step = 4e-3
end = 1
[materials]
stone = { density = 2000 }
[[contact]]
between = "any"
friction = 0.6
joint = { law = "brittle", tensile_strength = 2e4, shear_strength = 3e4 }
[gravity]
acceleration = [0, -9.81]
[ground_acceleration]
x = { table = "ground.csv" }
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[generate]]
name = "wall"
material = "stone"
kind = "wall"
courses = 8
blocks = 4
size = [0.4, 0.2]
"#;

fn shaken(threads: usize) -> State<2> {
    let record = "0,0\n0.1,6\n0.3,-9\n0.5,9\n0.7,-6\n0.8,0\n";
    let mut wall = plane_with(&[("ground.csv", record)], SCENE);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| wall.run_to_end().unwrap());
    assert!(balance_error(&wall.scene, &wall.state).abs() < 1e-9);
    wall.state
}

#[test]
fn a_shaken_wall_breaks_the_same_way_twice() {
    let first = shaken(1);
    assert!(first.ledger.broken > 0, "nothing broke");
    assert_eq!(shaken(1), first);
    assert_eq!(shaken(3), first);
}
