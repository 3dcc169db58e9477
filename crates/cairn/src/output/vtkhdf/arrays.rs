//! An HDF5 file of arrays that grow by rows, with the few things that VTKHDF asks for.

use crate::output::error::{Result, hdf5_at};
use rust_hdf5::{DatatypeMessage, H5File, H5Group, H5Type};
use std::path::{Path, PathBuf};

/// The four kinds of cells of a PolyData, in the order of the columns of `Steps/CellOffsets`.
pub(super) const KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];

/// Rows per chunk of the small tables with one row per time.
const STEP_ROWS: usize = 64;

/// A file opened for writing.
pub(super) struct Arrays {
    path: PathBuf,
    file: H5File,
}

impl Arrays {
    /// A new file with an empty temporal PolyData.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let (arrays, root) = Self::create_as(path, b"PolyData", KINDS.len())?;
        for group in KINDS {
            arrays.check(root.create_group(group))?;
            for name in ["NumberOfCells", "NumberOfConnectivityIds"] {
                arrays.declare::<i64>(&format!("VTKHDF/{group}"), name, 1, STEP_ROWS)?;
            }
        }
        Ok(arrays)
    }

    /// A new file with an empty temporal UnstructuredGrid.
    pub(super) fn create_grid(path: &Path) -> Result<Self> {
        let (arrays, _) = Self::create_as(path, b"UnstructuredGrid", 1)?;
        for name in ["NumberOfCells", "NumberOfConnectivityIds"] {
            arrays.declare::<i64>("VTKHDF", name, 1, STEP_ROWS)?;
        }
        Ok(arrays)
    }

    /// A new file of this type; `kinds` of cells have offsets in time of their own.
    fn create_as(path: &Path, kind: &[u8], kinds: usize) -> Result<(Self, H5Group)> {
        let file = H5File::create(path).map_err(hdf5_at("create", path))?;
        let arrays = Self { path: path.to_path_buf(), file };
        let root = arrays.check(arrays.file.create_group("VTKHDF"))?;
        arrays.check(root.set_attr_array_numeric("Version", &[2i64, 0]))?;
        arrays.check(root.set_attr_typed("Type", text(kind), kind.to_vec()))?;
        arrays.declare::<i64>("VTKHDF", "NumberOfPoints", 1, STEP_ROWS)?;
        arrays.check(root.create_group("PointData"))?;
        arrays.check(root.create_group("CellData"))?;
        arrays.declare_steps(&root, kinds)?;
        Ok((arrays, root))
    }

    fn declare_steps(&self, root: &H5Group, kinds: usize) -> Result<()> {
        let steps = self.check(root.create_group("Steps"))?;
        self.check(steps.set_attr_numeric("NSteps", &0i64))?;
        self.check(steps.create_group("PointDataOffsets"))?;
        self.check(steps.create_group("CellDataOffsets"))?;
        self.declare::<f64>("VTKHDF/Steps", "Values", 1, STEP_ROWS)?;
        for (name, width) in [
            ("PartOffsets", 1),
            ("NumberOfParts", 1),
            ("PointOffsets", 1),
            ("CellOffsets", kinds),
            ("ConnectivityIdOffsets", kinds),
        ] {
            self.declare::<i64>("VTKHDF/Steps", name, width, STEP_ROWS)?;
        }
        Ok(())
    }

    /// An existing file.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = H5File::open_rw(path).map_err(hdf5_at("open", path))?;
        Ok(Self { path: path.to_path_buf(), file })
    }

    /// Adds a group below the root.
    pub(super) fn group(&self, name: &str) -> Result<H5Group> {
        self.check(self.file.create_group(name))
    }

    /// Adds an empty array of rows of `width` numbers.
    pub(super) fn declare<T: H5Type>(&self, group: &str, name: &str, width: usize, chunk_rows: usize) -> Result<()> {
        let rows = chunk_rows.max(1);
        let builder = self.check(self.file.root_group().group(group))?.new_dataset::<T>();
        let dataset = if width == 1 {
            builder.shape([0]).chunk(&[rows]).max_shape(&[None]).create(name)
        } else {
            builder.shape([0, width]).chunk(&[rows, width]).max_shape(&[None, Some(width)]).create(name)
        };
        self.check(dataset).map(|_| ())
    }

    /// Adds an empty stack of tables of `rows` × `width` numbers, one table per time. A scene of deformable bodies alone has
    /// tables without rows, but a chunk cannot be empty.
    pub(super) fn declare_stack(&self, group: &str, name: &str, rows: usize, width: usize) -> Result<()> {
        let builder = self.check(self.file.root_group().group(group))?.new_dataset::<f64>();
        let limits = [None, Some(rows), Some(width)];
        let dataset = builder.shape([0, rows, width]).chunk(&[1, rows.max(1), width]).max_shape(&limits).create(name);
        self.check(dataset).map(|_| ())
    }

    /// Adds an empty array of data and the table of its offsets in time; `on` is `PointData` or `CellData`.
    pub(super) fn declare_data<T: H5Type>(&self, on: &str, name: &str, width: usize, chunk_rows: usize) -> Result<()> {
        self.declare::<T>(&format!("VTKHDF/{on}"), name, width, chunk_rows)?;
        self.declare::<i64>(&format!("VTKHDF/Steps/{on}Offsets"), name, 1, STEP_ROWS)
    }

    /// Makes arrays of data those that are shown first: colours by `scalars`, arrows along `vectors`. VTKHDF 2.6; older
    /// readers pass over it.
    pub(super) fn show_first(&self, on: &str, scalars: &str, vectors: &str) -> Result<()> {
        for (name, role) in [(scalars, "Scalars"), (vectors, "Vectors")] {
            let dataset = self.check(self.file.dataset_writer(&format!("VTKHDF/{on}/{name}")))?;
            self.check(dataset.set_attr_typed("Attribute", text(role.as_bytes()), role.as_bytes().to_vec()))?;
        }
        Ok(())
    }

    /// Adds rows to an array.
    pub(super) fn append<T: H5Type>(&self, path: &str, rows: &[T]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let dataset = self.check(self.file.dataset_writer(path))?;
        self.check(dataset.append(rows))
    }

    /// Adds rows of data that begin at `offset` for the time that is being written.
    pub(super) fn append_data<T: H5Type>(&self, on: &str, name: &str, offset: i64, rows: &[T]) -> Result<()> {
        self.append(&format!("VTKHDF/{on}/{name}"), rows)?;
        self.point_to(on, name, offset)
    }

    /// Says that data written before serve this time too.
    pub(super) fn point_to(&self, on: &str, name: &str, offset: i64) -> Result<()> {
        self.append(&format!("VTKHDF/Steps/{on}Offsets/{name}"), &[offset])
    }

    /// Completes a time: `count` times are in the file now.
    pub(super) fn append_step(&self, step: &Step, count: usize) -> Result<()> {
        self.append_step_of(step, KINDS.len(), count)
    }

    /// The same for an unstructured grid.
    pub(super) fn append_grid_step(&self, step: &Step, count: usize) -> Result<()> {
        self.append_step_of(step, 1, count)
    }

    fn append_step_of(&self, step: &Step, kinds: usize, count: usize) -> Result<()> {
        self.append("VTKHDF/Steps/PartOffsets", &[step.part])?;
        self.append("VTKHDF/Steps/NumberOfParts", &[1i64])?;
        self.append("VTKHDF/Steps/PointOffsets", &[step.points])?;
        self.append("VTKHDF/Steps/CellOffsets", &step.cells[..kinds])?;
        self.append("VTKHDF/Steps/ConnectivityIdOffsets", &step.connectivity[..kinds])?;
        self.append("VTKHDF/Steps/Values", &[step.time])?;
        let steps = self.check(self.file.root_group().group("VTKHDF/Steps"))?;
        self.check(steps.set_attr_numeric("NSteps", &(count as i64)))
    }

    /// Completes the file.
    pub(super) fn close(self) -> Result<()> {
        let path = self.path;
        self.file.close_no_sync().map_err(hdf5_at("write", &path))
    }

    fn check<T>(&self, result: rust_hdf5::Result<T>) -> Result<T> {
        result.map_err(hdf5_at("write", &self.path))
    }
}

/// The type of a text of this length.
fn text(value: &[u8]) -> DatatypeMessage {
    DatatypeMessage::FixedString { size: value.len() as u32, padding: 1, charset: 0 }
}

/// Where the rows of a time begin.
#[derive(Default)]
pub(super) struct Step {
    pub(super) time: f64,
    pub(super) part: i64,
    pub(super) points: i64,
    pub(super) cells: [i64; 4],
    pub(super) connectivity: [i64; 4],
}

/// Does the file hold exactly these times, with `points` points in all? No if it is torn or not there.
pub(super) fn holds(path: &Path, times: &[f64], points: usize) -> bool {
    let found = || -> rust_hdf5::Result<bool> {
        let file = H5File::open(path)?;
        let rows = |name: &str| file.dataset(name).map(|d| d.shape().first().copied());
        let mut whole = rows("VTKHDF/Points")? == Some(points);
        for name in file.dataset_names().iter().filter(|n| n.contains("VTKHDF/Steps/")) {
            whole &= rows(name)? == Some(times.len());
        }
        Ok(whole && (times.is_empty() || file.dataset("VTKHDF/Steps/Values")?.read_raw::<f64>()? == times))
    };
    found().unwrap_or(false)
}
