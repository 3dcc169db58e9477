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
    /// Contact forces.
    pub force: Colour,
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
};

/// Viridis (van der Walt and Smith, 2015) at 17 equal steps: lightness rises evenly from 0 to 1.
const VIRIDIS: [u32; 17] = [
    0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E, 0x2A788E, 0x23888E, 0x1F988B, 0x22A884, 0x35B779,
    0x54C568, 0x7AD151, 0xA5DB36, 0xD2E21B, 0xE9E51A, 0xFDE725,
];

/// Colour of a value already brought to 0…1; outside it is clamped, and what is no number is grey.
pub fn on_scale(value: f64) -> Colour {
    if value.is_nan() {
        return hex(0x9A9A9A);
    }
    let steps = VIRIDIS.len() - 1;
    let x = value.clamp(0.0, 1.0) * steps as f64;
    let below = (x as usize).min(steps - 1);
    hex(VIRIDIS[below]).mix(hex(VIRIDIS[below + 1]), x - below as f64)
}

/// Okabe and Ito (2008), black left out because outlines are dark; starts over after the seventh.
pub fn of_kind(kind: usize) -> Colour {
    const PALETTE: [u32; 7] = [0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00];
    hex(PALETTE[kind % PALETTE.len()])
}

/// Okabe and Ito for lines: strong on white first, the pale yellow left out.
pub fn of_line(line: usize) -> Colour {
    const PALETTE: [u32; 7] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x4D4D4D];
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
    fn the_scale_gets_lighter_all_the_way() {
        let lightness: Vec<f64> = (0..=100).map(|k| luminance(on_scale(k as f64 / 100.0))).collect();
        assert!(lightness.windows(2).all(|w| w[1] >= w[0]), "{lightness:?}");
        assert_eq!(on_scale(-3.0), hex(0x440154));
        assert_eq!(on_scale(f64::INFINITY), hex(0xFDE725));
        assert_eq!(on_scale(f64::NAN), hex(0x9A9A9A));
    }
}
