//! The command line, defined once: parsing, `--help` and errors come from here.

use cairn_solvers::solver::Solver;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// Non-smooth contact dynamics: collections of rigid and deformable bodies with exact contact and friction, in 2D and 3D.
///
/// A first run:
///   cairn examples arch            copy the voussoir arch to ./arch
///   cairn run arch/scene.toml      run it: results and a picture in ./arch.results
#[derive(Debug, Parser)]
#[command(name = "cairn", version, verbatim_doc_comment)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene: results, a history plot and a picture of the last state go to a folder of their own.
    Run(Run),
    /// Continue a stopped, killed or finished run from its last checkpoint, to the same bits as if it had not stopped.
    Resume(Resume),
    /// Read a scene without running it: all its errors at once, or what it contains.
    Check(Check),
    /// Run a scene with many values: all combinations, or a search for a limit; a table and plots of all runs in one.
    ///
    /// The study says which values of which keys, and which numbers of the history go into the table:
    ///   scene = "scene.toml"
    ///   vary = [{ key = "contact.0.friction", values = [0.1, 0.3, 0.5] }]
    ///   column = [{ of = "all stress xy", take = "mean", from = 2 }]
    ///   plots = ["measures"]
    /// A study that was stopped goes on where it was when it is started again.
    #[command(verbatim_doc_comment)]
    Study(Study),
    /// Draw a stored state as PNG or SVG.
    Picture(Picture),
    /// Make a film of a run: GIF, a folder of PNG files, or MP4 where ffmpeg is found.
    Film(Film),
    /// Look at a run, while it goes on or after, or at the start of a scene: a page in the browser.
    View(View),
    /// Plot one or several runs: history, energies, forces, fabric, profiles …
    Plot(Plot),
    /// Run the verification cases and compare with their references.
    Verify(Verify),
    /// Measure speed: cost per contact-iteration and of the rest of a step; or all solvers on a folder of problems.
    ///
    /// `cairn bench solvers FOLDER` solves every problem file of the folder by every solver to 1e-4 and to 1e-8 and
    /// prints the numbers; with -o it also writes them as JSON and CSV, with plots of the performance profiles.
    #[command(verbatim_doc_comment)]
    Bench(Bench),
    /// Solve frictional contact problems from files, and verify the answers.
    ///
    /// A problem is u = W r + q, or M v = H r + f with u = Hᵀ v + w, and Signorini–Coulomb between u and r, contact by
    /// contact, normal first. Which format a file has is seen from its content: FCLIB (HDF5), or the text of Siconos (.dat).
    ///
    /// The verdict is made apart from the solver, by the natural map r − proj(r − û, K) over all contacts, ρ = 1:
    ///   residual_q    its norm / ‖q‖
    ///   residual_max  its norm / max(‖q‖, ‖r‖, ‖u‖)
    /// Solved means that both are at most the tolerance (where ‖q‖ is round-off, the norm itself). If any file is bad or
    /// not solved, the others still are, and the exit code is 1.
    ///
    /// Examples:
    ///   cairn solve problem.hdf5
    ///   cairn solve *.dat --tol 1e-4 --json
    ///   cairn solve a.dat b.hdf5 --solver nlgs -o answers
    #[command(verbatim_doc_comment)]
    Solve(Solve),
    /// Write the contact problem of a step of a run to a file.
    ///
    /// The run is made up to that step, from the scene, or from the nearest state before it that a results folder holds.
    /// The file has W, q (bias of the laws included), μ, and in FCLIB the impulses and velocities found, as `solution`.
    ///
    /// Examples:
    ///   cairn dump-problem arch/scene.toml --step 10 -o arch.hdf5
    ///   cairn dump-problem wall.results --step 5000 -o wall.dat
    #[command(verbatim_doc_comment)]
    DumpProblem(DumpProblem),
    /// Print a JSON schema of scene files, for editors.
    Schema,
    /// List the examples, or copy one out.
    Examples(Examples),
}

/// How a scene is changed from the command line.
#[derive(Clone, Debug, ClapArgs)]
pub struct Overrides {
    /// Change a value of the scene, e.g. --set time.step=1e-4 (repeatable).
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
}

/// What is shown while a run goes on.
#[derive(Clone, Debug, ClapArgs)]
pub struct Show {
    /// Print nothing but errors.
    #[arg(short, long, conflicts_with = "log")]
    pub quiet: bool,
    /// Print a line now and then instead of a progress bar.
    #[arg(long)]
    pub log: bool,
    /// Threads; results are the same bits for any number [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Draw no picture of the last state and no plot of the history.
    #[arg(long)]
    pub no_picture: bool,
}

/// Arguments of `cairn run`.
#[derive(Debug, ClapArgs)]
pub struct Run {
    /// Scene file (TOML).
    pub scene: PathBuf,
    /// Results folder [default: SCENE.results here, or SCENE-2.results … if there is one].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder.
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub show: Show,
}

/// Arguments of `cairn resume`.
#[derive(Debug, ClapArgs)]
pub struct Resume {
    /// Results folder.
    pub folder: PathBuf,
    /// New end of the run [s], to go on with a finished one.
    #[arg(long, value_name = "T")]
    pub end: Option<f64>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Go on although stored states are lost; all files are copied aside first.
    #[arg(long)]
    pub salvage: bool,
    #[command(flatten)]
    pub show: Show,
}

/// Arguments of `cairn check`.
#[derive(Debug, ClapArgs)]
pub struct Check {
    /// Scene file (TOML).
    pub scene: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
}

/// What pictures and films show.
#[derive(Clone, Debug, ClapArgs)]
pub struct Look {
    /// Field that colours the bodies: none, speed, displacement, spin, rotation, contacts, group, force, damage; of deformable bodies
    /// speed, displacement, von_mises, pressure, largest_stress, smallest_stress, deviatoric_strain, volumetric_strain, major_strain,
    /// minor_strain, contact_pressure, and what their materials remember.
    #[arg(long, value_name = "FIELD")]
    pub field: Option<String>,
    /// Ends of the colour scale in SI units, e.g. 0:2.5 [default: from the values].
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Logarithmic colour scale.
    #[arg(long)]
    pub log: bool,
    /// Colour map: viridis, cividis, inferno, grey, balance.
    #[arg(long, value_name = "NAME")]
    pub colours: Option<String>,
    /// Draw the contact forces: thickness by force, forces that pull in another colour.
    #[arg(long)]
    pub forces: bool,
    /// Draw the contact forces, those above the mean and those below it in two colours.
    #[arg(long)]
    pub split: bool,
    /// Draw thrust lines instead of forces: through bodies that two joints press, from force to force. Joints with bodies that are
    /// not shown do not count: name those of a meridian of a dome, and see its thrust line.
    #[arg(long)]
    pub thrust: bool,
    /// Draw the map of cracks instead of forces: joints as thick as they have opened since the start.
    #[arg(long, conflicts_with = "thrust")]
    pub openings: bool,
    /// Draw joints as thick as they have slipped since the start, instead of forces.
    #[arg(long, conflicts_with_all = ["thrust", "openings"])]
    pub slips: bool,
    /// Draw contact points: sticking, sliding, open.
    #[arg(long)]
    pub contacts: bool,
    /// Show these bodies only: a group, one body of it (grains#12), or a start (wall*); several with commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub bodies: Vec<String>,
    /// Hide these bodies.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub hide: Vec<String>,
    /// Width in pixels.
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(100..=8000))]
    pub width: u32,
    /// Height in pixels [default: as the scene needs].
    #[arg(long, value_parser = clap::value_parser!(u32).range(100..=8000))]
    pub height: Option<u32>,
    /// 3D view: azimuth and elevation in degrees, and zoom, e.g. 30,20,1.5.
    #[arg(long, value_name = "AZ,EL[,ZOOM]", allow_hyphen_values = true)]
    pub camera: Option<String>,
    /// Dark background.
    #[arg(long)]
    pub dark: bool,
    /// No title and time.
    #[arg(long)]
    pub no_title: bool,
    /// Multiply the displacements of deformable bodies by this.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub magnify: f64,
    /// Draw the principal directions of the mean stress in each deformable body.
    #[arg(long)]
    pub crosses: bool,
}

/// Arguments of `cairn picture`.
#[derive(Debug, ClapArgs)]
pub struct Picture {
    /// Results folder.
    pub folder: PathBuf,
    /// Time of the state; the nearest stored one is drawn [s; default: the last].
    #[arg(long, value_name = "T")]
    pub at: Option<f64>,
    /// Frame, colours and thicknesses that suit all states of the run, as in a film: for pictures to be compared.
    #[arg(long)]
    pub as_film: bool,
    #[command(flatten)]
    pub look: Look,
    /// File to write: .png, or .svg in 2D [default: picture-T.png in the folder].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// PNG of at most 256 colours: a third of the size or less.
    #[arg(long)]
    pub palette: bool,
}

/// Arguments of `cairn film`.
#[derive(Debug, ClapArgs)]
pub struct Film {
    /// Results folder.
    pub folder: PathBuf,
    /// First time shown [s].
    #[arg(long, value_name = "T")]
    pub from: Option<f64>,
    /// Last time shown [s].
    #[arg(long, value_name = "T")]
    pub to: Option<f64>,
    /// Take every n-th stored state.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Frames per second.
    #[arg(long, value_name = "RATE", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub fps: u32,
    #[command(flatten)]
    pub look: Look,
    /// What to write: FILE.gif, FILE.mp4 (needs ffmpeg), or a folder for PNG files [default: film.gif in the folder].
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `cairn plot`.
#[derive(Debug, ClapArgs)]
pub struct Plot {
    /// Results folders, then what to plot (see --list) [default: history].
    #[arg(value_name = "DIR… WHAT…", required_unless_present = "list")]
    pub what: Vec<String>,
    /// Time of the state, for plots of one state [s; default: the last].
    #[arg(long, value_name = "T")]
    pub at: Option<f64>,
    /// List the plots and stop.
    #[arg(long)]
    pub list: bool,
    /// Also write the numbers behind each plot as CSV, next to it.
    #[arg(long)]
    pub csv: bool,
    /// Write PNG instead of SVG, where the name of the file does not say which.
    #[arg(long)]
    pub png: bool,
    /// File to write, .svg or .png; for several plots a folder [default: WHAT.svg in the first results folder].
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

/// Arguments of `cairn study`.
#[derive(Debug, ClapArgs)]
pub struct Study {
    /// Study file (TOML).
    pub study: PathBuf,
    /// Folder for runs, table and plots [default: STUDY.study here].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Threads, which runs share [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Arguments of `cairn view`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "The page has a button that saves a PNG; `cairn picture` makes one without a browser.")]
pub struct View {
    /// Results folder; or a scene file: its results if they are here, else its start.
    #[arg(value_name = "DIR|SCENE")]
    pub what: PathBuf,
    /// Port on this machine [default: a free one].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address, but do not open a browser.
    #[arg(long)]
    pub no_open: bool,
    /// Write one interactive file instead, which opens without a server.
    #[arg(long, value_name = "FILE.html")]
    pub export: Option<PathBuf>,
    /// States in the file: a number of them, A:B or A:B:STEP in seconds, or all.
    #[arg(long, value_name = "TIMES", default_value = "all", requires = "export")]
    pub times: cairn_view::Choice,
    /// What the file carries besides motions: velocity, contacts, nodal fields [default: everything].
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "export")]
    pub fields: Option<Vec<String>>,
}

/// Arguments of `cairn verify`.
#[derive(Debug, ClapArgs)]
pub struct Verify {
    /// Cases, e.g. A1 A5 [default: all].
    pub cases: Vec<String>,
    /// Full sizes instead of those that run in seconds: about an hour on one processor; --list has each case.
    #[arg(long)]
    pub full: bool,
    /// Draw the curves of the cases that have some into this folder.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print a JSON array instead of a table.
    #[arg(long)]
    pub json: bool,
    /// List the cases and stop.
    #[arg(long)]
    pub list: bool,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Arguments of `cairn bench`.
#[derive(Debug, ClapArgs)]
pub struct Bench {
    /// Benchmarks, e.g. disks spheres [default: all but the largest]; or `solvers` and a folder of problem files.
    pub names: Vec<String>,
    /// Where `solvers` writes solvers.json, solvers.csv and the plots.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
    /// Print a JSON array instead of a table.
    #[arg(long)]
    pub json: bool,
    /// List the benchmarks and stop.
    #[arg(long)]
    pub list: bool,
}

/// Arguments of `cairn solve`.
#[derive(Debug, ClapArgs)]
pub struct Solve {
    /// Problem files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Solver; `auto` combines the others and says what it did.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = Solver::NAMES)]
    pub solver: String,
    /// Tolerance on both residuals.
    #[arg(long, value_name = "T", default_value_t = 1e-8, value_parser = tolerance)]
    pub tol: f64,
    /// Print a JSON array instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Write NAME.solution.json for each file there: r and u, flat, contact by contact, normal first.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Threads; times are processor time with one thread, wall time with several.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
}

/// Arguments of `cairn dump-problem`.
#[derive(Debug, ClapArgs)]
pub struct DumpProblem {
    /// Scene file (TOML) or results folder.
    #[arg(value_name = "SCENE|RESULTS")]
    pub source: PathBuf,
    /// Number of the step, from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub step: u64,
    /// File to write: .hdf5 (FCLIB) or .dat [default: NAME-N.hdf5 here].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave out what has no place in the file (joints, compliance, twisting resistance, rolling resistance in 2D) instead of refusing.
    #[arg(long)]
    pub leave_out: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Threads; results are the same bits for any number [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Arguments of `cairn examples`.
#[derive(Debug, ClapArgs)]
pub struct Examples {
    /// Example to copy [default: list them].
    pub name: Option<String>,
    /// Where to copy it [default: ./NAME].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err(format!("expected KEY=VALUE, as in time.step=1e-4, found {text:?}")),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Ok(tolerance),
        _ => Err("expected a number between 0 and 1, as in 1e-8".to_string()),
    }
}
