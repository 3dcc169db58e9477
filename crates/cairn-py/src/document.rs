//! A scene as it is given: values of Python in, values of Python out.

use crate::errors::{raise, row, scene_error};
use cairn::scene::{Document as Given, Node, Value};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::fmt::Write;
use std::path::PathBuf;

/// A scene, key by key, with the files that it names. `cairn.Scene` is made of this.
#[pyclass(module = "cairn._cairn")]
#[derive(Clone)]
pub struct Document {
    pub given: Given,
}

#[pymethods]
impl Document {
    #[new]
    fn new() -> Self {
        Self { given: Given::new() }
    }

    /// From TOML text; files are looked for in `folder`.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str, name: &str, folder: PathBuf) -> PyResult<Self> {
        let given = Given::from_toml(text, name, &folder).map_err(|errors| scene_error(py, &errors))?;
        Ok(Self { given })
    }

    /// From a scene file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Self { given: Given::read(&path).map_err(|errors| scene_error(py, &errors))? })
    }

    /// Sets the value at a path such as `contact[0].friction`.
    fn set(&mut self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = node(value)?;
        self.given.set(path, node).map(|_| ()).map_err(|error| raise(py, "SceneError", error))
    }

    /// Adds to the list at a path.
    fn push(&mut self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let node = node(value)?;
        self.given.push(path, node).map_err(|error| raise(py, "SceneError", error))
    }

    /// Gives the contents of a file that the scene names.
    fn attach(&mut self, name: &str, contents: Vec<u8>) {
        self.given.attach(name, contents);
    }

    /// Gives a table (CSV) of numbers as a file that the scene names: positions, then radii.
    fn attach_balls(
        &mut self,
        name: &str,
        at: PyReadonlyArray2<'_, f64>,
        radii: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (at, radii) = (at.as_array(), radii.as_array());
        let dimension = at.ncols();
        if at.nrows() != radii.len() || !(2..=3).contains(&dimension) {
            let message =
                format!("{} × {dimension} positions and {} radii do not fit together", at.nrows(), radii.len());
            return Err(PyValueError::new_err(message));
        }
        let mut table = String::with_capacity(at.nrows() * 20 * (dimension + 1));
        table.push_str(if dimension == 2 { "x,y,r\n" } else { "x,y,z,r\n" });
        for (row, radius) in at.rows().into_iter().zip(radii) {
            for x in row {
                // Writing to a text cannot fail.
                let _ = write!(table, "{x},");
            }
            let _ = writeln!(table, "{radius}");
        }
        self.given.attach(name, table.into_bytes());
        Ok(())
    }

    /// Names and contents of the files that were given.
    fn attached(&self) -> Vec<(String, Vec<u8>)> {
        self.given.attached().map(|(name, contents)| (name.to_string(), contents.to_vec())).collect()
    }

    /// Bodies of all kinds in the order of their numbers: list, and number in it.
    fn order(&self) -> Vec<(String, usize)> {
        self.given.order().into_iter().map(|(key, number)| (key.to_string(), number)).collect()
    }

    /// All keys as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, self.given.root())
    }

    /// The scene as TOML text.
    fn to_toml(&self) -> String {
        self.given.to_toml()
    }

    /// Writes the scene file, and next to it the files that were given.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        Ok(self.given.write(&path)?)
    }

    /// Checks everything: what is suspicious; what is wrong is raised.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<(String, String, String, String)>> {
        let loaded = self.given.scene().map_err(|errors| scene_error(py, &errors))?;
        Ok(loaded.warnings.iter().map(row).collect())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.given == other.given
    }

    fn copy(&self) -> Self {
        self.clone()
    }
}

/// A value of Python as a node.
fn node(value: &Bound<'_, PyAny>) -> PyResult<Node> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i64>()?.into());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.extract::<f64>()?.into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.into());
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entries = table.iter().map(|(key, item)| Ok((key.extract::<String>()?, node(&item)?)));
        return Ok(Node::table(entries.collect::<PyResult<Vec<_>>>()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| node(&item?)).collect::<PyResult<Vec<_>>>()?;
        return Ok(items.into());
    }
    let kind = value.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("a scene has numbers, text, true/false, lists and tables, not {kind}")))
}

/// A node as a value of Python.
fn value<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &node.value {
        Value::Text(text) | Value::Date(text) => PyString::new(py, text).into_any(),
        Value::Integer(i) => i.into_pyobject(py)?.into_any(),
        Value::Float(x) => PyFloat::new(py, *x).into_any(),
        Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::List(items) => {
            let items = items.iter().map(|item| value(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(entries) => {
            let table = PyDict::new(py);
            for (key, _, item) in entries {
                table.set_item(key, value(py, item)?)?;
            }
            table.into_any()
        }
    })
}
