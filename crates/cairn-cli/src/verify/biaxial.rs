//! The biaxial test as an experiment: a sample of disks is compacted without friction, then sheared between smooth walls
//! with any coefficient of friction between its grains. Physics and notation are in `c2_biaxial.rs`.

use crate::examples;
use cairn::measure;
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// Strain over which the stress ratio is averaged before its largest value is taken.
const WINDOW: f64 = 0.01;
/// Force on the top wall [N].
pub const LOAD: f64 = 3300.0;
/// Least radius [m].
pub const LEAST_RADIUS: f64 = 0.65e-3;

/// Half the thickness of the top wall in the scenes [m].
const HALF_WALL: f64 = 0.002;

/// What is read off after a step.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Axial strain (L₀ − L)/L₀ [-].
    pub strain: f64,
    /// Width and height of the box [m].
    pub box_size: [f64; 2],
    /// Forces of the grains on the walls, outwards: left, bottom, right, top [N].
    pub walls: [f64; 4],
}

/// A biaxial test with one coefficient of friction.
#[derive(Clone, Debug)]
pub struct Test {
    /// Local μ.
    pub friction: f64,
    /// Step by step.
    pub records: Vec<Record>,
    /// Worst overlap [m].
    pub penetration: f64,
    /// Error of the energy balance, relative to what passed through it.
    pub balance: f64,
    /// Steps that did not converge.
    pub unconverged: u64,
}

impl Test {
    /// (strain, σ₁/σ₂), each the mean over [`WINDOW`] of strain.
    pub fn stress_ratios(&self) -> Vec<(f64, f64)> {
        let ratio = |r: &Record| (r.walls[2] / r.box_size[1]) / (LOAD / r.box_size[0]);
        let last = self.records.last().map_or(0.0, |r| r.strain);
        let count = (self.records.len() as f64 * WINDOW / last).round().max(1.0) as usize;
        let windows = self.records.windows(count).step_by(count.div_ceil(10));
        windows.map(|w| (mean(w, |r| r.strain), mean(w, ratio))).collect()
    }

    /// Global angle of friction φ at the largest σ₁/σ₂ [°].
    pub fn global_angle(&self) -> f64 {
        let largest = self.stress_ratios().into_iter().map(|(_, k)| k).fold(1.0, f64::max);
        ((largest - 1.0) / (largest + 1.0)).asin().to_degrees()
    }

    /// (strain, area over area at the start − 1).
    pub fn dilation(&self) -> Vec<(f64, f64)> {
        let area = |r: &Record| r.box_size[0] * r.box_size[1];
        let start = self.records.first().map_or(1.0, area);
        self.records.iter().map(|r| (r.strain, area(r) / start - 1.0)).collect()
    }

    /// Local angle of friction arctan μ [°].
    pub fn local_angle(&self) -> f64 {
        self.friction.atan().to_degrees()
    }

    /// Mean force on a wall [N].
    pub fn mean_force(&self, wall: usize) -> f64 {
        mean(&self.records, |r| r.walls[wall])
    }
}

fn mean(records: &[Record], value: impl Fn(&Record) -> f64) -> f64 {
    records.iter().map(value).sum::<f64>() / records.len() as f64
}

/// A sample and the scene to test it in, in a folder of its own.
pub struct Sample {
    folder: tempfile::TempDir,
    /// What is changed in the scene for this sample.
    changes: Vec<(String, String)>,
}

impl Sample {
    /// The sample of 256 disks that comes with the example.
    pub fn shipped() -> miette::Result<Self> {
        let folder = tempfile::tempdir().into_diagnostic()?;
        examples::copy("biaxial", folder.path())?;
        Ok(Self { folder, changes: Vec::new() })
    }

    /// A sample of `factor`² × 256 disks in a box `factor` times as wide and high, laid out at random with this seed and
    /// compacted now. The shipped one has seed 1.
    pub fn compacted(factor: usize, seed: u64) -> miette::Result<Self> {
        let mut sample = Self::shipped()?;
        let scale = factor as f64;
        let width = 0.032 * scale;
        let mut loose = walls(["2", "3"], width, 0.0905 * scale + HALF_WALL);
        loose.push(change("generate.0.seed", seed.to_string()));
        loose.push(change("generate.0.count", (256 * factor * factor).to_string()));
        loose.push(change("generate.0.high", format!("[{width}, {}]", 0.1 * scale)));
        loose.push(change("time.end", (0.08 * scale).to_string()));
        // The full load comes when the wall has reached the grains: a wall that flies in hits them into each other.
        loose.push(change("load.0.history.ramp.start", (0.03 * scale).to_string()));
        loose.push(change("load.0.history.ramp.end", (0.06 * scale).to_string()));
        let mut simulation = read(&sample.folder.path().join("compaction.toml"), &loose)?;
        simulation.run_to(simulation.scene.time.end).into_diagnostic()?;
        std::fs::write(sample.folder.path().join("sample.csv"), table(&simulation)).into_diagnostic()?;
        let top = body(&simulation, "top")?;
        // A hundredth of the least radius above where it ended: the grains have not settled to the last digit.
        let height = simulation.state.motions[top].place.centre.y + 0.01 * LEAST_RADIUS;
        sample.changes = walls(["3", "4"], width, height);
        sample.changes.push(change("time.end", (0.032 * scale).to_string()));
        // Relaxation needs more sweeps the more contacts there are, up to as many times more (Jean 1999).
        sample.changes.push(change("solver.max_sweeps", (10_000 * factor * factor).to_string()));
        Ok(sample)
    }

    /// The same, sheared in steps of this length [s].
    pub fn with_step(mut self, step: f64) -> Self {
        self.changes.push(change("time.step", step.to_string()));
        self
    }

    /// Shears the sample.
    pub fn test(&self, friction: f64) -> miette::Result<Test> {
        let mut changes = self.changes.clone();
        changes.push(change("contact.0.friction", friction.to_string()));
        let mut simulation = read(&self.folder.path().join("scene.toml"), &changes)?;
        let [left, bottom, right, top] = ["left", "bottom", "right", "top"].map(|name| body(&simulation, name));
        let walls = [left?, bottom?, right?, top?];
        let width = simulation.state.motions[walls[2]].place.centre.x;
        let mut records = Vec::new();
        let last = (simulation.scene.time.end / simulation.scene.time.step).round() as u64;
        while simulation.state.step < last {
            simulation.step().into_diagnostic()?;
            records.push(record(&simulation, walls, width));
        }
        let ledger = simulation.state.ledger;
        Ok(Test {
            friction,
            records,
            penetration: ledger.worst_penetration,
            balance: measure::balance_error(&simulation.scene, &simulation.state).abs(),
            unconverged: ledger.unconverged,
        })
    }
}

/// Puts the right and the top wall, given by their numbers among the bodies of a scene, where a box of this width wants them.
fn walls([right, top]: [&str; 2], width: f64, centre_of_top: f64) -> Vec<(String, String)> {
    vec![
        change(&format!("bodies.{right}.position"), format!("[{width}, 0]")),
        change(&format!("bodies.{top}.position"), format!("[{}, {centre_of_top}]", width / 2.0)),
        change(&format!("bodies.{top}.shape.size"), format!("[{}, {}]", width + 0.028, 2.0 * HALF_WALL)),
    ]
}

fn change(key: &str, value: String) -> (String, String) {
    (key.to_string(), value)
}

fn read(file: &Path, changes: &[(String, String)]) -> miette::Result<Simulation<2>> {
    match scene::read(file, changes)?.scene {
        AnyScene::Plane(scene) => Ok(Simulation::new(scene)),
        AnyScene::Solid(_) => Err(miette!("the biaxial test is in 2D")),
    }
}

/// The only body of a group.
fn body(simulation: &Simulation<2>, group: &str) -> miette::Result<usize> {
    let groups = &simulation.scene.groups;
    let found = simulation.scene.bodies.iter().position(|b| groups[b.group as usize] == group);
    found.ok_or_else(|| miette!("the scene has no body {group:?}"))
}

/// Centres and radii of the grains, as `sample.csv` has them.
fn table(simulation: &Simulation<2>) -> String {
    let scene = &simulation.scene;
    let mut text = String::from("x,y,r\n");
    for (body, motion) in scene.bodies.iter().zip(&simulation.state.motions) {
        if scene.groups[body.group as usize] == "grains" {
            let centre = motion.place.centre;
            text += &format!("{:e},{:e},{}\n", centre.x, centre.y, scene.parts[body.parts.0 as usize].radius);
        }
    }
    text
}

fn record(simulation: &Simulation<2>, walls: [usize; 4], start_width: f64) -> Record {
    let place = |wall: usize| simulation.state.motions[wall].place.centre;
    let width = place(walls[2]).x;
    let force = |k: usize, axis: usize| simulation.resultant(&[walls[k] as u32])[axis];
    Record {
        strain: 1.0 - width / start_width,
        box_size: [width, place(walls[3]).y - HALF_WALL],
        walls: [-force(0, 0), -force(1, 1), force(2, 0), force(3, 1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angle_of_a_known_stress_ratio() {
        let record = |k: u32| Record {
            strain: 1e-3 * f64::from(k),
            box_size: [0.02, 0.03],
            walls: [0.0, LOAD, 3.0 * LOAD * 0.03 / 0.02, LOAD],
        };
        let records: Vec<_> = (1..=100).map(record).collect();
        let test = Test { friction: 1.0, records, penetration: 0.0, balance: 0.0, unconverged: 0 };
        // σ₁ = 3 σ₂: sin φ = ½.
        assert!((test.global_angle() - 30.0).abs() < 1e-9);
        assert!((test.local_angle() - 45.0).abs() < 1e-9);
    }

    /// 48, 80 and 128 disks that rest against each other: the table is an input, whichever run wrote it.
    #[test]
    fn the_shipped_sample_is_the_material_of_the_paper_and_compact() {
        let sample = Sample::shipped().unwrap();
        let text = std::fs::read_to_string(sample.folder.path().join("sample.csv")).unwrap();
        let grains: Vec<Vec<f64>> =
            text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        let count = |radius: f64| grains.iter().filter(|g| (g[2] - radius).abs() < 1e-9).count();
        assert_eq!([1.6e-3, 1.05e-3, 0.65e-3].map(count), [48, 80, 128]);
        let gap = |a: &[f64], b: &[f64]| (a[0] - b[0]).hypot(a[1] - b[1]) - a[2] - b[2];
        let gaps = || grains.iter().enumerate().flat_map(|(i, a)| grains[..i].iter().map(move |b| gap(a, b)));
        assert!(gaps().fold(f64::INFINITY, f64::min) > -0.01 * LEAST_RADIUS);
        let touching = gaps().filter(|g| *g < 1e-3 * LEAST_RADIUS).count();
        assert!(touching > 256, "only {touching} contacts");
    }
}
