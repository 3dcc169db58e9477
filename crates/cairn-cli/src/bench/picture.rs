//! What a picture costs: spheres with their force chains, drawn and written as PNG, on one thread.

use super::Measurement;
use super::states::row_of_copies;
use crate::verify::scene::solid;
use cairn::simulation::Simulation;
use cairn_draw::{self as draw, PictureOptions};
use cairn_solvers::clock::Clock;
use miette::IntoDiagnostic;

/// 4993 spheres.
pub fn few(name: &'static str) -> miette::Result<Measurement> {
    measure(name, &mut solid("packed-spheres", &[])?, 2.0)
}

/// Twenty times as many. Ten sweeps are enough for forces to draw.
pub fn many(name: &'static str) -> miette::Result<Measurement> {
    let sweeps = [("solver.max_sweeps", "10".to_string()), ("solver.on_failure", "\"accept\"".to_string())];
    let one = solid("packed-spheres", &sweeps)?.scene;
    measure(name, &mut Simulation::new(row_of_copies(&one)), 10.0)
}

/// Draws the state after two steps; `allowed` is how long that may take [s].
fn measure(name: &str, simulation: &mut Simulation<3>, allowed: f64) -> miette::Result<Measurement> {
    for _ in 0..2 {
        simulation.step().into_diagnostic()?;
    }
    let (scene, state) = (&simulation.scene, &simulation.state);
    let options = PictureOptions { forces: true, ..PictureOptions::default() };
    let clock = Clock::start();
    let picture = draw::picture(scene, &state.motions, &state.reactions, state.time, &options);
    let drawn = clock.seconds();
    let bytes = picture.png().into_diagnostic()?.len();
    let total = clock.seconds();
    let figures = [
        ("picture with force chains", total, format!("s, of {allowed} allowed")),
        ("of it drawing", drawn, "s".to_string()),
        ("size of the PNG", bytes as f64 / 1e3, "kB".to_string()),
    ];
    Ok(Measurement {
        name: name.to_string(),
        bodies: scene.bodies.iter().filter(|b| b.mass.is_finite()).count(),
        contacts: state.reactions.len() as f64,
        threads: rayon::current_num_threads(),
        extra: figures.map(|(what, value, unit)| (what.to_string(), value, unit)).into(),
        ..Measurement::default()
    })
}
