//! OBJ files, in double precision.

use super::{MeshError, Triangles};
use crate::space::Vect;

/// All triangles of a file as one surface; polygons are cut into triangles.
pub fn read_triangles(contents: &[u8]) -> Result<Triangles, MeshError> {
    let (mut vertices, mut facets) = (Vec::new(), Vec::new());
    for model in models(contents)? {
        let first = vertices.len() as u32;
        vertices.extend(points(&model));
        facets.extend(model.mesh.indices.chunks_exact(3).map(|f| [first + f[0], first + f[1], first + f[2]]));
    }
    Ok(Triangles::welded(&vertices, &facets))
}

/// The triangles of each group of a file, with the group's name.
pub fn read_groups(contents: &[u8]) -> Result<Vec<(String, Triangles)>, MeshError> {
    let triangles = |model: &tobj::Model| {
        let vertices: Vec<Vect<3>> = points(model).collect();
        let facets: Vec<[u32; 3]> = model.mesh.indices.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect();
        (model.name.clone(), Triangles::welded(&vertices, &facets))
    };
    Ok(models(contents)?.iter().map(triangles).collect())
}

fn points(model: &tobj::Model) -> impl Iterator<Item = Vect<3>> + '_ {
    model.mesh.positions.chunks_exact(3).map(Vect::<3>::from_column_slice)
}

/// The groups of a file. Materials are colours here: their files are not looked for.
fn models(contents: &[u8]) -> Result<Vec<tobj::Model>, MeshError> {
    let options =
        tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
    let (models, _) = tobj::load_obj_buf(&mut &*contents, &options, |_| Ok(Default::default()))?;
    Ok(models)
}
