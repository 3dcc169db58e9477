//! One thread or two: the same bits.

use crate::program::{Bench, assert_same_results};
use crate::scenes;
use std::path::Path;

fn same_for_one_and_two(bench: &Bench, scene: &Path, more: &str) {
    for threads in [1, 2] {
        bench.must(&format!("run {} -q --threads {threads} -o {threads} {more}", scene.display()));
    }
    assert_same_results(&bench.path("1"), &bench.path("2"));
}

/// The last value of a column of a history.
fn last_value(history: &Path, title: &str) -> f64 {
    let history = std::fs::read_to_string(history).unwrap();
    let titles: Vec<&str> = history.lines().next().unwrap().split(',').collect();
    let column = titles.iter().position(|t| t.starts_with(title)).unwrap();
    history.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap()
}

fn example(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).join("scene.toml")
}

#[test]
fn packed_spheres() {
    same_for_one_and_two(
        &Bench::with(""),
        &example("packed-spheres"),
        "--set time.end=0.0015 --set solver.max_sweeps=80 --set accuracy.accept=true",
    );
}

#[test]
fn a_brick_wall() {
    same_for_one_and_two(
        &Bench::with(""),
        &example("brick-wall"),
        "--set time.end=0.003 --set solver.max_sweeps=80 --set accuracy.accept=true",
    );
}

/// Some 400 blocks with brittle joints; the ground moves so wildly that a fifth of the bonds break within 15 steps.
#[test]
fn a_shaken_wall() {
    let bench = Bench::with("");
    let wild = "--set time.end=0.03 --set ground_acceleration.x.scale=30 --set output.interval=0.01";
    same_for_one_and_two(&bench, &example("shaken-wall"), wild);
    bench.must(&format!("run {} -q --threads 2 -o again {wild}", example("shaken-wall").display()));
    assert_same_results(&bench.path("1"), &bench.path("again"));
    let broken = last_value(&bench.path("1/history.csv"), "broken bonds");
    assert!(broken > 300.0, "{broken} bonds broke");
}

#[test]
fn an_elastic_wall() {
    same_for_one_and_two(&Bench::with(""), &example("masonry-wall"), "--set time.end=4e-4");
}

#[test]
fn many_disks_and_blocks() {
    let bench = Bench::with(scenes::MANY_DISKS_AND_BLOCKS);
    same_for_one_and_two(&bench, &bench.path("s.toml"), "");
    let contacts = last_value(&bench.path("1/history.csv"), "contacts");
    // A triangular lattice takes about 6 colours; a colour is shared out from 256 groups of 4 contacts on, and pairs
    // are from 4096 on.
    assert!(contacts > 3.0 * 6.0 * 1024.0, "{contacts} contacts are too few to share out");
}
