//! `cairn plot`: plots by name, of one or several runs, and the numbers behind them.

mod fault;
mod history;
mod joints;
mod measures;
mod openings;
mod state;
mod stress;
mod write;

pub use history::draw_history;

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use crate::results::{name as label, require, time_unit, title};
use cairn_draw::{Axis, Panel, PlotData, Rose};
use miette::miette;
use std::path::{Path, PathBuf};

/// The plots, with what they show.
const PLOTS: [(&str, &str); 15] = [
    ("history", "every column of the history (the numbers of one run are its history.csv)"),
    ("energies", "energies, losses and the error of the balance against time"),
    ("resultants", "forces on the bodies named in output.resultants against time"),
    ("measures", "what [[measure]] asks for, against time"),
    ("solver", "contacts, sweeps and residual against time"),
    ("penetration", "worst overlap against time"),
    ("forces", "density of normal contact forces with its exponential tail, at --at"),
    ("fabric", "rose of contact directions, at --at"),
    ("profile", "mean velocity in slices along the vertical, at --at"),
    ("stress-strain", "mean stress and change of volume against the vertical strain of the collection"),
    ("openings", "the joints that open most since the start against time"),
    ("slips", "the joints that slip most since the start against time"),
    ("fault", "slip and sliding velocity against depth, of bodies that touch at the start, at --at"),
    ("joints", "forces and eccentricity of each joint, at --at; with --csv also who meets, openings and slips"),
    ("eccentricities", "eccentricity of the force in each joint over its half width, at --at"),
];

/// A plot before it is drawn.
enum Figure {
    Curves(PlotData),
    /// With a table of its own.
    Tabled(PlotData, String),
    /// With their title.
    Roses(String, Vec<Rose>),
}

/// Runs `cairn plot`.
pub fn plot(args: &args::Plot) -> miette::Result<u8> {
    if args.list {
        PLOTS.iter().for_each(|(name, what)| out(&format!("{name:<14} {what}\n")));
        return Ok(SUCCESS);
    }
    let (folders, names) = sorted(&args.what)?;
    let several = names.len() > 1;
    let mut failed = Vec::new();
    for name in &names {
        let file = format!("{name}.{}", if args.png { "png" } else { "svg" });
        let path = match &args.output {
            Some(folder) if several => folder.join(file),
            Some(file) => file.clone(),
            None => folders[0].join(file),
        };
        if let (true, Some(parent)) = (several, path.parent()) {
            std::fs::create_dir_all(parent).map_err(|e| miette!("cannot create {}: {e}", parent.display()))?;
        }
        let made = match *name {
            "history" if folders.len() == 1 => draw_history(&folders[0], time_unit(&folders[0]), &path),
            _ => figure(name, &folders, args.at).and_then(|f| write::write(name, &f, &path, args.csv)),
        };
        match made {
            Ok(()) => out(&format!("{}\n", path.display())),
            // With several plots asked for, those that can be made are made.
            Err(error) if several => {
                eprintln!("warning: no plot {name}: {error}");
                failed.push(error);
            }
            Err(error) => return Err(error),
        }
    }
    match failed.pop() {
        Some(error) if failed.len() + 1 == names.len() => Err(error),
        _ => Ok(SUCCESS),
    }
}

/// Tells folders from names of plots.
fn sorted(what: &[String]) -> miette::Result<(Vec<PathBuf>, Vec<&'static str>)> {
    let known = |word: &String| PLOTS.iter().map(|p| p.0).find(|n| n == word);
    let is_folder = |w: &&String| known(w).is_none() || Path::new(w.as_str()).join("run.json").exists();
    let folders: Vec<PathBuf> = what.iter().filter(is_folder).map(PathBuf::from).collect();
    let mut names: Vec<&str> = what.iter().filter(|w| !is_folder(w)).filter_map(known).collect();
    if let Some(folder) = folders.iter().skip(1).find(|f| !f.is_dir()) {
        let list = PLOTS.map(|p| p.0).join(", ");
        return Err(miette!(
            help = format!("the plots are {list}"),
            "{} is neither a folder nor a plot",
            folder.display()
        ));
    }
    if folders.is_empty() {
        return Err(miette!("name a results folder"));
    }
    if names.is_empty() {
        names.push("history");
    }
    Ok((folders, names))
}

fn figure(name: &str, folders: &[PathBuf], at: Option<f64>) -> miette::Result<Figure> {
    folders.iter().try_for_each(|folder| require(folder, &[]))?;
    let title = title(&folders[0]);
    let curves = |x: Axis, panels: Vec<Panel>| Figure::Curves(PlotData { title: title.clone(), x, panels });
    let unit = time_unit(&folders[0]);
    let time = || Axis::linear("time", unit.symbol());
    let table = |picks: &[(&str, &str, bool)]| history::panels(folders, picks).map(|panels| curves(time(), panels));
    match name {
        "history" => history::overlaid(folders).map(|panels| curves(time(), panels)),
        "energies" => table(&[
            ("kinetic energy", "kinetic energy", false),
            ("potential energy", "potential energy", false),
            ("strain energy", "strain energy", false),
            ("energy of joints", "energy of joints", false),
            ("work of loads", "work of loads", false),
            ("work of drives", "work of drives", false),
            ("dissipated by", "losses", false),
            ("energy balance error", "energy balance error", true),
        ]),
        "resultants" => table(&[(" force ", "force", false)]),
        "measures" => measures::panels(folders).map(|panels| curves(time(), panels)),
        "solver" => {
            table(&[("contacts", "contacts", false), ("sweeps", "sweeps", false), ("residual", "residual", true)])
        }
        "penetration" => table(&[("worst penetration", "worst penetration", false)]),
        "forces" => state::forces(folders, at).map(|(x, panels)| curves(x, panels)),
        "fabric" => state::roses(folders, at).map(|roses| Figure::Roses(title.clone(), roses)),
        "profile" => {
            let panel = state::profiles(folders, at)?;
            Ok(curves(Axis::linear("height", "m"), vec![panel]))
        }
        "stress-strain" => stress::panels(folders).map(|(x, panels)| curves(x, panels)),
        "openings" | "slips" => {
            let slips = name == "slips";
            let series = openings::jumps(folders, slips, unit)?;
            let y = Axis::linear(if slips { "slip" } else { "opening" }, "m");
            Ok(curves(time(), vec![Panel { y, series }]))
        }
        "fault" => {
            let panels = fault::panels(folders, at)?;
            Ok(curves(Axis::linear("depth", "m"), panels))
        }
        "joints" => {
            let (x, panels, table) = joints::joints(folders, at)?;
            Ok(Figure::Tabled(PlotData { title: title.clone(), x, panels }, table))
        }
        "eccentricities" => {
            let panel = state::eccentricities(folders, at)?;
            Ok(curves(Axis::linear("joint, in the order of its bodies", "-"), vec![panel]))
        }
        _ => Err(miette!("there is no plot {name:?}")),
    }
}
