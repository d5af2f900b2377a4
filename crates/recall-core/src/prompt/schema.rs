//! The schema of a prompt against what is read of a reply, and against the replies of its own examples. It knows the keywords that
//! servers with structured output enforce; a schema with another one is refused, since nobody would hold a model to it.

use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::written::Prompt;
use super::{LIST, parse};

/// Fields of a candidate: what the examples are written with, and what a reply is read for.
const FIELDS: [&str; 9] = [
    "evidence",
    "content",
    "memory_type",
    "subject",
    "attribute",
    "value",
    "polarity",
    "time_expression",
    "confidence",
];
/// Fields of one part of the evidence.
const CITATION: [&str; 2] = ["turn_id", "quote"];
/// Keywords that are checked, and those that only explain.
const KEYWORDS: [&str; 15] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "description",
];
/// Deeper schemas are refused by servers, too.
const DEPTH: usize = 16;

/// What is wrong with the schema, by itself and for the examples.
pub(super) fn faults(prompt: &Prompt) -> Vec<Fault> {
    let wrong = |why| Fault::File { file: "schema.json", why };
    let schema: Value = match serde_json::from_str(&prompt.schema) {
        Ok(schema) => schema,
        Err(error) => return vec![wrong(error.to_string())],
    };
    if let Err(why) = known(&schema, "the schema", 0) {
        return vec![wrong(why)];
    }
    let mut faults: Vec<Fault> = lacking(&schema).into_iter().chain(unread(&schema)).map(wrong).collect();
    for (example, number) in prompt.examples.iter().zip(1..) {
        let allowed = serde_json::from_str(&example.reply)
            .map_err(|error| error.to_string())
            .and_then(|reply| allows(&schema, &reply, "the reply"));
        faults.extend(allowed.err().map(|why| Fault::Example { example: number, why: format!("schema.json: {why}") }));
    }
    faults
}

/// A schema is an object of known keywords, all the way down.
fn known(schema: &Value, place: &str, depth: usize) -> Result<(), String> {
    let Some(object) = schema.as_object().filter(|_| depth < DEPTH) else {
        return Err(format!("{place} is no object, or lies too deep"));
    };
    for (keyword, value) in object {
        let fits = match keyword.as_str() {
            "properties" => value.is_object(),
            "required" | "enum" | "anyOf" => value.is_array(),
            "additionalProperties" => value.is_boolean(),
            "minItems" | "maxItems" | "minLength" | "maxLength" => value.is_u64(),
            "minimum" | "maximum" => value.is_number(),
            other => KEYWORDS.contains(&other),
        };
        if !fits {
            return Err(format!("keyword {keyword:?} of {place} is not one that servers enforce, or not of its type"));
        }
    }
    let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    let parts =
        properties.map(|(name, part)| (name.as_str(), part)).chain(object.get("items").map(|part| ("items", part)));
    let choices = object.get("anyOf").and_then(Value::as_array).into_iter().flatten().map(|part| ("anyOf", part));
    parts.chain(choices).try_for_each(|(name, part)| known(part, &format!("{name:?}"), depth + 1))
}

/// Fields a reply is read for that the schema does not ask for. One that is not required would be left out by some models, and a
/// default would stand in for it without a word.
fn lacking(schema: &Value) -> Vec<String> {
    let Some(candidate) = schema.pointer(&format!("/properties/{LIST}/items")) else {
        return vec![format!("it asks for no list {LIST:?}")];
    };
    let lacks = |of: &Value, names: &[&str]| -> Vec<String> {
        let asked = |name: &&str| {
            of.pointer(&format!("/properties/{name}")).is_some()
                && of.get("required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == *name))
        };
        names.iter().filter(|name| !asked(name)).map(|name| format!("it does not require {name:?}")).collect()
    };
    let citation = candidate.pointer("/properties/evidence/items").unwrap_or(&Value::Null);
    lacks(candidate, &FIELDS).into_iter().chain(lacks(citation, &CITATION)).collect()
}

/// Values the schema allows by name and that cannot be read from a reply.
fn unread(schema: &Value) -> Vec<String> {
    let named = |field: &str| {
        let values = schema.pointer(&format!("/properties/{LIST}/items/properties/{field}/enum"));
        values.and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let readable = |field: &str, value: &Value| {
        let mut candidate = Map::from_iter([("content".to_owned(), json!("x")), ("subject".to_owned(), json!("user"))]);
        candidate.insert(field.to_owned(), value.clone());
        parse(&json!({ LIST: [candidate] }).to_string()).is_ok_and(|items| items.iter().all(Result::is_ok))
    };
    let of = |field: &'static str| {
        named(field).into_iter().filter(move |value| !readable(field, value)).map(move |value| (field, value))
    };
    of("memory_type")
        .chain(of("polarity"))
        .map(|(field, value)| format!("a {field} of {value} cannot be read"))
        .collect()
}

/// Whether a value is one the schema allows; else where it is not.
fn allows(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let refuse = |what: &str| Err(format!("{place} {what}"));
    if let Some(kind) = schema.get("type").filter(|kind| !is_of(kind, value)) {
        return refuse(&format!("is not of type {kind}"));
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
        return refuse("is none of the values of its enum");
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return refuse("is not the only value allowed");
    }
    let choices = schema.get("anyOf").and_then(Value::as_array);
    if choices.is_some_and(|all| !all.iter().any(|choice| allows(choice, value, place).is_ok())) {
        return refuse("is none of anyOf");
    }
    if !within(schema, value) {
        return refuse("is outside its limits");
    }
    match value {
        Value::Array(parts) => match schema.get("items") {
            Some(items) => (0..).zip(parts).try_for_each(|(at, part)| allows(items, part, &format!("{place}[{at}]"))),
            None => Ok(()),
        },
        Value::Object(fields) => allows_fields(schema, fields, place),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn allows_fields(schema: &Value, fields: &Map<String, Value>, place: &str) -> Result<(), String> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
        return Err(format!("{place} lacks {missing:?}"));
    }
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in fields {
        match schema.get("properties").and_then(|all| all.get(name)) {
            Some(part) => allows(part, value, &format!("{place}.{name}"))?,
            None if closed => return Err(format!("{place} may not have {name:?}")),
            None => {}
        }
    }
    Ok(())
}

fn is_of(kind: &Value, value: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(_) | None => false,
    };
    kind.as_array().map_or_else(|| is(kind), |kinds| kinds.iter().any(is))
}

fn within(schema: &Value, value: &Value) -> bool {
    let size = match value {
        Value::Array(parts) => Some(("minItems", "maxItems", parts.len() as f64)),
        Value::String(words) => Some(("minLength", "maxLength", words.chars().count() as f64)),
        Value::Number(number) => number.as_f64().map(|number| ("minimum", "maximum", number)),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    };
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
    size.is_none_or(|(least, most, size)| {
        limit(least).is_none_or(|least| size >= least) && limit(most).is_none_or(|most| size <= most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{EXTRACT, Library, Origin, PromptFiles};

    /// What is said of v1 with another schema.
    fn told(schema: &Value) -> Vec<String> {
        let v1 = Library::builtin().extract("v1").unwrap().files.clone();
        let schema = schema.to_string();
        let files = PromptFiles {
            system: v1.system.as_str(),
            schema: schema.as_str(),
            examples: v1.examples.as_str(),
            changelog: v1.changelog.as_str(),
        };
        let prompt = Prompt::new(EXTRACT, "x", files, Origin::Builtin).unwrap();
        faults(&prompt).iter().map(ToString::to_string).collect()
    }

    fn v1() -> Value {
        serde_json::from_str(&Library::builtin().extract("v1").unwrap().schema).unwrap()
    }

    /// v1 with one place of a candidate's schema changed.
    fn with(place: &str, value: Value) -> Value {
        let mut schema = v1();
        *schema.pointer_mut(&format!("/properties/candidates/items{place}")).unwrap() = value;
        schema
    }

    #[test]
    fn a_schema_that_does_not_ask_for_a_field_is_refused() {
        assert_eq!(told(&v1()), [""; 0]);
        let mut required = v1().pointer("/properties/candidates/items/required").unwrap().clone();
        required.as_array_mut().unwrap().retain(|field| field != "subject");
        assert_eq!(told(&with("/required", required)), ["schema.json: it does not require \"subject\""]);
        let quoteless = json!({ "type": "object", "properties": { "turn_id": {} }, "required": ["turn_id"] });
        let faults = told(&with("/properties/evidence/items", quoteless));
        assert_eq!(faults, ["schema.json: it does not require \"quote\""]);
        assert!(
            told(&json!({ "type": "object" })).contains(&"schema.json: it asks for no list \"candidates\"".to_owned())
        );
    }

    #[test]
    fn a_value_that_cannot_be_read_and_a_keyword_nobody_enforces_are_refused() {
        let types = json!(["fact", "preference", "event", "relation", "riddle"]);
        let faults = told(&with("/properties/memory_type/enum", types));
        assert_eq!(faults, ["schema.json: a memory_type of \"riddle\" cannot be read"]);
        let faults = told(&with("/properties/value", json!({ "$ref": "#/x" })));
        assert!(faults[0].starts_with("schema.json: keyword \"$ref\" of \"value\" is not one"), "{faults:?}");
        let faults = told(&with("/properties/value", json!({ "type": "string", "maxLength": "9" })));
        assert!(faults[0].starts_with("schema.json: keyword \"maxLength\""), "{faults:?}");
    }

    #[test]
    fn a_reply_of_the_examples_that_the_schema_refuses_is_named_with_its_place() {
        let first = "examples.json, example 1: schema.json: the reply.candidates[0]";
        let table = [
            ("/properties/confidence", json!({ "type": "string" }), ".confidence is not of type \"string\""),
            (
                "/properties/confidence",
                json!({ "type": "number", "maximum": 0.5 }),
                ".confidence is outside its limits",
            ),
            ("/properties/value", json!({ "type": "string", "maxLength": 4 }), ".value is outside its limits"),
            ("/properties/subject", json!({ "const": "me" }), ".subject is not the only value allowed"),
            ("/properties/memory_type/enum", json!(["event"]), ".memory_type is none of the values of its enum"),
            (
                "/properties/value",
                json!({ "anyOf": [{ "type": "null" }, { "type": "integer" }] }),
                ".value is none of anyOf",
            ),
            ("/properties/evidence/minItems", json!(2), ".evidence is outside its limits"),
        ];
        for (place, value, right) in table {
            let mut schema = v1();
            let (parent, key) = place.rsplit_once('/').unwrap();
            let parent = schema.pointer_mut(&format!("/properties/candidates/items{parent}")).unwrap();
            parent[key] = value;
            let faults = told(&schema);
            assert_eq!(faults, [format!("{first}{right}")], "{place}");
        }
        let mut closed = v1();
        closed["properties"] =
            json!({ "candidates": closed["properties"]["candidates"], "mood": { "type": "string" } });
        closed["required"] = json!(["candidates", "mood"]);
        assert_eq!(told(&closed).len(), 2, "both examples lack it");
    }
}
