//! Lays the layers of the configuration over each other.

use std::path::Path;

use anyhow::{Context, bail};
use toml::{Table, Value};

use super::{Config, DEFAULT, check};

/// Environment variables with this prefix are settings.
const PREFIX: &str = "RECALL__";

/// Reads the layers: defaults, then the file, then the environment, then flags of the form `path.to.key=value`.
///
/// # Errors
/// A file that cannot be read, a key that does not exist (with the nearest one that does), a value of the wrong type.
pub(crate) fn load(file: Option<&Path>, flags: &[String]) -> anyhow::Result<Config> {
    let defaults: Table = DEFAULT.parse().context("built-in configuration is broken")?;
    let mut layers = Vec::new();
    if let Some(path) = file {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let layer: Table = text.parse().with_context(|| format!("{} is no TOML", path.display()))?;
        layers.push(Layer { source: path.display().to_string(), table: layer });
    }
    let mut variables: Vec<(String, String)> = std::env::vars().filter(|(name, _)| name.starts_with(PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        let path: Vec<String> = name.trim_start_matches(PREFIX).split("__").map(str::to_lowercase).collect();
        layers.push(Layer { table: nested(&path, &value, &defaults), source: name });
    }
    for flag in flags {
        let Some((path, value)) = flag.split_once('=') else { bail!("--set {flag}: write path.to.key=value") };
        let source = format!("--set {path}");
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        layers.push(Layer { table: nested(&path, value, &defaults), source });
    }
    let mut merged = defaults;
    for Layer { source, table } in &layers {
        lay_over(&mut merged, table.clone(), "", source)?;
    }
    let config = serde_path_to_error::deserialize(Value::Table(merged))
        .map_err(|error| Wrong { key: error.path().to_string(), why: error.inner().message().to_owned() });
    let checked = config.and_then(|config| check::check(&config).map(|()| config));
    checked.map_err(|wrong| wrong.told(&layers))
}

/// What was laid over the defaults, and where it comes from.
struct Layer {
    source: String,
    table: Table,
}

/// A setting that is wrong.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Its path, with dots.
    pub key: String,
    /// What is wrong with its value, and what would be right. Values are not in it but where they are no secrets.
    pub why: String,
}

impl Wrong {
    /// As people are told of it: with the file, variable or flag that set it last.
    fn told(&self, layers: &[Layer]) -> anyhow::Error {
        let path: Vec<&str> = self.key.split('.').map(|part| part.split('[').next().unwrap_or(part)).collect();
        let source = layers.iter().rev().find(|layer| sets(&layer.table, &path));
        let source = source.map_or_else(String::new, |layer| format!("{}: ", layer.source));
        anyhow::anyhow!("configuration is wrong: {source}{}: {}", self.key, self.why)
    }
}

/// Whether a table sets what is at a path, or a part of it.
fn sets(table: &Table, path: &[&str]) -> bool {
    match path {
        [] => true,
        [key, rest @ ..] => match table.get(*key) {
            None => false,
            Some(Value::Table(inner)) => sets(inner, rest),
            Some(_) => true,
        },
    }
}

/// One value at a path, typed as the default at that path is.
fn nested(path: &[String], text: &str, defaults: &Table) -> Table {
    let default = path.iter().try_fold(Value::Table(defaults.clone()), |value, key| value.get(key).cloned());
    let parsed = || format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    let value = match default {
        Some(Value::String(_)) => Value::String(text.to_owned()),
        Some(_) | None => parsed().unwrap_or_else(|| Value::String(text.to_owned())),
    };
    let Some((last, before)) = path.split_last() else { return Table::new() };
    let innermost = Table::from_iter([(last.clone(), value)]);
    before.iter().rev().fold(innermost, |inner, key| Table::from_iter([(key.clone(), Value::Table(inner))]))
}

/// Lays one table over another; keys the defaults do not know are refused, but under `namespaces` and for absent optional settings.
fn lay_over(base: &mut Table, layer: Table, path: &str, source: &str) -> anyhow::Result<()> {
    for (key, value) in layer {
        let here = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let free = here.starts_with("namespaces.") || OPTIONAL.contains(&here.as_str());
        if !free && !base.contains_key(&key) {
            bail!("{source}: there is no setting {here:?}{}", nearest(&key, base));
        }
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above, &here, source)?,
            (_, value) => drop(base.insert(key, value)),
        }
    }
    Ok(())
}

/// Settings that exist but have no default to write down.
const OPTIONAL: [&str; 4] = ["settings.custom_instruction", "settings.timezone", "api.keys", "model.fallback"];

fn nearest(key: &str, table: &Table) -> String {
    let best = table.keys().map(|known| (strsim::jaro_winkler(key, known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, known)) if score > 0.8 => format!("; did you mean {known:?}?"),
        _ => format!("; there are {}", table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}
