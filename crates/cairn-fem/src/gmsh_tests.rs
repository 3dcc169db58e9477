use super::*;
use crate::generate::{Flat, Solid, block, disc, even, rectangle};
use crate::mesh::Kind;

const PLATE_22: &[u8] = include_bytes!("../tests/data/plate-22.msh");
const PLATE_22_BINARY: &[u8] = include_bytes!("../tests/data/plate-22-binary.msh");
const PLATE_41: &[u8] = include_bytes!("../tests/data/plate-41.msh");
const PLATE_41_BINARY: &[u8] = include_bytes!("../tests/data/plate-41-binary.msh");
const BALL_41: &[u8] = include_bytes!("../tests/data/tets-41.msh");
const BOX_22_BINARY: &[u8] = include_bytes!("../tests/data/hexes-22-binary.msh");

/// A plate of 2 × 1 with a hole of radius 0.25, two materials, made by Gmsh 4.15: the four files hold the same mesh.
#[test]
fn both_formats_as_text_and_binary_give_the_same_mesh() {
    let mesh = parse::<2>(PLATE_22).unwrap();
    assert_eq!(mesh.check(), Ok(()));
    assert_eq!(mesh.regions, ["left half", "right half"]);
    assert!((mesh.volume() / (2.0 - std::f64::consts::PI / 16.0) - 1.0).abs() < 1e-3, "{}", mesh.volume());
    assert!(mesh.cells.iter().all(|c| c.kind == Kind::T6));
    for name in ["bottom", "hole"] {
        assert!(!mesh.boundary(name).unwrap().is_empty());
    }
    let corner = mesh.nodes_of("corner").unwrap();
    assert!(corner.len() == 1 && mesh.nodes[corner[0] as usize].norm() < 1e-15);
    // The hole is a boundary of the body: seen from its middle, its normals look inwards.
    for boundary in mesh.boundary("hole").unwrap() {
        for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
            let normal = mesh.facet_area(boundary.kind, nodes).1;
            let from_middle = mesh.nodes[nodes[0] as usize] - crate::Vect::from([0.5, 0.5]);
            assert!(normal.dot(&from_middle) < 0.0);
        }
    }
    for bytes in [PLATE_22_BINARY, PLATE_41, PLATE_41_BINARY] {
        let other = parse::<2>(bytes).unwrap();
        assert_eq!(other.check(), Ok(()));
        assert_eq!(other.cell_count(), mesh.cell_count());
        assert!((other.volume() - mesh.volume()).abs() < 1e-12);
        assert_eq!(other.regions, mesh.regions);
        assert_eq!(other.nodes_of("hole").unwrap().len(), mesh.nodes_of("hole").unwrap().len());
    }
}

#[test]
fn solid_files_are_read_with_quadratic_cells() {
    let ball = parse::<3>(BALL_41).unwrap();
    assert_eq!(ball.check(), Ok(()));
    assert!(ball.cells.iter().all(|c| c.kind == Kind::Tet10));
    assert!((ball.volume() - 1.0).abs() < 1e-12);
    let hexes = parse::<3>(BOX_22_BINARY).unwrap();
    assert_eq!(hexes.check(), Ok(()));
    assert!(hexes.cells.iter().all(|c| c.kind == Kind::H20));
    assert!((hexes.volume() - 1.0).abs() < 1e-12);
    for mesh in [ball, hexes] {
        assert_eq!(mesh.check_closed("skin"), Ok(()));
        let top = mesh.boundary("top").unwrap();
        let facets = top.iter().flat_map(|b| b.nodes.chunks_exact(b.kind.nodes()).map(move |n| (b.kind, n)));
        let total: crate::Vect<3> = facets.map(|(kind, nodes)| mesh.facet_area(kind, nodes).1).sum();
        assert!((total - crate::Vect::from([0.0, 0.0, 1.0])).norm() < 1e-12);
    }
}

#[test]
fn what_is_written_is_read_back() {
    fn same<const D: usize>(mesh: &Mesh<D>) {
        let mut read = parse::<D>(write(mesh).as_bytes()).unwrap();
        // The file has no order between boundaries and cells; names and lists stay.
        read.node_sets.sort();
        assert_eq!(&read, mesh);
    }
    same(&rectangle(&even(0.0, 1.0, 3), &even(0.0, 0.1, 2), Flat::T3Crossed));
    same(&rectangle(&even(0.0, 1.0, 3), &even(0.0, 1.0 / 3.0, 2), Flat::Q4).quadratic());
    same(&block(&even(0.0, 1.0, 2), &even(0.0, 1.0, 1), &even(0.0, 1.0, 1), Solid::Tet4).quadratic());
    same(&block(&even(0.0, 1.0, 2), &even(0.0, 1.0, 1), &even(0.0, 1.0, 1), Solid::H8).quadratic());
    same(&disc(1.0, 4, 2));
}

fn error_of(text: &str) -> String {
    parse::<2>(text.as_bytes()).unwrap_err().to_string()
}

const SQUARE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n\
                      $Elements\n1\n1 3 2 7 1 1 2 3 4\n$EndElements\n";

#[test]
fn errors_name_the_line_and_say_what_was_expected() {
    let mesh = parse::<2>(SQUARE.as_bytes()).unwrap();
    assert!((mesh.volume() - 1.0).abs() < 1e-14 && mesh.regions == ["7"]);
    for (change, to, line, text) in [
        ("2.2 0 8", "3.0 0 8", "line 2", "format 3.0"),
        ("2.2 0 8", "2.2 5 8", "line 2", "ASCII"),
        ("2 1 0 0", "2 1 zero 0", "line 7", "expected a number and found \"zero\""),
        ("$Nodes\n4", "$Nodes\n3", "line 9", "expected $EndNodes"),
        ("$Nodes\n4", "$Nodes\n5", "line 10", "expected an integer and found \"$EndNodes\""),
        ("$Nodes\n4", "$Nodes\n999999999999", "line 5", "more than the rest of the file holds"),
        ("$EndNodes\n", "", "line 10", "expected $EndNodes"),
        ("1 3 2 7 1", "1 33 2 7 1", "line 13", "element type 33"),
        ("1 3 2 7 1", "1 10 2 7 1", "line 13", "SecondOrderIncomplete"),
        ("1 3 2 7 1", "1 6 2 7 1", "line 13", "prism"),
        ("1 2 3 4\n$EndE", "1 2 3 9\n$EndE", "line 13", "element 1 names node 9"),
        ("$EndElements\n", "", "line 14", "the file ends before $EndElements"),
        ("3 1 1 0", "2 1 1 0", "$Nodes", "node 2 occurs twice"),
        ("3 1 1 0", "3 1 1 5", "$Nodes", "constant z"),
    ] {
        assert!(SQUARE.contains(change));
        let error = error_of(&SQUARE.replacen(change, to, 1));
        assert!(error.starts_with(line) && error.contains(text), "{change:?} → {to:?}: {error}");
    }
    assert!(error_of("").contains("$MeshFormat"));
    assert!(error_of("hello").contains("line 1"));
    assert!(error_of("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n").contains("without a section $Nodes"));
    let plane = parse::<2>(BOX_22_BINARY).unwrap_err().to_string();
    assert!(plane.contains("z =") || plane.contains("plane"), "{plane}");
    let cut = parse::<3>(&BOX_22_BINARY[..BOX_22_BINARY.len() / 2]).unwrap_err().to_string();
    assert!(cut.starts_with("byte "), "{cut}");
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let error = read::<2>(std::path::Path::new("no-such.msh")).unwrap_err().to_string();
    assert!(error.starts_with("no-such.msh: "), "{error}");
}

proptest::proptest! {
    /// Whatever happens to a file, there is a mesh or an error, and never a panic.
    #[test]
    fn damaged_files_never_panic(which in 0usize..6, cut in 0.0f64..1.0, at in 0.0f64..1.0, byte in 0u8..) {
        let files = [PLATE_22, PLATE_22_BINARY, PLATE_41, PLATE_41_BINARY, BALL_41, BOX_22_BINARY];
        let file = files[which];
        let truncated = &file[..(file.len() as f64 * cut) as usize];
        let mut changed = file.to_vec();
        changed[(file.len() as f64 * at) as usize] = byte;
        for bytes in [truncated, &changed[..]] {
            if let Ok(mesh) = parse::<2>(bytes) {
                let _ = mesh.check();
            }
            if let Ok(mesh) = parse::<3>(bytes) {
                let _ = mesh.check();
            }
        }
    }
}

/// Two quadrangles over an edge, a named line and a named point.
const FOLD: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
    $PhysicalNames\n3\n0 7 \"corner\"\n1 1 \"rim\"\n2 2 \"sheet\"\n$EndPhysicalNames\n\
    $Nodes\n7\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 0 1 1\n9 5 5 5\n$EndNodes\n\
    $Elements\n4\n1 15 2 7 1 1\n2 1 2 1 1 2 3\n3 3 2 2 1 1 2 3 4\n4 3 2 2 1 5 1 4 6\n$EndElements\n";

#[test]
fn a_surface_in_space_becomes_a_sheet() {
    let surface = parse_surface(FOLD.as_bytes()).unwrap();
    assert_eq!(surface.nodes.len(), 6);
    assert_eq!(surface.cells, [("sheet".to_string(), vec![0, 1, 2, 3, 4, 0, 3, 5])]);
    let mesh = surface.extruded(0.1, 1).unwrap();
    assert_eq!(mesh.check(), Ok(()));
    assert_eq!(mesh.cell_count(), 2);
    assert_eq!(mesh.nodes_of("corner").unwrap(), [0, 6]);
    let names: Vec<&str> = mesh.boundaries.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["bottom", "top", "rim"]);
    let triangles = FOLD.replace("4 3 2 2 1 5 1 4 6", "4 2 2 2 1 5 1 4");
    let why = parse_surface(triangles.as_bytes()).unwrap_err();
    assert!(why.what.contains("not from T3") && why.place.starts_with("line"), "{why}");
    assert!(parse::<3>(FOLD.as_bytes()).unwrap_err().what.contains("extrude"));
}
