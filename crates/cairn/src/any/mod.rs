//! A simulation of either dimension behind one type, for programs that use the library: step it, read it by names, change it, save it.
//!
//! What is read is a snapshot: it does not change when the simulation goes on. Nothing is written to disk.

mod pool;
mod saved;
mod view;

pub use saved::{RestoreError, SaveError};
pub use view::{Data, Quantity, View, ViewError, nodal_quantities, quantities};

use crate::measure;
use crate::output;
use crate::run::{self, Go, Summary};
use crate::scene::{AnyScene, ControlError, Document, Loaded, Problem, SceneErrors, Target};
use crate::simulation::Simulation;
use crate::space::{Ambient, Space, Vect};
use crate::state::block::Layout;
use crate::step::{StepError, StepReport};
use cairn_solvers::watch::Watch;
use pool::Pool;
use std::path::PathBuf;
use std::sync::Arc;

/// A simulation in the plane or in space.
#[derive(Clone)]
pub struct AnySimulation {
    document: Document,
    /// Files on disk that the scene uses: name in the scene, path.
    files: Vec<(String, PathBuf)>,
    core: Core,
    report: StepReport,
    diary: run::Diary,
    pool: Pool,
}

/// The one place where the dimension is known.
#[derive(Clone)]
enum Core {
    Plane(Simulation<2>),
    Solid(Simulation<3>),
}

/// The same expression for both dimensions.
macro_rules! either {
    ($core:expr, $simulation:ident => $body:expr) => {
        match $core {
            $crate::any::Core::Plane($simulation) => $body,
            $crate::any::Core::Solid($simulation) => $body,
        }
    };
}
use either;

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Name, as in the history of a results folder.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value.
    pub value: f64,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum Ended<E> {
    /// A step failed; the simulation is as it was before it.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The callback failed.
    #[error("the callback failed")]
    Callback(#[source] E),
}

impl AnySimulation {
    /// A scene at its start, and what is suspicious about it.
    pub fn new(document: &Document) -> Result<(Self, Vec<Problem>), SceneErrors> {
        let Loaded { scene, files, warnings, .. } = document.scene()?;
        let core = match scene {
            AnyScene::Plane(scene) => Core::Plane(Simulation::new(scene)),
            AnyScene::Solid(scene) => Core::Solid(Simulation::new(scene)),
        };
        Ok((Self::of(document.clone(), files, core), warnings))
    }

    fn of(document: Document, files: Vec<(String, PathBuf)>, mut core: Core) -> Self {
        either!(&mut core, s => s.work.measures_equilibrium = true);
        let (report, diary, pool) = (StepReport::default(), run::Diary::default(), Pool::default());
        Self { document, files, core, report, diary, pool }
    }

    /// The same with a pool of threads of its own; without it, the threads of the process are used. Results do not depend on it.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.pool = Pool::of(threads);
        self
    }

    /// The scene as it was given.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match &self.core {
            Core::Plane(_) => 2,
            Core::Solid(_) => 3,
        }
    }

    /// The simulation, if it is in the plane.
    pub fn plane(&self) -> Option<&Simulation<2>> {
        match &self.core {
            Core::Plane(simulation) => Some(simulation),
            Core::Solid(_) => None,
        }
    }

    /// The simulation, if it is in space.
    pub fn solid(&self) -> Option<&Simulation<3>> {
        match &self.core {
            Core::Plane(_) => None,
            Core::Solid(simulation) => Some(simulation),
        }
    }

    /// Steps done.
    pub fn step_number(&self) -> u64 {
        either!(&self.core, s => s.state.step)
    }

    /// Time [s].
    pub fn time(&self) -> f64 {
        either!(&self.core, s => s.state.time)
    }

    /// Is there nothing left to do: all stages done, or the end reached?
    pub fn is_over(&self) -> bool {
        either!(&self.core, s => s.is_over())
    }

    /// One step. After an error the simulation is what it was.
    pub fn step(&mut self) -> Result<&StepReport, StepError> {
        let Self { core, pool, .. } = self;
        self.report = pool.run(|| either!(core, s => s.step()))?;
        either!(&self.core, s => self.diary.note(&s.scene, &s.state, &self.report));
        Ok(&self.report)
    }

    /// Steps look at this watch between sweeps: asked to stop they end with [`StepError::Interrupted`], and the simulation is what it was.
    /// A copy has none.
    pub fn set_watch(&mut self, watch: Option<Arc<Watch>>) {
        either!(&mut self.core, s => s.work.watch = watch);
    }

    /// What the last step said of itself; after a restore there is no last step yet.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Steps until `time` [s] is reached, or until the scene is over if none is given. The callback is asked after each step; it may
    /// change the simulation, stop the run, or fail.
    pub fn run<E>(
        &mut self,
        time: Option<f64>,
        mut callback: impl FnMut(&mut Self) -> Result<Go, E>,
    ) -> Result<Go, Ended<E>> {
        while !self.has_reached(time) {
            self.step()?;
            if callback(self).map_err(Ended::Callback)? == Go::Stop {
                return Ok(Go::Stop);
            }
        }
        Ok(Go::On)
    }

    /// Is this time [s] reached, up to half a step; or the end of the scene, if none is given?
    pub fn has_reached(&self, time: Option<f64>) -> bool {
        let h = either!(&self.core, s => s.scene.time.step);
        time.map_or_else(|| self.is_over(), |time| self.time() >= time - 0.5 * h)
    }

    /// Number of rigid bodies. Deformable ones are numbered after them.
    pub fn rigid_bodies(&self) -> usize {
        either!(&self.core, s => s.scene.bodies.len())
    }

    /// Names of all bodies: `group#number`, or the group's name alone if it has one body.
    pub fn body_names(&self) -> Vec<String> {
        either!(&self.core, s => s.scene.body_names())
    }

    /// Numbers of the bodies of a group, of an assembly of groups (`wall` for `wall.bricks`), or of one body (`group#3`).
    pub fn bodies(&self, name: &str) -> Result<Vec<u32>, ControlError> {
        let names = self.body_names();
        let of_group = |n: &str| {
            n == name || n.strip_prefix(name).is_some_and(|rest| rest.starts_with('#') || rest.starts_with('.'))
        };
        let found: Vec<u32> = names.iter().enumerate().filter(|(_, n)| of_group(n)).map(|(i, _)| i as u32).collect();
        let groups = either!(&self.core, s => &s.scene.groups);
        let unknown = || ControlError::unknown("body", name, groups.iter().map(String::as_str));
        if found.is_empty() { Err(unknown()) } else { Ok(found) }
    }

    /// Arrays by name: see [`quantities`]; also numbers that laws of the scene keep of contacts, as [`crate::law::kept`] declares them.
    pub fn view(&self, name: &str) -> Result<View, ViewError> {
        either!(&self.core, s => view::view(&s.scene, &s.state, name))
    }

    /// Arrays of the nodes of a deformable body by name: see [`nodal_quantities`]; also numbers that its materials keep.
    pub fn nodal(&self, body: u32, name: &str) -> Result<View, ViewError> {
        either!(&self.core, s => view::nodal(&s.scene, &s.state, body, name))
    }

    /// The blocks that bodies belong to, and what each declares of its numbers: the rigid bodies, then each deformable one.
    pub fn blocks(&self) -> &[Layout] {
        either!(&self.core, s => &s.state.blocks)
    }

    /// A quantity of a block under the name that the block declares, exact: node by node, or point by point of integration.
    pub fn block(&self, block: usize, name: &str) -> Result<View, ViewError> {
        either!(&self.core, s => view::block(&s.state, block, name))
    }

    /// The cells of a deformable body: VTK's number of the kind, and the nodes in VTK's order.
    pub fn cells(&self, body: u32) -> Result<Vec<(u8, Vec<u32>)>, ViewError> {
        let unknown = || ViewError::Body { body };
        either!(&self.core, s => {
            let flexible = s.scene.flexible(body).ok_or_else(unknown)?;
            Ok(output::vtk_cells(flexible.model.continuum.mesh()).collect())
        })
    }

    /// Energies, counts, quality and resultants: the columns of the history.
    pub fn scalars(&self) -> Vec<Scalar> {
        let (columns, values) =
            either!(&self.core, s => (run::columns(&s.scene), run::row(&s.scene, &s.state, &self.report)));
        let scalar = |(column, value): (output::Column, f64)| Scalar { name: column.name, unit: column.unit, value };
        columns.into_iter().zip(values).map(scalar).collect()
    }

    /// One of [`AnySimulation::scalars`].
    pub fn scalar(&self, name: &str) -> Option<f64> {
        self.scalars().into_iter().find(|s| s.name == name).map(|s| s.value)
    }

    /// The last word on the run.
    pub fn summary(&self) -> Summary {
        either!(&self.core, s => self.diary.summary(s))
    }

    /// Sum of the contact forces on the given bodies, mean over the last step [N]; z is 0 in 2D.
    pub fn resultant(&self, bodies: &[u32]) -> [f64; 3] {
        let mut sorted = bodies.to_vec();
        sorted.sort_unstable();
        either!(&self.core, s => lifted(&measure::resultant(&s.state.reactions, &sorted, s.state.last_step)))
    }

    /// Drives of this name have this velocity [m/s, rad/s] from now on.
    pub fn set_drive(&mut self, name: &str, velocity: f64) -> Result<(), ControlError> {
        either!(&mut self.core, s => s.set(s.scene.control(Target::Drive, name, velocity)?));
        Ok(())
    }

    /// Loads of this name have this factor (of a pressure: this value [Pa]) from now on.
    pub fn set_load(&mut self, name: &str, factor: f64) -> Result<(), ControlError> {
        either!(&mut self.core, s => s.set(s.scene.control(Target::Load, name, factor)?));
        Ok(())
    }

    /// Contacts between these two materials have this friction coefficient from now on.
    pub fn set_friction(&mut self, between: [&str; 2], friction: f64) -> Result<(), ControlError> {
        either!(&mut self.core, s => s.set(s.scene.control_friction(between, friction)?));
        Ok(())
    }

    /// Gives a rigid body another velocity [m/s] and spin [rad/s; in 2D the third number], but for components that are held or driven.
    pub fn set_velocity(&mut self, body: u32, velocity: [f64; 3], spin: [f64; 3]) -> Result<(), ControlError> {
        if let Some(&value) = velocity.iter().chain(&spin).find(|x| !x.is_finite()) {
            return Err(ControlError::Value { what: "velocity", value });
        }
        if body as usize >= self.rigid_bodies() {
            let name = body.to_string();
            return Err(ControlError::unknown("rigid body", &name, std::iter::empty()));
        }
        match &mut self.core {
            Core::Plane(s) => {
                s.set_velocity(body, &Vect::<2>::new(velocity[0], velocity[1]), &Space::<2>::lower_spin(&spin))
            }
            Core::Solid(s) => s.set_velocity(body, &Vect::<3>::from(velocity), &Space::<3>::lower_spin(&spin)),
        }
        Ok(())
    }
}

fn lifted<const D: usize>(x: &Vect<D>) -> [f64; 3]
where
    Space<D>: Ambient<D>,
{
    Space::<D>::lift(x)
}
