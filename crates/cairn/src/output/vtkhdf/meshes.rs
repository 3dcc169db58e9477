//! `meshes.vtkhdf`: the deformable bodies in time, displaced, with velocities, stresses, strains and what materials remember at their nodes.
//!
//! An unstructured grid of all meshes. Cells and the numbers of bodies are written once; points and data once a time.
//! Points are where the nodes are, so that no *Warp* is needed; `displacement` is there to magnify it.

use super::arrays::{self, Arrays, Step};
use crate::measure;
use crate::output::error::Result;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use cairn_fem::mesh::{Kind, Mesh};
use cairn_fem::tensor::{equivalent_strain, principal, von_mises};
use nalgebra::Matrix3;
use std::path::{Path, PathBuf};

/// Name of the file in the results folder.
pub(in crate::output) const FILE: &str = "meshes.vtkhdf";

/// The file, closed between outputs; scenes without deformable bodies have none.
#[derive(Debug)]
pub(in crate::output) struct MeshesFile {
    path: PathBuf,
    nodes: usize,
    count: usize,
}

/// Data at the nodes: name and width. Stresses are Cauchy's, strains the total ones, logarithmic in finite kinematics: xx, yy, zz, xy, yz, xz
/// (of tensors: ε_xy = γ_xy/2) [Pa, -].
const NODAL: [(&str, usize); 10] = [
    ("displacement", 3),
    ("velocity", 3),
    ("stress", 6),
    ("von_mises", 1),
    ("pressure", 1),
    ("largest_stress", 1),
    ("smallest_stress", 1),
    ("strain", 6),
    ("deviatoric_strain", 1),
    ("contact_pressure", 1),
];

impl MeshesFile {
    /// A new file without times.
    pub(in crate::output) fn create<const D: usize>(dir: &Path, scene: &Scene<D>) -> Result<Option<Self>>
    where
        Space<D>: Ambient<D>,
    {
        let Some(file) = Self::closed(dir, scene, 0) else { return Ok(None) };
        let arrays = Arrays::create_grid(&file.path)?;
        write_cells(&arrays, scene, file.nodes)?;
        for (name, width) in NODAL {
            arrays.declare_data::<f32>("PointData", name, width, file.nodes)?;
        }
        for quantity in measure::remembered(&scene.flexibles) {
            arrays.declare_data::<f32>("PointData", quantity.name, 1, file.nodes)?;
        }
        arrays.show_first("PointData", "von_mises", "displacement")?;
        arrays.close()?;
        Ok(Some(file))
    }

    /// A file that holds `count` times already.
    pub(in crate::output) fn closed<const D: usize>(dir: &Path, scene: &Scene<D>, count: usize) -> Option<Self>
    where
        Space<D>: Ambient<D>,
    {
        let nodes = scene.flexibles.iter().map(|f| f.model.nodes().len()).sum();
        (nodes > 0).then(|| Self { path: dir.join(FILE), nodes, count })
    }

    /// Does the file hold exactly these times?
    pub(in crate::output) fn holds(&self, times: &[f64]) -> bool {
        arrays::holds(&self.path, times, times.len() * self.nodes)
    }

    /// Adds a time.
    pub(in crate::output) fn append<const D: usize>(&mut self, scene: &Scene<D>, state: &State<D>) -> Result<()>
    where
        Space<D>: Ambient<D>,
    {
        let arrays = Arrays::open(&self.path)?;
        let lifted = |nodal: &[f64]| -> Vec<f32> {
            let nodes = nodal.chunks_exact(D).map(|x| Space::<D>::lift(&Vect::from_column_slice(x)));
            nodes.flat_map(|x| x.map(|c| c as f32)).collect()
        };
        let six = |t: &Matrix3<f64>| [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].map(|ij| t[ij] as f32);
        let mut points = Vec::new();
        let mut data: [Vec<f32>; 10] = Default::default();
        let pressures = measure::contact_pressures(scene, &state.fields, &state.reactions, state.last_step);
        for (body, field) in scene.flexibles.iter().zip(&state.fields) {
            let positions = body.positions(&field.displacement);
            points.extend(positions.iter().flat_map(|x| Space::<D>::lift(x).map(|c| c as f32)));
            data[0].extend(lifted(&field.displacement));
            data[1].extend(lifted(&field.velocity));
            for s in measure::nodal_stresses(body, field) {
                let sizes = principal(&s).0;
                data[2].extend(six(&s));
                let scalars = [von_mises(&s), -s.trace() / 3.0, sizes.max(), sizes.min()];
                data[3..].iter_mut().zip(scalars).for_each(|(column, x)| column.push(x as f32));
            }
            for e in measure::nodal_strains(body, field) {
                data[7].extend(six(&e));
                data[8].push(equivalent_strain(&e) as f32);
            }
        }
        data[9].extend(pressures.iter().flatten().map(|p| *p as f32));
        arrays.append("VTKHDF/Points", &points)?;
        let offset = (self.count * self.nodes) as i64;
        for ((name, _), values) in NODAL.into_iter().zip(&data) {
            arrays.append_data("PointData", name, offset, values)?;
        }
        for quantity in measure::remembered(&scene.flexibles) {
            let mut values = Vec::with_capacity(self.nodes);
            for (body, field) in scene.flexibles.iter().zip(&state.fields) {
                let known = body.model.continuum.nodal_history(&field.history, quantity.name);
                let nodal = known.unwrap_or_else(|| vec![quantity.initial; body.model.nodes().len()]);
                values.extend(nodal.iter().map(|x| *x as f32));
            }
            arrays.append_data("PointData", quantity.name, offset, &values)?;
        }
        arrays.point_to("CellData", "body", 0)?;
        arrays.append_grid_step(&Step { time: state.time, points: offset, ..Step::default() }, self.count + 1)?;
        arrays.close()?;
        self.count += 1;
        Ok(())
    }
}

/// What never changes: cells, the number of points, the body of each cell.
fn write_cells<const D: usize>(arrays: &Arrays, scene: &Scene<D>, nodes: usize) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    let (mut connectivity, mut offsets) = (Vec::<i64>::new(), vec![0i64]);
    let (mut types, mut owners) = (Vec::<u8>::new(), Vec::<i32>::new());
    let mut first = 0;
    for (k, body) in scene.flexibles.iter().enumerate() {
        for (code, cell) in vtk_cells(body.model.continuum.mesh()) {
            connectivity.extend(cell.iter().map(|&node| first + i64::from(node)));
            offsets.push(connectivity.len() as i64);
            types.push(code);
            owners.push(scene.number_of_deformable(k) as i32);
        }
        first += body.model.nodes().len() as i64;
    }
    arrays.declare::<f32>("VTKHDF", "Points", 3, nodes)?;
    arrays.declare::<i64>("VTKHDF", "Connectivity", 1, connectivity.len())?;
    arrays.declare::<i64>("VTKHDF", "Offsets", 1, offsets.len())?;
    arrays.declare::<u8>("VTKHDF", "Types", 1, types.len())?;
    arrays.append("VTKHDF/NumberOfPoints", &[nodes as i64])?;
    arrays.append("VTKHDF/NumberOfCells", &[types.len() as i64])?;
    arrays.append("VTKHDF/NumberOfConnectivityIds", &[connectivity.len() as i64])?;
    arrays.append("VTKHDF/Connectivity", &connectivity)?;
    arrays.append("VTKHDF/Offsets", &offsets)?;
    arrays.append("VTKHDF/Types", &types)?;
    arrays.declare_data::<i32>("CellData", "body", 1, owners.len())?;
    arrays.append("VTKHDF/CellData/body", &owners)
}

/// The cells of a mesh as VTK has them: its number of the kind, and the nodes in its order.
pub fn vtk_cells<const D: usize>(mesh: &Mesh<D>) -> impl Iterator<Item = (u8, Vec<u32>)> {
    mesh.each_cell().map(|(_, kind, _, cell)| {
        let (code, order) = vtk_cell(kind);
        (code, order.iter().map(|&i| cell[i]).collect())
    })
}

/// VTK's number of a kind of cell, and its order of our nodes.
fn vtk_cell(kind: Kind) -> (u8, &'static [usize]) {
    match kind {
        Kind::Bar2 => (3, &[0, 1]),
        Kind::T3 => (5, &[0, 1, 2]),
        Kind::T6 => (22, &[0, 1, 2, 3, 4, 5]),
        Kind::Q4 => (9, &[0, 1, 2, 3]),
        Kind::Q8 => (23, &[0, 1, 2, 3, 4, 5, 6, 7]),
        Kind::Tet4 => (10, &[0, 1, 2, 3]),
        // Gmsh ends with the edges (2, 3) and (1, 3), VTK with (1, 3) and (2, 3).
        Kind::Tet10 => (24, &[0, 1, 2, 3, 4, 5, 6, 7, 9, 8]),
        Kind::H8 => (12, &[0, 1, 2, 3, 4, 5, 6, 7]),
        // Gmsh: 01 03 04 12 15 23 26 37 45 47 56 67; VTK: 01 12 23 30 45 56 67 74 04 15 26 37.
        Kind::H20 => (25, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15]),
    }
}
