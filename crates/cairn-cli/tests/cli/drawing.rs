//! Pictures, films and plots from the command line.

use crate::program::Bench;
use crate::scenes;
use std::fs;

fn finished() -> Bench {
    let bench = Bench::with(&scenes::few_grains());
    bench.must("run s.toml -q -o out");
    bench
}

#[test]
fn every_plot_is_made_with_its_numbers() {
    let bench = finished();
    let list = bench.must("plot --list").out;
    let names: Vec<&str> = list.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() >= 9, "{list}");
    // Nothing is driven or named in resultants, and too few grains touch for a tail.
    for name in names.iter().filter(|n| **n != "resultants") {
        bench.must(&format!("plot out {name} --csv -o {name}.svg"));
        assert!(fs::read_to_string(bench.path(&format!("{name}.svg"))).unwrap().starts_with("<?xml"), "{name}");
        if *name != "history" {
            let table = fs::read_to_string(bench.path(&format!("{name}.csv"))).unwrap();
            assert!(table.lines().count() > 2 && table.starts_with("quantity,series,"), "{name}: {table}");
        }
    }
    bench.must("plot out out energies -o both.svg");
    bench.call("plot out resultants").failed_with(&["nothing of this kind"]);
    bench.call("plot out enrgies").failed_with(&["enrgies", "neither a folder nor a plot"]);
}

#[test]
fn films_are_gif_or_numbered_pictures() {
    let bench = finished();
    bench.must("film out -q --width 200 --every 2 --field speed -o film.gif");
    let gif = fs::read(bench.path("film.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3B]));
    bench.must("film out -q --width 200 --to 0.02 -o frames");
    assert!(bench.path("frames/frame-00000.png").exists() && bench.path("frames/frame-00002.png").exists());
    bench.call("film out -q --from 99 -o none.gif").failed_with(&["no stored state between"]);
    bench.call("film out -q -o film.avi").failed_with(&[".avi"]);
    let mut without_path = bench.command("film out -q --width 200 -o film.mp4");
    let told = crate::program::Told::from(without_path.env("PATH", "/nowhere").output().unwrap());
    told.failed_with(&["ffmpeg"]);
}

#[test]
fn options_of_pictures_are_checked() {
    let bench = finished();
    bench
        .must("picture out --field speed --range 0:2 --colours cividis --split --contacts --hide box* --dark -o p.svg");
    bench.call("picture out --range 2:1").failed_with(&["LOW:HIGH"]);
    bench.call("picture out --log --range 0:1").failed_with(&["above zero"]);
    bench.call("picture out --colours jet").failed_with(&["jet", "viridis"]);
    bench.call("picture out --bodies stones").failed_with(&["stones", "grains"]);
}
