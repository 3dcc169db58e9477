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
    assert!(names.len() >= 10, "{list}");
    // Nothing is driven, measured or named in resultants, too few grains touch for a tail, and none at the start.
    let drawn = || names.iter().filter(|n| !["resultants", "fault", "measures"].contains(n));
    for name in drawn() {
        bench.must(&format!("plot out {name} --csv -o {name}.svg"));
        assert!(fs::read_to_string(bench.path(&format!("{name}.svg"))).unwrap().starts_with("<?xml"), "{name}");
        if *name != "history" {
            let table = fs::read_to_string(bench.path(&format!("{name}.csv"))).unwrap();
            let titles = if *name == "joints" { "joint,run,first body,second body," } else { "quantity,series," };
            assert!(table.lines().count() > 2 && table.starts_with(titles), "{name}: {table}");
        }
    }
    bench.must("run s.toml -q -o again");
    for name in drawn() {
        bench.must(&format!("plot out again {name} --csv -o both.svg"));
        let table = fs::read_to_string(bench.path("both.csv")).unwrap();
        for run in ["\"out", "\"again"] {
            assert!(table.lines().any(|l| l.contains(&format!(",{run}"))), "{name} has no series of {run}: {table}");
        }
    }
    // Several plots go to a folder, as SVG or PNG.
    bench.must("plot out energies fabric --png -o plots");
    assert!(fs::read(bench.path("plots/fabric.png")).unwrap().starts_with(b"\x89PNG"));
    bench.call("plot out resultants").failed_with(&["nothing of this kind"]);
    bench.call("plot out measures").failed_with(&["no [[measure]]"]);
    bench.call("plot out fault").failed_with(&["no bodies touch at the start"]);
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
fn a_plot_of_many_points_is_a_small_file() {
    let bench = finished();
    let file = bench.path("out/history.csv");
    let text = fs::read_to_string(&file).unwrap();
    let (head, names) = (text.lines().next().unwrap(), text.lines().next().unwrap().split(',').count());
    // Noise in every column, at many more times than a plot has pixels.
    let row = |k: usize| {
        let noise = |c: usize| ((k * 7919 + c * 104_729) % 1009) as f64 / 1009.0;
        let values: Vec<String> = (2..names).map(|c| format!("{:e}", 1e-9 + noise(c))).collect();
        format!("{k},{:e},{}", k as f64 * 1e-4, values.join(","))
    };
    let rows: Vec<String> = (0..30_000).map(row).collect();
    fs::write(&file, format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    bench.must("plot out penetration -o p.svg");
    let size = fs::metadata(bench.path("p.svg")).unwrap().len();
    assert!((5_000..40_000).contains(&size), "{size} bytes for one curve of noise");
}

#[test]
fn pictures_as_in_a_film_have_one_frame_and_one_scale() {
    let bench = finished();
    // Sizes of the picture follow from what it has to show.
    let size_at = |time: &str, more: &str| {
        bench.must(&format!("picture out --at {time} --field speed --width 300 {more} -o p.png"));
        let png = fs::read(bench.path("p.png")).unwrap();
        u32::from_be_bytes(png[20..24].try_into().unwrap())
    };
    assert_eq!(size_at("0", "--as-film"), size_at("9", "--as-film"));
    let scale_at = |time: &str| {
        bench.must(&format!("picture out --at {time} --field speed --width 300 --as-film -o p.svg"));
        let svg = fs::read_to_string(bench.path("p.svg")).unwrap();
        let numbers = svg.lines().filter(|l| l.starts_with("<text") && l.contains("text-anchor=\"start\""));
        numbers.filter_map(|l| Some(l.split_once('>')?.1.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(scale_at("0"), scale_at("9"));
}

#[test]
fn a_gif_is_the_same_for_any_number_of_threads() {
    let bench = finished();
    let film = |threads: &str| {
        let mut command = bench.command("film out -q --width 240 --field speed --forces -o film.gif");
        assert!(command.env("RAYON_NUM_THREADS", threads).status().unwrap().success());
        fs::read(bench.path("film.gif")).unwrap()
    };
    let frames = fs::read(bench.path("out/states.cairn")).unwrap();
    let frames = frames.windows(8).filter(|w| *w == b"CAIRN\r\n\x1a").count();
    assert!(frames > 8, "{frames} frames: more than the threads take at once, and than the palette looks at");
    let one = film("1");
    for threads in ["2", "3"] {
        assert!(film(threads) == one, "{threads} threads make another film");
    }
}

#[test]
fn a_scene_of_deformable_bodies_alone_runs_and_is_drawn() {
    let bench = finished();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/elastic-bar/scene.toml");
    bench.must(&format!("run {scene} -q -o bar --set time.end=1e-4"));
    assert!(bench.path("bar/meshes.vtkhdf").exists() && bench.path("bar/picture.png").exists());
    bench.must("picture bar --field speed -o bar.svg");
    // A palette makes the picture smaller, not another one.
    let size = |options: &str| {
        bench.must(&format!("picture bar --field speed {options} -o bar.png"));
        fs::metadata(bench.path("bar.png")).unwrap().len()
    };
    let (full, small) = (size(""), size("--palette"));
    assert!(2 * small < full + 4000 && small > 2000, "{full} {small}");
    bench.call("picture bar --palette -o bar.svg").failed_with(&["--palette"]);
    // The bar is pulled upwards along x: strain energy is plotted, and the mean stress is that of the load, on its way.
    let table = |name: &str| {
        bench.must(&format!("plot bar {name} --csv -o {name}.svg"));
        fs::read_to_string(bench.path(&format!("{name}.csv"))).unwrap()
    };
    assert!(table("energies").contains("strain energy"));
    let curve = table("stress-strain");
    let mut stresses =
        curve.lines().filter(|l| l.contains("stress x")).filter_map(|l| l.rsplit(',').next()?.parse().ok());
    let last: f64 = stresses.next_back().unwrap();
    // At 1e-4 s the front has come c t = 0.506 m: half of the bar carries the 100 MPa, in tension.
    assert!((last / -1e8 - 0.506).abs() < 0.01, "{last}");
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

#[test]
fn a_line_of_thrust_that_is_not_there_is_told() {
    let bench = finished();
    let told = bench.must("picture out --thrust --at 0");
    assert!(told.err.contains("no line of thrust") && told.err.contains("no joint carries a force"), "{}", told.err);
}
