//! Films as GIF: one palette for all frames, LZW codes, and of each frame only the box that changed.
//!
//! The palette has 255 colours; the last entry means "as before".

use super::DrawError;
use super::canvas::Picture;
use super::palette::Palette;
use super::raster;

/// Entry of the palette that leaves a pixel as it was.
const SAME: u8 = 255;

/// Red, green and blue of a picture, row by row.
pub struct Pixels {
    /// Pixels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Pixels.
    pub rgb: Vec<[u8; 3]>,
}

impl Pixels {
    /// Draws a picture.
    pub fn of(picture: &Picture) -> Result<Self, DrawError> {
        let map = raster::pixels(picture)?;
        let size = |n: u32| u16::try_from(n).map_err(|_| DrawError::Size);
        let rgb = map.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        Ok(Self { width: size(map.width())?, height: size(map.height())?, rgb })
    }
}

/// A film that is being put together: frames of the same size, given in order.
pub struct Gif {
    bytes: Vec<u8>,
    palette: Palette,
    width: u16,
    height: u16,
    before: Vec<u8>,
    delay: u16,
}

impl Gif {
    /// A film of `rate` frames a second whose palette fits the sample frames.
    pub fn new(samples: &[Pixels], rate: f64) -> Result<Self, DrawError> {
        let first = samples.first().ok_or(DrawError::Size)?;
        let palette = Palette::of(samples.iter().flat_map(|s| s.rgb.iter().copied()), usize::from(SAME));
        let mut bytes = b"GIF89a".to_vec();
        bytes.extend([first.width.to_le_bytes(), first.height.to_le_bytes()].concat());
        // A table of 256 colours of 8 bits; for ever repeated.
        bytes.extend([0xF7, 0, 0]);
        for k in 0..256 {
            bytes.extend(palette.colours.get(k).copied().unwrap_or_default());
        }
        bytes.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
        let delay = (100.0 / rate.clamp(0.1, 50.0)).round() as u16;
        let (width, height) = (first.width, first.height);
        Ok(Self { bytes, palette, width, height, before: vec![], delay })
    }

    /// Adds a frame; what is larger than the first is cut, what is smaller is filled up.
    pub fn add(&mut self, frame: &Pixels) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let mut now = vec![0u8; width * height];
        for y in 0..height.min(usize::from(frame.height)) {
            for x in 0..width.min(usize::from(frame.width)) {
                now[y * width + x] = self.palette.nearest(frame.rgb[y * usize::from(frame.width) + x]);
            }
        }
        let changed = |k: usize| self.before.get(k) != Some(&now[k]);
        let (mut low, mut high) = ([width - 1, height - 1], [0, 0]);
        for k in (0..now.len()).filter(|&k| changed(k)) {
            low = [low[0].min(k % width), low[1].min(k / width)];
            high = [high[0].max(k % width), high[1].max(k / width)];
        }
        // A frame without a change still takes its time: one pixel.
        if high < low {
            (low, high) = ([0, 0], [0, 0]);
        }
        let rows = low[1]..=high[1];
        let codes: Vec<u8> = rows
            .flat_map(|y| (low[0]..=high[0]).map(move |x| y * width + x))
            .map(|k| if changed(k) { now[k] } else { SAME })
            .collect();
        let [a, b] = self.delay.to_le_bytes();
        self.bytes.extend([0x21, 0xF9, 4, 0b0000_0101, a, b, SAME, 0, 0x2C]);
        let size = [low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1];
        size.iter().for_each(|&s| self.bytes.extend((s as u16).to_le_bytes()));
        self.bytes.extend([0, 8]);
        for block in lzw(&codes).chunks(255) {
            self.bytes.push(block.len() as u8);
            self.bytes.extend(block);
        }
        self.bytes.push(0);
        self.before = now;
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0x3B);
        self.bytes
    }
}

/// Codes of 9 to 12 bits for strings of bytes seen before, low bits first.
fn lzw(data: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let (mut out, mut held, mut bits) = (Vec::new(), 0u32, 0u32);
    let mut put = |code: u16, size: u32| {
        held |= u32::from(code) << bits;
        bits += size;
        while bits >= 8 {
            out.push(held as u8);
            held >>= 8;
            bits -= 8;
        }
        if code == END && bits > 0 {
            out.push(held as u8);
        }
    };
    let (mut next, mut size) = (END + 1, 9);
    // Which code stands for a known string and one more byte; 0 for none.
    let mut longer = vec![0u16; 4096 * 256];
    put(CLEAR, size);
    let mut string: Option<u16> = None;
    for &byte in data {
        let Some(known) = string else {
            string = Some(u16::from(byte));
            continue;
        };
        let slot = usize::from(known) * 256 + usize::from(byte);
        if longer[slot] != 0 {
            string = Some(longer[slot]);
            continue;
        }
        put(known, size);
        longer[slot] = next;
        next += 1;
        if next > 1 << size {
            size += 1;
        }
        if next == 4096 {
            put(CLEAR, 12);
            longer.fill(0);
            (next, size) = (END + 1, 9);
        }
        string = Some(u16::from(byte));
    }
    if let Some(known) = string {
        put(known, size);
        // The reader enters one more string after this code, and may widen its codes.
        if next + 1 > 1 << size && size < 12 {
            size += 1;
        }
    }
    put(END, size);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads codes as the standard tells readers to.
    fn unlzw(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut table: Vec<Vec<u8>> = Vec::new();
        let reset = |table: &mut Vec<Vec<u8>>| *table = (0..258u16).map(|k| vec![k as u8]).collect();
        let (mut at, mut size, mut last): (usize, u32, Option<usize>) = (0, 9, None);
        loop {
            let code = (0..size as usize).map(|k| usize::from(bytes[(at + k) / 8] >> ((at + k) % 8) & 1) << k).sum();
            at += size as usize;
            match code {
                256 => {
                    reset(&mut table);
                    (size, last) = (9, None);
                    continue;
                }
                257 => return out,
                _ => {}
            }
            let string = match (table.get(code), last) {
                (Some(s), _) => s.clone(),
                (None, Some(l)) => [&table[l][..], &table[l][..1]].concat(),
                _ => panic!("a code that was never made"),
            };
            if let Some(l) = last.filter(|_| table.len() < 4096) {
                table.push([&table[l][..], &string[..1]].concat());
            }
            if table.len() == 1 << size && size < 12 {
                size += 1;
            }
            out.extend(&string);
            last = Some(code);
        }
    }

    #[test]
    fn codes_come_back() {
        let mut seed = 1u64;
        for length in [0usize, 1, 2, 255, 256, 511, 5_000, 200_000] {
            let data: Vec<u8> = (0..length)
                .map(|k| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    if k % 7 < 4 { 3 } else { (seed >> 60) as u8 }
                })
                .collect();
            assert!(unlzw(&lzw(&data)) == data, "{length} bytes");
        }
    }

    #[test]
    fn a_frame_stores_only_what_changed() {
        let frame = |x: usize| {
            let mut rgb = vec![[255; 3]; 100 * 50];
            rgb[20 * 100 + x] = [200, 0, 0];
            Pixels { width: 100, height: 50, rgb }
        };
        let mut gif = Gif::new(&[frame(3), frame(4)], 25.0).unwrap();
        gif.add(&frame(3));
        let whole = gif.bytes.len();
        gif.add(&frame(4));
        let second = gif.bytes[whole..].to_vec();
        assert_eq!(&second[9..17], &[3, 0, 20, 0, 2, 0, 1, 0], "box at (3, 20), 2 × 1");
        assert_eq!(second[4..6], [4, 0], "four hundredths of a second");
        assert_eq!(gif.finish().last(), Some(&0x3B));
    }
}
