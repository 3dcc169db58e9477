//! The page, inside the program: nothing of it is read from disk or fetched from anywhere.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Name, as requested.
    pub name: &'static str,
    /// Type of its contents.
    pub media_type: &'static str,
    /// Contents.
    pub text: &'static str,
}

macro_rules! asset {
    ($name:literal, $type:literal) => {
        Asset { name: $name, media_type: $type, text: include_str!(concat!("../page/", $name)) }
    };
}

macro_rules! module {
    ($name:literal) => {
        asset!($name, "text/javascript; charset=utf-8")
    };
}

/// The page itself.
pub const INDEX: Asset = asset!("index.html", "text/html; charset=utf-8");
/// How it looks.
pub const STYLE: Asset = asset!("style.css", "text/css; charset=utf-8");

/// The modules, each after those that it imports: so they can also be put one after the other into one file.
pub const MODULES: &[Asset] = &[
    module!("bundle.js"),
    module!("vector.js"),
    module!("number.js"),
    module!("colormap.js"),
    module!("source.js"),
    module!("address.js"),
    module!("fields.js"),
    module!("ranges.js"),
    module!("camera.js"),
    module!("shaders.js"),
    module!("graphics.js"),
    module!("stage.js"),
    module!("overlay.js"),
    module!("plots.js"),
    module!("colouring.js"),
    module!("legend.js"),
    module!("marks.js"),
    module!("hands.js"),
    module!("details.js"),
    module!("panel.js"),
    module!("timebar.js"),
    module!("main.js"),
];

/// All modules as one, for a file that is opened without a server: imports and the word `export` are dropped, since all
/// names are then in one scope. A test makes sure that no two modules use the same name at their top.
pub fn one_module() -> String {
    let mut out = String::new();
    for module in MODULES {
        let mut importing = false;
        for line in module.text.lines() {
            importing |= line.starts_with("import ");
            if importing {
                importing = !line.trim_end().ends_with(';');
                continue;
            }
            out.push_str(line.strip_prefix("export ").unwrap_or(line));
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Names that a module declares at its top.
    fn declared(text: &str) -> Vec<&str> {
        let starts = ["const ", "let ", "function ", "async function ", "class "];
        text.lines()
            .map(|line| line.strip_prefix("export ").unwrap_or(line))
            .filter_map(|line| starts.iter().find_map(|s| line.strip_prefix(s)))
            .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next())
            .filter(|name| !name.is_empty())
            .collect()
    }

    #[test]
    fn no_two_modules_use_one_name() {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for module in MODULES {
            for name in declared(module.text) {
                if let Some(other) = seen.insert(name, module.name) {
                    panic!("{name} is declared in {other} and in {}", module.name);
                }
            }
        }
        assert!(seen.len() > 40, "only {} names found: does the test still understand the modules?", seen.len());
    }

    #[test]
    fn modules_import_only_what_stands_before_them() {
        for (k, module) in MODULES.iter().enumerate() {
            for from in module.text.split("from './").skip(1).filter_map(|rest| rest.split('\'').next()) {
                assert!(MODULES[..k].iter().any(|m| m.name == from), "{} imports {from}", module.name);
            }
        }
        let joined = one_module();
        assert!(!joined.contains("\nimport ") && !joined.contains("\nexport "));
    }

    #[test]
    fn the_page_asks_nothing_of_the_network() {
        for asset in MODULES.iter().chain([&INDEX, &STYLE]) {
            for scheme in ["https://", "http://", "//cdn"] {
                let own = asset.text.replace("http://www.w3.org/2000/svg", "");
                assert!(!own.contains(scheme), "{} names {scheme}", asset.name);
            }
        }
    }
}
