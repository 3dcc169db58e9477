//! `bodies.vtkhdf`: the surfaces of the bodies in time, with their motion as colours.
//!
//! The data belong to cells, which is one value per face; where balls are drawn as single points (too many for surfaces)
//! they belong to points, so that ParaView's *Point Gaussian* and *Glyph* can use the radius.
//!
//! A group `Cairn` beside VTK's own holds the exact numbers of the block of rigid bodies, for other programs, under the names that it declares:
//! `position`, `rotation` (2D: cos, sin; 3D: quaternion w, x, y, z), `velocity`, `spin`, each with one row per time, and `time`, `step`.

use super::arrays::{self, Arrays, KINDS, Step};
use super::outline::Outline;
use crate::contact::Status;
use crate::measure::folded;
use crate::output::error::Result;
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;
use crate::state::block::{self, Kind, Layout, Quantity};
use std::path::{Path, PathBuf};

/// Name of the file in the results folder.
pub(in crate::output) const FILE: &str = "bodies.vtkhdf";

/// The file, closed between outputs.
#[derive(Debug)]
pub(in crate::output) struct BodiesFile<const D: usize> {
    path: PathBuf,
    outline: Outline<D>,
    /// The body of each row of data.
    owners: Vec<u32>,
    /// `PointData` or `CellData`.
    on: &'static str,
    count: usize,
}

/// Data that change: name and width.
const MOVING: [(&str, usize); 6] =
    [("velocity", 3), ("spin", 3), ("displacement", 3), ("speed", 1), ("kinetic_energy", 1), ("contacts", 1)];

impl<const D: usize> BodiesFile<D>
where
    Space<D>: Ambient<D>,
{
    /// A new file without times.
    pub(in crate::output) fn create(dir: &Path, scene: &Scene<D>) -> Result<Self> {
        let file = Self::closed(dir, scene, 0);
        let arrays = Arrays::create(&file.path)?;
        file.write_topology(&arrays)?;
        file.write_constants(&arrays, scene)?;
        for (name, width) in MOVING {
            arrays.declare_data::<f32>(file.on, name, width, file.owners.len())?;
        }
        arrays.show_first(file.on, "speed", "velocity")?;
        declare_exact::<D>(&arrays, scene)?;
        arrays.close()?;
        Ok(file)
    }

    /// A file that holds `count` times already.
    pub(in crate::output) fn closed(dir: &Path, scene: &Scene<D>, count: usize) -> Self {
        let outline = Outline::of(scene);
        let of_points =
            || outline.ranges.windows(2).enumerate().flat_map(|(k, r)| std::iter::repeat_n(k as u32, r[1] - r[0]));
        let (on, owners) =
            if outline.has_vertices() { ("PointData", of_points().collect()) } else { ("CellData", outline.owners()) };
        Self { path: dir.join(FILE), outline, owners, on, count }
    }

    /// Does the file hold exactly these times?
    pub(in crate::output) fn holds(&self, times: &[f64]) -> bool {
        arrays::holds(&self.path, times, times.len() * self.outline.points.len())
    }

    /// What never changes: cells and the number of points.
    fn write_topology(&self, arrays: &Arrays) -> Result<()> {
        let points = self.outline.points.len();
        arrays.declare::<f32>("VTKHDF", "Points", 3, points)?;
        arrays.append("VTKHDF/NumberOfPoints", &[points as i64])?;
        for (group, cells) in KINDS.iter().zip(&self.outline.cells) {
            let group = format!("VTKHDF/{group}");
            arrays.declare::<i64>(&group, "Connectivity", 1, cells.connectivity.len())?;
            arrays.declare::<i64>(&group, "Offsets", 1, cells.offsets.len())?;
            arrays.append(&format!("{group}/Connectivity"), &cells.connectivity)?;
            arrays.append(&format!("{group}/Offsets"), &cells.offsets)?;
            arrays.append(&format!("{group}/NumberOfCells"), &[cells.owners.len() as i64])?;
            arrays.append(&format!("{group}/NumberOfConnectivityIds"), &[cells.connectivity.len() as i64])?;
        }
        Ok(())
    }

    /// Data that never change.
    fn write_constants(&self, arrays: &Arrays, scene: &Scene<D>) -> Result<()> {
        let rows = self.owners.len();
        let numbers: [(&str, Vec<i32>); 3] = [
            ("body", (0..scene.bodies.len() as i32).collect()),
            ("group", scene.bodies.iter().map(|b| b.group as i32).collect()),
            ("material", scene.bodies.iter().map(|b| i32::from(b.material)).collect()),
        ];
        for (name, of_body) in numbers {
            arrays.declare_data::<i32>(self.on, name, 1, rows)?;
            let values: Vec<i32> = self.owners.iter().map(|&b| of_body[b as usize]).collect();
            arrays.append(&format!("VTKHDF/{}/{name}", self.on), &values)?;
        }
        let radii: Vec<f32> = (0..scene.bodies.len()).map(|k| radius(scene, k) as f32).collect();
        arrays.declare_data::<f32>(self.on, "radius", 1, rows)?;
        arrays.append(&format!("VTKHDF/{}/radius", self.on), &self.spread(&radii, 1))
    }

    /// Adds a time.
    pub(in crate::output) fn append(&mut self, scene: &Scene<D>, state: &State<D>) -> Result<()> {
        let arrays = Arrays::open(&self.path)?;
        arrays.append("VTKHDF/Points", &self.points(&folded(scene, state)))?;
        let offset = (self.count * self.owners.len()) as i64;
        for ((name, width), values) in MOVING.into_iter().zip(moving(scene, state)) {
            arrays.append_data(self.on, name, offset, &self.spread(&values, width))?;
        }
        for name in ["body", "group", "material", "radius"] {
            arrays.point_to(self.on, name, 0)?;
        }
        append_exact(&arrays, state)?;
        let points = (self.count * self.outline.points.len()) as i64;
        arrays.append_step(&Step { time: state.time, points, ..Step::default() }, self.count + 1)?;
        arrays.close()?;
        self.count += 1;
        Ok(())
    }

    /// Where the points of the outline are now.
    fn points(&self, state: &State<D>) -> Vec<f32> {
        let mut out = Vec::with_capacity(3 * self.outline.points.len());
        for (motion, range) in state.motions.iter().zip(self.outline.ranges.windows(2)) {
            let matrix = Space::<D>::matrix(&motion.place.turn);
            for x in &self.outline.points[range[0]..range[1]] {
                out.extend(Space::<D>::lift(&(motion.place.centre + matrix * x)).map(|c| c as f32));
            }
        }
        out
    }

    /// Values of bodies, given to each row of data.
    fn spread(&self, of_bodies: &[f32], width: usize) -> Vec<f32> {
        let mut out = Vec::with_capacity(width * self.owners.len());
        for &b in &self.owners {
            out.extend_from_slice(&of_bodies[b as usize * width..(b as usize + 1) * width]);
        }
        out
    }
}

/// Radius of a ball about the centre of mass that holds the body [m]; 0 if there is none.
fn radius<const D: usize>(scene: &Scene<D>, body: usize) -> f64
where
    Space<D>: Ambient<D>,
{
    let (first, count) = scene.bodies[body].parts;
    let parts = &scene.parts[first as usize..(first + count) as usize];
    let radius = parts.iter().map(|p| p.local.centre.norm() + p.radius).fold(0.0, f64::max);
    if radius.is_finite() { radius } else { 0.0 }
}

/// The data of [`MOVING`], body by body.
fn moving<const D: usize>(scene: &Scene<D>, state: &State<D>) -> [Vec<f32>; 6]
where
    Space<D>: Ambient<D>,
{
    let short = |x: [f64; 3]| x.map(|c| c as f32);
    let motions = &state.motions;
    let mut contacts = vec![0f32; motions.len()];
    for r in state.reactions.iter().filter(|r| r.status != Status::Open) {
        for b in r.contact.bodies {
            // Deformable bodies are in a file of their own.
            contacts.get_mut(b as usize).into_iter().for_each(|count| *count += 1.0);
        }
    }
    let shift = motions.iter().zip(&scene.start).map(|(m, s)| m.place.centre - s.place.centre);
    let energy = motions.iter().zip(&scene.bodies).map(|(m, body)| {
        if body.is_obstacle() || !body.mass.is_finite() {
            return 0.0;
        }
        let momentum = Space::<D>::momentum(&body.moments, &m.place.turn, &m.spin);
        let turning = Space::<D>::spin_dot(&momentum, &m.spin);
        0.5 * (body.mass * m.velocity.norm_squared() + if turning.is_finite() { turning } else { 0.0 })
    });
    [
        motions.iter().flat_map(|m| short(Space::<D>::lift(&m.velocity))).collect(),
        motions.iter().flat_map(|m| short(Space::<D>::lift_spin(&m.spin))).collect(),
        shift.flat_map(|x| short(Space::<D>::lift(&x))).collect(),
        motions.iter().map(|m| m.velocity.norm() as f32).collect(),
        energy.map(|e| e as f32).collect(),
        contacts,
    ]
}

/// What the block of rigid bodies declares of a body, in the layout of the scene or of a state.
fn declared(blocks: &[Layout]) -> impl Iterator<Item = &Quantity> {
    let rigid = blocks.iter().find(|layout| layout.kind == Kind::Rigid);
    rigid.into_iter().flat_map(Layout::tables).flat_map(|table| &table.quantities)
}

/// The group of exact motions.
fn declare_exact<const D: usize>(arrays: &Arrays, scene: &Scene<D>) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    arrays.group("Cairn")?;
    arrays.declare::<f64>("Cairn", "time", 1, 64)?;
    arrays.declare::<u64>("Cairn", "step", 1, 64)?;
    for quantity in declared(&block::layouts(scene)) {
        arrays.declare_stack("Cairn", &quantity.name, scene.bodies.len(), quantity.width)?;
    }
    Ok(())
}

fn append_exact<const D: usize>(arrays: &Arrays, state: &State<D>) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    arrays.append("Cairn/time", &[state.time])?;
    arrays.append("Cairn/step", &[state.step])?;
    let Some((layout, numbers)) = state.numbers().find(|(layout, _)| layout.kind == Kind::Rigid) else { return Ok(()) };
    for (table, numbers) in [(&layout.coordinates, &numbers.coordinates), (&layout.velocities, &numbers.velocities)] {
        for quantity in &table.quantities {
            let column = table.column(numbers, &quantity.name).unwrap_or_default();
            arrays.append(&format!("Cairn/{}", quantity.name), &column)?;
        }
    }
    Ok(())
}
