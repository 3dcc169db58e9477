//! Results for ParaView: VTKHDF files with all times in one file, one file per kind.
//!
//! A temporal VTKHDF file of type PolyData holds, per array, the rows of all times one after the other; the group
//! `Steps` says where each time begins. What does not change (connectivity, body numbers) is written once and every
//! time points to it. Each output opens the file, appends and closes it, so that it is whole whenever nobody writes.

mod arrays;
mod bodies;
mod contacts;
mod meshes;
mod outline;

pub(super) use bodies::BodiesFile;
pub(super) use contacts::ContactsFile;
pub(super) use meshes::MeshesFile;
pub use meshes::vtk_cells;

/// Files of this room.
pub(super) const FILES: [&str; 3] = [bodies::FILE, contacts::FILE, meshes::FILE];
