//! Bad input: an error that helps, a non-zero exit code, never a panic.

use crate::program::{Bench, Told};
use crate::scenes;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = Bench::with(&scenes::few_grains());
    for args in ["schema", "check s.toml", "verify --list", "bench --list"] {
        let mut child = bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        // The reader goes away after the first line.
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told = Told::from(child.wait_with_output().unwrap());
        assert_eq!(told.code, Some(0), "cairn {args}: {}", told.err);
    }
}

#[test]
fn all_errors_of_a_scene_at_once_with_their_lines() {
    let scene = scenes::few_grains()
        .replace("friction = { static", "friction = { sttic")
        .replace("density = 2500", "density = \"heavy\"")
        .replace("kind = \"box\"", "kind = \"bxo\"");
    let bench = Bench::with(&scene);
    let line_of = |text: &str| 1 + scene.lines().position(|l| l.contains(text)).unwrap();
    for command in ["check s.toml", "run s.toml"] {
        let told = bench.call(command);
        for text in ["sttic", "heavy", "bxo"] {
            told.failed_with(&[&format!("s.toml:{}", line_of(text))]);
        }
        told.failed_with(&["static", "a number", "box"]);
    }
    assert!(!bench.path("s.results").exists(), "a bad scene leaves no folder");
}

#[test]
fn overlapping_bodies_are_refused_by_name() {
    let scene = scenes::tower("accept", 1000).replace("step = [0.01, 0.2]", "step = [0.01, 0.15]");
    let bench = Bench::with(&scene);
    bench.call("check s.toml").failed_with(&["tower#0", "tower#1", "allow_overlap"]);
    bench.call("run s.toml").failed_with(&["tower#0", "tower#1", "allow_overlap"]);
}

#[test]
fn wrong_overrides() {
    let bench = Bench::with(&scenes::few_grains());
    bench.call("check s.toml --set time.stp=1e-4").failed_with(&["time.stp", "step"]);
    bench.call("check s.toml --set tme.step=1e-4").failed_with(&["tme", "time"]);
    bench.call("check s.toml --set time.step=fast").failed_with(&["time.step"]);
    bench.call("check s.toml --set time.step=nan").failed_with(&["time.step"]);
    bench.call("check s.toml --set time.step=-1").failed_with(&["time.step"]);
    assert_eq!(bench.call("check s.toml --set time.step").code, Some(2));
    let told = bench.must("check s.toml --set time.step=5e-4");
    assert!(told.out.contains("grains"), "{}", told.out);
}

#[test]
fn files_that_are_not_scenes() {
    let bench = Bench::with("dimension = 2\n[time\n");
    bench.call("check s.toml").failed_with(&["s.toml:2"]);
    for command in ["check", "run"] {
        bench.call(&format!("{command} none.toml")).failed_with(&["none.toml"]);
        bench.call(&format!("{command} .")).failed_with(&["is a folder without a scene.toml"]);
    }
    std::fs::write(bench.path("b.toml"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    bench.call("check b.toml").failed_with(&["UTF-8"]);
    std::fs::write(bench.path("e.toml"), "").unwrap();
    bench.call("check e.toml").failed_with(&["dimension"]);
}

#[test]
fn a_run_that_blows_up_names_body_and_step() {
    let bench = Bench::with(scenes::BLOWS_UP);
    std::fs::write(bench.path("force.csv"), "0,0\n0.002,0\n0.003,1e59\n").unwrap();
    bench.call("run s.toml -q -o out").failed_with(&["balls#1", "step 3", "cairn picture out"]);
    bench.must("picture out");
    bench.must("plot out");
}

#[test]
fn verify_and_bench_know_their_names() {
    let bench = Bench::with("");
    bench.call("verify A99").failed_with(&["A99"]);
    bench.call("bench speheres").failed_with(&["speheres"]);
}

/// As a program calls it that has no process of its own for it: more than once, and without an end of the process.
#[test]
fn the_command_line_is_a_function_with_an_exit_code() {
    let bench = Bench::with(&scenes::few_grains());
    let scene = bench.path("s.toml").display().to_string();
    let out = bench.path("out").display().to_string();
    assert_eq!(cairn_cli::main_from(["cairn", "check", &scene]), cairn_cli::SUCCESS);
    for overwrite in [None, Some("--overwrite")] {
        let run = ["cairn", "run", &scene, "-q", "-o", &out, "--set", "time.end=0.002"].into_iter().chain(overwrite);
        assert_eq!(cairn_cli::main_from(run), cairn_cli::SUCCESS);
    }
    assert_eq!(cairn_cli::main_from(["cairn", "check", "none.toml"]), cairn_cli::FAILURE);
    assert_eq!(cairn_cli::main_from(["cairn", "fly"]), 2);
    assert_eq!(cairn_cli::main_from(["cairn", "--version"]), cairn_cli::SUCCESS);
}

#[test]
fn a_folder_stands_for_the_scene_in_it() {
    let bench = Bench::with(&scenes::few_grains());
    std::fs::create_dir(bench.path("grains")).unwrap();
    bench.call("check grains").failed_with(&["grains is a folder without a scene.toml"]);
    std::fs::rename(bench.path("s.toml"), bench.path("grains/scene.toml")).unwrap();
    bench.must("check grains");
    bench.must("run grains -q --set time.end=2e-3");
    bench.call("run grains.results").failed_with(&["results of a run", "cairn resume"]);
    std::fs::write(bench.path("afile"), "").unwrap();
    bench.call("run grains -q -o afile").failed_with(&["afile is a file"]);
    bench.call("resume afile").failed_with(&["afile is a file"]);
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read() {
    let bench = Bench::with(&scenes::few_grains());
    assert!(std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    for command in ["check /dev/zero", "run pipe", "solve /dev/zero", "solve pipe"] {
        bench.call(command).failed_with(&["not a file"]);
    }
}

/// A scene may come from anywhere: what it says must not clear the screen, or write what looks like an answer.
#[test]
fn a_terminal_does_not_obey_a_scene() {
    let scene = scenes::few_grains();
    let titled = scene.replacen("title = \"", "title = \"\\u001b[2J\\u0007", 1);
    let named = scene.replacen("name = \"grains\"", "name = \"gr\\u001bains\"", 1);
    let raw = scene.replacen("step = 1e-3", "step = \"\u{1b}[2J\"", 1);
    let key = scene.replacen("count =", "\"co\\u001bunt\" = 1\ncount =", 1);
    for scene in [titled, named, raw, key] {
        let bench = Bench::with(&scene);
        for command in ["check s.toml", "run s.toml --log --set time.end=3e-3"] {
            let told = bench.call(command);
            let harmless = |text: &str| !text.contains(['\u{1b}', '\u{7}']);
            assert!(harmless(&told.out) && harmless(&told.err), "{command}: {:?} {:?}", told.out, told.err);
        }
    }
}
