//! `cairn view`: the page on loopback, or as one file.

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use cairn_view::{Embedded, Options, Source, SourceError, Wanted};
use miette::{IntoDiagnostic, miette};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `cairn view`.
pub fn view(args: &args::View) -> miette::Result<u8> {
    let source = Source::open(&args.what).map_err(|error| match error {
        SourceError::Scene(errors) => miette::Report::new(*errors),
        other => miette!(help = "give a results folder, or a scene file", "{other}"),
    })?;
    match &args.export {
        Some(file) => export(&source, args, file),
        None => serve(source, args),
    }
}

fn serve(source: Source, args: &args::View) -> miette::Result<u8> {
    let what = source
        .dir()
        .map_or_else(|| format!("the start of {} (not run yet)", args.what.display()), |dir| dir.display().to_string());
    for problem in source.timeline().problems {
        eprintln!("warning: {problem}");
    }
    let options = Options { port: args.port, ..Options::default() };
    cairn_view::serve(source, options, |address| {
        out(&format!("showing   {what}\naddress   {address}\nCtrl-C ends it\n"));
        if !args.no_open {
            open_browser(address);
        }
    })
    .map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            miette!(help = "leave --port out for a free one", "port {} is in use", args.port)
        }
        _ => miette!("{error}"),
    })?;
    Ok(SUCCESS)
}

/// Asks the desktop to show an address; without one, the printed address is all there is.
fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = if cfg!(windows) { Command::new("explorer") } else { Command::new(opener) };
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

fn export(source: &Source, args: &args::View, file: &Path) -> miette::Result<u8> {
    let wanted = wanted(args, &source.nodal_fields())?;
    let data = Embedded::of(source, args.times, &wanted);
    if data.times.is_empty() {
        return Err(miette!(
            help = "`cairn view DIR` shows which there are",
            "no stored state is among the times asked for"
        ));
    }
    for problem in &data.problems {
        eprintln!("warning: {problem}");
    }
    out(&format!("{} states, {:.1} MB\n", data.times.len(), data.size() as f64 / 1e6));
    data.write(file).into_diagnostic().map_err(|e| miette!("cannot write {}: {e}", file.display()))?;
    out(&format!("{}\n", file.display()));
    Ok(SUCCESS)
}

/// What goes into an exported file: motions always, the rest by name.
fn wanted(args: &args::View, nodal: &[String]) -> miette::Result<Wanted> {
    let Some(fields) = &args.fields else { return Ok(Wanted::ALL) };
    let mut wanted = Wanted { velocities: false, contacts: false, nodal: Some(Vec::new()) };
    for field in fields.iter().map(|f| f.trim()).filter(|f| !f.is_empty() && *f != "motion") {
        match field {
            "velocity" => wanted.velocities = true,
            "contacts" => wanted.contacts = true,
            name if nodal.iter().any(|n| n == name) => wanted.nodal.get_or_insert_default().push(name.to_string()),
            other => {
                let known = ["motion", "velocity", "contacts"].into_iter().chain(nodal.iter().map(String::as_str));
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(miette!("--fields {other}: this run has {known}"));
            }
        }
    }
    Ok(wanted)
}
