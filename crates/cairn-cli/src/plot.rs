//! `cairn plot`: plots by name, of one or several runs, and the numbers behind them.

use crate::args;
use crate::picture::{load, manifest, nearest, of_state, stored};
use crate::print::out;
use cairn::draw::{self, Axis, Panel, Picture, PlotData, PlotOptions, Rose, Series, Style};
use cairn::measure;
use cairn::output::{Column, History, Stored};
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use cairn::step::contacts_at_start;
use miette::{IntoDiagnostic, miette};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The plots, with what they show.
const PLOTS: [(&str, &str); 11] = [
    ("history", "every column of the history (one run; its numbers are history.csv)"),
    ("energies", "energies, losses and the error of the balance against time"),
    ("resultants", "forces on the bodies named in output.resultants against time"),
    ("solver", "contacts, sweeps and residual against time"),
    ("penetration", "worst overlap against time"),
    ("forces", "density of normal contact forces with its exponential tail, at --at"),
    ("fabric", "rose of contact directions, at --at"),
    ("profile", "mean velocity in slices along the vertical, at --at"),
    ("openings", "the joints that open most since the start against time (one run)"),
    ("slips", "the joints that slip most since the start against time (one run)"),
    ("eccentricities", "eccentricity of the force in each joint over its half width, at --at (one run)"),
];

/// A plot before it is drawn.
enum Figure {
    Curves(PlotData),
    Roses(Vec<Rose>),
}

/// Runs `cairn plot`.
pub fn plot(args: &args::Plot) -> miette::Result<ExitCode> {
    if args.list {
        PLOTS.iter().for_each(|(name, what)| out(&format!("{name:<12} {what}\n")));
        return Ok(ExitCode::SUCCESS);
    }
    let (folders, names) = sorted(&args.what)?;
    let several = names.len() > 1;
    let mut failed = Vec::new();
    for name in &names {
        let path = match &args.output {
            Some(folder) if several => folder.join(format!("{name}.svg")),
            Some(file) => file.clone(),
            None => folders[0].join(format!("{name}.svg")),
        };
        if let (true, Some(parent)) = (several, path.parent()) {
            std::fs::create_dir_all(parent).map_err(|e| miette!("cannot create {}: {e}", parent.display()))?;
        }
        let made = match *name {
            "history" => draw_history(&folders[0], &path),
            _ => figure(name, &folders, args.at).and_then(|f| write(name, &f, &path, args.csv)),
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
        _ => Ok(ExitCode::SUCCESS),
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
    let title = manifest(&folders[0], &[])?.title;
    let curves = |x: Axis, panels: Vec<Panel>| Figure::Curves(PlotData { title: title.clone(), x, panels });
    let time = || Axis::linear("time", "s");
    let table = |picks: &[(&str, &str, bool)]| history_panels(folders, picks).map(|panels| curves(time(), panels));
    match name {
        "energies" => table(&[
            ("kinetic energy", "kinetic energy", false),
            ("potential energy", "potential energy", false),
            ("work of loads", "work of loads", false),
            ("work of drives", "work of drives", false),
            ("dissipated by", "losses", false),
            ("energy balance error", "energy balance error", true),
        ]),
        "resultants" => table(&[(" force ", "force", false)]),
        "solver" => {
            table(&[("contacts", "contacts", false), ("sweeps", "sweeps", false), ("residual", "residual", true)])
        }
        "penetration" => table(&[("worst penetration", "worst penetration", false)]),
        "forces" => forces(folders, at).map(|(x, panels)| curves(x, panels)),
        "fabric" => {
            let all = folders.iter().map(|folder| {
                let sectors = with_state(folder, at, RoseOf)?;
                Ok(Rose { name: label(folder), sectors })
            });
            Ok(Figure::Roses(all.collect::<miette::Result<_>>()?))
        }
        "profile" => {
            let mut series = Vec::new();
            for folder in folders {
                for (axis, points) in ["x", "y", "z"].iter().zip(with_state(folder, at, ProfileOf)?) {
                    let name =
                        if folders.len() > 1 { format!("{}: v {axis}", label(folder)) } else { format!("v {axis}") };
                    series.push(Series { name, style: Style::LinePoints, points });
                }
            }
            Ok(curves(Axis::linear("height", "m"), vec![Panel { y: Axis::linear("mean velocity", "m/s"), series }]))
        }
        "openings" | "slips" => {
            let slips = name == "slips";
            let series = match &load(&folders[0])?.scene {
                AnyScene::Plane(scene) => jumps(scene, &mut stored(&folders[0])?, slips),
                AnyScene::Solid(scene) => jumps(scene, &mut stored(&folders[0])?, slips),
            };
            if series.is_empty() {
                return Err(miette!("{} has no contacts in its stored states", folders[0].display()));
            }
            let y = Axis::linear(if slips { "slip" } else { "opening" }, "m");
            Ok(curves(time(), vec![Panel { y, series }]))
        }
        "eccentricities" => {
            let points = with_state(&folders[0], at, EccentricitiesOf)?;
            if points.is_empty() {
                return Err(miette!("{}: no joint carries a force at that time", folders[0].display()));
            }
            let series = vec![Series { name: label(&folders[0]), style: Style::LinePoints, points }];
            let y = Axis::linear("eccentricity / half width", "-");
            Ok(curves(Axis::linear("joint, in the order of its bodies", "-"), vec![Panel { y, series }]))
        }
        _ => Err(miette!("there is no plot {name:?}")),
    }
}

/// Name of a run in legends.
fn label(folder: &Path) -> String {
    let name = folder.file_name().map_or("run".into(), |n| n.to_string_lossy().into_owned());
    name.strip_suffix(".results").unwrap_or(&name).to_string()
}

/// The history of a run; a warning for each line of it that is lost.
fn history(folder: &Path) -> miette::Result<History> {
    manifest(folder, &["history.csv"])?;
    let history = History::read(folder).into_diagnostic()?;
    for bad in &history.damaged {
        eprintln!("warning: {}, line {} of the history: {}", folder.display(), bad.line, bad.problem);
    }
    Ok(history)
}

/// A panel for each pick (part of a column's name, label, logarithmic), with the columns that are ever different from
/// zero.
fn history_panels(folders: &[PathBuf], picks: &[(&str, &str, bool)]) -> miette::Result<Vec<Panel>> {
    let runs: Vec<(String, History)> =
        folders.iter().map(|f| Ok((label(f), history(f)?))).collect::<miette::Result<_>>()?;
    let mut panels = Vec::new();
    for &(pick, title, log) in picks {
        let (mut series, mut unit) = (Vec::new(), String::new());
        for (run, history) in &runs {
            let chosen = history
                .columns
                .iter()
                .enumerate()
                .filter(|(_, c)| c.name.contains(pick) && c.name != "active contacts");
            for (k, column) in chosen {
                let size = |v: f64| if log { v.abs() } else { v };
                let points: Vec<_> = history.rows.iter().map(|r| (r[1], size(r[k]))).collect();
                if points.iter().all(|p| p.1 == 0.0) {
                    continue;
                }
                unit.clone_from(&column.unit);
                let name = if runs.len() > 1 { format!("{run}: {}", column.name) } else { column.name.clone() };
                series.push(Series { name, style: Style::Line, points });
            }
        }
        if !series.is_empty() {
            let y = if log { Axis::log(title, &unit) } else { Axis::linear(title, &unit) };
            panels.push(Panel { y, series });
        }
    }
    if panels.is_empty() {
        return Err(miette!("the history holds nothing of this kind but zeros"));
    }
    Ok(panels)
}

/// Something read off a stored state, in 2D and in 3D.
trait Reading {
    /// What is read.
    type Gives;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &cairn::output::Frame<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>;
}

fn with_state<R: Reading>(folder: &Path, at: Option<f64>, reading: R) -> miette::Result<R::Gives> {
    Ok(match &load(folder)?.scene {
        AnyScene::Plane(scene) => reading.read(scene, &nearest(&mut stored(folder)?, at)?),
        AnyScene::Solid(scene) => reading.read(scene, &nearest(&mut stored(folder)?, at)?),
    })
}

struct ForcesOf;
impl Reading for ForcesOf {
    type Gives = Vec<f64>;
    fn read<const D: usize>(&self, _: &Scene<D>, frame: &cairn::output::Frame<D>) -> Vec<f64>
    where
        Space<D>: Ambient<D>,
    {
        measure::normal_forces(&frame.reactions, frame.last_step)
    }
}

struct RoseOf;
impl Reading for RoseOf {
    type Gives = Vec<(f64, f64)>;
    fn read<const D: usize>(&self, _: &Scene<D>, frame: &cairn::output::Frame<D>) -> Vec<(f64, f64)>
    where
        Space<D>: Ambient<D>,
    {
        measure::rose(&frame.reactions, 18)
    }
}

struct ProfileOf;
impl Reading for ProfileOf {
    type Gives = Vec<Vec<(f64, f64)>>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &cairn::output::Frame<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let slices = measure::velocity_profile(scene, &frame.motions, D - 1, 20);
        (0..D).map(|k| slices.iter().map(|s| (s.at, s.velocity[k])).collect()).collect()
    }
}

struct EccentricitiesOf;
impl Reading for EccentricitiesOf {
    type Gives = Vec<(f64, f64)>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &cairn::output::Frame<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let joints = of_state(scene, &contacts_at_start(scene), frame);
        let numbered = joints.iter().filter_map(|j| j.relative_eccentricity()).enumerate();
        numbered.map(|(k, e)| (k as f64, e)).collect()
    }
}

/// P(f/⟨f⟩) on a log axis, and the fit above the mean.
fn forces(folders: &[PathBuf], at: Option<f64>) -> miette::Result<(Axis, Vec<Panel>)> {
    let mut series = Vec::new();
    for folder in folders {
        let pressing: Vec<f64> = with_state(folder, at, ForcesOf)?.into_iter().filter(|f| *f > 0.0).collect();
        if pressing.is_empty() {
            return Err(miette!("{}: no contact carries a force at that time", folder.display()));
        }
        let mean = pressing.iter().sum::<f64>() / pressing.len() as f64;
        let scaled: Vec<f64> = pressing.iter().map(|f| f / mean).collect();
        let name = format!("{}: {} contacts, mean {mean:.3e} N", label(folder), scaled.len());
        let points = measure::density(&scaled, 0.0, 30);
        let end = points.last().map_or(2.0, |p| p.0);
        series.push(Series { name, style: Style::Points, points });
        if let Some(fit) = measure::tail(&scaled) {
            let density = |x: f64| fit.share * fit.rate * (-fit.rate * (x - 1.0)).exp();
            let points = (0..=50).map(|k| 1.0 + (end - 1.0) * f64::from(k) / 50.0).map(|x| (x, density(x))).collect();
            let name = format!("exp(−β f/⟨f⟩), β = {:.2} ± {:.2}", fit.rate, fit.error);
            series.push(Series { name, style: Style::Dashed, points });
        }
    }
    let y = Axis::log("probability density", "-");
    Ok((Axis::linear("normal force / mean normal force", "-"), vec![Panel { y, series }]))
}

/// Opening or slip of each joint in time; those that move most. Damaged states are left out.
fn jumps<const D: usize>(scene: &Scene<D>, states: &mut Stored<D>, slips: bool) -> Vec<Series>
where
    Space<D>: Ambient<D>,
{
    let start = contacts_at_start(scene);
    let mut jumps: BTreeMap<[u32; 2], Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..states.times().len() {
        let Ok(frame) = states.read(k) else { continue };
        for joint in of_state(scene, &start, &frame) {
            let jump = if slips { joint.slip } else { joint.opening };
            jumps.entry(joint.bodies).or_default().push((frame.time, jump));
        }
    }
    let widest = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let mut pairs: Vec<_> = jumps.into_iter().collect();
    pairs.sort_by(|a, b| widest(&b.1).total_cmp(&widest(&a.1)));
    let name = |b: [u32; 2]| format!("{} – {}", scene.body_name(b[0]), scene.body_name(b[1]));
    let series = |(pair, points)| Series { name: name(pair), style: Style::Line, points };
    pairs.into_iter().take(7).map(series).collect()
}

fn write(name: &str, figure: &Figure, path: &Path, csv: bool) -> miette::Result<()> {
    let picture: Picture = match figure {
        Figure::Curves(data) => {
            let panel_height = if data.panels.len() > 1 { 200 } else { 480 };
            draw::plot(data, &PlotOptions { width: 1000, panel_height })
        }
        Figure::Roses(roses) => draw::rose("Contact directions", roses, 700),
    };
    picture.write(path).into_diagnostic()?;
    if csv {
        let file = path.with_extension("csv");
        std::fs::write(&file, table(name, figure)).map_err(|e| miette!("cannot write {}: {e}", file.display()))?;
        out(&format!("{}\n", file.display()));
    }
    Ok(())
}

/// One row per point: which quantity, which series, x and y in SI units.
fn table(name: &str, figure: &Figure) -> String {
    let quoted = |t: &str| format!("\"{}\"", t.replace('"', "\"\""));
    let title = |a: &Axis| if a.unit.is_empty() { a.label.clone() } else { format!("{} [{}]", a.label, a.unit) };
    let mut text = String::new();
    match figure {
        Figure::Curves(data) => {
            text += &format!("quantity,series,{},value\n", quoted(&title(&data.x)));
            for panel in &data.panels {
                for series in &panel.series {
                    for (x, y) in &series.points {
                        text += &format!("{},{},{x:e},{y:e}\n", quoted(&title(&panel.y)), quoted(&series.name));
                    }
                }
            }
        }
        Figure::Roses(roses) => {
            text += "quantity,series,direction [rad],density\n";
            for rose in roses {
                for (angle, density) in &rose.sectors {
                    text += &format!("{name},{},{angle:e},{density:e}\n", quoted(&rose.name));
                }
            }
        }
    }
    text
}

/// Plots the history of a results folder.
pub fn draw_history(dir: &Path, path: &Path) -> miette::Result<()> {
    let title = manifest(dir, &[])?.title;
    let history = history(dir)?;
    let columns: Vec<_> = history.columns.iter().map(|Column { name, unit }| (name, unit)).collect();
    draw::history_plot(&title, &columns, &history.rows).write(path).into_diagnostic()
}
