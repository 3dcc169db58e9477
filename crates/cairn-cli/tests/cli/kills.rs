//! Kills and restarts: the files are those of a run that was never interrupted, to the last bit.

use crate::program::{Bench, assert_same_results, start_of_state, wait_for};
use crate::scenes;
use cairn::output::History;
use std::fs;
use std::time::Duration;

/// Runs a scene through, and again with kills after the given times [ms], each followed by `cairn resume`.
#[cfg(unix)]
fn survives_kills(scene: &str, delays: &[u64]) {
    let bench = Bench::with(scene);
    bench.must("run s.toml -q -o whole");
    let mut killed = bench.start("run s.toml -q -o killed");
    wait_for(&bench.path("killed/checkpoint.previous"));
    for delay in delays {
        std::thread::sleep(Duration::from_millis(*delay));
        killed.kill().unwrap();
        killed.wait().unwrap();
        killed = bench.start("resume killed -q");
    }
    killed.wait().unwrap();
    bench.must("resume killed -q");
    assert_same_results(&bench.path("whole"), &bench.path("killed"));
}

#[test]
fn killed_once_in_the_middle() {
    let bench = Bench::with(&scenes::spheres());
    bench.must("run s.toml -q -o whole");
    let mut child = bench.start("run s.toml -q -o killed");
    wait_for(&bench.path("killed/checkpoint.previous"));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "it ended before it was killed");
    let told = bench.must("resume killed");
    assert!(told.out.contains("350 steps"), "{}", told.out);
    assert_same_results(&bench.path("whole"), &bench.path("killed"));
}

#[test]
fn killed_while_the_folder_is_made() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o whole");
    let mut child = bench.start("run s.toml -q -o killed");
    wait_for(&bench.path("killed/run.json"));
    child.kill().unwrap();
    child.wait().unwrap();
    bench.must("resume killed -q");
    assert_same_results(&bench.path("whole"), &bench.path("killed"));
}

/// What is left by kills ever earlier before the first checkpoint: the first state stored, files not made.
#[test]
fn a_run_without_a_checkpoint_begins_again() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o whole");
    let first_state = || {
        bench.must("run s.toml -q -o killed --overwrite --set time.end=1e-3");
        let manifest = fs::read_to_string(bench.path("killed/run.json")).unwrap();
        let mut manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        (manifest["status"], manifest["summary"]) = ("running".into(), serde_json::Value::Null);
        (manifest["end"], manifest["overrides"]) = (0.05.into(), serde_json::json!([]));
        fs::write(bench.path("killed/run.json"), manifest.to_string()).unwrap();
        for file in ["checkpoint", "checkpoint.previous"] {
            fs::remove_file(bench.path("killed").join(file)).unwrap();
        }
        let states = fs::read(bench.path("killed/states.cairn")).unwrap();
        fs::write(bench.path("killed/states.cairn"), &states[..start_of_state(&states, 1) + 100]).unwrap();
        let history = fs::read_to_string(bench.path("killed/history.csv")).unwrap();
        let start: String = history.split_inclusive('\n').take(2).collect();
        fs::write(bench.path("killed/history.csv"), start).unwrap();
    };
    let lost = [&[][..], &["history.csv"], &["contacts.vtkhdf", "history.csv"], &["states.cairn", "history.csv"]];
    for files in lost {
        first_state();
        files.iter().for_each(|file| fs::remove_file(bench.path("killed").join(file)).unwrap());
        let told = bench.must("resume killed");
        assert!(told.out.contains("begins again"), "{}", told.out);
        assert_same_results(&bench.path("whole"), &bench.path("killed"));
    }
}

#[test]
fn a_run_that_lost_its_checkpoints_is_not_thrown_away() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out");
    for file in ["checkpoint", "checkpoint.previous"] {
        fs::remove_file(bench.path("out").join(file)).unwrap();
    }
    bench.call("resume out").failed_with(&["no usable checkpoint"]);
    bench.must("picture out");
}

#[cfg(unix)]
#[test]
fn polygons_killed_again_and_again() {
    survives_kills(&scenes::polygons(), &[0, 23, 41, 7, 60, 35, 52]);
}

#[cfg(unix)]
#[test]
fn spheres_killed_again_and_again() {
    survives_kills(&scenes::spheres(), &[3, 31, 47, 11, 64, 29]);
}

#[cfg(unix)]
#[test]
fn elastic_blocks_killed_again_and_again() {
    survives_kills(scenes::ELASTIC_BLOCKS, &[5, 37, 19, 55]);
}

#[cfg(unix)]
#[test]
fn polyhedra_killed_again_and_again() {
    survives_kills(&scenes::polyhedra(), &[5, 37, 19, 55, 43]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_after_a_checkpoint() {
    let bench = Bench::with(&scenes::polygons());
    bench.must("run s.toml -q -o whole");
    let mut child = bench.start("run s.toml -q -o stopped");
    wait_for(&bench.path("stopped/checkpoint.previous"));
    std::thread::sleep(Duration::from_millis(13));
    let interrupt = format!("kill -INT {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let manifest = std::fs::read_to_string(bench.path("stopped/run.json")).unwrap();
    assert!(manifest.contains("stopped"), "{manifest}");
    bench.must("picture stopped");
    bench.must("resume stopped -q");
    assert_same_results(&bench.path("whole"), &bench.path("stopped"));
}

/// Sends a signal.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let command = format!("kill -{name} {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_step_that_never_ends_is_stopped_with_the_state_before_it() {
    let bench = Bench::with(&scenes::vice());
    for name in ["TERM", "INT"] {
        let mut child = bench.start("run s.toml -q -o out --overwrite");
        // The first checkpoint is written before the first step.
        wait_for(&bench.path("out/checkpoint"));
        std::thread::sleep(Duration::from_millis(50));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{name}");
        let manifest = fs::read_to_string(bench.path("out/run.json")).unwrap();
        assert!(manifest.contains("stopped"), "{manifest}");
        assert_eq!(History::read(&bench.path("out")).unwrap().column("step").unwrap(), [0.0]);
    }
}

#[test]
fn a_finished_run_goes_on_to_a_later_end() {
    let bench = Bench::with(&scenes::polygons());
    bench.must("run s.toml -q -o whole --set time.end=0.21");
    bench.must("run s.toml -q -o longer --set time.end=0.07");
    let told = bench.must("resume longer");
    assert!(told.out.contains("at its end"), "{}", told.out);
    bench.must("resume longer -q --end 0.14");
    bench.must("resume longer -q --end 0.21");
    assert_same_results(&bench.path("whole"), &bench.path("longer"));
}

/// Intervals that the scene does not name are parts of the end; that of the beginning counts.
#[test]
fn a_longer_run_is_stored_at_the_intervals_that_it_began_with() {
    let scene = scenes::few_grains();
    let named = "output = { interval = 7e-3, history_interval = 1e-3, checkpoint_interval = 5e-3 }";
    let bench = Bench::with(&scene.replace(named, ""));
    bench.must("run s.toml -q -o out --set time.end=0.1");
    bench.must("resume out -q --end 0.2");
    bench.must("resume out -q --end 0.3");
    let times = History::read(&bench.path("out")).unwrap().column("time").unwrap();
    assert_eq!(times.len(), 301);
    let states = cairn::output::times::<2>(&bench.path("out")).unwrap();
    let expected: Vec<f64> = (0..=300).map(|k| f64::from(k) * 1e-3).collect();
    assert_eq!(states, expected);
}

#[test]
fn two_programs_cannot_write_to_one_folder() {
    let bench = Bench::with(&scenes::polygons());
    let mut child = bench.start("run s.toml -q -o out --set time.end=100");
    wait_for(&bench.path("out/checkpoint"));
    bench.call("resume out -q").failed_with(&["in use by another run", &child.id().to_string()]);
    bench.call("run s.toml -q -o out --overwrite").failed_with(&["in use by another run"]);
    child.kill().unwrap();
    child.wait().unwrap();
}
