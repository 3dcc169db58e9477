//! How the yield stress grows with the equivalent plastic strain p.
//!
//! ```text
//!   linear  σ_y = σ₀ + H p
//!   Voce    σ_y = σ₀ + Q (1 − e^{−b p})
//!   Swift   σ_y = K (ε₀ + p)^n
//!   table   straight lines between points, constant behind the last
//! ```
//!
//! None of them falls: a yield stress that falls would gather the strain in one row of cells, and the energy of the band would be that of
//! the mesh. ∫ σ_y dp, what flow takes, is known in closed form.

use std::sync::{Mutex, PoisonError};

use super::MaterialError;

/// A curve σ_y(p).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hardening {
    /// Straight line.
    Linear {
        /// σ₀ [Pa].
        start: f64,
        /// H [Pa].
        modulus: f64,
    },
    /// Saturating (Voce 1948).
    Voce {
        /// σ₀ [Pa].
        start: f64,
        /// Q [Pa].
        gain: f64,
        /// b [-].
        rate: f64,
    },
    /// Power law (Swift 1952).
    Swift {
        /// K [Pa].
        strength: f64,
        /// ε₀ [-].
        offset: f64,
        /// n [-].
        exponent: f64,
    },
    /// Points (p, σ_y), the first at p = 0.
    Table(Table),
}

/// Points of a curve. They stay for the life of the program, equal ones once, so that laws can be copied like numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table(&'static [[f64; 2]]);

static TABLES: Mutex<Vec<Table>> = Mutex::new(Vec::new());

impl Table {
    /// Keeps points (p, σ_y).
    pub fn new(points: &[[f64; 2]]) -> Self {
        let mut known = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = known.iter().find(|table| table.0 == points) {
            return *table;
        }
        let table = Table(Box::leak(points.to_vec().into_boxed_slice()));
        known.push(table);
        table
    }

    fn at(&self, p: f64) -> [f64; 2] {
        let next = self.0.partition_point(|point| point[0] <= p).max(1);
        let [p0, s0] = self.0[next - 1];
        let Some([p1, s1]) = self.0.get(next) else { return [s0, 0.0] };
        let slope = (s1 - s0) / (p1 - p0);
        [s0 + slope * (p - p0), slope]
    }

    fn work(&self, p: f64) -> f64 {
        let mut work = 0.0;
        for pair in self.0.windows(2).take_while(|pair| pair[0][0] < p) {
            let end = pair[1][0].min(p);
            work += 0.5 * (pair[0][1] + self.at(end)[0]) * (end - pair[0][0]);
        }
        let [last, stress] = self.0[self.0.len() - 1];
        work + stress * (p - last).max(0.0)
    }
}

impl Hardening {
    /// σ_y and dσ_y/dp [Pa].
    #[inline]
    pub fn at(&self, p: f64) -> [f64; 2] {
        match self {
            Hardening::Linear { start, modulus } => [start + modulus * p, *modulus],
            Hardening::Voce { start, gain, rate } => {
                let decay = (-rate * p).exp();
                [start + gain * (1.0 - decay), gain * rate * decay]
            }
            Hardening::Swift { strength, offset, exponent } => {
                let stress = strength * (offset + p).powf(*exponent);
                [stress, exponent * stress / (offset + p)]
            }
            Hardening::Table(table) => table.at(p),
        }
    }

    /// ∫ σ_y dp from 0 to p [J/m³].
    pub fn work(&self, p: f64) -> f64 {
        match self {
            Hardening::Linear { start, modulus } => (start + 0.5 * modulus * p) * p,
            Hardening::Voce { start, gain, rate } => (start + gain) * p + gain / rate * (-rate * p).exp_m1(),
            Hardening::Swift { strength, offset, exponent } => {
                let power = exponent + 1.0;
                strength / power * ((offset + p).powf(power) - offset.powf(power))
            }
            Hardening::Table(table) => table.work(p),
        }
    }

    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let positive = |name, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(MaterialError::NotPositive { name, value }),
        };
        let not_falling = |name, value: f64| match value >= 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(MaterialError::Softens { name, value }),
        };
        match self {
            Hardening::Linear { start, modulus } => {
                positive("yield stress", *start)?;
                not_falling("hardening modulus", *modulus)
            }
            Hardening::Voce { start, gain, rate } => {
                positive("yield stress", *start)?;
                positive("rate of hardening", *rate)?;
                not_falling("gain of the yield stress", *gain)
            }
            Hardening::Swift { strength, offset, exponent } => {
                positive("strength of the hardening", *strength)?;
                positive("offset of the hardening", *offset)?;
                not_falling("exponent of the hardening", *exponent)
            }
            Hardening::Table(table) => check_table(table.0),
        }
    }
}

fn check_table(points: &[[f64; 2]]) -> Result<(), MaterialError> {
    match points.first() {
        Some([p, stress]) if *p == 0.0 && *stress > 0.0 && stress.is_finite() => {}
        _ => {
            return Err(MaterialError::Table {
                row: 1,
                why: "has to start at plastic strain 0 with a positive stress",
            });
        }
    }
    for (i, pair) in points.windows(2).enumerate() {
        let [[p0, s0], [p1, s1]] = [pair[0], pair[1]];
        if !(p1 > p0 && p1.is_finite()) {
            return Err(MaterialError::Table { row: i + 2, why: "needs a larger plastic strain than the row before" });
        }
        if !(s1 >= s0 && s1.is_finite()) {
            return Err(MaterialError::Table {
                row: i + 2,
                why: "has a smaller stress than the row before: softening would depend on the mesh",
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_works_are_those_of_the_curves() {
        let table = vec![[0.0, 200.0], [0.1, 250.0], [0.3, 300.0]];
        let curves = [
            Hardening::Linear { start: 250.0, modulus: 1000.0 },
            Hardening::Voce { start: 250.0, gain: 200.0, rate: 10.0 },
            Hardening::Swift { strength: 565.32, offset: 0.007117, exponent: 0.2589 },
            Hardening::Table(Table::new(&table)),
        ];
        for curve in curves {
            curve.check().unwrap();
            for p in [0.0401, 0.2003, 0.5] {
                let d = 1e-6;
                let [stress, slope] = curve.at(p);
                let differences = (curve.at(p + d)[0] - curve.at(p - d)[0]) / (2.0 * d);
                assert!((slope - differences).abs() < 1e-6 * stress.max(slope), "{curve:?} {slope} {differences}");
                let work = (curve.work(p + d) - curve.work(p - d)) / (2.0 * d);
                assert!((work / stress - 1.0).abs() < 1e-8, "{curve:?}: {work} {stress}");
            }
            assert_eq!(curve.work(0.0), 0.0);
        }
    }

    #[test]
    fn tables_that_fall_are_refused_with_their_row() {
        let why = |points: &[[f64; 2]]| Hardening::Table(Table::new(points)).check().unwrap_err().to_string();
        assert!(why(&[[0.0, 1.0], [0.1, 2.0], [0.2, 1.5]]).contains("row 3"));
        assert!(why(&[[0.0, 1.0], [0.1, 2.0], [0.1, 2.5]]).contains("row 3"));
        assert!(why(&[[0.1, 1.0]]).contains("row 1"));
        assert!(why(&[]).contains("row 1"));
    }
}
