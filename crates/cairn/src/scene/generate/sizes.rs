//! Size distributions of grains.
//!
//! Uniform by number: constant density in r between r₁ and r₂. Uniform by mass: every interval of radius has the same
//! mass, so the density in number is ∝ r⁻ᴰ. Classes: exact numbers by largest remainder, so that shares that add
//! up to the count are met to the grain.

use super::random::Random;
use crate::scene::document::{Ask, Problem, Table, Variant};

/// Draws a radius.
#[derive(Clone, Debug)]
pub enum Sizes {
    /// Between two radii.
    Uniform { min: f64, max: f64, by_mass: bool },
    /// Normal, cut at three deviations.
    Normal { mean: f64, deviation: f64 },
    /// Radii and their shares.
    Classes { radii: Vec<f64>, shares: Vec<f64>, by_mass: bool },
}

/// Asks for the radius: a number or a distribution.
pub fn sizes<'t>(t: &'t Table) -> Ask<'t, Sizes> {
    let one = |radius| Sizes::Classes { radii: vec![radius], shares: vec![1.0], by_mass: false };
    let v = |name, doc, read| Variant { name, doc, only: None, read };
    t.number_or_table(
        "radius",
        "radius (of the circumscribed ball for other shapes) [m], or a distribution",
        one,
        move |t| {
            let kinds = [
                v("uniform", "between two radii", uniform),
                v("normal", "normal, cut at three deviations", normal),
                v("classes", "given radii with given shares", classes),
            ];
            t.variants("kind", "which distribution", &kinds)
        },
    )
}

fn by_mass(t: &Table) -> bool {
    let ways = [("number", "shares count grains", false), ("mass", "shares weigh grains", true)];
    t.choice("by", "what is shared out", &ways).or_as("\"number\"", false)
}

fn uniform(t: &Table) -> Option<Sizes> {
    let min = t.number("min", "smallest radius [m]").positive().required();
    let max = t.number("max", "largest radius [m]").positive().required();
    let by_mass = by_mass(t);
    let (min, max) = (min?, max?);
    if max < min {
        t.wrong("max", format!("`{}` = {max} must not be below `min` = {min}", t.path_of("max")), "too small");
        return None;
    }
    Some(Sizes::Uniform { min, max, by_mass })
}

fn normal(t: &Table) -> Option<Sizes> {
    let mean = t.number("mean", "mean radius [m]").positive().required();
    let deviation =
        t.number("deviation", "standard deviation [m], less than a third of the mean").not_negative().required();
    let (mean, deviation) = (mean?, deviation?);
    if 3.0 * deviation >= mean {
        let message =
            format!("`{}` = {deviation} must be less than a third of `mean` = {mean}", t.path_of("deviation"));
        t.wrong("deviation", message, "too wide");
        return None;
    }
    Some(Sizes::Normal { mean, deviation })
}

fn classes(t: &Table) -> Option<Sizes> {
    let radii = t.numbers("radii", "radii of the classes [m]").required();
    let shares = t.numbers("shares", "shares of the classes, any scale").required();
    let by_mass = by_mass(t);
    let (radii, shares) = (radii?, shares?);
    let good = radii.len() == shares.len()
        && !radii.is_empty()
        && radii.iter().all(|r| *r > 0.0)
        && shares.iter().all(|s| *s >= 0.0)
        && shares.iter().sum::<f64>() > 0.0;
    if !good {
        let message =
            format!("`{}`: `radii` (positive) and `shares` (not negative, not all 0) must be as many", t.path);
        t.reader.report(Problem::new(t.place, message, "classes"));
        return None;
    }
    Some(Sizes::Classes { radii, shares, by_mass })
}

impl Sizes {
    /// The largest radius that can come.
    pub fn largest(&self) -> f64 {
        match self {
            Sizes::Uniform { max, .. } => *max,
            Sizes::Normal { mean, deviation } => mean + 3.0 * deviation,
            Sizes::Classes { radii, .. } => radii.iter().copied().fold(0.0, f64::max),
        }
    }

    /// `count` radii in random order.
    pub fn draw(&self, count: usize, dimension: usize, random: &mut Random) -> Vec<f64> {
        match self {
            Sizes::Uniform { min, max, by_mass: false } => (0..count).map(|_| random.between(*min, *max)).collect(),
            Sizes::Uniform { min, max, by_mass: true } => {
                // Inverse of the distribution function of the density r⁻ᴰ.
                let k = 1 - dimension as i32;
                let (low, high) = (min.powi(k), max.powi(k));
                let draw = |u: f64| (low + (high - low) * u).powf(1.0 / k as f64).clamp(*min, *max);
                (0..count).map(|_| draw(random.unit())).collect()
            }
            Sizes::Normal { mean, deviation } => {
                (0..count).map(|_| mean + deviation * random.normal().clamp(-3.0, 3.0)).collect()
            }
            Sizes::Classes { radii, shares, by_mass } => {
                let weight = |(r, s): (&f64, &f64)| if *by_mass { s / r.powi(dimension as i32) } else { *s };
                let counts = quotas(&radii.iter().zip(shares).map(weight).collect::<Vec<_>>(), count);
                let mut out: Vec<f64> =
                    radii.iter().zip(counts).flat_map(|(r, n)| std::iter::repeat_n(*r, n)).collect();
                random.shuffle(&mut out);
                out
            }
        }
    }
}

/// Shares `count` out by weight, the remainder to the largest fractions.
fn quotas(weights: &[f64], count: usize) -> Vec<usize> {
    let total: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|w| w / total * count as f64).collect();
    let mut counts: Vec<usize> = exact.iter().map(|x| (x.floor() as usize).min(count)).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = count.saturating_sub(counts.iter().sum());
    order.iter().cycle().take(missing).for_each(|&i| counts[i] += 1);
    counts.iter_mut().for_each(|n| *n = (*n).min(count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_exact_when_shares_are_counts() {
        assert_eq!(quotas(&[48.0, 80.0, 128.0], 256), [48, 80, 128]);
        assert_eq!(quotas(&[1.0, 1.0, 1.0], 4), [2, 1, 1]);
    }

    #[test]
    fn uniform_by_mass_gives_each_half_of_the_range_the_same_mass() {
        let sizes = Sizes::Uniform { min: 1.0, max: 3.0, by_mass: true };
        for dimension in [2, 3] {
            let radii = sizes.draw(200_000, dimension, &mut Random::new(1));
            let mass = |keep: &dyn Fn(f64) -> bool| -> f64 {
                radii.iter().filter(|r| keep(**r)).map(|r| r.powi(dimension as i32)).sum()
            };
            let share = mass(&|r| r < 2.0) / mass(&|_| true);
            assert!((share - 0.5).abs() < 5e-3, "{share}");
        }
    }
}
