//! Pages with made-up data, for the tests in a browser and to measure the page: `synthetic deformable FILE.html` is a
//! beam that bends, with a stress at each node; `synthetic spheres N FILE.html` is a lattice of spheres.

use cairn_view::Embedded;
use cairn_view::bundle::Bundle;
use cairn_view::skin::{NodalField, NodalFrame, Skin};
use serde_json::json;
use std::path::Path;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (data, file) = match words[..] {
        ["deformable", file] => (beam(), file),
        ["spheres", number, file] => (spheres(number.parse().expect("a number of spheres")), file),
        _ => panic!("synthetic deformable FILE.html | synthetic spheres N FILE.html"),
    };
    data.write(Path::new(file)).expect("the file can be written");
    println!("{file}: {:.1} MB", data.size() as f64 / 1e6);
}

/// What every description has; arrays of what there is not are empty.
fn description(title: &str, bounds: [[f64; 3]; 2], bodies: usize) -> Bundle {
    let mut bundle = Bundle::new();
    bundle.set("title", title).set("dimension", 3).set("origin", json!([0, 0, 0])).set("bounds", json!(bounds));
    bundle.set("gravity", json!([0, 0, -9.81])).set("groups", json!([{ "name": "beam", "bodies": bodies }]));
    bundle.set("materials", json!(["steel"])).set("statuses", json!(cairn_view::frame::STATUSES));
    bundle.array("body.group", 1, vec![0u32; bodies]).array("body.number", 1, 0..bodies as u32);
    bundle.array("body.material", 1, vec![0u32; bodies]).array("body.mass", 1, vec![1f32; bodies]);
    bundle.array("body.fixed", 1, vec![0u8; bodies]);
    bundle.array("mesh.points", 3, [0f32; 0]).array("mesh.body", 1, [0u32; 0]).array("mesh.kind", 1, [0u8; 0]);
    bundle.array("mesh.triangles", 3, [0u32; 0]).array("mesh.edges", 2, [0u32; 0]).array("membrane", 2, [0u32; 0]);
    bundle
}

fn still(time: f64, bodies: usize) -> Bundle {
    let mut bundle = Bundle::new();
    bundle.set("time", time).set("step", (time * 1000.0) as u64);
    bundle.array("displacement", 3, vec![0f32; 3 * bodies]);
    bundle.array("rotation", 4, (0..bodies).flat_map(|_| [0f32, 0.0, 0.0, 1.0]));
    bundle.array("velocity", 3, vec![0f32; 3 * bodies]).array("spin", 3, vec![0f32; 3 * bodies]);
    bundle
}

fn no_contacts(time: f64) -> Vec<u8> {
    let mut bundle = Bundle::new();
    bundle.set("time", time);
    bundle.array("bodies", 2, [0u32; 0]).array("point", 3, [0f32; 0]).array("normal", 3, [0f32; 0]);
    bundle.array("force", 3, [0f32; 0]).array("gap", 1, [0f32; 0]).array("status", 1, [0u8; 0]);
    bundle.finish()
}

fn no_history() -> Vec<u8> {
    let mut bundle = Bundle::new();
    bundle.set("columns", json!([])).set("problems", json!([]));
    bundle.finish()
}

/// A cantilever 4 × 0.5 × 0.5 of cubes: nodes of its surface, bent as u_z = −a x², with σ = E a · 2 |z|.
fn beam() -> Embedded {
    let (nx, ny) = (32usize, 4usize);
    let node = |i: usize, j: usize, k: usize| ((i * (ny + 1) + j) * (ny + 1) + k) as u32;
    let mut skin =
        Skin { fields: vec![NodalField { name: "Von Mises stress".into(), unit: "Pa".into() }], ..Skin::default() };
    for i in 0..=nx {
        for j in 0..=ny {
            for k in 0..=ny {
                skin.nodes.push([0.125 * i as f64 - 2.0, 0.125 * j as f64 - 0.25, 0.125 * k as f64 - 0.25]);
                skin.node_body.push(0);
            }
        }
    }
    let mut quad = |a: u32, b: u32, c: u32, d: u32| {
        skin.triangles.extend([[a, b, c], [a, c, d]]);
        skin.edges.extend([[a, b], [b, c], [c, d], [d, a]]);
    };
    for i in 0..nx {
        for j in 0..ny {
            quad(node(i, j, 0), node(i, j + 1, 0), node(i + 1, j + 1, 0), node(i + 1, j, 0));
            quad(node(i, j, ny), node(i + 1, j, ny), node(i + 1, j + 1, ny), node(i, j + 1, ny));
            quad(node(i, 0, j), node(i + 1, 0, j), node(i + 1, 0, j + 1), node(i, 0, j + 1));
            quad(node(i, ny, j), node(i, ny, j + 1), node(i + 1, ny, j + 1), node(i + 1, ny, j));
        }
    }
    for j in 0..ny {
        for k in 0..ny {
            quad(node(0, j, k), node(0, j, k + 1), node(0, j + 1, k + 1), node(0, j + 1, k));
            quad(node(nx, j, k), node(nx, j + 1, k), node(nx, j + 1, k + 1), node(nx, j, k + 1));
        }
    }
    let mut model = description("A beam that bends (made up)", [[-2.0, -0.3, -1.2], [2.0, 0.3, 0.3]], 1);
    model.array("body.reach", 1, [2.1f32]).array("body.start", 3, [0f32; 3]).array(
        "body.turn",
        4,
        [0f32, 0.0, 0.0, 1.0],
    );
    model.array("ball.body", 1, [0u32; 0]).array("ball.local", 3, [0f32; 0]).array("ball.radius", 1, [0f32; 0]);
    skin.describe(&mut model, [0.0; 3]);
    let mut data = Embedded { model: model.finish(), history: no_history(), ..Embedded::default() };
    for step in 0..=10 {
        let a = 0.006 * step as f64;
        let bent = |x: &[f64; 3]| {
            let s = x[0] + 2.0;
            [x[0] - 2.0 * a * s * x[2], x[1], x[2] - a * s * s]
        };
        let stress = |x: &[f64; 3]| 210e9 * 2.0 * a * x[2].abs() * (1.0 - (x[0] + 2.0) / 4.4);
        let frame = NodalFrame {
            positions: skin.nodes.iter().map(bent).collect(),
            values: vec![skin.nodes.iter().map(stress).collect()],
        };
        let time = 0.1 * step as f64;
        let mut bundle = still(time, 1);
        frame.describe(&mut bundle, &skin, |_| true);
        data.times.push(time);
        data.motions.push(bundle.finish());
        data.contacts.push(no_contacts(time));
    }
    data
}

/// A cube of about `number` spheres of radius ½, moved at random.
fn spheres(number: usize) -> Embedded {
    let side = (number as f64).cbrt().round().max(1.0) as usize;
    let number = side * side * side;
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    let half = side as f64 / 2.0;
    let mut model = description("Spheres (made up)", [[-half; 3], [half; 3]], number);
    let at = |k: usize| [k / side / side, k / side % side, k % side].map(|i| i as f32 - half as f32 + 0.5);
    model.array("body.reach", 1, vec![0.5f32; number]);
    model.array("body.start", 3, (0..number).flat_map(|k| at(k).map(|x| x + 0.2 * random())).collect::<Vec<f32>>());
    model.array("body.turn", 4, (0..number).flat_map(|_| [0f32, 0.0, 0.0, 1.0]));
    model.array("ball.body", 1, 0..number as u32).array("ball.local", 3, vec![0f32; 3 * number]);
    model.array("ball.radius", 1, vec![0.48f32; number]);
    Skin::default().describe(&mut model, [0.0; 3]);
    Embedded {
        model: model.finish(),
        times: vec![0.0],
        history: no_history(),
        motions: vec![still(0.0, number).finish()],
        contacts: vec![no_contacts(0.0)],
        ..Embedded::default()
    }
}
