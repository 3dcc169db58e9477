//! The verification cases at the size that takes seconds, one test each, so that a failure has a name.

use cairn_cli::verify::{CASES, Size, run};

fn passes(id: &str) {
    let case = CASES.iter().find(|case| case.id == id).expect("a case of that id");
    let checks = run(case, Size::Quick, None).unwrap_or_else(|error| panic!("{id}: {error:?}"));
    assert!(!checks.is_empty(), "{id} compares nothing");
    let missed: Vec<_> = checks.iter().filter(|check| !check.pass).collect();
    assert!(missed.is_empty(), "{id} misses its reference: {missed:#?}");
}

macro_rules! cases {
    ($($name:ident: $id:literal;)*) => {
        $(#[test] fn $name() { passes($id); })*
    };
}

cases! {
    a1_incline: "A1";
    a2_rolling: "A2";
    a3_bouncing_ball: "A3";
    a4_spinning_bodies: "A4";
    a5_arch: "A5";
    a6_rocking_block: "A6";
    a7_shaken_table: "A7";
    a8_elastic_bar: "A8";
    a9_hertz: "A9";
    a10_painleve_rod: "A10";
    a11_cracks: "A11";
    a12_heavy_top_stack: "A12";
    b1_couette: "B1";
    b2_sweeps: "B2";
    b3_elastic_wall: "B3";
    c1_geologic_layers: "C1";
    c2_biaxial: "C2";
    c3_temple: "C3";
    c4_shaken_block: "C4";
    d1_masonry_wall: "D1";
    d2_settlement: "D2";
    d3_dome: "D3";
    e1_impact_plate: "E1";
    e2_disc_between_plates: "E2";
    f1_rods: "F1";
    f2_cylinder_impact: "F2";
    h1_pressed_lattice: "H1";
    h2_triaxial: "H2";
    h3_rough_drum: "H3";
    h5_bonds_of_a_face: "H5";
    h6_loaded_arch: "H6";
    i1_tensile_test: "I1";
    i4_maxwell: "I4";
    i5_springback: "I5";
}
