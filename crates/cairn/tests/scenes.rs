//! The scene reader on files: good scenes are read as written, bad ones give exactly the errors that they must give.

use cairn::scene::{AnyScene, Loaded, Scene, describe, overlaps, read, reference};
use cairn::shape::{ConvexShape, Shape};
use cairn::space::{Ambient, Space, Vect};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(name)
}

fn scenes_in(name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

fn good(name: &str, overrides: &[(&str, &str)]) -> Loaded {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    read(&folder("good").join(name), &overrides).unwrap_or_else(|e| panic!("{name}:\n{}", e.plain()))
}

fn plane(name: &str) -> Scene<2> {
    match good(name, &[]).scene {
        AnyScene::Plane(scene) => scene,
        AnyScene::Solid(_) => panic!("{name} is 3D"),
    }
}

fn solid(name: &str) -> Scene<3> {
    match good(name, &[]).scene {
        AnyScene::Solid(scene) => scene,
        AnyScene::Plane(_) => panic!("{name} is 2D"),
    }
}

/// Numbers of the bodies of a group.
fn group<const D: usize>(scene: &Scene<D>, name: &str) -> Vec<usize>
where
    Space<D>: Ambient<D>,
{
    let group = scene.groups.iter().position(|g| g == name).unwrap() as u32;
    (0..scene.bodies.len()).filter(|&b| scene.bodies[b].group == group).collect()
}

/// World positions of the vertices of a body's convex parts, sorted.
fn vertices<const D: usize>(scene: &Scene<D>, body: usize) -> Vec<Vect<D>>
where
    Space<D>: Ambient<D>,
{
    let mut out = Vec::new();
    for part in scene.parts.iter().filter(|p| p.body as usize == body) {
        let place = scene.start[body].place.then(&part.local);
        if let Shape::Convex(convex) = &part.shape {
            out.extend(convex.vertices().iter().map(|v| place.point(v)));
        }
    }
    let rounded = |x: &Vect<D>| x.map(|c| (c * 1e9).round() as i64);
    out.sort_by(|a, b| rounded(a).as_slice().cmp(rounded(b).as_slice()));
    out
}

/// Compares with the `.expected` file beside each scene; with `CAIRN_BLESS=1` writes it instead, to be reviewed.
#[test]
fn bad_scenes_give_exactly_their_errors() {
    let scenes = scenes_in("bad");
    assert!(scenes.len() >= 50);
    let mut wrong = Vec::new();
    for scene in scenes {
        let found = match read(&scene, &[]) {
            Ok(_) => "read without error".to_string(),
            Err(errors) => errors.plain(),
        };
        let expected_file = scene.with_extension("expected");
        if std::env::var_os("CAIRN_BLESS").is_some() {
            std::fs::write(&expected_file, format!("{found}\n")).unwrap();
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if expected.trim_end() != found {
            wrong.push(format!("{}\nexpected:\n{expected}\nfound:\n{found}\n", scene.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_scenes_are_read_and_described() {
    for scene in scenes_in("good") {
        let loaded = read(&scene, &[]).unwrap_or_else(|e| panic!("{}", e.plain()));
        let text = describe(&loaded.scene);
        assert!(text.contains("total mass") && text.contains("suggested step"), "{text}");
    }
}

#[test]
fn the_examples_are_read_without_warning() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let scene = entry.unwrap().path().join("scene.toml");
        if scene.exists() {
            let loaded = read(&scene, &[]).unwrap_or_else(|e| panic!("{}", e.plain()));
            assert!(loaded.warnings.is_empty(), "{}", loaded.warnings[0].plain());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_triangle_has_its_mass_centre_inertia_and_place() {
    let scene = plane("shapes_2d.toml");
    let body = group(&scene, "triangle")[0];
    assert!((scene.bodies[body].mass - 1250.0).abs() < 1e-9);
    assert!((scene.bodies[body].moments - 1250.0 * 2.0 / 18.0).abs() < 1e-9);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let turned = |x: f64, y: f64| Vect::<2>::new(3.0 + cos * x - sin * y, 1.0 + sin * x + cos * y);
    assert!((scene.start[body].place.centre - turned(1.0 / 3.0, 1.0 / 3.0)).norm() < 1e-14);
    let found = vertices(&scene, body);
    for corner in [turned(0.0, 0.0), turned(1.0, 0.0), turned(0.0, 1.0)] {
        assert!(found.iter().any(|v| (v - corner).norm() < 1e-14), "{corner}");
    }
}

#[test]
fn a_union_is_the_sum_of_its_parts() {
    let scene = plane("shapes_2d.toml");
    let body = group(&scene, "L")[0];
    // 0.2 × 1 upright and 0.6 × 0.2 at (0.4, −0.4): centre of mass (0.15, −0.15) from the upright's centre.
    assert!((scene.start[body].place.centre - Vect::<2>::new(15.15, 0.85)).norm() < 1e-14);
    let upright = 500.0 * ((0.04 + 1.0) / 12.0 + 0.15 * 0.15 * 2.0);
    let foot = 300.0 * ((0.36 + 0.04) / 12.0 + 0.25 * 0.25 * 2.0);
    assert!((scene.bodies[body].moments - upright - foot).abs() < 1e-11);
    let corners = vertices(&scene, body);
    assert!((corners[0] - Vect::<2>::new(14.9, 0.5)).norm() < 1e-14, "{}", corners[0]);
}

#[test]
fn a_segment_of_given_mass_is_a_rod() {
    let scene = plane("shapes_2d.toml");
    let body = group(&scene, "plank")[0];
    assert!((scene.bodies[body].moments - 3.0 * 4.0 / 12.0).abs() < 1e-14);
}

#[test]
fn principal_frames_reproduce_the_inertia() {
    let scene = solid("shapes_3d.toml");
    let cube = &scene.bodies[group(&scene, "cube")[0]];
    assert!(Space::<3>::is_isotropic(&cube.moments));
    assert!((cube.moments.x - 2500.0 / 6.0).abs() < 1e-10);
    let body = group(&scene, "tetrahedron")[0];
    let (mass, moments) = (scene.bodies[body].mass, scene.bodies[body].moments);
    // About the centroid of the corner tetrahedron: S = m (3/80 δ − 1/80 (1 − δ)), hence J = m (6/80 δ + 1/80 (1 − δ)).
    let q = Space::<3>::matrix(&scene.start[body].place.turn);
    let inertia = q * cairn::space::Mat::<3>::from_diagonal(&moments) * q.transpose();
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let exact = mass * if i == j { 6.0 } else { 1.0 } / 80.0;
        assert!((inertia[(i, j)] - exact).abs() < 1e-12 * mass, "{inertia}");
    }
    let mut sorted = [moments.x, moments.y, moments.z];
    sorted.sort_by(f64::total_cmp);
    assert_eq!(sorted[0], sorted[1], "a symmetric top is one to the last bit");
    let found = vertices(&scene, body);
    for corner in [[4.0, 0.0, 1.0], [5.0, 0.0, 1.0], [4.0, 1.0, 1.0], [4.0, 0.0, 2.0]] {
        assert!(found.iter().any(|v| (v - Vect::<3>::from(corner)).norm() < 1e-14), "{corner:?} in {found:?}");
    }
}

#[test]
fn fixed_and_driven_components_are_held() {
    let scene = plane("shapes_2d.toml");
    let [drum, piston] = ["drum", "piston"].map(|name| &scene.bodies[group(&scene, name)[0]]);
    assert!(drum.is_obstacle() && drum.mass.is_infinite(), "fixed in x and y, driven in rotation");
    assert_eq!(piston.held[..3], [true, false, true]);
    assert_eq!(piston.mass, 100.0);
    let solid = solid("shapes_3d.toml");
    assert_eq!(solid.bodies[group(&solid, "cube")[0]].held, [false, true, false, true, false, true]);
    let tables = plane("tables_2d.toml");
    let obstacles: Vec<bool> = group(&tables, "blocks").iter().map(|&b| tables.bodies[b].is_obstacle()).collect();
    assert_eq!(obstacles, [false, true], "the last is fixed by [[fix]]");
}

#[test]
fn the_more_specific_law_wins() {
    let scene = plane("shapes_2d.toml");
    let material = |name: &str| scene.materials.iter().position(|m| m.name == name).unwrap();
    let (stone, steel) = (material("stone"), material("steel"));
    let law = |a: usize, b: usize| &scene.laws[usize::from(scene.law_of[a * 2 + b])];
    assert_eq!(law(stone, stone).friction.at_rest, 0.6);
    assert_eq!(law(stone, steel).friction.at_rest, 0.0);
    assert_eq!(law(steel, stone), law(stone, steel));
    assert_eq!(law(steel, steel).friction.at_rest, 0.1);
}

#[test]
fn a_wall_is_in_running_bond() {
    let scene = plane("assemblies_2d.toml");
    let wall = group(&scene, "wall");
    assert_eq!(wall.len(), 3 + 4 + 3 + 4);
    // Three blocks of 0.5 and two joints of 0.01 make 1.52; the halves of the second course are (0.5 − 0.01)/2 long.
    let corners = |i: usize| vertices(&scene, wall[i]);
    let close = |a: Vect<2>, x: f64, y: f64| (a - Vect::<2>::new(x, y)).norm() < 1e-14;
    assert!(close(corners(2)[3], 1.52, 0.25), "{}", corners(2)[3]);
    assert!(close(corners(3)[3], 0.245, 0.5), "{}", corners(3)[3]);
    assert!(close(corners(6)[3], 1.52, 0.5), "{}", corners(6)[3]);
}

#[test]
fn an_arch_closes_and_stands_on_fixed_supports() {
    let scene = plane("assemblies_2d.toml");
    let (arch, supports) = (group(&scene, "arch"), group(&scene, "arch.supports"));
    assert_eq!((arch.len(), supports.len()), (21, 2));
    assert!(supports.iter().all(|&b| scene.bodies[b].is_obstacle()));
    for pair in arch.windows(2) {
        let shared = vertices(&scene, pair[0])
            .iter()
            .filter(|v| vertices(&scene, pair[1]).iter().any(|w| (*v - w).norm() < 1e-13))
            .count();
        assert_eq!(shared, 2, "neighbours share a joint");
    }
    let springing = vertices(&scene, arch[0]);
    for x in [5.94, 6.06] {
        assert!(springing.iter().any(|v| (v - Vect::<2>::new(x, 0.0)).norm() < 1e-14));
    }
    let low = vertices(&scene, supports[0]);
    assert!(low.iter().all(|v| v.y <= 1e-14) && low.iter().any(|v| (v.y + 0.12).abs() < 1e-14));
}

#[test]
fn grains_are_inside_and_do_not_touch_and_repeat() {
    let (scene, again) = (plane("assemblies_2d.toml"), plane("assemblies_2d.toml"));
    let sand = group(&scene, "sand");
    let ball = |&b: &usize| (scene.start[b].place.centre, scene.parts[scene.bodies[b].parts.0 as usize].radius);
    let balls: Vec<(Vect<2>, f64)> = sand.iter().map(ball).collect();
    for (i, (x, r)) in balls.iter().enumerate() {
        assert!(x.x - r >= 10.0 - 1e-12 && x.x + r <= 11.0 + 1e-12 && x.y - r >= -1e-12 && x.y + r <= 1.0 + 1e-12);
        assert!(balls[..i].iter().all(|(y, s)| (x - y).norm() >= r + s - 1e-12));
    }
    for (radius, count) in [(0.016, 48), (0.0105, 80), (0.0065, 128)] {
        assert_eq!(balls.iter().filter(|(_, r)| *r == radius).count(), count);
    }
    assert_eq!(scene.start, again.start);
}

#[test]
fn an_annulus_is_filled_without_contact_within_its_ring() {
    let scene = plane("assemblies_2d.toml");
    let middle = Vect::<2>::new(0.0, -3.0);
    let disk =
        |&b: &usize| (scene.start[b].place.centre - middle, scene.parts[scene.bodies[b].parts.0 as usize].radius);
    let disks: Vec<(Vect<2>, f64)> = group(&scene, "rubble").iter().map(disk).collect();
    assert_eq!(disks.len(), 150);
    for (i, (x, r)) in disks.iter().enumerate() {
        assert!(x.norm() - r >= 0.5 - 1e-12 && x.norm() + r <= 1.2 + 1e-12, "{x}");
        assert!(disks[..i].iter().all(|(y, s)| (x - y).norm() >= r + s - 1e-12));
    }
    let beads: Vec<(Vect<2>, f64)> = group(&scene, "beads").iter().map(disk).collect();
    assert_eq!(scene.membranes[0].bodies.len(), 80);
    assert!((beads[20].0 - Vect::<2>::new(0.0, 1.3)).norm() < 1e-15, "the 20th of 80 is at a right angle");
}

#[test]
fn assemblies_touch_without_overlap_in_3d() {
    let scene = solid("assemblies_3d.toml");
    let crystal = group(&scene, "crystal");
    let centre = |b: usize| scene.start[crystal[b]].place.centre;
    let nearest = (1..crystal.len()).map(|b| (centre(b) - centre(0)).norm()).fold(f64::INFINITY, f64::min);
    assert!((nearest - 0.2).abs() < 1e-15);
    let arch = group(&scene, "arch");
    let total: f64 = arch.iter().map(|&b| scene.bodies[b].mass).sum();
    // Each voussoir: depth times ½ sin(α/n) (R₂² − R₁²).
    let exact = 2500.0 * 0.5 * 11.0 * 0.5 * (120f64 / 11.0).to_radians().sin() * (1.1 * 1.1 - 0.9 * 0.9);
    assert!((total - exact).abs() < 1e-9 * exact, "{total} {exact}");
}

#[test]
fn all_files_of_a_scene_are_listed() {
    let names = |scene: &str| -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        good(scene, &[]).sources.iter().map(name).collect()
    };
    assert_eq!(names("tables_2d.toml"), ["tables_2d.toml", "disks.csv", "blocks.csv", "crosses.csv"]);
    assert_eq!(names("shapes_3d.toml"), ["shapes_3d.toml", "roof.obj"]);
}

#[test]
fn overrides_are_read_and_checked_like_the_file() {
    let changes = [
        ("time.step", "2e-3"),
        ("bodies.1.shape.size", "[0.4, 0.1]"),
        ("contact.0.law", "coulomb"),
        ("title", "other"),
    ];
    let AnyScene::Plane(scene) = good("incline_2d.toml", &changes).scene else { panic!("2D") };
    assert_eq!((scene.time.step, scene.title.as_str()), (2e-3, "other"));
    assert!((scene.bodies[1].mass - 100.0).abs() < 1e-12);
    let wrong = |key: &str, value: &str| {
        let set = [(key.to_string(), value.to_string())];
        read(&folder("good").join("incline_2d.toml"), &set).expect_err("must fail").plain()
    };
    assert_eq!(wrong("time.step", "-1"), "from --set time.step=-1: `time.step` must be positive, found -1");
    assert_eq!(
        wrong("time.stop", "1"),
        "from --set time.stop=1: unknown key `stop` in `time`; help: did you mean `step`? valid keys: step, end, theta, xi, \
         quasi_static, until, tolerance"
    );
    assert_eq!(
        wrong("bodies.7.angle", "1"),
        "from --set bodies.7.angle=1: cannot set `bodies.7.angle`: the list has 2 items, numbered from 0"
    );
    assert_eq!(wrong("time.step.x", "1"), "from --set time.step.x=1: cannot set `time.step.x`: `x` is inside a number");
}

#[test]
fn reports_show_the_line_and_mark_the_value() {
    let errors = read(&folder("bad").join("negative_radius.toml"), &[]).expect_err("is bad");
    let mut text = String::new();
    let theme = miette::GraphicalTheme::unicode_nocolor();
    miette::GraphicalReportHandler::new_themed(theme).render_report(&mut text, &errors).unwrap();
    assert!(text.contains("1 problem in"), "{text}");
    assert!(text.contains("shape = { kind = \"disk\", radius = -0.1 }"), "{text}");
    assert!(text.contains("expected positive"), "{text}");
}

#[test]
fn many_errors_are_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let keys: String = (0..77).map(|i| format!("wrong{i} = 1\n")).collect();
    std::fs::write(&path, format!("dimension = 2\n{keys}")).unwrap();
    let text = read(&path, &[]).expect_err("is bad").plain();
    assert_eq!(text.lines().count(), 41);
    // Two keys of `[time]` and the bodies are missing, too.
    assert!(text.ends_with("and 40 more"), "{text}");
}

#[test]
fn an_stl_surface_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0.5\nendloop\nendfacet\n";
    std::fs::write(folder.path().join("ground.stl"), format!("solid x\n{facet}endsolid x\n")).unwrap();
    let text = std::fs::read_to_string(self::folder("good").join("shapes_3d.toml")).unwrap();
    std::fs::write(folder.path().join("scene.toml"), text.replace("roof.obj", "ground.stl")).unwrap();
    let loaded = read(&folder.path().join("scene.toml"), &[]).unwrap_or_else(|e| panic!("{}", e.plain()));
    let AnyScene::Solid(scene) = loaded.scene else { panic!("3D") };
    let terrain = group(&scene, "terrain")[0];
    let part = &scene.parts[scene.bodies[terrain].parts.0 as usize];
    let Shape::Surface(surface) = &part.shape else { panic!("a surface") };
    assert_eq!(surface.vertices.len(), 3);
    assert!(surface.vertices.iter().any(|v| *v == Vect::<3>::new(0.0, 2.0, 1.0)), "scaled by 2");
}

#[test]
fn suspicious_scenes_are_warned_of() {
    let loaded = good("incline_2d.toml", &[("gravity.acceleration", "[0, 0]"), ("materials.wood.density", "500")]);
    let warnings: Vec<String> = loaded.warnings.iter().map(|w| w.plain()).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("incline_2d.toml:1:1: nothing moves"), "{warnings:?}");
    assert_eq!(warnings[1], "from --set materials.wood.density=500: no body is made of `wood`");
}

#[test]
fn deep_overlaps_are_errors_unless_allowed() {
    // Four disks of radius 0.1, 0.196 apart: three pairs overlap by 4 mm, 2 % of a diameter.
    let changes = [("bodies.1.copies.step", "[0.196, 0]"), ("ignore", "[]")];
    let AnyScene::Plane(scene) = good("shapes_2d.toml", &changes).scene else { panic!("2D") };
    let contacts = cairn::step::contacts_at_start(&scene);
    let found = overlaps(&scene, &contacts, false);
    assert_eq!(found.errors.len(), 3, "{found:?}");
    assert!(found.errors[0].ends_with("overlap by 4.000e-3 m, 2.00 % of the smaller one's size"), "{found:?}");
    let allowed = overlaps(&scene, &contacts, true);
    assert!(allowed.errors.is_empty());
    assert_eq!(
        allowed.warnings,
        ["3 pairs of bodies overlap at the start, by 2.00e-2 of the smaller one's size at most"]
    );
}

#[test]
fn the_suggested_step_moves_a_tenth_of_the_smallest_size() {
    // Disks of 0.2 m that start at 1 m/s; the drum of 20 m turns at up to 1 rad/s: 0.1 · 0.2 / 20 = 1e-3 s.
    let (step, why) = cairn::scene::suggested_step(&plane("shapes_2d.toml")).unwrap();
    assert!((step - 1e-3).abs() < 1e-15, "{step} {why}");
    assert!(why.contains("of the drives"), "{why}");
}

/// `docs/scene-reference.md` is what the program says of itself; `CAIRN_BLESS=1` writes it anew.
#[test]
fn the_reference_page_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene-reference.md");
    if std::env::var_os("CAIRN_BLESS").is_some() {
        std::fs::write(&page, reference()).unwrap();
    }
    let written = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(written == reference(), "docs/scene-reference.md is old: run this test with CAIRN_BLESS=1");
}
