//! Pictures against committed ones: in each block of 8 × 8 pixels the mean difference must stay below a few of 255 grey
//! levels. Rounding of another processor passes; a body that moved, a lost outline or another colour does not.
//! After a wanted change look at the new pictures, made by `cargo test -p cairn-draw write_references -- --ignored`.

use super::samples::{add, add_ball, add_floor, empty, reaction};
use super::*;
use crate::Pixels;
use cairn::shape::{Polyhedron, Shape};
use cairn::space::Vect;
use std::path::PathBuf;
use std::sync::Arc;

const BLOCK: usize = 8;
const TOLERATED: f64 = 5.0;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/picture/references").join(format!("{name}.png"))
}

/// The largest mean difference of a block, over all channels.
fn difference(a: &Pixels, b: &Pixels) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height), "another size");
    let (width, height) = (usize::from(a.width), usize::from(a.height));
    let mut worst = 0.0f64;
    for top in (0..height).step_by(BLOCK) {
        for left in (0..width).step_by(BLOCK) {
            let (mut sum, mut count) = (0u32, 0u32);
            for y in top..(top + BLOCK).min(height) {
                for x in left..(left + BLOCK).min(width) {
                    let k = y * width + x;
                    sum += (0..3).map(|c| u32::from(a.rgb[k][c].abs_diff(b.rgb[k][c]))).sum::<u32>();
                    count += 3;
                }
            }
            worst = worst.max(f64::from(sum) / f64::from(count));
        }
    }
    worst
}

fn committed(name: &str) -> Pixels {
    let bytes = std::fs::File::open(file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut reader = png::Decoder::new(std::io::BufReader::new(bytes)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    let rgb = data[..info.buffer_size()].chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    Pixels { width: info.width as u16, height: info.height as u16, rgb }
}

/// A heap of six disks with its forces, shifted by `by`.
fn heap(by: f64) -> (Scene<2>, Vec<Reaction<2>>) {
    let mut scene = empty::<2>("Six disks");
    for (row, count) in [(0, 3), (1, 2), (2, 1)] {
        for k in 0..count {
            let x = 2.0 * f64::from(k) + f64::from(row);
            add_ball(&mut scene, Vect::<2>::new(x + by, 1.0 + 1.732 * f64::from(row)), 1.0, 1.0);
        }
    }
    scene.start[5].velocity.y = 1.0;
    add_floor(&mut scene, Vect::<2>::zeros(), Vect::<2>::y(), 1.0);
    let between = |a: usize, b: usize, f: f64| {
        let (x, y) = (scene.start[a].place.centre, scene.start[b].place.centre);
        let normal = (x - y).normalize();
        reaction([a as u32, b as u32], (x + y) * 0.5, normal, normal * f)
    };
    let forces =
        vec![between(3, 5, -4.0), between(4, 5, -4.0), between(0, 3, -9.0), between(1, 3, 3.0), between(1, 4, 3.0)];
    (scene, forces)
}

fn solids(by: f64) -> (Scene<3>, Vec<Reaction<3>>) {
    let one = Vect::<3>::repeat(1.0);
    let mut scene = empty::<3>("Sphere on a block");
    add_ball(&mut scene, Vect::<3>::new(by, 0.0, 2.5), 1.0, one);
    let block = Arc::new(Polyhedron::cuboid(&Vect::<3>::new(3.0, 2.0, 1.5)).unwrap());
    add(&mut scene, Shape::Convex(block), Vect::<3>::new(0.0, 0.0, 0.75), 1.9, false, one);
    add_floor(&mut scene, Vect::<3>::zeros(), Vect::<3>::z(), one);
    let force = reaction([0, 1], Vect::<3>::new(by, 0.0, 1.5), Vect::<3>::z(), Vect::<3>::z() * 5.0);
    (scene, vec![force])
}

/// A strip of eight squares that is bent, coloured along its length; `by` raises its end.
fn strip(by: f64) -> Meshes {
    let mut view = MeshView::default();
    let mut values = Vec::new();
    for i in 0..=8u32 {
        for j in 0..=1u32 {
            let (x, y) = (f64::from(i), f64::from(j));
            view.nodes.push([x, y, 0.0]);
            view.displacements.push([-0.1 * x * y, (0.03 + by) * x * x, 0.0]);
            values.push(1e6 * (x + y));
        }
    }
    for i in 0..8u32 {
        let [a, b, c, d] = [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1];
        view.facets.extend([[a, b, c], [a, c, d]]);
        view.edges.extend([[a, b], [b, c], [c, d], [d, a]]);
    }
    view.values = MeshValues::Nodes(values);
    Meshes { views: vec![view], name: "stress".into(), unit: "Pa".into(), ..Meshes::default() }
}

fn pictures(by: f64) -> Vec<(&'static str, Pixels)> {
    let small = PictureOptions { width: 320, ..Default::default() };
    let (plane, plane_forces) = heap(by);
    let (solid, solid_forces) = solids(by);
    let options = PictureOptions { split: true, contacts: true, field: Field::Speed, ..small.clone() };
    let flat = picture(&plane, &plane.start, &plane_forces, 0.5, &options);
    let bare = picture(&solid, &solid.start, &[], 0.5, &PictureOptions { field: Field::Group, ..small.clone() });
    let tubes = picture(&solid, &solid.start, &solid_forces, 0.5, &small);
    let bent = picture_with_meshes(&empty::<2>("Bent strip"), &[], &[], &strip(0.1 * by), 0.5, &small);
    [("plane", flat), ("solid", bare), ("forces", tubes), ("mesh", bent)]
        .map(|(n, p)| (n, Pixels::of(&p).unwrap()))
        .into()
}

#[test]
fn pictures_look_as_they_did() {
    for (name, drawn) in pictures(0.0) {
        let worst = difference(&drawn, &committed(name));
        assert!(worst < TOLERATED, "{name}: a block differs by {worst:.1}");
    }
}

#[test]
fn a_body_that_moved_a_little_is_noticed() {
    // The first disk alone, by a tenth of its radius; the view stays.
    let (mut scene, forces) = heap(0.0);
    let options = PictureOptions { width: 320, split: true, contacts: true, field: Field::Speed, ..Default::default() };
    scene.start[1].place.centre.x += 0.1;
    let moved = Pixels::of(&picture(&scene, &scene.start, &forces, 0.5, &options)).unwrap();
    assert!(difference(&moved, &committed("plane")) > 3.0 * TOLERATED);
    for (name, other) in pictures(0.1).into_iter().skip(1) {
        let worst = if other.height == committed(name).height { difference(&other, &committed(name)) } else { 255.0 };
        assert!(worst > 3.0 * TOLERATED, "{name}: {worst}");
    }
}

#[test]
#[ignore = "writes the committed pictures"]
fn write_references() {
    for (name, drawn) in pictures(0.0) {
        let rgb: Vec<u8> = drawn.rgb.concat();
        let bytes = crate::raster::encode(drawn.width.into(), drawn.height.into(), png::ColorType::Rgb, &rgb);
        std::fs::write(file(name), bytes.unwrap()).unwrap();
    }
}
