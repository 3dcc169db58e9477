//! Plots of what `[[measure]]` asks for: a panel for each quantity, with its components.

use super::history;
use crate::results::load;
use cairn::measure::chosen_columns;
use cairn::scene::AnyScene;
use cairn_draw::Panel;
use miette::miette;
use std::path::PathBuf;

/// The panels, in the order of the measures of the first run.
pub fn panels(folders: &[PathBuf]) -> miette::Result<Vec<Panel>> {
    let columns: Vec<String> = match &load(&folders[0])?.scene {
        AnyScene::Plane(scene) => scene.measures.iter().flat_map(chosen_columns).map(|(name, _)| name).collect(),
        AnyScene::Solid(scene) => scene.measures.iter().flat_map(chosen_columns).map(|(name, _)| name).collect(),
    };
    if columns.is_empty() {
        return Err(miette!("the scene has no [[measure]]"));
    }
    let mut titles: Vec<&str> = columns.iter().map(|column| without_component(column)).collect();
    titles.dedup();
    let of = |title: &str| columns.iter().filter(|c| without_component(c) == title).cloned().collect::<Vec<_>>();
    let groups: Vec<(&str, Vec<String>)> = titles.iter().map(|title| (*title, of(title))).collect();
    history::groups(folders, &groups)
}

/// `sample stress` of `sample stress xy`.
fn without_component(column: &str) -> &str {
    match column.rsplit_once(' ') {
        Some((what, component)) if component.chars().all(|c| "xyz".contains(c)) => what,
        _ => column,
    }
}
