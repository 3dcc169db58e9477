//! `cairn study`: a block on an incline of 30° with several coefficients of friction, and the one at which it begins to slide.

use crate::program::Bench;
use std::fs;

const INCLINE: &str = r#"
dimension = 2
gravity = { acceleration = [4.905, -8.495709] }
time = { step = 1e-3, end = 0.1 }
materials.stone = { density = 2500 }
contact = [{ between = "any", friction = 0.5 }]
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "block"
material = "stone"
shape = { kind = "rectangle", size = [0.4, 0.1] }
position = [0, 0.05]
"#;

/// Rows of the table, with the columns' names first.
fn table(bench: &Bench, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(bench.path(name).join("table.csv")).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_grid_has_a_row_for_each_run_and_goes_on_where_it_was() {
    let bench = Bench::with(INCLINE);
    let study = "scene = \"s.toml\"\n[[vary]]\nkey = \"contact.0.friction\"\nvalues = [0.2, 0.8]\n\
                 [[vary]]\nkey = \"time.end\"\nvalues = [0.1, 0.2]\n[[column]]\nname = \"energy\"\nof = \"kinetic energy\"\ntake = \"last\"\n";
    fs::write(bench.path("grid.toml"), study).unwrap();
    bench.must("study grid.toml");
    let rows = table(&bench, "grid.study");
    assert_eq!(rows.len(), 5, "{rows:?}");
    let energy = rows[0].iter().position(|title| title.starts_with("energy")).unwrap();
    // ½ m v², v = g (sin α − μ cos α) t; with μ = 0.8 it stays.
    for (row, (mu, end)) in rows[1..].iter().zip([(0.2, 0.1), (0.2, 0.2), (0.8, 0.1), (0.8, 0.2)]) {
        let speed = (4.905 - mu * 8.495709f64).max(0.0) * end;
        let (found, expected) = (row[energy].parse::<f64>().unwrap(), 0.5 * 100.0 * speed * speed);
        assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "μ = {mu}, {end} s: {found} J, {expected}");
    }
    let last = bench.path("grid.study").join("004/checkpoint");
    let written = fs::metadata(&last).unwrap().modified().unwrap();
    bench.must("study grid.toml");
    assert_eq!(table(&bench, "grid.study"), rows);
    assert_eq!(fs::metadata(&last).unwrap().modified().unwrap(), written, "a finished run is kept");
}

#[test]
fn a_search_finds_the_friction_at_which_a_block_begins_to_slide() {
    let bench = Bench::with(INCLINE);
    let study = "scene = \"s.toml\"\n[bisect]\nkey = \"contact.0.friction\"\nlow = 0.2\nhigh = 1\ntolerance = 1e-3\n\
                 of = \"kinetic energy\"\ntake = \"last\"\nlimit = 1e-9\n";
    fs::write(bench.path("limit.toml"), study).unwrap();
    let told = bench.must("study limit.toml");
    let last = table(&bench, "limit.study").pop().unwrap();
    let bracket: Vec<f64> = last.iter().filter_map(|cell| cell.parse().ok()).collect();
    let tangent = 30f64.to_radians().tan();
    let near = bracket.iter().filter(|x| (**x - tangent).abs() < 1e-3).count();
    assert!(near >= 2, "{last:?} {}", told.out);
}

#[test]
fn a_key_that_is_not_there_is_told_before_any_run() {
    let bench = Bench::with(INCLINE);
    fs::write(bench.path("bad.toml"), "scene = \"s.toml\"\n[[vary]]\nkey = \"contact.0.fricton\"\nvalues = [0.2]\n")
        .unwrap();
    bench.call("study bad.toml").failed_with(&["fricton", "friction"]);
    assert!(!bench.path("bad.study").join("001").exists());
}
