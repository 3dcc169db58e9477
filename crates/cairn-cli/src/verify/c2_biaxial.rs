//! C2: biaxial test of a Schneebeli material (Jean 1995, section 5.2).
//!
//! ```text
//!           P = 3300 N                48 disks of 1.6 mm, 80 of 1.05 mm, 128 of 0.65 mm, a metre long, in a box of
//!        ┌──────┴──────┐              smooth walls. The top wall carries P, the right one comes in at V = 10 cm/s and
//!        │ ○ o ◯ ○ o ◯ │              feels R. With the width L and the height H of the box
//!        │ ◯ o ○ ◯ ○ o │← V, R          σ₂ = P / L,   σ₁ = R / H,   sin φ = (σ₁ − σ₂) / (σ₁ + σ₂)
//!        └─────────────┘              at the largest σ₁/σ₂: the global angle of friction φ of the sample, against the
//!         L                           local one ϕ = arctan μ between its grains.
//! ```
//!
//! The grains are prepared without friction (`compaction.toml`), the same sample for every μ: dense, so that it can only
//! shear by expanding. Rigid grains rearrange in jumps and σ₁ is "rather erratic" (Jean), so that the largest value of a
//! single step means nothing: σ₁ is averaged over [`WINDOW`] of strain before the largest is taken.
//!
//! Reference: what Jean's figure 13 shows, without printed numbers. φ rises with ϕ and levels off, because grains with
//! large friction roll instead of sliding; the area of the sample grows when ϕ is large. "Levels off" is taken as: the
//! mean slope dφ/dϕ from μ = 0.5 to 0.8 is less than half of that from 0 to 0.3. What mechanics fixes is checked beside: the
//! walls' forces balance in the mean (the grains move slowly: inertial number 10⁻³), the energy balance closes, and
//! grains overlap by less than 1/100 of the least radius, the margin that the paper allowed itself.

use super::{Findings, Size};
use crate::examples;
use cairn::measure;
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// Strain over which the stress ratio is averaged before its largest value is taken.
const WINDOW: f64 = 0.01;
/// Force on the top wall [N].
const LOAD: f64 = 3300.0;
/// Least radius [m].
const LEAST_RADIUS: f64 = 0.65e-3;

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

    /// Mean force on a wall [N].
    fn mean_force(&self, wall: usize) -> f64 {
        mean(&self.records, |r| r.walls[wall])
    }
}

fn mean(records: &[Record], value: impl Fn(&Record) -> f64) -> f64 {
    records.iter().map(value).sum::<f64>() / records.len() as f64
}

/// Half the thickness of the top wall in the scenes [m].
const HALF_WALL: f64 = 0.002;

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

    /// A sample of `factor`² × 256 disks in a box `factor` times as wide and high, compacted now.
    pub fn compacted(factor: usize) -> miette::Result<Self> {
        let mut sample = Self::shipped()?;
        let scale = factor as f64;
        let width = 0.032 * scale;
        let walls = |top: f64| {
            vec![
                change("bodies.RIGHT.position", format!("[{width}, 0]")),
                change("bodies.TOP.position", format!("[{}, {top}]", width / 2.0)),
                change("bodies.TOP.shape.size", format!("[{}, {}]", width + 0.028, 2.0 * HALF_WALL)),
            ]
        };
        let numbered = |changes: Vec<(String, String)>, right: &str, top: &str| -> Vec<_> {
            changes.into_iter().map(|(k, v)| (k.replace("RIGHT", right).replace("TOP", top), v)).collect()
        };
        let mut loose = numbered(walls(0.0905 * scale + HALF_WALL), "2", "3");
        loose.push(change("generate.0.count", (256 * factor * factor).to_string()));
        loose.push(change("generate.0.high", format!("[{width}, {}]", 0.1 * scale)));
        loose.push(change("time.end", (0.08 * scale).to_string()));
        let mut simulation = read(&sample.folder.path().join("compaction.toml"), &loose)?;
        simulation.run_to(simulation.scene.time.end).into_diagnostic()?;
        std::fs::write(sample.folder.path().join("sample.csv"), table(&simulation)).into_diagnostic()?;
        let top = body(&simulation, "top")?;
        // A hundredth of the least radius above where it ended: the grains have not settled to the last digit.
        let height = simulation.state.motions[top].place.centre.y + 0.01 * LEAST_RADIUS;
        sample.changes = numbered(walls(height), "3", "4");
        sample.changes.push(change("time.end", (0.032 * scale).to_string()));
        Ok(sample)
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

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let (samples, frictions): (_, &[f64]) = match size {
        Size::Quick => (vec![Sample::shipped()?], &[0.0, 0.3, 0.5, 0.8]),
        Size::Full => (vec![Sample::shipped()?, Sample::compacted(2)?], &[0.0, 0.1, 0.2, 0.3, 0.5, 0.8]),
    };
    for sample in samples {
        let tests = frictions.iter().map(|&mu| sample.test(mu)).collect::<miette::Result<Vec<_>>>()?;
        for t in &tests {
            let d=t.dilation();
            println!("{} {} {:?} dil {:?} {:?} {} {} {}", t.friction, t.global_angle(), [0,1,2,3].map(|k|t.mean_force(k)), d[d.len()/4].1, d[d.len()-1].1, t.penetration, t.balance, t.unconverged);
        }
    }
    let _ = findings;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn make() {



        run(&mut Findings::new("C2"), Size::Quick).unwrap();
    }
}
