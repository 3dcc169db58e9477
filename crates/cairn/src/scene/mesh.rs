//! Surfaces from OBJ and STL files.

use super::document::Table;
use super::spec::Mesh;

/// Reads the file named by `key`; what is wrong with it is reported there.
pub fn read(t: &Table, key: &str, name: &str, scale: f64) -> Option<Mesh> {
    let path = t.reader.find(name, t.place_of(key))?;
    let suffix = name.rsplit('.').next().unwrap_or("").to_lowercase();
    let read = match suffix.as_str() {
        "obj" => obj(&path),
        "stl" => stl(&path),
        _ => Err("its name must end in .obj or .stl".to_string()),
    };
    match read.and_then(|mesh| checked(mesh, scale)) {
        Ok(mesh) => {
            t.reader.meshes.borrow_mut().push(path);
            Some(mesh)
        }
        Err(why) => {
            t.wrong(key, format!("cannot use `{name}`: {why}"), "this file");
            None
        }
    }
}

fn obj(path: &std::path::Path) -> Result<Mesh, String> {
    let options =
        tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) =
        tobj::load_obj_buf(&mut std::io::BufReader::new(file), &options, no_materials).map_err(|e| e.to_string())?;
    let (mut vertices, mut facets) = (Vec::new(), Vec::new());
    for model in models {
        let first = vertices.len() as u32;
        vertices.extend(model.mesh.positions.chunks_exact(3).map(|p| [p[0], p[1], p[2]]));
        facets.extend(model.mesh.indices.chunks_exact(3).map(|i| [first + i[0], first + i[1], first + i[2]]));
    }
    Ok((vertices, facets))
}

fn stl(path: &std::path::Path) -> Result<Mesh, String> {
    let mut file = std::io::BufReader::new(std::fs::File::open(path).map_err(|e| e.to_string())?);
    let mesh = stl_io::read_stl(&mut file).map_err(|e| e.to_string())?;
    let vertices = mesh.vertices.iter().map(|v| [0, 1, 2].map(|k| v[k] as f64)).collect();
    let facets = mesh.faces.iter().map(|f| f.vertices.map(|i| i as u32)).collect();
    Ok((vertices, facets))
}

/// Scales it and refuses what no contact search could use; triangles without area are left out.
fn checked((mut vertices, mut facets): Mesh, scale: f64) -> Result<Mesh, String> {
    vertices.iter_mut().flatten().for_each(|x| *x *= scale);
    if vertices.iter().flatten().any(|x| x.is_nan() || x.abs() > 1e60) {
        return Err("it has coordinates that are not finite".into());
    }
    if facets.iter().flatten().any(|&i| i as usize >= vertices.len()) {
        return Err("it refers to vertices that it does not have".into());
    }
    facets.retain(|f| has_area(f.map(|i| vertices[i as usize])));
    if facets.is_empty() { Err("it has no triangles".into()) } else { Ok((vertices, facets)) }
}

fn has_area([a, b, c]: [[f64; 3]; 3]) -> bool {
    let [u, v] = [b, c].map(|p| nalgebra::Vector3::new(p[0] - a[0], p[1] - a[1], p[2] - a[2]));
    u.cross(&v).norm() > 1e-14 * (u.norm_squared() + v.norm_squared())
}
