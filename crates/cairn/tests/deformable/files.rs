//! What is written of deformable bodies is read back: `meshes.vtkhdf` and the stored states.

use crate::support::plane;
use cairn::measure;
use cairn::output::{self, Column, Progress, Results, Run};
use cairn::space::Vect;
use cairn_fem::tensor::{equivalent_strain, von_mises};
use rust_hdf5::{H5File, H5Type};
use std::path::Path;

fn values<T: H5Type>(dir: &Path, array: &str) -> Vec<T> {
    H5File::open(dir.join("meshes.vtkhdf")).unwrap().dataset(array).unwrap().read_raw::<T>().unwrap()
}

#[test]
fn meshes_are_written_as_they_are() {
    let text = "dimension = 2\ngravity = { acceleration = [0, -9.81] }\ntime = { step = 1e-3, end = 1 }\n\
        materials.m = { density = 1000, young = 1e6, poisson = 0.3 }\n\
        [[contact]]\nbetween = \"m\"\nfriction = 0.5\nunilateral = \"gap\"\n\
        [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n\
        [[deformable]]\nname = \"a\"\nmaterial = \"m\"\nposition = [0, 0.5]\nmesh = { kind = \"rectangle\", size = [1, 1], cells = [2, 2] }\n\
        [[deformable]]\nname = \"b\"\nmaterial = \"m\"\nposition = [3, 0.5]\n\
        mesh = { kind = \"rectangle\", size = [1, 1], cells = [1, 1], element = \"T6\" }\n";
    let mut s = plane(text);
    let tmp = tempfile::tempdir().unwrap();
    let (dir, scene_file) = (tmp.path().join("r"), tmp.path().join("s.toml"));
    std::fs::write(&scene_file, text).unwrap();
    let run = Run { scene_file, columns: vec![Column::new("time", "s")], ..Run::default() };
    let mut results = Results::create(&dir, false, &s.scene, &run).unwrap();
    let mut states = Vec::new();
    for _ in 0..3 {
        for _ in 0..20 {
            s.step().unwrap();
        }
        results.append(&s.scene, &s.state).unwrap();
        states.push(s.state.clone());
    }
    results.finish(Progress::Finished, &"done").unwrap();

    let counts = s.scene.flexibles.iter().map(|f| f.model.nodes().len());
    let nodes: usize = counts.sum();
    assert_eq!(nodes, 9 + 9);
    assert_eq!(values::<u8>(&dir, "VTKHDF/Types"), [9, 9, 9, 9, 22, 22]);
    let owners = values::<i32>(&dir, "VTKHDF/CellData/body");
    assert_eq!(owners, [1, 1, 1, 1, 2, 2]);
    let offsets = values::<i64>(&dir, "VTKHDF/Offsets");
    let connectivity = values::<i64>(&dir, "VTKHDF/Connectivity");
    assert_eq!(offsets, [0, 4, 8, 12, 16, 22, 28]);
    assert!(connectivity[..16].iter().all(|&n| n < 9) && connectivity[16..].iter().all(|&n| (9..18).contains(&n)));

    let (points, velocity) = (values::<f32>(&dir, "VTKHDF/Points"), values::<f32>(&dir, "VTKHDF/PointData/velocity"));
    let mises = values::<f32>(&dir, "VTKHDF/PointData/von_mises");
    let strain = values::<f32>(&dir, "VTKHDF/PointData/strain");
    let deviatoric = values::<f32>(&dir, "VTKHDF/PointData/deviatoric_strain");
    let pressure = values::<f32>(&dir, "VTKHDF/PointData/contact_pressure");
    assert_eq!(pressure.len(), 3 * nodes);
    for (time, state) in states.iter().enumerate() {
        let mut at = time * nodes;
        let pressures = measure::contact_pressures(&s.scene, &state.fields, &state.reactions, state.last_step);
        for (k, (body, field)) in s.scene.flexibles.iter().zip(&state.fields).enumerate() {
            let (stresses, strains) = (measure::nodal_stresses(body, field), measure::nodal_strains(body, field));
            for (n, x) in body.positions(&field.displacement).iter().enumerate() {
                assert_eq!(points[3 * at..3 * at + 3], [x.x as f32, x.y as f32, 0.0]);
                let v = Vect::<2>::from_column_slice(&field.velocity[2 * n..2 * n + 2]);
                assert_eq!(velocity[3 * at..3 * at + 2], [v.x as f32, v.y as f32]);
                assert_eq!(mises[at], von_mises(&stresses[n]) as f32);
                let e = strains[n];
                let six = [e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)], e[(1, 2)], e[(0, 2)]];
                assert_eq!(strain[6 * at..6 * at + 6], six.map(|x| x as f32));
                assert_eq!(deviatoric[at], equivalent_strain(&e) as f32);
                assert_eq!(pressure[at], pressures[k][n] as f32);
                at += 1;
            }
        }
    }
    assert!(pressure.iter().any(|&p| p > 0.0) && deviatoric.iter().any(|&e| e > 0.0));
    let frame = output::read_frame::<2>(&dir, states[1].time).unwrap();
    assert_eq!(frame.fields, states[1].fields);
}
