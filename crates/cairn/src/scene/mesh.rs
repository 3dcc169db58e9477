//! Surfaces from OBJ and STL files.

use super::document::Table;
use super::spec::Mesh;
use crate::io::{self, Triangles};

/// Reads the file named by `key`; what is wrong with it is reported there.
pub fn read(t: &Table, key: &str, name: &str, scale: f64) -> Option<Mesh> {
    let contents = t.reader.contents(name, t.place_of(key))?;
    let read = io::read_triangles(name, &contents).map_err(|e| e.to_string());
    match read.and_then(|triangles| checked(triangles, scale)) {
        Ok(mesh) => Some(mesh),
        Err(why) => {
            t.wrong(key, format!("cannot use `{name}`: {why}"), "this file");
            None
        }
    }
}

/// Scales it and refuses what no contact search could use; triangles without area are left out.
fn checked(triangles: Triangles, scale: f64) -> Result<Mesh, String> {
    let Triangles { vertices, mut facets } = triangles;
    let vertices: Vec<[f64; 3]> = vertices.iter().map(|v| (v * scale).into()).collect();
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
