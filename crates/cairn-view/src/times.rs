//! Which of the stored times are taken: `N` (that many, evenly spread), `A:B` (from A to B), `A:B:STEP`, in seconds.

/// A choice of stored times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// All.
    All,
    /// That many, evenly spread by number, the first and the last among them.
    Count(usize),
    /// Those from the first to the second time [s], at least the third apart [s].
    Range(f64, f64, f64),
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a number of states, A:B or A:B:STEP in seconds, found {text:?}");
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| !x.is_nan()).ok_or_else(wrong);
        match text.split(':').collect::<Vec<_>>()[..] {
            ["all"] => Ok(Self::All),
            [count] => count.trim().parse().ok().filter(|&n| n > 0).map(Self::Count).ok_or_else(wrong),
            [a, b] => Ok(Self::Range(number(a)?, number(b)?, 0.0)),
            [a, b, step] => Ok(Self::Range(number(a)?, number(b)?, number(step)?)),
            _ => Err(wrong()),
        }
    }
}

impl Choice {
    /// Numbers of the chosen times.
    pub fn of(self, times: &[f64]) -> Vec<usize> {
        match self {
            Self::All => (0..times.len()).collect(),
            Self::Count(1) => times.len().checked_sub(1).into_iter().collect(),
            Self::Count(n) if n >= times.len() => (0..times.len()).collect(),
            Self::Count(n) => (0..n).map(|k| k * (times.len() - 1) / (n - 1)).collect(),
            Self::Range(from, to, step) => {
                // Stored times are multiples of a step in binary, not in decimal: a little slack.
                let slack = 1e-9 * to.abs().max(from.abs()).min(1e300);
                let mut chosen: Vec<usize> = Vec::new();
                for (k, &t) in times.iter().enumerate() {
                    let is_far = chosen.last().is_none_or(|&last| t - times[last] >= step - slack);
                    if t >= from - slack && t <= to + slack && is_far {
                        chosen.push(k);
                    }
                }
                chosen
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_chosen_by_number_and_by_range() {
        let times: Vec<f64> = (0..=100).map(|k| 0.01 * k as f64).collect();
        let of = |text: &str| text.parse::<Choice>().unwrap().of(&times);
        assert_eq!(of("3"), [0, 50, 100]);
        assert_eq!(of("1"), [100]);
        assert_eq!(of("500").len(), 101);
        assert_eq!(of("0.1:0.15"), [10, 11, 12, 13, 14, 15]);
        assert_eq!(of("0.5:1:0.25"), [50, 75, 100]);
        assert!(of("2:3").is_empty());
        assert_eq!(Choice::Count(3).of(&[]), [] as [usize; 0]);
        for wrong in ["", "0", "-1", "a:b", "1:2:3:4", "1:nan"] {
            assert!(wrong.parse::<Choice>().unwrap_err().contains("found"), "{wrong}");
        }
    }
}
