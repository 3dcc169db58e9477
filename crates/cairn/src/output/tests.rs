//! Whole runs: written, interrupted, resumed, read back.

use super::testing::{self, flat_scene, scene, solid_scene, solid_state, state};
use super::*;
use crate::shape::{Ball, Shape};
use crate::space::Vect;
use rust_hdf5::{H5File, H5Type};
use std::fs;
use std::time::Instant;

fn run(dir: &Path) -> Run {
    let scene_file = dir.join("small.toml");
    fs::write(&scene_file, "title = 'small'\n").unwrap();
    Run { scene_file, columns: vec![Column::new("kinetic energy", "J")], ..Run::default() }
}

/// State `k` of [`flat_scene`], which has no deformable bodies.
fn flat_state(k: usize) -> State<2> {
    State { fields: Vec::new(), blocks: block::layouts(&flat_scene()), ..testing::flat_state(k) }
}

fn write_steps<const D: usize>(results: &mut Results<D>, scene: &Scene<D>, states: &[State<D>])
where
    Space<D>: Ambient<D>,
{
    for s in states {
        results.append(scene, s).unwrap();
        results.history_row(s.step, s.time, &[s.ledger.friction]).unwrap();
    }
}

fn values<T: H5Type>(dir: &Path, file: &str, array: &str) -> Vec<T> {
    H5File::open(dir.join(file)).unwrap().dataset(array).unwrap().read_raw::<T>().unwrap()
}

/// All numbers of all arrays of a file, as text.
fn contents(path: &Path) -> Vec<(String, Vec<usize>, Vec<u8>)> {
    let file = H5File::open(path).unwrap();
    let read = |name: String| {
        let dataset = file.dataset(&name).unwrap();
        let bytes = if dataset.total_elements() == 0 { Vec::new() } else { dataset.read_raw_bytes().unwrap() };
        (name, dataset.shape(), bytes)
    };
    let mut names = file.dataset_names();
    names.sort();
    names.into_iter().map(read).collect()
}

fn same_results(a: &Path, b: &Path) {
    for file in ["bodies.vtkhdf", "contacts.vtkhdf"] {
        let (left, right) = (contents(&a.join(file)), contents(&b.join(file)));
        assert_eq!(left.len(), right.len());
        for (l, r) in left.iter().zip(&right) {
            assert!(l == r, "{file}: {} {:?} / {} {:?}", l.0, l.1, r.0, r.1);
        }
    }
    for file in [frames::FILE, history::FILE, manifest::FILE] {
        assert!(fs::read(a.join(file)).unwrap() == fs::read(b.join(file)).unwrap(), "{file}");
    }
}

#[test]
fn a_run_is_read_back() {
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene) = (tmp.path().join("small.results"), solid_scene());
    let states: Vec<State<3>> = (0..4).map(solid_state).collect();
    let mut results = Results::create(&dir, false, &scene, &run(tmp.path())).unwrap();
    write_steps(&mut results, &scene, &states);
    results.finish(Progress::Finished, &serde_json::json!({ "worst residual": 1e-9 })).unwrap();

    let manifest = open(&dir).unwrap();
    assert_eq!((manifest.status, manifest.dimension, manifest.bodies), (Progress::Finished, 3, 6));
    assert_eq!(manifest.summary["worst residual"], 1e-9);
    assert_eq!(fs::read_to_string(scene_file(&dir).unwrap()).unwrap(), "title = 'small'\n");
    assert_eq!(read_frame::<3>(&dir, 0.21).unwrap(), states[2]);
    assert_eq!(History::read(&dir).unwrap().column("kinetic energy").unwrap()[3], states[3].ledger.friction);
    assert!(!dir.join("lock").exists());
}

#[test]
fn paraview_files_hold_the_right_numbers() {
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene) = (tmp.path().join("r"), solid_scene());
    let states: Vec<State<3>> = (0..4).map(solid_state).collect();
    let mut results = Results::create(&dir, false, &scene, &run(tmp.path())).unwrap();
    write_steps(&mut results, &scene, &states);

    let times: Vec<f64> = states.iter().map(|s| s.time).collect();
    for file in ["bodies.vtkhdf", "contacts.vtkhdf"] {
        assert_eq!(values::<f64>(&dir, file, "VTKHDF/Steps/Values"), times);
    }
    let position = values::<f64>(&dir, "bodies.vtkhdf", "Cairn/position");
    let spin = values::<f64>(&dir, "bodies.vtkhdf", "Cairn/spin");
    assert_eq!(position[3 * 6 * 3 + 3..][..3], *states[3].motions[1].place.centre.as_slice());
    assert_eq!(spin[2 * 6 * 3..][..3], *states[2].motions[0].spin.as_slice());

    let offsets = values::<i64>(&dir, "contacts.vtkhdf", "VTKHDF/Steps/PointDataOffsets/force");
    assert_eq!(offsets, [0, 0, 2, 6]);
    let force = values::<f64>(&dir, "contacts.vtkhdf", "VTKHDF/PointData/force");
    let normal = values::<f64>(&dir, "contacts.vtkhdf", "VTKHDF/PointData/normal_force");
    let tangential = values::<f64>(&dir, "contacts.vtkhdf", "VTKHDF/PointData/tangential_force");
    let contact = 6 + 4;
    let expected = states[3].reactions[4].impulse / states[3].last_step;
    assert!((Vect::<3>::from_column_slice(&force[3 * contact..][..3]) - expected).norm() < 1e-12);
    assert!((normal[contact].hypot(tangential[contact]) - expected.norm()).abs() < 1e-12);
    let speed = values::<f32>(&dir, "bodies.vtkhdf", "VTKHDF/CellData/speed");
    let cells = speed.len() / states.len();
    let owners = values::<i32>(&dir, "bodies.vtkhdf", "VTKHDF/CellData/body");
    for (k, &body) in owners.iter().enumerate() {
        assert_eq!(speed[2 * cells + k], states[2].motions[body as usize].velocity.norm() as f32);
    }
}

#[test]
fn paraview_is_told_what_to_show_first() {
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene) = (tmp.path().join("r"), solid_scene());
    let mut results = Results::create(&dir, false, &scene, &run(tmp.path())).unwrap();
    // Also after the file was opened again.
    write_steps(&mut results, &scene, &[solid_state(0), solid_state(1)]);
    let role = |file: &str, array: &str| {
        let dataset = H5File::open(dir.join(file)).unwrap().dataset(array).unwrap();
        dataset.attr("Attribute").unwrap().read_string().unwrap()
    };
    assert_eq!(role("bodies.vtkhdf", "VTKHDF/CellData/speed"), "Scalars");
    assert_eq!(role("bodies.vtkhdf", "VTKHDF/CellData/velocity"), "Vectors");
    assert_eq!(role("contacts.vtkhdf", "VTKHDF/PointData/normal_force"), "Scalars");
    assert_eq!(role("contacts.vtkhdf", "VTKHDF/PointData/force"), "Vectors");
}

/// Kills a run after `done` states (checkpoint at state 2), resumes it, compares it to one that went through.
fn resumed_equals_uninterrupted(done: usize, damage: impl Fn(&Path)) {
    let tmp = tempfile::tempdir().unwrap();
    let (whole, broken, scene) = (tmp.path().join("whole"), tmp.path().join("broken"), flat_scene());
    let states: Vec<State<2>> = (0..7).map(flat_state).collect();
    let run = run(tmp.path());
    let mut results = Results::create(&whole, false, &scene, &run).unwrap();
    write_steps(&mut results, &scene, &states);
    results.finish(Progress::Finished, &"good").unwrap();

    let mut results = Results::create(&broken, false, &scene, &run).unwrap();
    write_steps(&mut results, &scene, &states[..3]);
    results.checkpoint(&states[2]).unwrap();
    write_steps(&mut results, &scene, &states[3..done]);
    drop(results);
    damage(&broken);
    let (mut results, restored) = Results::resume(&broken, &scene, &run.columns, &[]).unwrap();
    assert_eq!(restored.unwrap().state, states[2]);
    write_steps(&mut results, &scene, &states[3..]);
    results.finish(Progress::Finished, &"good").unwrap();
    same_results(&whole, &broken);
}

#[test]
fn a_resumed_run_leaves_the_same_files() {
    resumed_equals_uninterrupted(3, |_| {});
    resumed_equals_uninterrupted(6, |_| {});
}

#[test]
fn torn_files_are_mended_on_resume() {
    resumed_equals_uninterrupted(5, |dir| {
        let states = dir.join(frames::FILE);
        let bytes = fs::read(&states).unwrap();
        fs::write(&states, &bytes[..bytes.len() - 100]).unwrap();
        fs::remove_file(dir.join("contacts.vtkhdf")).unwrap();
        let bodies = dir.join("bodies.vtkhdf");
        let bytes = fs::read(&bodies).unwrap();
        fs::write(&bodies, &bytes[..bytes.len() / 2]).unwrap();
    });
}

#[test]
fn a_state_is_not_stored_twice() {
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene) = (tmp.path().join("r"), flat_scene());
    let run = run(tmp.path());
    let mut results = Results::create(&dir, false, &scene, &run).unwrap();
    write_steps(&mut results, &scene, &[flat_state(0), flat_state(1)]);
    results.checkpoint(&flat_state(1)).unwrap();
    drop(results);
    let (mut results, restored) = Results::resume(&dir, &scene, &run.columns, &[]).unwrap();
    write_steps(&mut results, &scene, &[restored.unwrap().state]);
    assert_eq!(times::<2>(&dir).unwrap().len(), 2);
    assert_eq!(History::read(&dir).unwrap().rows.len(), 2);
}

#[test]
fn refusals() {
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene, run) = (tmp.path().join("r"), flat_scene(), run(tmp.path()));
    let results = Results::create(&dir, false, &scene, &run).unwrap();
    assert!(matches!(Results::create(&dir, false, &scene, &run), Err(Error::Exists { .. })));
    assert!(matches!(Results::create(&dir, true, &scene, &run), Err(Error::Locked { .. })));
    drop(results);
    let (mut results, restored) = Results::resume(&dir, &scene, &run.columns, &[]).unwrap();
    assert!(restored.is_none(), "it begins again: nothing was stored");
    write_steps(&mut results, &scene, &[flat_state(0), flat_state(1)]);
    drop(results);
    assert!(matches!(Results::resume(&dir, &scene, &run.columns, &[]), Err(Error::NoCheckpoint { .. })));
    Results::create(&dir, true, &scene, &run).unwrap();
    let file = tmp.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Results::create(&file.join("r"), false, &scene, &run), Err(Error::Io { .. })));
}

/// Cost of storing a state, best of a few: 8000 spheres with 20 000 contacts, and the thousandth state of a small run.
#[test]
#[ignore = "a measurement"]
fn cost() {
    let tmp = tempfile::tempdir().unwrap();
    let run = run(tmp.path());
    let balls = scene::<3>(vec![Shape::Ball(Ball { radius: 0.5 }); 8000], Vect::<3>::repeat(0.2));
    let mut results = Results::create(&tmp.path().join("large"), false, &balls, &run).unwrap();
    let states: Vec<State<3>> = (0..8).map(|k| state(8000, 20_000, k)).collect();
    println!("large {:.2} ms", 1e3 * best_time(&mut results, &balls, &states));
    let small = flat_scene();
    let mut results = Results::create(&tmp.path().join("small"), false, &small, &run).unwrap();
    let states: Vec<State<2>> = (0..1000).map(|k| state(6, 20, k)).collect();
    println!("small, first {:.2} ms", 1e3 * best_time(&mut results, &small, &states[..8]));
    best_time(&mut results, &small, &states[8..992]);
    println!("small, last {:.2} ms", 1e3 * best_time(&mut results, &small, &states[992..]));
}

fn best_time<const D: usize>(results: &mut Results<D>, scene: &Scene<D>, states: &[State<D>]) -> f64
where
    Space<D>: Ambient<D>,
{
    let time = |s: &State<D>| {
        let start = Instant::now();
        results.append(scene, s).unwrap();
        start.elapsed().as_secs_f64()
    };
    states.iter().map(time).fold(f64::INFINITY, f64::min)
}

/// Writes results to look at with other programs (see `crates/cairn/tests/vtk`) into the folder `CAIRN_SAMPLES`.
#[test]
#[ignore = "writes files for another program"]
fn samples() {
    let dir = PathBuf::from(std::env::var("CAIRN_SAMPLES").expect("the folder to write to"));
    fs::create_dir_all(&dir).unwrap();
    let run = run(&dir);
    let (flat, solid) = (flat_scene(), solid_scene());
    let mut results = Results::create(&dir.join("flat"), true, &flat, &run).unwrap();
    write_steps(&mut results, &flat, &(0..5).map(flat_state).collect::<Vec<_>>());
    let mut results = Results::create(&dir.join("solid"), true, &solid, &run).unwrap();
    write_steps(&mut results, &solid, &(0..5).map(solid_state).collect::<Vec<_>>());
    let many = scene::<3>(vec![Shape::Ball(Ball { radius: 0.5 }); 5001], Vect::<3>::repeat(0.2));
    let mut results = Results::create(&dir.join("many"), true, &many, &run).unwrap();
    write_steps(&mut results, &many, &(0..6).map(|k| state(5001, 800 * (k * k % 4), k)).collect::<Vec<_>>());
    let few = scene::<3>(vec![Shape::Ball(Ball { radius: 0.5 }); 3], Vect::<3>::repeat(0.2));
    let mut results = Results::create(&dir.join("free"), true, &few, &run).unwrap();
    write_steps(&mut results, &few, &(0..3).map(|k| state(3, 0, k)).collect::<Vec<_>>());
}
