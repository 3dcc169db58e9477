//! JSON schema (draft 2020-12) from the recorded declarations.

use super::record::{Field, Kind, TableDoc, VariantDoc};
use serde_json::{Map, Value, json};

/// The schema of a document.
pub fn schema(doc: &TableDoc) -> Value {
    let mut out = table(doc);
    out["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    out["title"] = json!("Cairn scene");
    out["description"] = json!("A scene of rigid bodies for Cairn. All quantities are in SI units, angles in degrees.");
    out
}

fn table(doc: &TableDoc) -> Value {
    let own: Vec<&Field> = doc.fields.iter().collect();
    match &doc.variants {
        None => closed(&own, None),
        Some((tag, variants)) => {
            let branch = |v: &VariantDoc| {
                let fields: Vec<&Field> = own.iter().copied().chain(&v.table.fields).collect();
                closed(&fields, Some((*tag, v)))
            };
            json!({ "type": "object", "oneOf": variants.iter().map(branch).collect::<Vec<_>>() })
        }
    }
}

/// An object with these keys and no others.
fn closed(fields: &[&Field], variant: Option<(&str, &VariantDoc)>) -> Value {
    let mut properties = Map::new();
    for field in fields {
        properties.insert(field.key.to_string(), property(field));
    }
    let mut required: Vec<&str> = fields.iter().filter(|f| f.required && f.only.is_none()).map(|f| f.key).collect();
    let mut out = json!({ "type": "object" });
    if let Some((tag, v)) = variant {
        properties.insert(tag.to_string(), json!({ "const": v.name, "description": v.doc }));
        out["description"] = json!(format!("{}{}", v.doc, only(v.only)));
        if !required.contains(&tag) {
            required.push(tag);
        }
    }
    out["properties"] = Value::Object(properties);
    out["required"] = json!(required);
    out["additionalProperties"] = json!(false);
    out
}

fn only(dimension: Option<usize>) -> String {
    dimension.map_or(String::new(), |d| format!(" ({d}D)"))
}

fn property(field: &Field) -> Value {
    let mut out = of_kind(&field.kind);
    let default = field.default.as_ref().map_or(String::new(), |d| format!(" Default: {d}."));
    out["description"] = json!(format!("{}{}.{default}", field.doc, only(field.only)));
    out
}

fn of_kind(kind: &Kind) -> Value {
    let number = json!({ "type": "number" });
    let numbers =
        |low: usize, high: usize| json!({ "type": "array", "items": number, "minItems": low, "maxItems": high });
    match kind {
        Kind::Number(bounds) => match bounds.as_deref() {
            Some("> 0") => json!({ "type": "number", "exclusiveMinimum": 0 }),
            Some("≥ 0") => json!({ "type": "number", "minimum": 0 }),
            _ => json!({ "type": "number" }),
        },
        Kind::Integer(low, i64::MAX) => json!({ "type": "integer", "minimum": low }),
        Kind::Integer(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Text | Kind::File => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Vector => numbers(2, 3),
        Kind::Angular => json!({ "anyOf": [{ "type": "number" }, numbers(3, 3)] }),
        Kind::Choice(words) => json!({ "enum": words.iter().map(|(name, _)| *name).collect::<Vec<_>>() }),
        Kind::List(of) => json!({ "type": "array", "items": of_kind(of) }),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(of_kind).collect::<Vec<_>>() }),
        Kind::Table(doc) => table(doc),
        Kind::Tables(doc) => json!({ "type": "array", "items": table(doc) }),
        Kind::Named(doc) => json!({ "type": "object", "additionalProperties": table(doc) }),
    }
}
