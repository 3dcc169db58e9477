//! Reading a scene file.

use super::build::build;
use super::document::{Document, Node, Problem, Reader, SceneErrors, Table, TableDoc};
use super::spec::{Batch, GravitySpec, SceneSpec, StageChanges, Unread};
use super::{AnyScene, History, Time, TimeUnit};
use super::{bodies, cell, contacts, deformable, generate, joints, measures, motions, settings, stages};
use std::path::{Path, PathBuf};

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The scene.
    pub scene: AnyScene,
    /// The scene file, if there is one, and every table and mesh on disk that it uses.
    pub sources: Vec<PathBuf>,
    /// These tables and meshes: name in the scene, path.
    pub files: Vec<(String, PathBuf)>,
    /// What is suspicious but not wrong.
    pub warnings: Vec<Problem>,
    /// May bodies overlap at the start?
    pub allow_overlap: bool,
}

/// Reads a scene file; `overrides` are pairs of dotted key and value (`("time.step", "1e-4")`), applied before anything
/// is checked. All that is wrong is reported at once: what can be read is built, too, even if the rest cannot.
pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Loaded, SceneErrors> {
    let (mut document, mut problems) = Document::open(path)?;
    overrides.iter().for_each(|(key, value)| document.set_text(key, value, &mut problems));
    if problems.is_empty() { document.scene() } else { Err(document.errors(problems)) }
}

impl Document {
    /// Checks all keys and builds the scene. All that is wrong is reported at once.
    pub fn scene(&self) -> Result<Loaded, SceneErrors> {
        let reader = Reader::new(self);
        let spec = Table::new(&reader, &self.root, String::new()).read(scene);
        let allow_overlap = spec.as_ref().is_some_and(|s| s.allow_overlap);
        let good = reader.problems.borrow().iter().all(|p| p.warning);
        let scene = spec.and_then(|spec| match reader.dimension.get() {
            2 => build(&reader, spec).map(AnyScene::Plane),
            _ => build(&reader, spec).map(AnyScene::Solid),
        });
        let (problems, sources) = (reader.problems.into_inner(), reader.sources.into_inner());
        let sorted = |problems| Problem::sorted(problems, &sources, &self.root);
        let Some(scene) = scene.filter(|_| good) else {
            let wrong = problems.into_iter().filter(|p| !p.warning).collect();
            return Err(SceneErrors { scene: self.name.clone(), problems: sorted(wrong) });
        };
        let files = reader.files.into_inner();
        let named = files.iter().map(|(_, path)| path.clone());
        let sources = self.file().map(Path::to_path_buf).into_iter().chain(named).collect();
        Ok(Loaded { scene, sources, files, warnings: sorted(problems), allow_overlap })
    }
}

/// Everything that a scene file may hold.
pub fn declarations() -> TableDoc {
    let reader = Reader::recorder();
    let nothing = Node::table::<&str, Node>([]);
    let table = Table::new(&reader, &nothing, String::new());
    scene(&table);
    table.into_doc()
}

/// The whole document.
fn scene(t: &Table) -> Option<SceneSpec> {
    let title = t.text("title", "title, for pictures and plots").or(String::new());
    let dimension = t.integer("dimension", "2 or 3", 2, 3).required();
    if !t.recording() && dimension.is_none() {
        t.leave_open();
        return None;
    }
    t.reader.dimension.set(dimension.unwrap_or(0) as usize);
    let ways = [("second", "SI", TimeUnit::Second), ("year", "365.25 days: geology", TimeUnit::Year)];
    let doc = "unit of the times given in this file, where it says [s], and printed; constants of materials and velocities stay in SI";
    t.reader.time_unit.set(t.choice("time_unit", doc, &ways).or_as("\"second\"", TimeUnit::Second));
    let staged = t.list("stage", "stages of the run, one after the other", stages::stage);
    let well_staged = staged.iter().all(Option::is_some);
    let staged: Vec<_> = staged.into_iter().flatten().collect();
    // A stage that could not be read has an end too: no complaint about that of the run.
    let longest = if well_staged { stages::longest(&staged) } else { 1.0 };
    let time = t.section("time", "time stepping", |t| settings::time(t, longest));
    let (time, alone) = time.map_or((None, None), |(time, alone)| (Some(time), alone));
    let (staged, changes) = time.as_ref().map(|time| stages::stages(staged, time, alone)).unwrap_or_default();
    let materials = t.named("materials", "what bodies are made of", contacts::material);
    let contacts = t.list("contact", "laws of contact between two materials", contacts::contact);
    let ignored = t.list("ignore", "groups of bodies that do not see each other", contacts::ignore);
    let bonds = t.list("bond", "which contacts start bonded [default: all that touch at the start]", joints::bond);
    let gravity = t.table("gravity", "gravity", motions::gravity).optional();
    let ground = t.table("ground_acceleration", "earthquake", |t| Some(motions::ground_acceleration(t))).optional();
    let cell = t.table("cell", "periodic cell", cell::cell).optional();
    let inline = t.list("bodies", "bodies one by one, in rows, or from a table", bodies::bodies);
    let deformable = t.list("deformable", "meshed bodies that deform", deformable::deformable);
    let generated = t.list("generate", "assemblies of bodies", generate::generate);
    let fixes = t.list("fix", "bodies that do not move, or not in some components", motions::fix);
    let drives = t.list("drive", "prescribed motions", motions::drive);
    let loads = t.list("load", "forces, torques, pressures", motions::load);
    let membranes = t.list("membrane", "closed chains of bodies under pressure from outside (2D)", motions::membrane);
    let solver = t.section("solver", "contact solver", settings::solver);
    let accuracy = t.section("accuracy", "what the run has to keep to", |t| settings::accuracy(t, solver.tolerance));
    let newton = t.section("newton", "Newton's iterations of deformable bodies", settings::newton);
    let (output, resultants) = t.section("output", "what is written, and when", |t| settings::output(t, time.as_ref()));
    let measures = t.list("measure", "numbers of chosen bodies in the history", measures::measure);
    let allow_overlap = t.section("contact_check", "check of the start", |t| {
        t.flag("allow_overlap", "accept bodies that overlap at the start by more than 0.1 % of their size?").or(false)
    });
    let entries: Vec<Option<Batch>> = inline.into_iter().chain(deformable).chain(generated).collect();
    let unread = Unread {
        groups: unread_groups(t, &entries),
        laws: contacts.iter().any(Option::is_none) || ignored.iter().any(Option::is_none),
    };
    let mut batches: Vec<Batch> = entries.into_iter().flatten().collect();
    batches.sort_by_key(|batch| batch.place);
    let spec = SceneSpec {
        unread,
        title,
        materials,
        batches,
        contacts: contacts.into_iter().flatten().collect(),
        ignored: ignored.into_iter().flatten().collect(),
        bonds: bonds.into_iter().flatten().collect(),
        gravity: gravity.unwrap_or(NO_GRAVITY),
        ground_acceleration: ground.unwrap_or_default(),
        cell,
        fixes: fixes.into_iter().flatten().collect(),
        drives: drives.into_iter().flatten().collect(),
        loads: loads.into_iter().flatten().collect(),
        membranes: membranes.into_iter().flatten().collect(),
        time: time.unwrap_or(UNREAD_TIME),
        stages: staged,
        changes,
        solver,
        newton,
        accuracy,
        output,
        resultants,
        measures: measures.into_iter().flatten().collect(),
        allow_overlap,
    };
    stages::check_rest(t, &spec);
    contacts::check_rolling(t, &spec);
    warn_if_nothing_happens(t, &spec);
    Some(spec)
}

/// Of a scene without `[gravity]`.
const NO_GRAVITY: GravitySpec = GravitySpec { acceleration: [0.0; 3], history: History::Constant(1.0), tilt: None };

/// Stands for a `[time]` that could not be read: nothing is too stiff or too late for it.
const UNREAD_TIME: Time = Time {
    step: f64::MIN_POSITIVE,
    end: f64::MAX,
    theta: 0.5,
    xi: 0.5,
    cancel_velocities: false,
    unit: TimeUnit::Second,
};

/// Names of the entries that could not be read; `entries` are in the order of reading.
fn unread_groups(t: &Table, entries: &[Option<Batch>]) -> Vec<String> {
    let names = t.reader.entries.borrow();
    names.iter().zip(entries).filter(|(_, entry)| entry.is_none()).map(|(name, _)| name.clone()).collect()
}

fn warn_if_nothing_happens(t: &Table, spec: &SceneSpec) {
    let moves = |b: &Batch| b.velocity != [0.0; 3] || b.spin != [0.0; 3];
    let changed = |c: &StageChanges| c.gravity.is_some() || !c.kicks.is_empty();
    let loaded = spec.gravity.acceleration != [0.0; 3]
        || spec.cell.as_ref().is_some_and(|cell| !(cell.strains.is_empty() && cell.servos.is_empty()))
        || spec.changes.iter().any(changed)
        || !spec.ground_acceleration.is_empty()
        || !spec.loads.is_empty()
        || !spec.membranes.is_empty()
        || !spec.drives.is_empty()
        || spec.batches.iter().any(moves);
    if !loaded {
        let problem = Problem::new(t.place, "nothing moves: no gravity, load, drive or initial velocity", "").warn();
        t.reader.report(problem.help("[gravity] acceleration = [0, -9.81] (2D) or [0, 0, -9.81] (3D)"));
    }
    if spec.batches.is_empty() && spec.unread.groups.is_empty() && !t.reader.lost_sections.get() {
        t.reader.report(Problem::new(t.place, "the scene has no bodies", "").help("add [[bodies]] or [[generate]]"));
    }
}
