//! Reading meshes: `mesh = { kind = "…", … }`.

use super::document::Table;
use super::spec::MeshSpec;
use crate::space::{Ambient, Space, Vect};
use cairn_fem::mesh::{Boundary, Kind, Mesh};

/// What differs between meshes in the plane and in space.
pub trait OfMesh<const D: usize>: Ambient<D> {
    /// The mesh, if it is of this dimension.
    fn given(spec: &MeshSpec) -> Option<Mesh<D>>;
    /// A block with these corners, divided into cells.
    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<D>, String>;
}

impl OfMesh<2> for Space<2> {
    fn given(spec: &MeshSpec) -> Option<Mesh<2>> {
        match spec {
            MeshSpec::Plane(mesh) => Some((**mesh).clone()),
            _ => None,
        }
    }

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<2>, String> {
        let _ = (vertices, cells, kind);
        Err("not yet".into())
    }
}

impl OfMesh<3> for Space<3> {
    fn given(spec: &MeshSpec) -> Option<Mesh<3>> {
        match spec {
            MeshSpec::Solid(mesh) => Some((**mesh).clone()),
            _ => None,
        }
    }

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<3>, String> {
        let _ = (vertices, cells, kind);
        Err("not yet".into())
    }
}

/// Asks for the number of cells in each direction.
pub fn cells(t: &Table, doc: &'static str) -> Option<[usize; 3]> {
    let numbers = t.numbers("cells", doc).required()?;
    let dimension = t.reader.dimension.get();
    let whole = numbers.iter().all(|x| *x >= 1.0 && *x <= 1e6 && x.fract() == 0.0);
    if numbers.len() != dimension || !whole {
        t.wrong("cells", format!("`{}` must be {dimension} whole numbers ≥ 1", t.path_of("cells")), "cells");
        return None;
    }
    let mut cells = [1; 3];
    cells.iter_mut().zip(&numbers).for_each(|(c, x)| *c = *x as usize);
    Some(cells)
}

/// Reads one mesh.
pub fn mesh(t: &Table) -> Option<MeshSpec> {
    let _ = cells(t, "cells");
    None
}

/// The facets of the boundary of this name.
pub fn boundary<'m, const D: usize>(mesh: &'m Mesh<D>, name: &str) -> Result<Vec<&'m Boundary>, String> {
    let found: Vec<&Boundary> = mesh.boundaries.iter().filter(|b| b.name == name).collect();
    if found.is_empty() {
        let known: Vec<&str> = mesh.boundaries.iter().map(|b| b.name.as_str()).collect();
        return Err(format!(
            "the mesh has no boundary `{name}`; {}",
            super::document::suggest(name, "boundaries", &known)
        ));
    }
    Ok(found)
}

/// All of the boundary.
pub fn whole_skin<const D: usize>(mesh: &Mesh<D>) -> Result<Vec<Boundary>, String> {
    Ok(mesh.boundaries.clone())
}

#[allow(dead_code)]
fn unused<const D: usize>(_: Vect<D>) {}
