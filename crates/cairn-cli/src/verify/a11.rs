//! A11: cracks between glued beams, bilinear cohesive law: double cantilever (opening) and end-notched flexure (sliding).
//!
//! Beam theory of Griffith's crack, per width, with arms of height h and E h³ =: K, and a crack of length a:
//!
//!   double cantilever      δ = 8 P a³/K                  G = 12 P² a²/K
//!   end-notched flexure    δ = P (3 a³ + 2 L³)/(8 K)     G = 9 P² a²/(16 K)     (half span L)
//!
//! The crack grows when G = G_c, so that δ gives a, P and the energy G_c (a − a₀). The arms are no clamped beams: they turn at the tip,
//! which Williams accounts for by a + χh, and in shear by a + 0.42 χh. Theory has a point for a tip, where the law has a zone of
//! some millimetres: 5 % are allowed, for the largest load, for the load on the way, and for the energy. What softening bonds
//! still store is energy that theory counts as spent.

use super::scene::plane;
use super::{Findings, Size};
use cairn::simulation::Simulation;
use miette::IntoDiagnostic;

const YOUNG: f64 = 70e9;
/// G_c [J/m²].
const TOUGHNESS: f64 = 300.0;
const TOLERANCE: f64 = 0.05;

/// A specimen: its example, displacement per time, the body that carries the load, where its crack starts, and its theory.
struct Specimen {
    name: &'static str,
    rate: f64,
    loaded: u32,
    start: f64,
    /// Displacement per load of a crack of this length [m²/N].
    compliance: fn(f64) -> f64,
    /// Load at which it grows [N/m].
    load: fn(f64) -> f64,
}

const DOUBLE_CANTILEVER: Specimen = Specimen {
    name: "double-cantilever",
    rate: 6e-3,
    loaded: 0,
    start: 0.03 + CHI * 1.5e-3,
    compliance: |a| 8.0 * a.powi(3) / (YOUNG * 1.5e-3f64.powi(3)),
    load: |a| (TOUGHNESS * YOUNG * 1.5e-3f64.powi(3) / 12.0).sqrt() / a,
};
const END_NOTCHED: Specimen = Specimen {
    name: "end-notched-flexure",
    rate: 4e-3,
    loaded: 2,
    start: 0.075 + 0.42 * CHI * 3e-3,
    compliance: |a| (3.0 * a.powi(3) + 2.0 * 0.1f64.powi(3)) / (8.0 * YOUNG * 3e-3f64.powi(3)),
    load: |a| 4.0 / (3.0 * a) * (TOUGHNESS * YOUNG * 3e-3f64.powi(3)).sqrt(),
};
/// χ = √(E/(11 G) (3 − 2 (Γ/(1+Γ))²)), Γ = 1.18 E/G, for ν = 0.3.
const CHI: f64 = 0.6635;

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    for specimen in [DOUBLE_CANTILEVER, END_NOTCHED] {
        specimen.cracks(findings, size)?;
    }
    Ok(())
}

impl Specimen {
    fn cracks(&self, findings: &mut Findings, size: Size) -> miette::Result<()> {
        // Quick: steps twice as long.
        let changes = match size {
            Size::Full => vec![],
            Size::Quick => vec![("time.step", "0.02".to_string())],
        };
        let mut s = plane(self.name, &changes)?;
        let (mut peak, mut errors) = (0.0, Vec::new());
        while !s.is_over() {
            s.step().into_diagnostic()?;
            let load = self.carried(&s);
            peak = f64::max(peak, load);
            let length = self.length(self.rate * s.state.time);
            // The crack is longer by more than the zone that softens.
            if length > 1.1 * self.start {
                errors.push(load / (self.load)(length) - 1.0);
            }
        }
        let name = self.name;
        findings.relative(&format!("{name}: largest load"), "N/m", peak, (self.load)(self.start), TOLERANCE);
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        findings.absolute(
            &format!("{name}: mean of load / theory as the crack grows"),
            "-",
            1.0 + mean,
            1.0,
            TOLERANCE,
        );
        let theory = TOUGHNESS * (self.length(self.rate * s.state.time) - self.start);
        let spent = s.state.ledger.damage + s.state.ledger.joints;
        findings.relative(
            &format!("{name}: energy spent against G_c times the crack"),
            "J/m",
            spent,
            theory,
            TOLERANCE,
        );
        findings.sound(name, &s);
        Ok(())
    }

    /// Length of the crack at a displacement, by halving: C(a) P(a) grows with a.
    fn length(&self, displacement: f64) -> f64 {
        let (mut low, mut high) = (self.start, 3.0 * self.start);
        while high - low > 1e-12 {
            let middle = 0.5 * (low + high);
            if (self.compliance)(middle) * (self.load)(middle) < displacement { low = middle } else { high = middle }
        }
        low
    }

    /// Vertical force of the contacts on the loaded body [N/m].
    fn carried(&self, s: &Simulation<2>) -> f64 {
        s.resultant(&[self.loaded]).y.abs()
    }
}
