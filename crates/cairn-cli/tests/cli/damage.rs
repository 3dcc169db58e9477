//! Results folders that lost something: what is missing is said, what is left is used.

use crate::program::{Bench, assert_same_results};
use crate::scenes;
use std::fs;

fn finished() -> Bench {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out");
    bench
}

fn cut_in_half(bench: &Bench, file: &str) {
    let path = bench.path(file);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
}

#[test]
fn a_truncated_checkpoint_falls_back_to_the_one_before() {
    let bench = finished();
    bench.must("run s.toml -q -o whole");
    cut_in_half(&bench, "out/checkpoint");
    let told = bench.must("resume out");
    assert!(told.err.contains("warning") && told.err.contains("previous checkpoint"), "{}", told.err);
    assert_same_results(&bench.path("whole"), &bench.path("out"));
}

#[test]
fn two_truncated_checkpoints() {
    let bench = finished();
    cut_in_half(&bench, "out/checkpoint");
    cut_in_half(&bench, "out/checkpoint.previous");
    bench.call("resume out").failed_with(&["no usable checkpoint"]);
    bench.must("picture out");
}

#[test]
fn missing_files_are_named() {
    for file in ["history.csv", "states.cairn", "run.json"] {
        let bench = finished();
        fs::remove_file(bench.path("out").join(file)).unwrap();
        for command in ["resume out", "picture out", "plot out"] {
            bench.call(command).failed_with(&[file, "missing"]);
        }
    }
    let bench = finished();
    fs::remove_dir_all(bench.path("out/scene")).unwrap();
    bench.call("resume out").failed_with(&["scene"]);
    bench.call("picture out").failed_with(&["scene"]);
    for command in ["resume", "picture", "plot"] {
        bench.call(&format!("{command} none")).failed_with(&["none", "missing"]);
        bench.call(&format!("{command} s.toml")).failed_with(&["s.toml"]);
    }
}

#[test]
fn garbage_is_told_from_results() {
    for file in ["states.cairn", "run.json", "history.csv"] {
        let bench = finished();
        fs::write(bench.path("out").join(file), "garbage \u{1F5FF} ".repeat(100)).unwrap();
        bench.call("resume out").failed_with(&[file]);
        match file {
            "history.csv" => bench.call("plot out").failed_with(&[file]),
            _ => bench.call("picture out").failed_with(&[file]),
        }
    }
}

#[test]
fn a_flipped_bit_in_a_checkpoint_is_noticed() {
    let bench = finished();
    for file in ["out/checkpoint", "out/checkpoint.previous"] {
        let mut bytes = fs::read(bench.path(file)).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(bench.path(file), bytes).unwrap();
    }
    bench.call("resume out").failed_with(&["no usable checkpoint"]);
}

#[test]
fn no_stored_state() {
    let bench = finished();
    fs::write(bench.path("out/states.cairn"), "").unwrap();
    bench.call("picture out").failed_with(&["no stored state"]);
}

#[test]
fn broken_paraview_files_are_rebuilt() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out --set time.end=0.049");
    cut_in_half(&bench, "out/bodies.vtkhdf");
    fs::write(bench.path("out/contacts.vtkhdf"), "garbage").unwrap();
    bench.must("resume out --end 0.07");
    bench.must("run s.toml -q -o whole --set time.end=0.07");
    let size = |dir: &str, file: &str| fs::metadata(bench.path(dir).join(file)).unwrap().len();
    for file in ["bodies.vtkhdf", "contacts.vtkhdf"] {
        assert_eq!(size("out", file), size("whole", file), "{file}");
    }
}

#[test]
fn wrong_options() {
    let bench = finished();
    bench.call("picture out --field colour").failed_with(&["colour"]);
    bench.call("picture out --camera up").failed_with(&["--camera"]);
    bench.call("picture out -o picture.docx").failed_with(&["picture.docx"]);
    bench.call("resume out --end nan").failed_with(&["end"]);
    bench.call("resume out --end=-1").failed_with(&["end"]);
}
