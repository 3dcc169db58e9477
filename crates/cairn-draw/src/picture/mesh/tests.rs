use super::*;
use crate::picture::samples::{add_floor, empty};
use crate::picture::{Picture, PictureOptions, picture_with_meshes};
use cairn::space::Vect;

/// A cantilever of `nx` × `ny` squares, bent: u = κ(−x y, x²/2), σ = E κ y. Length 4, height 1.
fn beam(nx: u32, ny: u32) -> Meshes {
    let mut view = MeshView::default();
    let (mut stress, curvature) = (Vec::new(), 0.08);
    for i in 0..=nx {
        for j in 0..=ny {
            let (x, y) = (4.0 * f64::from(i) / f64::from(nx), f64::from(j) / f64::from(ny) - 0.5);
            view.nodes.push([x, y, 0.0]);
            view.displacements.push([-curvature * x * y, 0.5 * curvature * x * x, 0.0]);
            stress.push(1e6 * y);
        }
    }
    let node = |i: u32, j: u32| i * (ny + 1) + j;
    for i in 0..nx {
        for j in 0..ny {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            view.facets.extend([[a, b, c], [a, c, d]]);
            view.edges.extend([[a, b], [b, c], [c, d], [d, a]]);
            let middle = (f64::from(j) + 0.5) / f64::from(ny) - 0.5;
            let x = 4.0 * (f64::from(i) + 0.5) / f64::from(nx);
            view.crosses.push(Cross {
                at: [x, middle, 0.0],
                displacement: [-curvature * x * middle, 0.5 * curvature * x * x, 0.0],
                axes: vec![([1.0, curvature * x, 0.0], 1e6 * middle)],
            });
        }
    }
    view.values = MeshValues::Nodes(stress);
    Meshes { views: vec![view], name: "stress".into(), unit: "Pa".into(), ..Default::default() }
}

/// The beam as a solid: its skin, pulled out along z.
fn solid_beam() -> Meshes {
    let flat = beam(16, 4);
    let front = &flat.views[0];
    let count = front.nodes.len() as u32;
    let upright = |x: &[f64; 3], y: f64| [x[0], y, x[1]];
    let mut view = MeshView::default();
    for y in [-0.4, 0.4] {
        view.nodes.extend(front.nodes.iter().map(|x| upright(x, y)));
        view.displacements.extend(front.displacements.iter().map(|u| upright(u, 0.0)));
    }
    view.facets.extend(front.facets.iter());
    view.facets.extend(front.facets.iter().map(|f| [f[0] + count, f[2] + count, f[1] + count]));
    let side = |a: u32, b: u32| [[a + count, b + count, b], [a + count, b, a]];
    for i in 0..16 {
        view.facets.extend(side((i + 1) * 5 + 4, i * 5 + 4).map(|f| [f[0], f[2], f[1]]));
        view.facets.extend(side(i * 5, (i + 1) * 5).map(|f| [f[0], f[2], f[1]]));
    }
    for j in 0..4 {
        view.facets.extend(side(16 * 5 + j, 16 * 5 + j + 1).map(|f| [f[0], f[2], f[1]]));
    }
    view.edges.extend(front.edges.iter());
    let MeshValues::Nodes(stress) = &front.values else { panic!("a beam has stresses") };
    view.values = MeshValues::Nodes([&stress[..], &stress[..]].concat());
    Meshes { views: vec![view], ..flat }
}

fn drawn(meshes: &Meshes) -> Picture {
    let scene = empty::<2>("Bent beam");
    let options = PictureOptions { width: 600, colours: crate::ColourMap::Balance, ..Default::default() };
    picture_with_meshes(&scene, &[], &[], meshes, 0.0, &options)
}

fn drawn_solid(meshes: &Meshes) -> Picture {
    let mut scene = empty::<3>("Bent solid beam");
    add_floor(&mut scene, Vect::<3>::new(0.0, 0.0, -0.6), Vect::<3>::z(), Vect::<3>::repeat(1.0));
    let options = PictureOptions { width: 600, colours: crate::ColourMap::Balance, ..Default::default() };
    picture_with_meshes(&scene, &scene.start, &[], meshes, 0.0, &options)
}

#[test]
fn a_bent_beam_is_red_above_and_blue_below() {
    let image = crate::raster::pixels(&drawn(&beam(16, 4))).unwrap();
    let count = |test: &dyn Fn(i32, i32) -> bool| {
        image.pixels().iter().filter(|p| test(i32::from(p.red()), i32::from(p.blue()))).count() as f64
    };
    let (red, blue) = (count(&|r, b| r > b + 60), count(&|r, b| b > r + 60));
    assert!(red > 5_000.0 && (red / blue - 1.0).abs() < 0.25, "{red} {blue}");
    let solid = crate::raster::pixels(&drawn_solid(&solid_beam())).unwrap();
    let red = solid.pixels().iter().filter(|p| p.red() > p.blue() + 60).count();
    assert!(red > 3_000, "{red}");
}

#[test]
#[ignore = "writes two pictures to look at, in the folder for temporary files"]
fn write_beams() {
    drawn(&beam(16, 4)).write(&std::env::temp_dir().join("beam.png")).unwrap();
    drawn_solid(&solid_beam()).write(&std::env::temp_dir().join("solid-beam.png")).unwrap();
}

#[test]
fn magnification_moves_the_tip_in_proportion() {
    let tip = |magnification: f64| {
        let meshes = Meshes { magnification, ..beam(16, 4) };
        place(&meshes, None)[0].nodes[16 * 5 + 2].y
    };
    for m in [0.0, 1.0, 10.0] {
        assert!((tip(m) - m * 0.5 * 0.08 * 16.0).abs() < 1e-12, "{m}");
    }
}

#[test]
fn nonsense_in_a_mesh_is_left_out() {
    let mut meshes = beam(2, 1);
    meshes.views[0].facets.push([0, 1, 999]);
    meshes.views[0].edges.push([0, 999]);
    meshes.views[0].nodes[0][0] = f64::NAN;
    meshes.views[0].values = MeshValues::Nodes(vec![f64::NAN; 3]);
    assert_eq!(place(&meshes, None)[0].facets.len(), 2);
    drawn(&meshes).png().unwrap();
}
