//! A scene in motion. The interpreter's lock is given up during steps; arrays are snapshots.

use crate::document::Document;
use crate::errors::{raise, row, scene_error};
use crate::problem;
use crate::signals;
use cairn::any::{AnySimulation, Data, View};
use cairn::simulation::Simulation as Running;
use cairn::space::{Ambient, Space};
use cairn::step::{StepError, StepReport};
use cairn_draw::{Background, Field, Picture, PictureOptions};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A simulation in the plane or in space. `cairn.Simulation` is made of this.
#[pyclass(module = "cairn._cairn")]
pub struct Simulation {
    inner: AnySimulation,
}

type Warning = (String, String, String, String);

#[pymethods]
impl Simulation {
    /// A scene at its start, and what is suspicious about it.
    #[staticmethod]
    fn start(py: Python<'_>, document: &Document, threads: usize) -> PyResult<(Self, Vec<Warning>)> {
        let given = document.given.clone();
        let made = py.detach(|| AnySimulation::new(&given));
        let (inner, warnings) = made.map_err(|errors| scene_error(py, &errors))?;
        Ok((Self { inner: inner.with_threads(threads) }, warnings.iter().map(row).collect()))
    }

    /// From the bytes of `save`.
    #[staticmethod]
    fn restore(py: Python<'_>, bytes: &[u8], threads: usize) -> PyResult<Self> {
        let inner = AnySimulation::restore(bytes).map_err(|error| raise(py, "CairnError", error))?;
        Ok(Self { inner: inner.with_threads(threads) })
    }

    /// Everything that is needed to go on, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.save().map_err(|error| raise(py, "CairnError", error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Another one in the same state, with the same future.
    fn copy(&self) -> Self {
        Self { inner: self.inner.clone() }
    }

    /// The scene.
    fn document(&self) -> Document {
        Document { given: self.inner.document().clone() }
    }

    /// Does so many steps; Ctrl-C is heard in them.
    fn step(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        self.listen(py)?;
        for _ in 0..count {
            self.one(py)?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Steps until a time, or to the end of the scene; after every `every` steps the callback is called, and ends the run by `False`.
    #[pyo3(signature = (until, callback, every))]
    fn run(
        slf: &Bound<'_, Self>,
        until: Option<f64>,
        callback: Option<Bound<'_, PyAny>>,
        every: u64,
    ) -> PyResult<bool> {
        let py = slf.py();
        slf.try_borrow_mut()?.listen(py)?;
        loop {
            {
                let mut this = slf.try_borrow_mut()?;
                if this.inner.has_reached(until) {
                    return Ok(true);
                }
                this.one(py)?;
            }
            py.check_signals()?;
            let due = slf.try_borrow()?.inner.step_number().is_multiple_of(every.max(1));
            if let (Some(callback), true) = (&callback, due) {
                let answer = callback.call0()?;
                if !answer.is_none() && !answer.is_truthy()? {
                    return Ok(false);
                }
            }
        }
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.inner.dimension()
    }

    #[getter]
    fn time(&self) -> f64 {
        self.inner.time()
    }

    #[getter]
    fn step_number(&self) -> u64 {
        self.inner.step_number()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    #[getter]
    fn rigid_bodies(&self) -> usize {
        self.inner.rigid_bodies()
    }

    /// Names of all bodies.
    fn body_names(&self) -> Vec<String> {
        self.inner.body_names()
    }

    /// Numbers of the bodies of a name.
    fn bodies(&self, py: Python<'_>, name: &str) -> PyResult<Vec<u32>> {
        self.inner.bodies(name).map_err(|error| raise(py, "ControlError", error))
    }

    /// An array by name.
    fn view<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = self.inner.view(name).map_err(|error| raise(py, "ControlError", error))?;
        array(py, view)
    }

    /// An array of the nodes of a deformable body by name.
    fn nodal<'py>(&self, py: Python<'py>, body: u32, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = self.inner.nodal(body, name).map_err(|error| raise(py, "ControlError", error))?;
        array(py, view)
    }

    /// The cells of a deformable body: VTK's number of the kind, and the nodes in VTK's order.
    fn cells(&self, py: Python<'_>, body: u32) -> PyResult<Vec<(u8, Vec<u32>)>> {
        self.inner.cells(body).map_err(|error| raise(py, "ControlError", error))
    }

    /// Columns of the history: name, unit, value.
    fn scalars(&self) -> Vec<(String, String, f64)> {
        self.inner.scalars().into_iter().map(|s| (s.name, s.unit, s.value)).collect()
    }

    /// The last word on the run, as JSON.
    fn summary(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner.summary()).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// What the last step says of itself.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report: &StepReport = self.inner.report();
        let names = self.inner.body_names();
        let named = |pair: Option<[u32; 2]>| pair.map(|bodies| bodies.map(|b| names[b as usize].clone()));
        let said = PyDict::new(py);
        said.set_item("converged", report.solver.converged)?;
        said.set_item("residual", report.solver.residual)?;
        said.set_item("sweeps", report.sweeps)?;
        said.set_item("contacts", report.contacts)?;
        said.set_item("active", report.active)?;
        said.set_item("penetration", report.penetration)?;
        said.set_item("iterations", report.iterations)?;
        said.set_item("out_of_balance", report.out_of_balance)?;
        said.set_item("unbalanced_force", report.unbalanced_force)?;
        said.set_item("substeps", report.substeps)?;
        said.set_item("worst_contact", named(report.worst_contact))?;
        said.set_item("painleve_contact", named(report.painleve_contact))?;
        Ok(said)
    }

    /// The contact problem of the last step, as matrices.
    fn problem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match (self.inner.plane(), self.inner.solid()) {
            (Some(s), _) => problem::of_step(py, s),
            (_, Some(s)) => problem::of_step(py, s),
            _ => Err(raise(py, "ControlError", "no simulation")),
        }
    }

    /// Sum of the contact forces on bodies, mean over the last step [N].
    fn resultant(&self, bodies: Vec<u32>) -> Vec<f64> {
        self.inner.resultant(&bodies)[..self.inner.dimension()].to_vec()
    }

    fn set_drive(&mut self, py: Python<'_>, name: &str, velocity: f64) -> PyResult<()> {
        self.inner.set_drive(name, velocity).map_err(|error| raise(py, "ControlError", error))
    }

    fn set_load(&mut self, py: Python<'_>, name: &str, factor: f64) -> PyResult<()> {
        self.inner.set_load(name, factor).map_err(|error| raise(py, "ControlError", error))
    }

    fn set_friction(&mut self, py: Python<'_>, one: &str, other: &str, friction: f64) -> PyResult<()> {
        self.inner.set_friction([one, other], friction).map_err(|error| raise(py, "ControlError", error))
    }

    fn set_velocity(&mut self, py: Python<'_>, body: u32, velocity: [f64; 3], spin: [f64; 3]) -> PyResult<()> {
        self.inner.set_velocity(body, velocity, spin).map_err(|error| raise(py, "ControlError", error))
    }

    /// A picture of the state as PNG or SVG.
    #[pyo3(signature = (field, width, dark, svg))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        field: Option<&str>,
        width: u32,
        dark: bool,
        svg: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let background = if dark { Background::Dark } else { Background::Light };
        let options = PictureOptions { width, background, ..PictureOptions::default() };
        let drawn = match (self.inner.plane(), self.inner.solid()) {
            (Some(s), _) => drawn(s, field, options),
            (_, Some(s)) => drawn(s, field, options),
            _ => Err("no simulation".to_string()),
        };
        let drawn = drawn.map_err(|error| raise(py, "ControlError", error))?;
        let bytes = if svg { drawn.svg().map(String::into_bytes) } else { drawn.png() };
        Ok(PyBytes::new(py, &bytes.map_err(|error| raise(py, "CairnError", error))?))
    }
}

impl Simulation {
    /// Lets Ctrl-C interrupt the steps to come; raises what has been heard before.
    fn listen(&mut self, py: Python<'_>) -> PyResult<()> {
        self.inner.set_watch(signals::watch());
        py.check_signals()
    }

    fn one(&mut self, py: Python<'_>) -> PyResult<()> {
        let number = self.inner.step_number() + 1;
        let done = loop {
            let done = py.detach(|| self.inner.step().map(|_| ()));
            if !matches!(done, Err(StepError::Interrupted { .. })) {
                break done;
            }
            // A handler of the user's may have taken care of the signal: then the step is made after all.
            self.listen(py)?;
        };
        done.map_err(|error| {
            let made =
                || py.import("cairn.errors")?.getattr("raised")?.call1(("StepFailed", error.to_string(), number));
            made().map_or_else(|error| error, PyErr::from_value)
        })
    }
}

fn drawn<const D: usize>(s: &Running<D>, field: Option<&str>, mut options: PictureOptions) -> Result<Picture, String>
where
    Space<D>: Ambient<D>,
{
    let (scene, state) = (&s.scene, &s.state);
    options.field = field.map_or(Ok(options.field), |name| Field::named(name, scene))?;
    let meshes = cairn_draw::meshes(scene, &state.fields, &state.reactions, &options);
    let state = &*cairn::measure::folded(scene, state);
    Ok(cairn_draw::picture_with_meshes(scene, &state.motions, &state.reactions, &meshes, state.time, &options))
}

/// A snapshot as an array that cannot be written to.
fn array(py: Python<'_>, view: View) -> PyResult<Bound<'_, PyAny>> {
    let shape = view.shape;
    let array = match view.data {
        Data::Real(numbers) => PyArray1::from_vec(py, numbers).reshape(shape)?.into_any(),
        Data::Whole(numbers) => PyArray1::from_vec(py, numbers).reshape(shape)?.into_any(),
    };
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}
