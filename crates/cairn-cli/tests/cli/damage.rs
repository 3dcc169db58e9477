//! Results folders that lost something: what is missing is said, what is left is used.

use crate::program::{Bench, assert_same_results, start_of_state};
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
        bench.call("resume out").failed_with(&[file, "missing"]);
        // Pictures need no history, and plots of the history no states; both can do without the manifest.
        match file {
            "states.cairn" => bench.call("picture out").failed_with(&[file, "missing"]),
            _ => drop(bench.must("picture out")),
        }
        match file {
            "history.csv" => bench.call("plot out").failed_with(&[file, "missing"]),
            _ => drop(bench.must("plot out energies")),
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
fn a_lost_or_foreign_manifest_is_told_and_the_rest_is_shown() {
    let lost = finished();
    fs::remove_file(lost.path("out/run.json")).unwrap();
    let foreign = finished();
    let text = fs::read_to_string(foreign.path("out/run.json")).unwrap();
    let other = text.replacen("\"format\": 1", "\"format\": 99", 1);
    assert_ne!(text, other);
    fs::write(foreign.path("out/run.json"), other).unwrap();
    let garbled = finished();
    fs::write(garbled.path("out/run.json"), "{ \"format\": ").unwrap();
    for (bench, told) in [(lost, "run.json"), (foreign, "format 99"), (garbled, "damaged")] {
        for command in
            ["picture out --forces -o p.png", "plot out energies forces fabric -o plots", "film out -q -o f.gif"]
        {
            let said = bench.must(command).err;
            assert!(said.contains("warning") && said.contains(told), "{command}: {said}");
        }
        for file in ["p.png", "plots/energies.svg", "plots/forces.svg", "plots/fabric.svg", "f.gif"] {
            assert!(fs::metadata(bench.path(file)).unwrap().len() > 1000, "{file}");
        }
    }
}

#[test]
fn a_torn_history_is_plotted_up_to_the_tear() {
    let bench = finished();
    let path = bench.path("out/history.csv");
    let text = fs::read_to_string(&path).unwrap();
    let rows = text.lines().count();
    // Half a line at the end, and a line of nonsense in the middle.
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.pop().unwrap();
    lines[rows / 2] = "12,nonsense";
    fs::write(&path, lines.join("\n") + "\n" + &last[..last.len() / 2]).unwrap();
    let said = bench.must("plot out energies --csv -o e.svg").err;
    for line in [rows / 2 + 1, rows] {
        assert!(said.contains(&format!("line {line} of the history")), "{line}: {said}");
    }
    let table = fs::read_to_string(bench.path("e.csv")).unwrap();
    let kinetic = table.lines().filter(|l| l.contains("kinetic")).count();
    assert_eq!(kinetic, rows - 3, "all rows but the heading and the two that are lost");
}

#[test]
fn garbage_is_told_from_results() {
    for file in ["states.cairn", "run.json", "history.csv"] {
        let bench = finished();
        fs::write(bench.path("out").join(file), "garbage \u{1F5FF} ".repeat(100)).unwrap();
        bench.call("resume out").failed_with(&[file]);
        match file {
            "history.csv" => bench.call("plot out").failed_with(&[file]),
            "states.cairn" => bench.call("picture out").failed_with(&[file]),
            _ => assert!(bench.must("picture out").err.contains(file)),
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

#[test]
fn states_before_the_damage_are_drawn_and_the_loss_is_told() {
    // Cut in the middle of a state; another version after it; a flipped bit inside it.
    let damages: [fn(&mut Vec<u8>); 3] = [
        |b| b.truncate(start_of_state(b, 3) + 200),
        |b| {
            let at = start_of_state(b, 3);
            b[at + 8] = 99;
        },
        |b| {
            let at = start_of_state(b, 4) - 20;
            b[at] ^= 1;
        },
    ];
    let whole = finished();
    let bytes = fs::read(whole.path("out/states.cairn")).unwrap();
    for (damage, told) in damages.iter().zip(["not complete", "format 99", "checksum"]) {
        let mut bytes = bytes.clone();
        damage(&mut bytes);
        fs::write(whole.path("out/states.cairn"), bytes).unwrap();
        // The fourth state is the damaged one: what is drawn is one of the three before, or a whole neighbour.
        let picture = whole.must("picture out --at 0.021 --forces -o p.png");
        assert!(picture.err.contains("warning") && picture.err.contains(told), "{}", picture.err);
        let film = whole.must("film out -q --width 200 -o film.gif");
        assert!(film.err.contains(told), "{}", film.err);
        assert_eq!(&fs::read(whole.path("film.gif")).unwrap()[..6], b"GIF89a");
        let plot = whole.must("plot out openings energies --csv -o plots");
        assert!(plot.err.contains(told) || told == "checksum", "{}", plot.err);
    }
}

/// States were lost outside of the program: the other files still hold them, and are not written anew from what is left.
#[test]
fn lost_states_are_told_and_what_is_left_of_them_is_kept() {
    for whole in [0, 3] {
        let bench = finished();
        let states = fs::read(bench.path("out/states.cairn")).unwrap();
        let kept = if whole == 0 { 0 } else { start_of_state(&states, whole) };
        fs::write(bench.path("out/states.cairn"), &states[..kept]).unwrap();
        let left = ["states.cairn", "bodies.vtkhdf", "contacts.vtkhdf", "history.csv", "checkpoint", "run.json"];
        let bytes = |folder: &str| left.map(|file| fs::read(bench.path(folder).join(file)).unwrap());
        let before = bytes("out");
        bench.call("resume out -q --end 0.06").failed_with(&[
            "states.cairn",
            &format!("has {whole} of the"),
            "--salvage",
        ]);
        assert!(bytes("out") == before);
        // Those who know go on; nothing that was there is lost.
        let told = bench.must("resume out --salvage --end 0.06");
        assert!(told.out.contains("salvaged"), "{}", told.out);
        assert!(bytes("out/salvaged") == before);
        bench.must("resume out -q --end 0.07");
    }
}

#[test]
fn rows_that_the_history_lost_are_told() {
    let bench = finished();
    let text = fs::read_to_string(bench.path("out/history.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let holed = [&lines[..5], &lines[8..]].concat().join("\n") + "\n";
    fs::write(bench.path("out/history.csv"), holed).unwrap();
    let told = bench.must("resume out -q --end 0.06");
    assert!(told.err.contains("warning") && told.err.contains("3 rows up to step 50 are missing"), "{}", told.err);
}

#[test]
fn a_run_that_lost_its_checkpoints_and_states_does_not_begin_again() {
    let bench = finished();
    let manifest = fs::read_to_string(bench.path("out/run.json")).unwrap();
    fs::write(bench.path("out/run.json"), manifest.replace("finished", "running")).unwrap();
    for file in ["checkpoint", "checkpoint.previous"] {
        fs::remove_file(bench.path("out").join(file)).unwrap();
    }
    fs::write(bench.path("out/states.cairn"), "").unwrap();
    let before = crate::program::files(&bench.path("out"));
    bench.call("resume out -q").failed_with(&["no usable checkpoint"]);
    assert_eq!(crate::program::files(&bench.path("out")), before);
}

#[test]
fn another_scene_is_refused_and_wanted_changes_are_recorded() {
    let bench = finished();
    let file = bench.path("out/scene/s.toml");
    let text = fs::read_to_string(&file).unwrap();
    // The same bodies, and another physics.
    fs::write(&file, text.replace("dynamic = 0.4", "dynamic = 0.1")).unwrap();
    let before = crate::program::files(&bench.path("out"));
    bench.call("resume out -q --end 0.06").failed_with(&["s.toml has changed", "--set"]);
    assert_eq!(crate::program::files(&bench.path("out")), before);
    fs::write(&file, &text).unwrap();
    bench.must("resume out -q --end 0.06 --set contact[0].friction.dynamic=0.1");
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(bench.path("out/run.json")).unwrap()).unwrap();
    let change = serde_json::json!([{ "step": 50, "set": ["contact[0].friction.dynamic=0.1"] }]);
    assert_eq!((&manifest["changes"], &manifest["overrides"]), (&change, &serde_json::json!([])));
    // What was set holds when the run goes on once more: it has the bits of one that went on at once.
    bench.must("run s.toml -q -o other");
    bench.must("resume other -q --end 0.07 --set contact[0].friction.dynamic=0.1");
    bench.must("resume out -q --end 0.07");
    // The end of a checkpoint says how much had been stored, which is more for a run that ended in between.
    let state = |dir: &str| {
        let bytes = fs::read(bench.path(dir).join("checkpoint")).unwrap();
        bytes[..bytes.len() - 32].to_vec()
    };
    assert!(state("out") == state("other"));
}
