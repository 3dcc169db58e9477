//! Time of ten sweeps over synthetic collections; items are contact relaxations.

#[path = "../examples/sweep_cost/packing.rs"]
mod packing;

use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::problem::{Link, Mass};
use cairn_solvers::report::Settings;
use divan::counter::ItemsCount;

const SWEEPS: usize = 10;

fn main() {
    divan::main();
}

fn sweeps<const D: usize>(bencher: divan::Bencher, (masses, links): (Vec<Mass<D>>, Vec<Link<D>>)) {
    let settings = Settings { tolerance: 0.0, max_sweeps: SWEEPS, ..Settings::default() };
    let mut matrix_free = MatrixFree::new();
    bencher
        .counter(ItemsCount::new(SWEEPS * links.len()))
        .with_inputs(|| (masses.clone(), links.clone()))
        .bench_local_values(|(mut masses, mut links)| matrix_free.solve(&mut masses, &mut links, &mut [], &settings));
}

#[divan::bench]
fn disks(bencher: divan::Bencher) {
    sweeps(bencher, packing::balls::<2>([40, 50, 1]));
}

#[divan::bench]
fn spheres(bencher: divan::Bencher) {
    sweeps(bencher, packing::balls::<3>([17, 17, 17]));
}

#[divan::bench(sample_count = 10)]
fn more_spheres(bencher: divan::Bencher) {
    sweeps(bencher, packing::balls::<3>([37, 37, 36]));
}

#[divan::bench]
fn wall(bencher: divan::Bencher) {
    sweeps(bencher, packing::wall(20, 20));
}
