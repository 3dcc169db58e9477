//! `cairn study`: a scene with many values, a table of what came out, and plots of all runs in one.
//!
//! Every run has its folder, and runs go in parallel. A study that was stopped goes on where it was: what is finished is kept, what is not is
//! resumed. The table has one row a run, in the order of the values.

use crate::args;
use crate::check::{checked, scene_in};
use crate::print::out;
use crate::run::{finished, keep_stopped};
use crate::{INTERRUPTED, SUCCESS};
use cairn::output::{self, History, Progress};
use cairn::scene::{Bisect, Number, Study, read_study};
use miette::{IntoDiagnostic, miette};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is set in a run, and where it writes to.
struct Case {
    set: Vec<(String, String)>,
    folder: PathBuf,
}

/// A finished run, as a row of the table.
struct Row {
    case: Case,
    numbers: Vec<Option<f64>>,
    /// Did the run keep to what the scene asks for?
    kept: bool,
    /// Of a search: between which values the limit is passed, so far.
    found: Option<[f64; 2]>,
}

/// Runs `cairn study`.
pub fn study(args: &args::Study) -> miette::Result<u8> {
    let study = read_study(&args.study)?;
    let scene = scene_in(&study.scene)?;
    let stem = args.study.file_stem().map_or("study".into(), |s| s.to_string_lossy().into_owned());
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.study")));
    std::fs::create_dir_all(&folder).map_err(|e| miette!("cannot create {}: {e}", folder.display()))?;
    let combinations = study.combinations();
    // All that is wrong with a value is told before any run begins.
    for set in &combinations {
        checked(&scene, set, true)?;
    }
    let of_one = |(k, set): (usize, &Vec<(String, String)>)| -> miette::Result<Option<Vec<Row>>> {
        let name = |step: usize| {
            folder.join(format!("{:03}{}", k + 1, if step > 0 { format!("-{step:02}") } else { String::new() }))
        };
        match &study.bisect {
            None => Ok(one(&study, &scene, Case { set: set.clone(), folder: name(0) })?.map(|row| vec![row])),
            Some(bisect) => search(&study, bisect, &scene, set, name),
        }
    };
    keep_stopped();
    let rows: Vec<Option<Vec<Row>>> = side_by_side(args.threads, &combinations, of_one)?;
    let is_whole = rows.iter().all(Option::is_some);
    let rows: Vec<Row> = rows.into_iter().flatten().flatten().collect();
    let table = folder.join("table.csv");
    std::fs::write(&table, text(&study, &rows)).map_err(|e| miette!("cannot write {}: {e}", table.display()))?;
    if !is_whole {
        out(&format!("stopped; go on with: cairn study {}\n", args.study.display()));
        return Ok(INTERRUPTED);
    }
    out(&format!("{} runs, table {}\n", rows.len(), table.display()));
    draw(&study, &rows, &folder)?;
    Ok(SUCCESS)
}

/// Does the same for all, as many at once as there are threads; a run by itself has the threads that are left over.
fn side_by_side<T: Sync, R: Send>(
    threads: Option<u16>,
    items: &[T],
    each: impl Fn((usize, &T)) -> miette::Result<R> + Sync,
) -> miette::Result<Vec<R>> {
    let cores = threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let workers = cores.min(items.len()).max(1);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> miette::Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores / workers).build().into_diagnostic()?;
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(k) else { return Ok(()) };
            let result = pool.install(|| each((k, item)))?;
            done.lock().unwrap_or_else(PoisonError::into_inner).push((k, result));
        }
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        all.into_iter().try_for_each(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// One run, unless it is there already; nothing if it was stopped.
fn one(study: &Study, scene: &Path, case: Case) -> miette::Result<Option<Row>> {
    let wanted: Vec<String> = case.set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let known = if case.folder.exists() { Some(output::open(&case.folder).into_diagnostic()?) } else { None };
    if known.as_ref().is_some_and(|manifest| manifest.overrides != wanted) {
        return Err(miette!(
            help = "name another folder with -o, or remove this one",
            "{} holds a run with other values: {}",
            case.folder.display(),
            known.map(|manifest| manifest.overrides.join(", ")).unwrap_or_default()
        ));
    }
    if known.is_some()
        && std::fs::read(scene).ok() != std::fs::read(output::scene_file(&case.folder).into_diagnostic()?).ok()
    {
        return Err(miette!(
            help = "name another folder with -o, or remove this one",
            "{} holds a run of another scene: {} has changed since",
            case.folder.display(),
            scene.display()
        ));
    }
    if known.is_none_or(|manifest| manifest.status != Progress::Finished) && !finished(scene, &case.set, &case.folder)?
    {
        return Ok(None);
    }
    let numbers = study.columns.iter().map(|(_, number)| taken(&case.folder, number)).collect::<miette::Result<_>>()?;
    let kept = output::open(&case.folder).into_diagnostic()?.summary["contract"]["kept"] == true;
    Ok(Some(Row { case, numbers, kept, found: None }))
}

/// A number of a finished run.
fn taken(folder: &Path, number: &Number) -> miette::Result<Option<f64>> {
    let history = History::read(folder).into_diagnostic()?;
    let column = |name: &str| history.column(name);
    let (Some(times), Some(values)) = (column("time"), column(&number.of)) else {
        let known: Vec<&str> = history.columns.iter().map(|c| c.name.as_str()).collect();
        return Err(miette!(
            help = format!("columns: {}", known.join(", ")),
            "there is no column `{}` in the history",
            number.of
        ));
    };
    Ok(number.taken(&times, &values))
}

/// Halves the interval in which a number passes its limit.
fn search(
    study: &Study,
    bisect: &Bisect,
    scene: &Path,
    set: &[(String, String)],
    name: impl Fn(usize) -> PathBuf,
) -> miette::Result<Option<Vec<Row>>> {
    let mut rows = Vec::new();
    let mut tried = |value: f64| -> miette::Result<Option<(Row, bool)>> {
        let set = [set, &[(bisect.key.clone(), value.to_string())]].concat();
        let folder = name(rows.len() + 1);
        let Some(row) = one(study, scene, Case { set, folder: folder.clone() })? else { return Ok(None) };
        let number = taken(&folder, &bisect.number)?;
        let above = number.ok_or_else(|| miette!("{}: no row of the history counts", folder.display()))? > bisect.limit;
        rows.push(above);
        Ok(Some((row, above)))
    };
    let [mut low, mut high] = bisect.ends;
    let (Some((first, below)), Some((second, above))) = (tried(low)?, tried(high)?) else { return Ok(None) };
    if below == above {
        let side = if above { "above" } else { "below" };
        return Err(miette!(
            "`{}` is {side} {} at both ends, {} = {low} and {high}",
            bisect.number.of,
            bisect.limit,
            bisect.key
        ));
    }
    let mut all = vec![first, second];
    while high - low > bisect.tolerance {
        let middle = 0.5 * (low + high);
        let Some((row, is_above)) = tried(middle)? else { return Ok(None) };
        if is_above == below {
            low = middle
        } else {
            high = middle
        }
        all.push(Row { found: Some([low, high]), ..row });
    }
    Ok(Some(all))
}

/// The table as CSV.
fn text(study: &Study, rows: &[Row]) -> String {
    let quoted = |text: &str| {
        if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
    };
    let keys: Vec<String> =
        rows.first().map(|row| row.case.set.iter().map(|(key, _)| key.clone()).collect()).unwrap_or_default();
    let mut titles = vec!["run".to_string()];
    titles.extend(keys);
    titles.extend(study.columns.iter().map(|(name, _)| name.clone()));
    if study.bisect.is_some() {
        titles.extend(["low".to_string(), "high".to_string()]);
    }
    titles.push("contract kept".to_string());
    let mut text = titles.iter().map(|title| quoted(title)).collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        let name = row.case.folder.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let mut cells = vec![name];
        cells.extend(row.case.set.iter().map(|(_, value)| quoted(value)));
        cells.extend(row.numbers.iter().map(|number| number.map_or_else(String::new, |x| x.to_string())));
        if study.bisect.is_some() {
            let [low, high] = row.found.map_or_else(Default::default, |ends| ends.map(|x| x.to_string()));
            cells.extend([low, high]);
        }
        cells.push(row.kept.to_string());
        text += &(cells.join(",") + "\n");
    }
    text
}

/// The plots of all runs in one.
fn draw(study: &Study, rows: &[Row], folder: &Path) -> miette::Result<()> {
    for name in &study.plots {
        let folders = rows.iter().map(|row| row.case.folder.display().to_string());
        let what = folders.chain([name.clone()]).collect();
        let file = folder.join(format!("{name}.svg"));
        let plot = args::Plot { what, at: None, list: false, csv: false, png: false, output: Some(file) };
        crate::plot::plot(&plot)?;
    }
    Ok(())
}
