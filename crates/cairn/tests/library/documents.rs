//! Scenes from text and from code, and back to text.

use cairn::scene::{AnyScene, Document, Node, Value};
use std::path::{Path, PathBuf};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The scenes of a folder, sorted.
fn scenes(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

/// Every number of a scene that was built.
fn built(document: &Document) -> String {
    match document.scene().unwrap_or_else(|e| panic!("{}", e.plain())).scene {
        AnyScene::Plane(scene) => format!("{scene:?}"),
        AnyScene::Solid(scene) => format!("{scene:?}"),
    }
}

/// The same document, set by a program key by key.
fn by_code(document: &Document) -> Document {
    let mut made = Document::new();
    let Value::Table(entries) = &document.root().value else { panic!("the root is a table") };
    for (key, _, node) in entries {
        made.set(key, node.clone()).unwrap();
    }
    made
}

#[test]
fn a_scene_written_and_read_again_is_the_same() {
    let mut files = scenes(&here().join("tests/scenes/good"));
    let examples = std::fs::read_dir(here().join("../../examples")).unwrap().map(|e| e.unwrap().path());
    files.extend(examples.filter(|p| p.is_dir()).flat_map(|p| scenes(&p)));
    assert!(files.len() > 35, "only {} scenes", files.len());
    for file in files {
        let first = Document::read(&file).unwrap();
        let text = first.to_toml();
        let second = Document::from_toml(&text, "again.toml", file.parent().unwrap());
        let second = second.unwrap_or_else(|e| panic!("{}: {}\n{text}", file.display(), e.plain()));
        assert!(first == second, "{}\n{text}", file.display());
        assert_eq!(text, second.to_toml());
        assert!(built(&first) == built(&second), "{}: built differently", file.display());
    }
}

#[test]
fn awkward_texts_and_numbers_survive() {
    let mut first = Document::new();
    let values: Vec<Node> = vec![
        "quotes \" \\ and\nlines\tand \u{1} Painlevé".into(),
        1e-300.into(),
        1e300.into(),
        0.1.into(),
        (-0.0).into(),
        1.0.into(),
        f64::INFINITY.into(),
        f64::NAN.into(),
        i64::MIN.into(),
        true.into(),
        Node::from(Vec::<f64>::new()),
        Node::from((0..100).map(f64::from).collect::<Vec<_>>()),
        Node::table([("a key with blanks", Node::from([1, 2])), ("", 3.into()), ("t", Node::table([("x", 1.5)]))]),
        Node::table::<&str, Node>([]),
    ];
    for (i, value) in values.into_iter().enumerate() {
        first.set(&format!("odd.key{i}"), value.clone()).unwrap();
        first.push("list", value).unwrap();
    }
    let second = Document::from_toml(&first.to_toml(), "odd.toml", here()).unwrap_or_else(|e| panic!("{}", e.plain()));
    assert!(first == second, "{}", first.to_toml());
}

#[test]
fn bodies_keep_their_order_when_sections_are_mixed() {
    let text = "dimension = 2\n[materials.m]\ndensity = 1\n[[contact]]\nbetween = \"any\"\nfriction = 0\n[time]\nstep = 1\nend = 1\n";
    let ball =
        "[[bodies]]\nname = \"NAME\"\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 1 }\nposition = [0, 0]\n";
    let lattice = "[[generate]]\nkind = \"lattice\"\nname = \"NAME\"\nmaterial = \"m\"\npattern = \"square\"\nradius = 1\ncounts = [1, 1]\n";
    let parts = [(ball, "a"), (lattice, "b"), (ball, "c"), (lattice, "d")];
    let text = parts.iter().fold(text.to_string(), |text, (part, name)| text + &part.replace("NAME", name));
    let groups = |document: &Document| match document.scene().unwrap_or_else(|e| panic!("{}", e.plain())).scene {
        AnyScene::Plane(scene) => scene.groups,
        AnyScene::Solid(_) => panic!("2D"),
    };
    let document = Document::from_toml(&text, "mixed.toml", here()).unwrap();
    assert_eq!(groups(&document), ["a", "b", "c", "d"]);
    let again = Document::from_toml(&document.to_toml(), "again.toml", here()).unwrap();
    assert_eq!(groups(&again), ["a", "b", "c", "d"]);
    // Set by a program in the order of sections, they are numbered in that order: another scene.
    let by_code = by_code(&document);
    assert_eq!(groups(&by_code), ["a", "c", "b", "d"]);
    assert!(by_code != document);
    // A value that replaces another does not change the order.
    let mut changed = document.clone();
    let first = changed.get("bodies[0]").unwrap().clone();
    changed.set("bodies[0]", first).unwrap();
    assert_eq!(groups(&changed), ["a", "b", "c", "d"]);
}

#[test]
fn problems_name_their_keys() {
    let mut document = Document::read(&here().join("tests/scenes/good/incline_2d.toml")).unwrap();
    document.set("contact[0].friction", -1.0).unwrap().set("bodies[1].shape.size[1]", "wide").unwrap();
    document.set("time.stop", 2.0).unwrap().remove("materials.stone.density").unwrap();
    document.set("gravity.acceleration", [0.0, -9.81, 0.0]).unwrap();
    let errors = document.scene().unwrap_err();
    let mut paths: Vec<&str> = errors.problems.iter().map(|p| p.path.as_str()).collect();
    paths.sort_unstable();
    let expected = [
        "bodies[1].shape.size[1]",
        "contact[0].friction",
        "gravity.acceleration",
        "materials.stone.density",
        "time.stop",
    ];
    assert_eq!(paths, expected, "{}", errors.plain());
    let of = |path: &str| errors.problems.iter().find(|p| p.path == path).unwrap();
    assert!(of("time.stop").help.as_ref().unwrap().contains("did you mean `step`"));
    assert!(of("contact[0].friction").message.contains("-1"), "{}", of("contact[0].friction").message);
    // What comes from the text still has its line.
    assert_eq!(of("materials.stone.density").location, "incline_2d.toml:8:1");
}

/// A document without text is told the same, with the same paths, as the text that it came from.
#[test]
fn scenes_from_code_get_the_errors_of_their_text() {
    let mut compared = 0;
    for file in scenes(&here().join("tests/scenes/bad")) {
        let Ok(text) = Document::read(&file) else { continue };
        let Err(errors) = text.scene() else { panic!("{} is bad", file.display()) };
        let mut made = by_code(&text);
        let folder = file.parent().unwrap();
        // Files are given as bytes: there is no folder to look for them in.
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
            made.attach(entry.file_name().unwrap().to_str().unwrap(), std::fs::read(&entry).unwrap());
        }
        let Err(by_code) = made.scene() else { panic!("{} is bad", file.display()) };
        // A message that names a second place names a line of the text.
        let message = |p: &cairn::scene::Problem| p.message.split(" fixed at ").next().unwrap_or_default().to_string();
        let told = |problems: &[cairn::scene::Problem]| {
            let mut told: Vec<_> = problems.iter().map(|p| (p.path.clone(), message(p), p.help.clone())).collect();
            told.sort();
            told
        };
        assert_eq!(told(&errors.problems), told(&by_code.problems), "{}", file.display());
        compared += 1;
    }
    assert!(compared > 40, "only {compared} compared");
}

#[test]
fn files_can_be_given_as_bytes() {
    let folder = here().join("tests/scenes/good");
    for name in ["tables_2d.toml", "shapes_3d.toml"] {
        let on_disk = Document::read(&folder.join(name)).unwrap();
        let files = on_disk.scene().unwrap().files;
        assert!(!files.is_empty(), "{name} uses files");
        let mut in_memory = Document::from_toml(&on_disk.to_toml(), name, Path::new("/nowhere")).unwrap();
        assert!(in_memory.scene().unwrap_err().plain().contains("there is no such file"));
        for (file, path) in &files {
            in_memory.attach(file, std::fs::read(path).unwrap());
        }
        assert!(built(&in_memory) == built(&on_disk), "{name}");
        // Written to a folder, the files lie next to the scene.
        let target = tempfile::tempdir().unwrap();
        in_memory.write(&target.path().join("scene.toml")).unwrap();
        assert!(built(&Document::read(&target.path().join("scene.toml")).unwrap()) == built(&on_disk), "{name}");
    }
}

#[test]
fn a_fault_in_a_given_table_has_its_line() {
    let mut document = Document::read(&here().join("tests/scenes/good/tables_2d.toml")).unwrap();
    document.attach("disks.csv", "x,y,radius\n0,0,1\n0,zero,1\n");
    let plain = document.scene().unwrap_err().plain();
    assert!(plain.contains("disks.csv:3:3: expected a finite number, found `zero`"), "{plain}");
}

/// A mesh that a program has, numbered as it likes: the nodes of the body are those of the mesh, bit for bit, in its order.
#[test]
fn a_mesh_in_memory_keeps_its_nodes() {
    let side: Vec<f64> = (0..4).map(|i| f64::from(i) / 3.0).collect();
    let mut mesh = cairn_fem::generate::rectangle(&side, &side, cairn_fem::generate::Flat::Q4);
    mesh.nodes.reverse();
    let last = mesh.nodes.len() as u32 - 1;
    let cells: Vec<u32> =
        mesh.each_cell().flat_map(|(_, _, _, nodes)| nodes.iter().map(|n| last - n).collect::<Vec<_>>()).collect();
    let mut renumbered = cairn_fem::mesh::Mesh::<2> { nodes: mesh.nodes.clone(), ..Default::default() };
    let region = renumbered.region("stone");
    renumbered.add_cells(cairn_fem::mesh::Kind::Q4, region, &cells);
    let text = "dimension = 2\ntime = { step = 1e-3, end = 1 }\ngravity = { acceleration = [0, -9.81] }\n\
        materials.stone = { density = 1000, young = 1e9, poisson = 0.2 }\ncontact = [{ between = 'any', friction = 0.5 }]\n\
        [[deformable]]\nname = 'plate'\nmaterial = 'stone'\nmesh = { kind = 'file', file = 'plate.msh' }\n";
    let mut document = Document::from_toml(text, "plate.toml", Path::new("")).unwrap();
    document.attach("plate.msh", cairn_fem::gmsh::write(&renumbered));
    let AnyScene::Plane(scene) = document.scene().unwrap_or_else(|e| panic!("{}", e.plain())).scene else {
        panic!("2D")
    };
    assert_eq!(scene.flexibles[0].model.nodes(), renumbered.nodes);
}
