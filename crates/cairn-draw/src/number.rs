//! Numbers for readers: round ticks, decades, engineering prefixes.

/// A linear or logarithmic interval with its round ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Positions, increasing.
    pub at: Vec<f64>,
    /// Distance between ticks (linear), for the number of decimals.
    pub step: f64,
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above `x` (x > 0).
pub fn round_below(x: f64) -> f64 {
    let decade = 10f64.powi(x.log10().floor() as i32);
    let lead = x / decade * (1.0 + 1e-12);
    decade
        * if lead >= 5.0 {
            5.0
        } else if lead >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// About `count` round positions in [low, high].
pub fn linear_ticks(low: f64, high: f64, count: usize) -> Ticks {
    let span = high - low;
    let raw = span / count.max(1) as f64;
    if !(raw.is_finite() && raw > 0.0 && raw > 1e-14 * low.abs().max(high.abs())) {
        return Ticks { at: vec![low], step: low.abs().max(1.0) };
    }
    let decade = 10f64.powi(raw.log10().floor() as i32);
    let lead = raw / decade;
    let step = decade
        * if lead > 5.0 {
            10.0
        } else if lead > 2.0 {
            5.0
        } else if lead > 1.0 {
            2.0
        } else {
            1.0
        };
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let at = (0..=(last - first).max(0.0) as usize).map(|k| (first + k as f64) * step).collect();
    Ticks { at, step }
}

/// Decades in [low, high], every n-th so that there are at most `count`. Both ends positive.
pub fn decade_ticks(low: f64, high: f64, count: usize) -> Vec<i32> {
    let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
    let every = ((last - first + 1).max(1) as usize).div_ceil(count.max(1)) as i32;
    (first..=last).filter(|e| e.rem_euclid(every) == 0).collect()
}

/// `n` in superscript digits.
pub fn superscript(n: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let sign = if n < 0 { "⁻" } else { "" };
    let digits = n.unsigned_abs().to_string();
    sign.chars().chain(digits.bytes().map(|b| DIGITS[(b - b'0') as usize])).collect()
}

/// The unit in which values up to `largest` read well, and what to divide by: (1e3, "kN").
/// Units without prefixes (angles, counts, masses, compound ones) get a power of ten: (1e-3, "10⁻³ rad").
pub fn engineering(largest: f64, unit: &str) -> (f64, String) {
    if !(largest.is_finite() && largest > 0.0) {
        return (1.0, unit.to_string());
    }
    let third = ((largest * (1.0 + 1e-12)).log10() / 3.0).floor() as i32;
    // Between 0.1 and 10 000 plain numbers are short enough.
    if (0.1..10_000.0).contains(&largest) {
        return (1.0, unit.to_string());
    }
    let prefix = match third {
        -4 => "p",
        -3 => "n",
        -2 => "µ",
        -1 => "m",
        1 => "k",
        2 => "M",
        3 => "G",
        4 => "T",
        _ => "",
    };
    let takes_prefix = match unit {
        "m" | "m/s" => third < 0 || (third == 1 && unit == "m"),
        "s" => third < 0,
        "N" | "J" | "Pa" | "W" | "N·m" => true,
        _ => false,
    };
    if takes_prefix && !prefix.is_empty() {
        return (1000f64.powi(third), format!("{prefix}{unit}"));
    }
    let power = format!("10{}", superscript(3 * third));
    (1000f64.powi(third), if unit.is_empty() || unit == "-" { power } else { format!("{power} {unit}") })
}

/// A tick of a linear axis, with just the decimals that its step needs.
pub fn label(value: f64, step: f64) -> String {
    let decimals = (-(step * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 12.0) as usize;
    let value = if value.abs() < 1e-9 * step { 0.0 } else { value };
    minus(format!("{value:.decimals$}"))
}

/// A value with about four digits, scientific when that is shorter.
pub fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return "?".into();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-3..6).contains(&exponent) {
        let mantissa = trimmed(format!("{:.3}", value / 10f64.powi(exponent)));
        return minus(format!("{mantissa}·10{}", superscript(exponent)));
    }
    minus(trimmed(format!("{value:.*}", (3 - exponent).max(0) as usize)))
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A true minus sign, as wide as a digit.
fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(linear_ticks(0.0, 1.0, 5).at, vec![0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(linear_ticks(-3.0, 12.0, 4).at, vec![0.0, 5.0, 10.0]);
        assert_eq!(linear_ticks(2.0, 2.0, 4).at, vec![2.0]);
        assert_eq!(decade_ticks(1e-3, 1e3, 10), vec![-3, -2, -1, 0, 1, 2, 3]);
        assert_eq!(decade_ticks(1e-16, 1.0, 6), vec![-15, -12, -9, -6, -3, 0]);
        assert_eq!((round_below(0.97), round_below(5.0), round_below(29.0)), (0.5, 5.0, 20.0));
    }

    #[test]
    fn labels_carry_the_digits_they_need() {
        assert_eq!(label(0.6000000000000001, 0.2), "0.6");
        assert_eq!(label(-5.0, 5.0), "−5");
        assert_eq!(label(1500.0, 500.0), "1500");
        assert_eq!(short(0.05), "0.05");
        assert_eq!(short(-1.5e-7), "−1.5·10⁻⁷");
        assert_eq!(short(1234.5678), "1235");
    }

    #[test]
    fn prefixes_follow_the_unit() {
        assert_eq!(engineering(25_000.0, "N"), (1e3, "kN".into()));
        assert_eq!(engineering(2_500.0, "N"), (1.0, "N".into()));
        assert_eq!(engineering(2e-5, "m"), (1e-6, "µm".into()));
        assert_eq!(engineering(1e-3, "m"), (1e-3, "mm".into()));
        assert_eq!(engineering(0.5, "m"), (1.0, "m".into()));
        assert_eq!(engineering(0.02, "rad"), (1e-3, "10⁻³ rad".into()));
        assert_eq!(engineering(2e6, "m/s"), (1e6, "10⁶ m/s".into()));
        assert_eq!(engineering(f64::NAN, "m"), (1.0, "m".into()));
    }
}
