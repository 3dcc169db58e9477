//! What each joint carries in one stored state, and how it has moved: as curves, and as a table with names.

use super::label;
use super::state::{Reading, with_state};
use cairn::measure::{self, Joint};
use cairn::scene::Scene;
use cairn::space::{Ambient, Space};
use cairn::state::State;
use cairn::step::contacts_at_start;
use cairn_draw::{Axis, Panel, Series, Style};
use miette::miette;
use std::fmt::Write;
use std::path::PathBuf;

/// A joint as numbers.
struct Row {
    bodies: [String; 2],
    /// Middle of the joint, three components [m].
    centre: Vec<f64>,
    /// Pressing, shearing [N].
    forces: [f64; 2],
    /// Distance of the force from the middle [m], and over the half width; none without a force.
    eccentricity: [Option<f64>; 2],
    /// Since the start [m].
    opening: f64,
    slip: f64,
}

struct RowsOf;
impl Reading for RowsOf {
    type Gives = Vec<Row>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &State<D>) -> Vec<Row>
    where
        Space<D>: Ambient<D>,
    {
        let row = |joint: &Joint<D>| {
            let pressing = joint.force.dot(&joint.normal);
            Row {
                bodies: joint.bodies.map(|body| scene.body_name(body)),
                centre: (0..3).map(|i| joint.centre().get(i).copied().unwrap_or(0.0)).collect(),
                forces: [pressing, (joint.force - joint.normal * pressing).norm()],
                eccentricity: [joint.eccentricity(), joint.relative_eccentricity()],
                opening: joint.opening,
                slip: joint.slip,
            }
        };
        measure::joints(scene, &contacts_at_start(scene), frame).iter().map(row).collect()
    }
}

/// Forces and eccentricities against the number of the joint, and the table.
pub fn joints(folders: &[PathBuf], at: Option<f64>) -> miette::Result<(Axis, Vec<Panel>, String)> {
    let quantities = [("normal force", "N"), ("shear force", "N"), ("eccentricity / half width", "-")];
    let mut panels: Vec<Panel> =
        quantities.iter().map(|(label, unit)| Panel { y: Axis::linear(label, unit), series: vec![] }).collect();
    let mut table = String::from(
        "joint,run,first body,second body,x [m],y [m],z [m],normal force [N],shear force [N],\
         eccentricity [m],eccentricity / half width [-],opening [m],slip [m]\n",
    );
    for folder in folders {
        let rows = with_state(folder, at, RowsOf)?;
        if rows.is_empty() {
            return Err(miette!("{} has no joints at that time", folder.display()));
        }
        for (k, panel) in panels.iter_mut().enumerate() {
            let value = |row: &Row| if k < 2 { Some(row.forces[k]) } else { row.eccentricity[1] };
            let points = rows.iter().enumerate().filter_map(|(i, row)| Some((i as f64, value(row)?))).collect();
            panel.series.push(Series { name: label(folder), style: Style::LinePoints, points });
        }
        rows.iter().enumerate().for_each(|(i, row)| row.write(&label(folder), i, &mut table));
    }
    Ok((Axis::linear("joint, in the order of its bodies", "-"), panels, table))
}

impl Row {
    fn write(&self, run: &str, number: usize, table: &mut String) {
        let [first, second] = &self.bodies;
        let [e, relative] = self.eccentricity.map(|e| e.map_or(String::new(), |e| format!("{e:e}")));
        let [x, y, z] = [0, 1, 2].map(|i| self.centre[i]);
        let (Row { opening, slip, .. }, [normal, shear]) = (self, self.forces);
        let run = run.replace('"', "\"\"");
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{number},\"{run}\",\"{first}\",\"{second}\",{x:e},{y:e},{z:e},{normal:e},{shear:e},{e},{relative},{opening:e},{slip:e}"
        );
    }
}
