//! Steps that do not converge: the scene says what happens, and the summary says how often it did.

use crate::program::{Bench, assert_same_results};
use crate::scenes::tower;
use std::f64::consts::TAU;
use std::path::Path;

/// A column of the history.
fn column(dir: &Path, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(dir.join("history.csv")).unwrap();
    let titles = text.lines().next().unwrap().split(',');
    let k = titles.clone().position(|t| t.starts_with(name)).unwrap();
    text.lines().skip(1).map(|l| l.split(',').nth(k).unwrap().parse().unwrap()).collect()
}

fn summary(dir: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(dir.join("run.json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["summary"].clone()
}

#[test]
fn stop_ends_the_run_and_names_the_contact() {
    let bench = Bench::with(&tower("stop", 1));
    let told = bench.call("run s.toml -q -o out");
    told.failed_with(&["did not converge", "after 1 sweeps", "tower#", "on_failure = \"stop\""]);
    bench.must("picture out");
    bench.must("plot out");
}

/// The exit code tells a broken contract, unless the scene accepts it; the summary names margin, bodies and time in both cases.
#[test]
fn a_broken_contract_has_its_own_exit_code() {
    let bench = Bench::with(&tower("accept", 1));
    let told = bench.call("run s.toml -o strict --set accuracy.accept=false");
    assert_eq!(told.code, Some(3), "{}{}", told.out, told.err);
    assert!(told.out.contains("contract  BROKEN") && told.out.contains("penetration broken"), "{}", told.out);
    let told = bench.must("run s.toml -o lenient");
    assert!(told.out.contains("which the scene accepts") && told.out.contains("between tower#"), "{}", told.out);
}

#[test]
fn accept_counts_in_the_summary() {
    let bench = Bench::with(&tower("accept", 1));
    let told = bench.must("run s.toml -o out");
    let n = summary(&bench.path("out"))["unconverged_steps"].as_u64().unwrap();
    assert!(n > 50, "{n}");
    assert!(told.out.contains(&format!("{n} steps did not converge; the worst is step")), "{}", told.out);
    assert!(summary(&bench.path("out"))["energy_balance_error"].as_f64().unwrap().abs() < 1e-10);
}

#[test]
fn halving_keeps_time_driven_motion_and_energies() {
    for (theta, max_sweeps) in [(0.5, 60), (0.7, 60), (1.0, 60)] {
        let bench = Bench::with(&tower("halve_step", max_sweeps));
        bench.must(&format!("run s.toml -q -o out --set time.theta={theta}"));
        let dir = bench.path("out");
        let sweeps = column(&dir, "sweeps");
        assert!(sweeps.iter().any(|&s| s > max_sweeps as f64), "no step was halved: {sweeps:?}");
        let time = column(&dir, "time");
        assert!(time.iter().enumerate().all(|(k, &t)| t == k as f64 * 1e-3), "{time:?}");
        assert!(summary(&dir)["energy_balance_error"].as_f64().unwrap().abs() < 1e-10);
        let states = cairn::output::times::<2>(&dir).unwrap();
        assert_eq!(states, time);
        // The shifted configuration of the next step is on the prescribed motion.
        let frame = cairn::output::read_frame::<2>(&dir, 1.0).unwrap();
        let (table, ahead) = (&frame.motions[0], (1.0 - theta) * frame.last_step);
        let reached = table.place.centre.x + ahead * table.velocity.x;
        let wanted = 0.01 * (TAU * 7.0 * (0.1 + ahead)).sin();
        assert!((reached - wanted).abs() < 1e-14, "θ = {theta}: {reached} instead of {wanted}");
    }
}

#[test]
fn halved_steps_survive_a_restart() {
    let bench = Bench::with(&tower("halve_step", 60));
    bench.must("run s.toml -q -o whole");
    bench.must("run s.toml -q -o parts --set time.end=0.037");
    bench.must("resume parts -q --end 0.1");
    assert_same_results(&bench.path("whole"), &bench.path("parts"));
}
