//! From samples to colours: two lights, soft shade in corners, dark lines where one surface ends and another begins.
//!
//! Ambient occlusion after McGuire et al. (2011): A = max(0, 1 − c Σ max(0, vᵢ·n − β)/(|vᵢ|² + ε)) over neighbours at
//! vᵢ from the sample; here the sum is normalized by the reach of the neighbourhood.

use super::buffer::{Buffer, Sample};
use crate::colour::{Colour, ColourMap};
use nalgebra::Vector3;

/// How a surface looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Colour in full light.
    pub colour: Colour,
    /// Strength of its outline, 0…1.
    pub ink: f32,
    /// Share of the differences in light that it shows, 0…1.
    pub relief: f32,
    /// Draw lines where it folds sharply?
    pub crease: bool,
}

/// Settings of the shading.
pub struct Shading<'a> {
    /// Surfaces by number, from 1.
    pub surfaces: &'a [Surface],
    /// Colours of samples that carry a value.
    pub map: ColourMap,
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
    let half = buffer.width.div_ceil(2);
    let colour = |k: usize| {
        let sample = &buffer.samples[k];
        let Some(surface) = surface_of(sample, shading.surfaces) else { return shading.paper.rgb.map(f32::from) };
        let open = shade[k / buffer.width / 2 * half + k % buffer.width / 2];
        let light = 1.0 + (brightness(sample.normal) - 1.0) * surface.relief;
        let light = light * open;
        let edge = outline_strength(buffer, k, shading);
        let own = if sample.value.is_nan() { surface.colour } else { shading.map.at(f64::from(sample.value)) };
        std::array::from_fn(|c| {
            let lit = (own.rgb[c] as f32 * light).min(255.0);
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
    0.6 + 0.39 * facing([-0.42, 0.64, 0.643]) + 0.14 * facing([0.86, 0.17, 0.48])
}

/// A sample is on a line if a neighbour within the pen belongs to another surface that is not in front of it.
fn outline_strength(buffer: &Buffer, k: usize, shading: &Shading) -> f32 {
    let here = &buffer.samples[k];
    let (ink, crease) = surface_of(here, shading.surfaces).map_or((0.0, false), |s| (s.ink, s.crease));
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
            let along: f32 = (0..3).map(|c| here.normal[c] * there.normal[c]).sum();
            let folds = crease && there.surface == here.surface && along < 0.6;
            (there.surface != here.surface || folds) && there.depth <= here.depth + 2.0 * step as f32
        })
    };
    if (1..=shading.pen).any(ends_at) { ink } else { 0.0 }
}

const DIRECTIONS: usize = 12;

/// Light that reaches every second sample each way, 0…1.
fn occlusion(buffer: &Buffer, reach: f64) -> Vec<f32> {
    let mut out = Vec::with_capacity(buffer.samples.len() / 4 + 1);
    for y in (0..buffer.height).step_by(2) {
        for x in (0..buffer.width).step_by(2) {
            let empty = buffer.samples[y * buffer.width + x].surface == 0;
            out.push(if empty { 1.0 } else { open_share(buffer, x, y, reach) });
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
    let (width, height) = (buffer.width.div_ceil(2), buffer.height.div_ceil(2));
    let depth = |x: usize, y: usize| buffer.samples[2 * y * buffer.width + 2 * x].depth;
    let near = 0.5 * reach as f32;
    let mut out = shade.to_vec();
    for y in 0..height {
        for x in 0..width {
            let here = depth(x, y);
            let (mut sum, mut count) = (0.0f32, 0.0f32);
            for ny in y.saturating_sub(2)..(y + 2).min(height) {
                for nx in x.saturating_sub(2)..(x + 2).min(width) {
                    // Nothing at all is infinitely far: the comparison is false.
                    if (depth(nx, ny) - here).abs() < near {
                        sum += shade[ny * width + nx];
                        count += 1.0;
                    }
                }
            }
            if count > 0.0 {
                out[y * width + x] = sum / count;
            }
        }
    }
    out
}
