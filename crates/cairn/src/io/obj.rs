//! OBJ files, in double precision.

use super::{MeshError, Triangles};
use crate::space::Vect;
use std::path::Path;

/// All triangles of a file as one surface; polygons are cut into triangles.
pub fn read_triangles(path: &Path) -> Result<Triangles, MeshError> {
    let (mut vertices, mut facets) = (Vec::new(), Vec::new());
    for model in models(path)? {
        let first = vertices.len() as u32;
        vertices.extend(points(&model));
        facets.extend(model.mesh.indices.chunks_exact(3).map(|f| [first + f[0], first + f[1], first + f[2]]));
    }
    Ok(Triangles::welded(&vertices, &facets))
}

/// The vertices of each group of a file, with the group's name.
pub fn read_groups(path: &Path) -> Result<Vec<(String, Vec<Vect<3>>)>, MeshError> {
    Ok(models(path)?.iter().map(|model| (model.name.clone(), points(model).collect())).collect())
}

fn points(model: &tobj::Model) -> impl Iterator<Item = Vect<3>> + '_ {
    model.mesh.positions.chunks_exact(3).map(Vect::<3>::from_column_slice)
}

/// The groups of a file. Materials are colours here: their files are not looked for.
fn models(path: &Path) -> Result<Vec<tobj::Model>, MeshError> {
    let options =
        tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
    let mut file = std::io::BufReader::new(std::fs::File::open(path)?);
    let (models, _) = tobj::load_obj_buf(&mut file, &options, |_| Ok(Default::default()))?;
    Ok(models)
}
