//! Where results go, and that old ones are safe.

use crate::program::{Bench, files};
use crate::scenes;
use std::fs;

#[test]
fn a_run_leaves_a_complete_folder_and_says_how_it_went() {
    let bench = Bench::with(&scenes::few_grains());
    let told = bench.must("run s.toml");
    let mut names: Vec<String> =
        fs::read_dir(bench.path("s.results")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "bodies.vtkhdf",
        "checkpoint",
        "checkpoint.previous",
        "contacts.vtkhdf",
        "history.csv",
        "history.svg",
        "picture.png",
        "run.json",
        "scene",
        "states.cairn",
    ];
    assert_eq!(names, expected);
    for words in [
        "done at t = 0.05",
        "50 steps",
        "energy balance",
        "every step reached the solver's tolerance",
        "contract  kept",
        "s.results",
    ] {
        assert!(told.out.contains(words), "{words:?} is not in:\n{}", told.out);
    }
    let manifest = fs::read_to_string(bench.path("s.results/run.json")).unwrap();
    assert!(manifest.contains("finished"), "{manifest}");
    let rows = fs::read_to_string(bench.path("s.results/history.csv")).unwrap().lines().count();
    assert_eq!(rows, 52, "a title, the start and 50 steps");
}

#[test]
fn quiet_says_nothing_and_log_says_lines() {
    let bench = Bench::with(&scenes::few_grains());
    let told = bench.must("run s.toml -q");
    assert_eq!((told.out.as_str(), told.err.as_str()), ("", ""));
    let told = bench.must("run s.toml --log");
    assert!(told.out.contains("done at t"), "{}", told.out);
}

#[test]
fn a_second_run_gets_a_folder_of_its_own() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q");
    let before = files(&bench.path("s.results"));
    bench.must("run s.toml -q");
    bench.must("run s.toml -q");
    assert_eq!(files(&bench.path("s.results")), before);
    assert!(bench.path("s-2.results/checkpoint").exists() && bench.path("s-3.results/checkpoint").exists());
}

#[test]
fn a_named_folder_is_replaced_only_when_told_to() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out");
    let before = files(&bench.path("out"));
    bench.call("run s.toml -q -o out").failed_with(&["holds the results of a run", "--overwrite", "cairn resume"]);
    assert_eq!(files(&bench.path("out")), before);
    bench.must("run s.toml -q -o out --overwrite --set time.end=0.02");
    assert_ne!(files(&bench.path("out")), before);
    let rows = fs::read_to_string(bench.path("out/history.csv")).unwrap().lines().count();
    assert_eq!(rows, 22);
}

#[test]
fn overwriting_the_default_folder_makes_no_second_one() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q");
    bench.must("run s.toml -q --overwrite --set time.end=0.02");
    assert!(!bench.path("s-2.results").exists());
}

#[test]
fn a_folder_with_other_files_is_never_touched() {
    let bench = Bench::with(&scenes::few_grains());
    fs::create_dir(bench.path("thesis")).unwrap();
    fs::write(bench.path("thesis/chapter.tex"), "precious").unwrap();
    for overwrite in ["", " --overwrite"] {
        bench.call(&format!("run s.toml -q -o thesis{overwrite}")).failed_with(&["not a results folder"]);
    }
    assert_eq!(files(&bench.path("thesis")).len(), 1);
}

#[test]
fn results_outlive_their_scene_file() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out --set time.end=0.03");
    fs::remove_file(bench.path("s.toml")).unwrap();
    bench.must("picture out --at 0.01 --forces");
    bench.must("plot out -o plot.png");
    assert!(bench.path("out/picture-0.007000.png").exists() && bench.path("plot.png").exists());
    bench.must("resume out --end 0.04");
}

#[test]
fn a_scene_inside_a_folder_is_not_replaced_with_it() {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out");
    let before = files(&bench.path("out"));
    bench.call("run out/scene/s.toml -q -o out --overwrite").failed_with(&["s.toml lies in out", "out-2"]);
    assert!(files(&bench.path("out")) == before, "the folder was touched");
    bench.must("run out/scene/s.toml -q -o again");
}
