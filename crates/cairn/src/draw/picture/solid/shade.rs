//! From samples to colours: two lights, soft shade in corners, dark lines where one surface ends and another begins.
//!
//! Ambient occlusion after McGuire et al. (2011): A = max(0, 1 − c Σ max(0, vᵢ·n − β)/(|vᵢ|² + ε)) over neighbours at
//! vᵢ from the sample; here the sum is normalized by the reach of the neighbourhood.

use super::buffer::{Buffer, Sample};
use crate::draw::colour::Colour;
use nalgebra::Vector3;

/// How a surface looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Colour in full light.
    pub colour: Colour,
    /// Strength of its outline, 0…1.
    pub ink: f32,
}

/// Settings of the shading.
pub struct Shading<'a> {
    /// Surfaces by number, from 1.
    pub surfaces: &'a [Surface],
    /// Where nothing is.
    pub paper: Colour,
    /// Outlines.
    pub outline: Colour,
    /// Reach of the soft shade [samples].
    pub reach: f64,
    /// Half thickness of outlines [samples].
    pub pen: usize,
}

/// Colours of all samples, 0…255 each.
pub fn colours(buffer: &Buffer, shading: &Shading) -> Vec<[f32; 3]> {
    let shade = softened(buffer, &occlusion(buffer, shading.reach), shading.reach);
    let colour = |k: usize| {
        let sample = &buffer.samples[k];
        let Some(surface) = surface_of(sample, shading.surfaces) else { return shading.paper.rgb.map(f32::from) };
        let light = brightness(sample.normal) * shade[k];
        let edge = outline_strength(buffer, k, shading);
        std::array::from_fn(|c| {
            let lit = (surface.colour.rgb[c] as f32 * light).min(255.0);
            lit + (shading.outline.rgb[c] as f32 - lit) * edge
        })
    };
    (0..buffer.samples.len()).map(colour).collect()
}

fn surface_of<'a>(sample: &Sample, surfaces: &'a [Surface]) -> Option<&'a Surface> {
    surfaces.get((sample.surface as usize).checked_sub(1)?)
}

/// Main light from the upper left in front, a weaker one from the right; never so dark that colours cannot be read.
pub fn brightness(normal: [f32; 3]) -> f32 {
    let facing = |light: [f32; 3]| (0..3).map(|k| normal[k] * light[k]).sum::<f32>().max(0.0);
    0.52 + 0.46 * facing([-0.42, 0.64, 0.643]) + 0.16 * facing([0.86, 0.17, 0.48])
}

/// A sample is on a line if a neighbour within the pen belongs to another surface that is not in front of it.
fn outline_strength(buffer: &Buffer, k: usize, shading: &Shading) -> f32 {
    let here = &buffer.samples[k];
    let ink = surface_of(here, shading.surfaces).map_or(0.0, |s| s.ink);
    if ink == 0.0 {
        return 0.0;
    }
    let (x, y) = (k % buffer.width, k / buffer.width);
    let ends_at = |step: usize| {
        let near = [
            (x >= step).then(|| k - step),
            (x + step < buffer.width).then(|| k + step),
            (y >= step).then(|| k - step * buffer.width),
            (y + step < buffer.height).then(|| k + step * buffer.width),
        ];
        near.into_iter().flatten().any(|n| {
            let there = &buffer.samples[n];
            there.surface != here.surface && there.depth <= here.depth + 2.0 * step as f32
        })
    };
    if (1..=shading.pen).any(ends_at) { ink } else { 0.0 }
}

const DIRECTIONS: usize = 12;

/// Light that reaches each sample, 0…1; every second sample each way is computed, its neighbours take its value.
fn occlusion(buffer: &Buffer, reach: f64) -> Vec<f32> {
    let (width, height) = (buffer.width, buffer.height);
    let mut out = vec![1.0f32; width * height];
    for y in (0..height).step_by(2) {
        for x in (0..width).step_by(2) {
            if buffer.samples[y * width + x].surface == 0 {
                continue;
            }
            let value = open_share(buffer, x, y, reach);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                if x + dx < width && y + dy < height {
                    out[(y + dy) * width + x + dx] = value;
                }
            }
        }
    }
    out
}

fn open_share(buffer: &Buffer, x: usize, y: usize, reach: f64) -> f32 {
    let here = &buffer.samples[y * buffer.width + x];
    let normal = Vector3::from(here.normal);
    // A pattern of 4 × 4 turns of the neighbourhood, smoothed away afterwards.
    let turn = ((x / 2) % 4 * 4 + (y / 2) % 4) as f64 * (std::f64::consts::TAU / (16.0 * DIRECTIONS as f64));
    let mut blocked = 0.0f32;
    for k in 0..DIRECTIONS {
        let angle = k as f64 * 2.399_963_229_728_653 + turn * DIRECTIONS as f64;
        let distance = reach * ((k as f64 + 0.5) / DIRECTIONS as f64);
        let (dx, dy) = ((distance * angle.cos()) as isize, (distance * angle.sin()) as isize);
        let (Some(nx), Some(ny)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { continue };
        if nx >= buffer.width || ny >= buffer.height {
            continue;
        }
        let there = &buffer.samples[ny * buffer.width + nx];
        if there.surface == 0 {
            continue;
        }
        let v = Vector3::new(dx as f32, -dy as f32, there.depth - here.depth);
        let far = v.norm() / reach as f32;
        let above = (v.dot(&normal) / (v.norm() + 1e-3) - 0.08).max(0.0);
        blocked += above / (1.0 + far * far);
    }
    (1.0 - 1.5 * blocked / DIRECTIONS as f32).clamp(0.25, 1.0)
}

/// Mean over the 4 × 4 turns of the pattern, of neighbours at about the same depth only.
fn softened(buffer: &Buffer, shade: &[f32], reach: f64) -> Vec<f32> {
    let (width, height) = (buffer.width as isize, buffer.height as isize);
    let near = 0.5 * reach as f32;
    let mut out = shade.to_vec();
    for y in 0..height {
        for x in 0..width {
            let k = (y * width + x) as usize;
            let here = &buffer.samples[k];
            if here.surface == 0 {
                continue;
            }
            let (mut sum, mut count) = (0.0f32, 0.0f32);
            for ny in (y - 4..y + 4).step_by(2).filter(|n| (0..height).contains(n)) {
                for nx in (x - 4..x + 4).step_by(2).filter(|n| (0..width).contains(n)) {
                    let n = (ny * width + nx) as usize;
                    let there = &buffer.samples[n];
                    if there.surface != 0 && (there.depth - here.depth).abs() < near {
                        sum += shade[n];
                        count += 1.0;
                    }
                }
            }
            if count > 0.0 {
                out[k] = sum / count;
            }
        }
    }
    out
}
