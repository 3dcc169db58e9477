//! Statistics of normal contact forces.
//!
//! With x = f/⟨f⟩ the forces above the mean follow P(x) ~ exp(−β x) in granular packings (Radjai et al. 1996). The most
//! likely β of N such forces is 1/⟨x − 1⟩, its standard error β/√N.

use crate::contact::Reaction;

/// Normal forces of all contacts that carry one [N], for a step of length `h`; tension is negative.
pub fn normal_forces<const D: usize>(reactions: &[Reaction<D>], h: f64) -> Vec<f64> {
    let force = |r: &Reaction<D>| r.impulse.dot(&r.contact.touch.normal) / h;
    reactions.iter().map(force).filter(|f| f.is_finite() && *f != 0.0).collect()
}

/// A histogram as a density: middle of each bin and share of all values per unit length, up to the largest value.
pub fn density(values: &[f64], low: f64, bins: usize) -> Vec<(f64, f64)> {
    let high = values.iter().copied().fold(low, f64::max);
    if high <= low || bins == 0 {
        return vec![];
    }
    let width = (high - low) / bins as f64;
    let mut counts = vec![0u64; bins];
    for v in values.iter().filter(|v| **v >= low) {
        counts[(((v - low) / width) as usize).min(bins - 1)] += 1;
    }
    let share = |n: u64| n as f64 / (values.len() as f64 * width);
    counts.into_iter().enumerate().map(|(k, n)| (low + (k as f64 + 0.5) * width, share(n))).collect()
}

/// The exponential tail of forces in units of their mean: β, its standard error, and the share of forces above the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// Rate β.
    pub rate: f64,
    /// Standard error of β.
    pub error: f64,
    /// Share of all values that lie above 1.
    pub share: f64,
}

/// Fits the tail of values that are already divided by their mean; `None` if fewer than ten lie above it.
pub fn tail(scaled: &[f64]) -> Option<Tail> {
    let above: Vec<f64> = scaled.iter().filter(|x| **x > 1.0).map(|x| x - 1.0).collect();
    if above.len() < 10 {
        return None;
    }
    let count = above.len() as f64;
    let rate = count / above.iter().sum::<f64>();
    Some(Tail { rate, error: rate / count.sqrt(), share: count / scaled.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values at the middle of 20 000 equal shares of exp(−β x).
    fn exponential(rate: f64) -> Vec<f64> {
        let n = 20_000;
        (0..n).map(|k| -(1.0 - (f64::from(k) + 0.5) / f64::from(n)).ln() / rate).collect()
    }

    #[test]
    fn the_rate_of_an_exponential_comes_back() {
        for rate in [0.8, 1.4, 3.0] {
            let fit = tail(&exponential(rate)).unwrap();
            assert!((fit.rate - rate).abs() < 0.01 * rate, "{rate}: {fit:?}");
            assert!((fit.share - (-rate).exp()).abs() < 1e-3, "{fit:?}");
        }
        assert_eq!(tail(&[2.0; 9]), None);
    }

    #[test]
    fn a_density_has_area_one() {
        let values = exponential(1.0);
        let density = density(&values, 0.0, 40);
        let width = density[1].0 - density[0].0;
        let area: f64 = density.iter().map(|d| d.1 * width).sum();
        assert!((area - 1.0).abs() < 1e-12);
        // Mean of exp(−x) over the first bin.
        assert!((density[0].1 - (1.0 - (-width).exp()) / width).abs() < 1e-3, "{:?}", density[0]);
    }
}
