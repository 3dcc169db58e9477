//! STL files, binary or text. Their coordinates have single precision.

use super::{MeshError, Triangles};
use crate::space::Vect;

/// All triangles of a file. The order of the corners decides what is outside, not the stored normals.
pub fn read_triangles(contents: &[u8]) -> Result<Triangles, MeshError> {
    let mesh = stl_io::read_stl(&mut std::io::Cursor::new(contents))?;
    let vertices: Vec<Vect<3>> = mesh.vertices.iter().map(|v| Vect::<3>::from(v.0.map(f64::from))).collect();
    let facets: Vec<[u32; 3]> = mesh.faces.iter().map(|f| f.vertices.map(|i| i as u32)).collect();
    Ok(Triangles::welded(&vertices, &facets))
}
