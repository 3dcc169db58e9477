//! The JSON schema describes the scenes that are read: good ones conform, wrong keys and types do not.

use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(name)
}

fn document(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap()
}

/// The part of JSON schema that ours uses.
fn conforms(schema: &Value, value: &Value) -> Result<(), String> {
    let all = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    if let Some(kind) = schema["type"].as_str() {
        let good = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            other => return Err(format!("type {other} in the schema")),
        };
        if !good {
            return Err(format!("{value} is not {kind}"));
        }
    }
    let words = all("enum");
    if !words.is_empty() && !words.contains(value) || schema.get("const").is_some_and(|c| c != value) {
        return Err(format!("{value} is not one of the words"));
    }
    let number = value.as_f64().unwrap_or(0.0);
    if schema["exclusiveMinimum"].as_f64().is_some_and(|low| number <= low)
        || schema["minimum"].as_f64().is_some_and(|low| number < low)
        || schema["maximum"].as_f64().is_some_and(|high| number > high)
    {
        return Err(format!("{value} is out of range"));
    }
    for (key, exact) in [("anyOf", false), ("oneOf", true)] {
        let results: Vec<_> = all(key).iter().map(|s| conforms(s, value)).collect();
        let good = results.iter().filter(|r| r.is_ok()).count();
        if !results.is_empty() && (good == 0 || exact && good > 1) {
            return Err(format!("{good} of {} alternatives: {results:?}", results.len()));
        }
    }
    for item in value.as_array().into_iter().flatten() {
        conforms(schema.get("items").unwrap_or(&Value::Bool(true)), item)?;
    }
    let Some(object) = value.as_object() else { return Ok(()) };
    for key in all("required") {
        if !object.contains_key(key.as_str().unwrap()) {
            return Err(format!("{key} is missing"));
        }
    }
    for (key, item) in object {
        match (schema["properties"].get(key), schema.get("additionalProperties")) {
            (Some(inner), _) => conforms(inner, item).map_err(|e| format!("{key}: {e}"))?,
            (None, Some(Value::Bool(false))) => return Err(format!("{key} is not known")),
            (None, Some(inner)) => conforms(inner, item).map_err(|e| format!("{key}: {e}"))?,
            (None, None) => {}
        }
    }
    Ok(())
}

#[test]
fn good_scenes_conform_to_the_schema() {
    let schema = cairn::scene::schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for entry in std::fs::read_dir(folder("good")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            conforms(&schema, &document(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
    }
}

#[test]
fn wrong_keys_types_and_words_do_not_conform() {
    let schema = cairn::scene::schema();
    let bad = [
        "unknown_key_top",
        "unknown_key_shape",
        "unknown_key_section",
        "unknown_shape",
        "wrong_type_number",
        "wrong_type_text",
        "wrong_type_list",
        "missing_radius",
        "missing_dimension",
        "negative_radius",
        "zero_density",
        "unknown_unilateral",
        "unknown_generator",
        "too_many_grains",
    ];
    for name in bad {
        let path = folder("bad").join(name).with_extension("toml");
        assert!(conforms(&schema, &document(&path)).is_err(), "{name} conforms");
    }
}
