use super::samples::{add, add_ball, add_floor, empty, reaction};
use super::*;
use crate::canvas::{Frame, Item};
use crate::colour::{ColourMap, LIGHT};
use crate::{DrawError, raster};
use cairn::shape::{Hollow, Polygon, Polyhedron, Shape, Surface};
use cairn::space::Vect;
use std::sync::Arc;

/// Two disks on a floor, one at rest and one that moves, pressed together.
fn disks(scale: f64) -> (Scene<2>, Vec<Reaction<2>>) {
    let mut scene = empty::<2>("Two disks: a < b & \"c\"");
    add_ball(&mut scene, Vect::<2>::new(-scale, scale), scale, 1.0);
    add_ball(&mut scene, Vect::<2>::new(scale, scale), scale, 1.0);
    add_floor(&mut scene, Vect::<2>::zeros(), Vect::<2>::y(), 1.0);
    scene.start[1].velocity.x = 0.003;
    let forces = vec![
        reaction([0, 1], Vect::<2>::new(0.0, scale), -Vect::<2>::x(), Vect::<2>::new(-3e4, 0.0)),
        reaction([0, 2], Vect::<2>::new(-scale, 0.0), Vect::<2>::y(), Vect::<2>::new(0.0, 6e4)),
    ];
    (scene, forces)
}

/// A sphere and a block side by side on a floor, a cylinder around, and a triangle.
fn solids() -> (Scene<3>, Vec<Reaction<3>>) {
    let one = Vect::<3>::repeat(1.0);
    let mut scene = empty::<3>("Solids");
    add_ball(&mut scene, Vect::<3>::new(0.0, 0.0, 1.0), 1.0, one);
    let block = Arc::new(Polyhedron::cuboid(&Vect::<3>::new(1.0, 2.0, 1.5)).unwrap());
    add(&mut scene, Shape::Convex(block), Vect::<3>::new(2.5, 0.0, 0.75), 1.4, false, one);
    add_floor(&mut scene, Vect::<3>::zeros(), Vect::<3>::z(), one);
    add(&mut scene, Shape::Hollow(Hollow { radius: 4.0 }), Vect::<3>::zeros(), f64::INFINITY, true, one);
    let triangle = Surface::new(vec![Vect::<3>::x(), Vect::<3>::y(), Vect::<3>::z()], vec![[0, 1, 2]]).unwrap();
    add(&mut scene, Shape::Surface(Arc::new(triangle)), Vect::<3>::new(-2.0, 0.0, 0.0), 1.0, true, one);
    let forces = vec![reaction([0, 2], Vect::<3>::zeros(), Vect::<3>::z(), Vect::<3>::new(0.0, 0.0, 12.0))];
    (scene, forces)
}

fn scene_items(picture: &Picture) -> (Frame, &[Item]) {
    match &picture.items[0] {
        Item::Clipped { frame, items } => (*frame, items),
        other => panic!("not the scene: {other:?}"),
    }
}

fn circles(items: &[Item]) -> Vec<([f64; 2], f64)> {
    let circle = |i: &Item| match i {
        Item::Circle { centre, radius, .. } => Some((*centre, *radius)),
        _ => None,
    };
    items.iter().filter_map(circle).collect()
}

#[test]
fn known_geometry_lands_where_it_should() {
    let (scene, forces) = disks(1.0);
    let drawn = picture(&scene, &scene.start, &forces, 0.0, &PictureOptions::default());
    let (frame, items) = scene_items(&drawn);
    let disks = circles(items);
    // 4 m × 2 m, and 8 % of the larger side as margin.
    let scale = (frame.width / 4.32).min(frame.height / 2.32);
    let middle = [frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height];
    for (k, side) in [(0, -1.0), (1, 1.0)] {
        let (centre, radius) = disks[k];
        assert!((centre[0] - middle[0] - side * scale).abs() < 1e-9 && (centre[1] - middle[1]).abs() < 1e-9);
        assert!((radius - scale).abs() < 1e-9);
    }
    let Item::Path { points: floor, .. } = &items[0] else { panic!("the floor is at the back") };
    let top = floor.iter().map(|p| p[1]).fold(f64::MAX, f64::min);
    assert!((top - (middle[1] + scale)).abs() < 1e-9);
}

#[test]
fn a_disk_has_the_colour_of_its_value() {
    let (scene, forces) = disks(1.0);
    let options = PictureOptions { field: Field::Speed, forces: false, ..Default::default() };
    let drawn = picture(&scene, &scene.start, &forces, 0.0, &options);
    let pixels = raster::pixels(&drawn).unwrap();
    let colour = |[x, y]: [f64; 2]| {
        let p = pixels.pixel(x as u32, y as u32).unwrap();
        [p.red(), p.green(), p.blue()]
    };
    let disks = circles(scene_items(&drawn).1);
    assert_eq!(colour(disks[0].0), ColourMap::Viridis.at(0.0).rgb);
    assert_eq!(colour(disks[1].0), ColourMap::Viridis.at(1.0).rgb);
    let half = PictureOptions { range: Some((0.0, 0.006)), ..options };
    let drawn = picture(&scene, &scene.start, &forces, 0.0, &half);
    let pixels = raster::pixels(&drawn).unwrap();
    let p = pixels.pixel(disks[1].0[0] as u32, disks[1].0[1] as u32).unwrap();
    assert_eq!([p.red(), p.green(), p.blue()], ColourMap::Viridis.at(0.5).rgb);
}

#[test]
fn legends_carry_units_and_round_numbers() {
    let (scene, forces) = disks(1.0);
    let options = PictureOptions { field: Field::Speed, ..Default::default() };
    let svg = picture(&scene, &scene.start, &forces, 0.25, &options).svg().unwrap();
    for text in ["speed [mm/s]", "contact force [kN]", "50", "20", "10", "t = 0.25 s", "0.5 m"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text}");
    }
    let options = PictureOptions { field: Field::Group, title: false, forces: false, ..Default::default() };
    let svg = picture(&scene, &scene.start, &forces, 0.25, &options).svg().unwrap();
    assert!(svg.contains(">grains</text>") && !svg.contains("t = ") && !svg.contains("contact force"));
}

/// Every start tag has its end, in order, and attributes are quoted.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = &svg[svg.find("<svg").unwrap()..];
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn svg_is_well_formed_whatever_the_title() {
    let (scene, forces) = disks(1.0);
    let svg = picture(&scene, &scene.start, &forces, 0.0, &PictureOptions::default()).svg().unwrap();
    assert_well_formed(&svg);
    assert!(svg.contains("Two disks: a &lt; b &amp; &quot;c&quot;"));
    let (scene, forces) = solids();
    assert_well_formed(&picture(&scene, &scene.start, &forces, 0.0, &PictureOptions::default()).svg().unwrap());
}

#[test]
fn the_same_input_has_the_same_bytes() {
    let (plane, plane_forces) = disks(1.0);
    let (solid, solid_forces) = solids();
    let options = PictureOptions { width: 500, field: Field::Force, ..Default::default() };
    let draw = || {
        let two = picture(&plane, &plane.start, &plane_forces, 0.0, &options);
        let three = picture(&solid, &solid.start, &solid_forces, 0.0, &options);
        [two.png(), three.png(), two.svg().map(String::into_bytes), three.svg().map(String::into_bytes)]
            .map(Result::unwrap)
    };
    assert_eq!(draw(), draw());
}

#[test]
fn the_size_of_the_world_does_not_matter() {
    let shapes = |scale: f64| {
        let (scene, forces) = disks(scale);
        let drawn = picture(&scene, &scene.start, &forces, 0.0, &PictureOptions::default());
        circles(scene_items(&drawn).1)
    };
    let reference = shapes(1.0);
    for scale in [1e-9, 1e-6, 1e6, 1e9] {
        for (a, b) in shapes(scale).iter().zip(&reference) {
            assert!((a.0[0] - b.0[0]).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6, "{scale}");
        }
    }
}

#[test]
fn nearer_solids_hide_farther_ones_and_the_rest_is_paper() {
    let one = Vect::<3>::repeat(1.0);
    let mut scene = empty::<3>("");
    add_ball(&mut scene, Vect::<3>::new(0.0, -5.0, 0.0), 1.0, one);
    add_ball(&mut scene, Vect::<3>::new(0.0, 5.0, 0.0), 1.0, one);
    scene.start[0].velocity.x = 1.0;
    let camera = Camera { azimuth: -90.0, elevation: 0.0, zoom: 1.0 };
    let seen_from = |azimuth: f64| {
        let camera = Camera { azimuth, ..camera };
        let options = PictureOptions { width: 300, field: Field::Speed, camera, ..Default::default() };
        let drawn = picture(&scene, &scene.start, &[], 0.0, &options);
        let Item::Image { width, height, rgb, .. } = drawn.items[0].clone() else { panic!("no image") };
        let at = |x: u32, y: u32| [0, 1, 2].map(|k| rgb[3 * (y * width + x) as usize + k]);
        (at(width / 2, height / 2), at(1, 1))
    };
    let ((front, corner), (back, _)) = (seen_from(-90.0), seen_from(90.0));
    assert_eq!(corner, LIGHT.paper.rgb);
    assert!(front[0] > 150 && front[2] < 80, "yellow, the fast one: {front:?}");
    assert!(back[0] < 90 && back[2] > 50, "purple, the one at rest: {back:?}");
}

#[test]
fn a_body_of_several_parts_has_one_outline() {
    let (mut scene, _) = disks(1.0);
    scene.parts[1].body = 0;
    scene.parts[1].local.centre.x = 1.0;
    let drawn = picture(&scene, &scene.start, &[], 0.0, &PictureOptions::default());
    let kinds: Vec<(bool, bool)> = scene_items(&drawn)
        .1
        .iter()
        .filter_map(|i| match i {
            Item::Circle { fill, stroke, .. } => Some((fill.is_some(), stroke.is_some())),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, [(false, true), (false, true), (true, false), (true, false)]);
}

#[test]
fn degenerate_scenes_are_pictures_too() {
    let small = |field| PictureOptions { width: 200, field, ..Default::default() };
    for (_, field) in Field::NAMES {
        picture(&empty::<2>(""), &[], &[], 0.0, &small(field)).png().unwrap();
        picture(&empty::<3>(""), &[], &[], f64::NAN, &small(field)).png().unwrap();
        let (mut scene, mut forces) = disks(1.0);
        scene.start[0].place.centre.x = f64::NAN;
        forces[1].impulse.x = f64::INFINITY;
        let drawn = picture(&scene, &scene.start, &forces, 0.0, &small(field));
        drawn.png().unwrap();
        assert!(drawn.svg().unwrap().contains("1 body without a finite position"));
        picture(&scene, &scene.start[..1], &forces, 0.0, &small(field)).png().unwrap();
    }
    let mut point = empty::<3>("");
    add_ball(&mut point, Vect::<3>::repeat(1e6), 0.0, Vect::<3>::repeat(1.0));
    picture(&point, &point.start, &[], 0.0, &small(Field::None)).png().unwrap();
    let (scene, forces) = solids();
    let camera = Camera { azimuth: f64::NAN, elevation: 90.0, zoom: -1.0 };
    for (width, height) in [(0, Some(0)), (1, None), (300, Some(20))] {
        let options = PictureOptions { width, height, camera, ..Default::default() };
        picture(&scene, &scene.start, &forces, 0.0, &options).png().unwrap();
    }
    let mut segment = empty::<2>("");
    let line = Polygon::new(&[Vect::<2>::zeros(), Vect::<2>::x()]).unwrap();
    add(&mut segment, Shape::Convex(Arc::new(line)), Vect::<2>::zeros(), 1.0, true, 1.0);
    picture(&segment, &segment.start, &[], 0.0, &small(Field::None)).png().unwrap();
}

#[test]
fn the_ending_of_the_path_chooses_the_format() {
    let dir = tempfile::tempdir().unwrap();
    let (scene, forces) = disks(1.0);
    let drawn = picture(&scene, &scene.start, &forces, 0.0, &PictureOptions::default());
    drawn.write(&dir.path().join("a.PNG")).unwrap();
    drawn.write(&dir.path().join("a.svg")).unwrap();
    assert_eq!(&std::fs::read(dir.path().join("a.PNG")).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
    assert!(std::fs::read_to_string(dir.path().join("a.svg")).unwrap().starts_with("<?xml"));
    assert!(matches!(drawn.write(&dir.path().join("a.jpg")), Err(DrawError::UnknownEnding { .. })));
    assert!(matches!(drawn.write(&dir.path().join("no/a.png")), Err(DrawError::Write { .. })));
}

#[test]
fn fields_are_found_by_name() {
    let scene = empty::<2>("");
    assert_eq!(Field::named("rotation", &scene), Ok(Field::Rotation));
    assert!(Field::named("velocity", &scene).unwrap_err().contains("speed"));
}
