//! Colours: a perceptual scale for values and a palette for kinds, both safe for colour-blind readers.

/// An sRGB colour with opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// 255 is opaque.
    pub alpha: u8,
}

/// An opaque colour from 0xRRGGBB.
pub const fn hex(code: u32) -> Colour {
    Colour { rgb: [(code >> 16) as u8, (code >> 8) as u8, code as u8], alpha: 255 }
}

impl Colour {
    /// The same colour with another opacity.
    pub fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Would black lines be lost on it?
    pub fn is_dark(self) -> bool {
        let [r, g, b] = self.rgb.map(f64::from);
        0.3 * r + 0.59 * g + 0.11 * b < 80.0
    }

    /// Straight mixture: `self` at 0, `other` at 1.
    pub fn mix(self, other: Self, share: f64) -> Self {
        let blend = |a: u8, b: u8| (a as f64 + (b as f64 - a as f64) * share).round() as u8;
        let rgb = std::array::from_fn(|k| blend(self.rgb[k], other.rgb[k]));
        Self { rgb, alpha: blend(self.alpha, other.alpha) }
    }
}

/// White.
pub const WHITE: Colour = hex(0xFFFFFF);

/// Fixed colours of a figure on a light or a dark ground.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Behind everything.
    pub paper: Colour,
    /// Text and axes.
    pub ink: Colour,
    /// Secondary text and ticks.
    pub pale_ink: Colour,
    /// Grid lines.
    pub grid: Colour,
    /// Free bodies without a field.
    pub body: Colour,
    /// Outlines of bodies.
    pub outline: Colour,
    /// Fixed and driven bodies.
    pub obstacle: Colour,
    /// Contact forces; those above the mean where strong and weak ones are told apart.
    pub force: Colour,
    /// Weak contact forces.
    pub weak_force: Colour,
    /// Contact forces that pull.
    pub tension: Colour,
    /// Contacts that are open, stick, slip, are bonded, and have lost their bond.
    pub status: [Colour; 5],
}

/// Ink on white, for print.
pub const LIGHT: Theme = Theme {
    paper: hex(0xFFFFFF),
    ink: hex(0x1A1A1A),
    pale_ink: hex(0x5A5A5A),
    grid: hex(0xE2E2E2),
    body: hex(0xD9E2EC),
    outline: hex(0x3A4450),
    obstacle: hex(0xB4B4B4),
    force: hex(0xC2290A),
    weak_force: hex(0xE0A458),
    tension: hex(0x0B6FB8),
    status: [hex(0x8A8A8A), hex(0x009E73), hex(0xE6550D), hex(0x2B5FA8), hex(0xC2185B)],
};

/// Light on near-black, for slides.
pub const DARK: Theme = Theme {
    paper: hex(0x14181D),
    ink: hex(0xF0F0F0),
    pale_ink: hex(0xA8AFB8),
    grid: hex(0x2E343B),
    body: hex(0x5C6B7A),
    outline: hex(0x0A0C0F),
    obstacle: hex(0x6E6E6E),
    force: hex(0xFF7A45),
    weak_force: hex(0x9C7A52),
    tension: hex(0x4FB0F0),
    status: [hex(0x9A9A9A), hex(0x2FD0A0), hex(0xFFA14A), hex(0x7FB2FF), hex(0xFF6FA5)],
};

/// A scale of colours for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ColourMap {
    /// Viridis (van der Walt and Smith, 2015): dark violet to yellow, lightness rises evenly.
    #[default]
    Viridis,
    /// Cividis (Nuñez, Anderton and Renslow, 2018): blue to yellow, the same to readers with and without red and green.
    Cividis,
    /// Inferno (van der Walt and Smith, 2015): black over red to pale yellow.
    Inferno,
    /// Dark to light grey, for print without colours.
    Grey,
    /// Blue over white to red (after Brewer): for values on both sides of zero.
    Balance,
}

impl ColourMap {
    /// All maps with the names by which a user asks for them.
    pub const NAMES: [(&'static str, ColourMap); 5] = [
        ("viridis", ColourMap::Viridis),
        ("cividis", ColourMap::Cividis),
        ("inferno", ColourMap::Inferno),
        ("grey", ColourMap::Grey),
        ("balance", ColourMap::Balance),
    ];

    /// Colours at equal steps from 0 to 1.
    fn steps(self) -> &'static [u32] {
        match self {
            ColourMap::Viridis => &[
                0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E, 0x2A788E, 0x23888E, 0x1F988B, 0x22A884,
                0x35B779, 0x54C568, 0x7AD151, 0xA5DB36, 0xD2E21B, 0xE9E51A, 0xFDE725,
            ],
            ColourMap::Cividis => {
                &[0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173, 0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46]
            }
            ColourMap::Inferno => {
                &[0x000004, 0x1B0C42, 0x4B0C6B, 0x781C6D, 0xA52C60, 0xCF4446, 0xED6925, 0xFB9A06, 0xF7D03C, 0xFCFFA4]
            }
            ColourMap::Grey => &[0x202020, 0xF2F2F2],
            ColourMap::Balance => &[
                0x053061, 0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7, 0xFDDBC7, 0xF4A582, 0xD6604D, 0xB2182B,
                0x67001F,
            ],
        }
    }

    /// Colour of a value already brought to 0…1; outside it is clamped, and what is no number is grey.
    pub fn at(self, value: f64) -> Colour {
        if value.is_nan() {
            return hex(0x9A9A9A);
        }
        let colours = self.steps();
        let steps = colours.len() - 1;
        let x = value.clamp(0.0, 1.0) * steps as f64;
        let below = (x as usize).min(steps - 1);
        hex(colours[below]).mix(hex(colours[below + 1]), x - below as f64)
    }
}

impl std::str::FromStr for ColourMap {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = Self::NAMES.map(|n| n.0).join(", ");
        let found = Self::NAMES.iter().find(|n| n.0 == name);
        found.map(|n| n.1).ok_or_else(|| format!("no colour map is called '{name}'; there are {names}"))
    }
}

/// Okabe and Ito (2008), black left out because outlines are dark; starts over after the seventh.
pub fn of_kind(kind: usize) -> Colour {
    const PALETTE: [u32; 7] = [0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00];
    hex(PALETTE[kind % PALETTE.len()])
}

/// Colours of lines that can be told apart.
pub const LINE_COLOURS: usize = 7;

/// Okabe and Ito for lines: strong on white first, the pale yellow left out.
pub fn of_line(line: usize) -> Colour {
    const PALETTE: [u32; LINE_COLOURS] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x4D4D4D];
    hex(PALETTE[line % PALETTE.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(c: Colour) -> f64 {
        let linear = c.rgb.map(|v| (v as f64 / 255.0).powf(2.2));
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn scales_get_lighter_all_the_way() {
        for map in [ColourMap::Viridis, ColourMap::Cividis, ColourMap::Inferno, ColourMap::Grey] {
            let lightness: Vec<f64> = (0..=100).map(|k| luminance(map.at(k as f64 / 100.0))).collect();
            assert!(lightness.windows(2).all(|w| w[1] >= w[0] - 1e-3), "{map:?} {lightness:?}");
        }
        let map = ColourMap::Viridis;
        assert_eq!(
            (map.at(-3.0), map.at(f64::INFINITY), map.at(f64::NAN)),
            (hex(0x440154), hex(0xFDE725), hex(0x9A9A9A))
        );
    }

    #[test]
    fn the_scale_of_two_sides_is_lightest_in_the_middle() {
        let map = ColourMap::Balance;
        let lightness: Vec<f64> = (0..=100).map(|k| luminance(map.at(k as f64 / 100.0))).collect();
        assert!(lightness[..51].windows(2).all(|w| w[1] >= w[0]) && lightness[50..].windows(2).all(|w| w[1] <= w[0]));
        assert!(map.at(0.0).rgb[2] > map.at(0.0).rgb[0] && map.at(1.0).rgb[0] > map.at(1.0).rgb[2]);
        assert!("jet".parse::<ColourMap>().unwrap_err().contains("cividis"));
    }
}
