//! D3: hemispherical dome (Acary and Jean), bonded and dry.
//!
//! Rings of blocks of eight hexahedra, R = 1 m, t = R/10, with an oculus of half angle φ₀ = 5°; joints hold 1000 N a point, or nothing.
//!
//! Bonded, on smooth ground, it is a membrane. With φ from the crown, tension positive:
//!
//!   N_φ = −ρ g t R (cos φ₀ − cos φ)/sin² φ,   N_θ = ρ g t R ((cos φ₀ − cos φ)/sin² φ − cos φ),
//!
//! for φ₀ = 0 the known ρ g t R (1/(1 + cos φ) − cos φ), which changes its sign at 51.8°; with this oculus at 52.2°. Rigid blocks would
//! leave the hoop forces undetermined; the elasticity of the blocks determines them. A membrane's edge turns, which flat rigid ground
//! would not let it (0.24 ρ g t R less in the lowest ring): the bed is a hundredth as stiff as the blocks. Membrane theory
//! neglects bending, which is of the order t/R: that is the tolerance, in units of ρ g t R. The vertical force in each bed joint is statics, and exact.
//!
//! Dry, on rough ground, no joint pulls: below, the hoops let go and the meridional joints open; above they stay pressed. Each lune
//! is an arch there, and equilibrium says where its thrust is: from the reaction at its foot and the weights in between the
//! moment about any joint is known. That line must be the one of the contact forces, and lie within the thickness.

use super::deformable::centre_of_mass;
use super::scene::{joints, solid};
use super::{Findings, Size};
use cairn::measure::Joint;
use cairn::simulation::Simulation;
use cairn::space::Vect;
use cairn_draw::{self as draw, Axis, Panel, PlotData, PlotOptions, Series, Style};
use miette::{IntoDiagnostic, miette};
use std::f64::consts::TAU;
use std::path::Path;

const RADIUS: f64 = 1.0;
const THICKNESS: f64 = 0.1;
const OCULUS: f64 = 5.0;
/// ρ g t R [N/m].
const SCALE: f64 = 2700.0 * 9.81 * THICKNESS * RADIUS;

/// Runs the case; draws the hoop forces into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let (rings, blocks) = if size == Size::Full { (12, 24) } else { (8, 12) };
    let bonded = Dome::at_rest("dome/scene", rings, blocks)?;
    let dry = Dome::at_rest("dome/scene-dry", rings, blocks)?;
    bonded.is_a_membrane(findings);
    dry.opens_below(findings);
    dry.thrust_is_inside(findings);
    findings.sound("bonded", &bonded.simulation);
    findings.sound("dry", &dry.simulation);
    match findings.plots.clone() {
        Some(folder) => draw(&bonded, &dry, folder.as_path()),
        None => Ok(()),
    }
}

/// N_θ / (ρ g t R) of the membrane at an angle from the crown.
fn membrane(phi: f64) -> f64 {
    (OCULUS.to_radians().cos() - phi.cos()) / phi.sin().powi(2) - phi.cos()
}

/// Where it changes its sign, by halving.
fn sign_changes_at() -> f64 {
    let (mut pressed, mut pulled) = (0.1, 1.5);
    while pulled - pressed > 1e-9 {
        let middle = 0.5 * (pressed + pulled);
        if membrane(middle) < 0.0 { pressed = middle } else { pulled = middle }
    }
    pulled
}

/// A dome in equilibrium.
struct Dome {
    simulation: Simulation<3>,
    joints: Vec<Joint<3>>,
    rings: usize,
    blocks: usize,
}

impl Dome {
    fn at_rest(example: &str, rings: usize, blocks: usize) -> miette::Result<Self> {
        let changes = [("generate.0.rings", rings.to_string()), ("generate.0.blocks", blocks.to_string())];
        let mut simulation = solid(example, &changes)?;
        simulation.run_to_end().into_diagnostic()?;
        if simulation.state.time > simulation.scene.time.end - 0.5 * simulation.scene.time.step {
            return Err(miette!("{example} did not come to equilibrium"));
        }
        let joints = joints(&simulation);
        Ok(Self { simulation, joints, rings, blocks })
    }

    /// Angle of a ring from the crown at its bottom (0), in its middle (½) or at its top (1); ring 0 is the lowest.
    fn angle(&self, ring: usize, share: f64) -> f64 {
        (90.0 - (90.0 - OCULUS) * (ring as f64 + share) / self.rings as f64).to_radians()
    }

    /// Number of a block among the bodies.
    fn block(&self, ring: usize, k: usize) -> u32 {
        self.simulation.scene.number_of_deformable(ring * self.blocks + k % self.blocks)
    }

    fn joint(&self, a: u32, b: u32) -> Option<&Joint<3>> {
        self.joints.iter().find(|j| j.bodies == [a.min(b), a.max(b)])
    }

    /// The joints between neighbours in a ring.
    fn heads(&self, ring: usize) -> impl Iterator<Item = &Joint<3>> {
        (0..self.blocks).filter_map(move |k| self.joint(self.block(ring, k), self.block(ring, k + 1)))
    }

    /// The joint below a block: with the ring below, or with the ground.
    fn bed(&self, ring: usize, k: usize) -> Option<&Joint<3>> {
        let below = if ring == 0 { 0 } else { self.block(ring - 1, k) };
        self.joint(below, self.block(ring, k))
    }

    /// Weight of a block of a ring [N].
    fn weight(&self, ring: usize) -> f64 {
        9.81 * self.simulation.scene.flexibles[ring * self.blocks].model.total_mass()
    }

    /// Mean of N_θ / (ρ g t R) in a ring: pull across its head joints over their length.
    fn hoop(&self, ring: usize) -> f64 {
        let pull: f64 = self.heads(ring).map(|j| -j.force.dot(&j.normal)).sum();
        let length = RADIUS * (self.angle(ring, 0.0) - self.angle(ring, 1.0));
        pull / (self.blocks as f64 * length * SCALE)
    }

    fn is_a_membrane(&self, findings: &mut Findings) {
        let error = |ring: usize| (self.hoop(ring) - membrane(self.angle(ring, 0.5))).abs();
        let worst = (0..self.rings).map(error).fold(0.0, f64::max);
        findings.at_most("bonded: hoop force against the membrane / ρgtR, worst ring", "-", worst, THICKNESS / RADIUS);
        let found = (1..self.rings).rev().find_map(|ring| {
            let (upper, lower) = (self.hoop(ring), self.hoop(ring - 1));
            let (a, b) = (self.angle(ring, 0.5), self.angle(ring - 1, 0.5));
            (upper < 0.0 && lower >= 0.0).then(|| a + (b - a) * upper / (upper - lower))
        });
        let found = found.unwrap_or(f64::NAN).to_degrees();
        let expected = sign_changes_at().to_degrees();
        // The slope of N_θ there is 1.4 ρgtR a radian: an error of t/R is 4 degrees.
        findings.absolute("bonded: hoops change from pressure to tension at", "°", found, expected, 4.0);
        let carried = |ring: usize| -> f64 {
            let force = |k: usize| self.bed(ring, k).map_or(f64::NAN, |j| j.force.z.abs());
            let above: f64 = (ring..self.rings).map(|r| self.weight(r)).sum();
            (0..self.blocks).map(force).sum::<f64>() / (self.blocks as f64 * above) - 1.0
        };
        let worst = (0..self.rings).map(|ring| carried(ring).abs()).fold(0.0, f64::max);
        findings.at_most("bonded: vertical force in a bed joint / weight above − 1", "-", worst, 1e-4);
        let broken = self.simulation.state.ledger.broken as f64;
        findings.at_most("bonded: broken bonds", "-", broken, 0.0);
    }

    /// Where the membrane pulls by more than its tolerance, dry joints open. Cracks go on above 52°, as the thrust of lunes differs from
    /// that of the membrane; a cap stays pressed.
    fn opens_below(&self, findings: &mut Findings) {
        let pulled = |ring: &usize| membrane(self.angle(*ring, 0.5)) > THICKNESS / RADIUS;
        let largest_pull = (0..self.rings).map(|ring| self.hoop(ring)).fold(f64::NEG_INFINITY, f64::max);
        findings.at_most("dry: largest hoop tension / ρgtR", "-", largest_pull, 1e-9);
        let lower: Vec<&Joint<3>> = (0..self.rings).filter(pulled).flat_map(|ring| self.heads(ring)).collect();
        let open = lower.iter().filter(|j| j.opening > 1e-9).count();
        let widest = lower.iter().map(|j| j.opening).fold(0.0, f64::max);
        let quantity = format!("dry: head joints open where the membrane pulls, by up to {:.3} µm", 1e6 * widest);
        findings.absolute(&quantity, "share", open as f64 / lower.len() as f64, 1.0, 0.0);
        let cap = (0..self.rings).filter(|ring| self.angle(*ring, 0.5) < 30f64.to_radians());
        let least = cap.map(|ring| -self.hoop(ring)).fold(f64::INFINITY, f64::min);
        findings
            .holds(&format!("dry: hoops within 30° of the crown stay pressed (least {least:.3} ρgtR)"), least > 0.0);
    }

    /// Points of the thrust line of a meridian along the rings whose hoops carry nothing: by statics, and by contact forces.
    fn thrust(&self, k: usize) -> Vec<[Vect<3>; 2]> {
        let is_free = |ring: &usize| self.heads(*ring).all(|j| j.force.norm() < 1e-6 * SCALE);
        let applied = |ring: usize| self.bed(ring, k).and_then(|j| Some((j, j.application?)));
        let Some(first) = (0..self.rings).find(is_free) else { return Vec::new() };
        let Some((foot, at)) = applied(first) else { return Vec::new() };
        let (sin, cos) = (TAU * k as f64 / self.blocks as f64).sin_cos();
        let out = Vect::<3>::new(cos, sin, 0.0);
        // Of what is below a joint on what is above: force, and its moment about the middle of the dome in the plane of the meridian.
        let moment = |at: &Vect<3>, f: &Vect<3>| at.dot(&out) * f.z - at.z * f.dot(&out);
        let (mut force, mut about) = (-foot.force, moment(&at, &-foot.force));
        let mut line = Vec::new();
        for ring in (first..self.rings - 1).take_while(is_free) {
            let Some((joint, found)) = applied(ring + 1) else { break };
            let weight = Vect::<3>::new(0.0, 0.0, -self.weight(ring));
            force += weight;
            about += moment(&centre_of_mass(&self.simulation, ring * self.blocks + k), &weight);
            // Where along the joint, middle + s e, the force has this moment.
            let (sin, cos) = self.angle(ring, 1.0).sin_cos();
            let (middle, e) = (joint.centre(), out * sin + Vect::<3>::z() * cos);
            let s = (about - moment(&middle, &force)) / moment(&e, &force);
            line.push([middle + e * s, found]);
        }
        line
    }

    fn thrust_is_inside(&self, findings: &mut Findings) {
        let line = self.thrust(0);
        let distance = line.iter().map(|[a, b]| (a - b).norm() / THICKNESS).fold(0.0, f64::max);
        let quantity = format!("dry: thrust by contacts against statics / t, {} joints", line.len());
        findings.at_most(&quantity, "-", if line.is_empty() { f64::NAN } else { distance }, 1e-2);
        let off = |ring: usize| self.bed(ring, 0).and_then(Joint::eccentricity).unwrap_or(f64::NAN) / (0.5 * THICKNESS);
        let off = (0..self.rings).map(off).fold(0.0, f64::max);
        findings.at_most("dry: thrust line of a meridian, distance from the middle / (t/2)", "-", off, 1.0);
    }
}

fn draw(bonded: &Dome, dry: &Dome, folder: &Path) -> miette::Result<()> {
    let points = |dome: &Dome| {
        (0..dome.rings).map(|ring| (dome.angle(ring, 0.5).to_degrees(), dome.hoop(ring))).collect::<Vec<_>>()
    };
    let smooth = (5..=90).map(|a| (f64::from(a), membrane(f64::from(a).to_radians()))).collect();
    let hoops = [
        ("membrane", Style::Line, smooth),
        ("bonded joints", Style::Points, points(bonded)),
        ("dry joints", Style::Points, points(dry)),
    ];
    let hoops = Panel { y: Axis::linear("hoop force, tension positive / ρgtR", "-"), series: series(hoops) };
    // Outwards from the middle of the bed joints of a meridian, by the angle of the joint.
    let off = |dome: &Dome| -> Vec<(f64, f64)> {
        let of = |ring: usize| {
            let (joint, angle) = (dome.bed(ring, 0)?, dome.angle(ring, 0.0));
            let out = Vect::<3>::new(angle.sin(), 0.0, angle.cos());
            Some((angle.to_degrees(), (joint.application? - joint.centre()).dot(&out) / (0.5 * THICKNESS)))
        };
        (0..dome.rings).filter_map(of).collect()
    };
    let surface = |side: f64| vec![(OCULUS, side), (90.0, side)];
    let thrust = [
        ("outside", Style::Dashed, surface(1.0)),
        ("inside", Style::Dashed, surface(-1.0)),
        ("bonded joints", Style::Points, off(bonded)),
        ("dry joints", Style::Points, off(dry)),
    ];
    let thrust = Panel { y: Axis::linear("thrust from the middle / (t/2)", "-"), series: series(thrust) };
    let data = PlotData {
        title: "Dome: hoops and thrust line of a meridian".into(),
        x: Axis::linear("angle from the crown", "°"),
        panels: vec![hoops, thrust],
    };
    draw::plot(&data, &PlotOptions::default()).write(&folder.join("plot.svg")).into_diagnostic()
}

/// Name, style and points of a curve.
type Curve<'a> = (&'a str, Style, Vec<(f64, f64)>);

fn series<const N: usize>(all: [Curve<'_>; N]) -> Vec<Series> {
    all.into_iter().map(|(name, style, points)| Series { name: name.into(), style, points }).collect()
}
