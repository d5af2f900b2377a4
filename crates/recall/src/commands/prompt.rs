//! `recall prompt`: what models are asked with.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use recall_core::prompt::{EXTRACT, Library, Prompt, judging};
use serde_json::json;

use super::repair::print;
use super::say::say;
use super::table::rows;
use crate::cli::prompt::{PromptArgs, PromptCommand};
use crate::config::{Config, StoreUrl};
use crate::prompts;
use crate::view::prompt::{CheckView, DiffView, PromptTextView, PromptView, UnknownView, name_of};
use crate::wire;

/// Digits of a hash in a table.
const SHORT: usize = 12;

pub(super) async fn run(command: PromptCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        PromptCommand::List { json } => list(json, config).await,
        PromptCommand::Show(args) => show(&args, config),
        PromptCommand::Check(args) => check(&args, config),
        PromptCommand::Diff { a, b, json } => diff((&a, &b), json, config),
    }
}

async fn list(as_json: bool, config: &Config) -> anyhow::Result<ExitCode> {
    let library = prompts::known(&config.prompts.dir)?;
    let mut chosen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (namespace, version) in choices(config).await {
        chosen.entry(version).or_default().push(namespace);
    }
    let mut views = Vec::new();
    for prompt in library.all() {
        let default = config.settings.prompt_version == prompt.version;
        views.push(PromptView::new(prompt, default, chosen.remove(&prompt.version).unwrap_or_default()));
    }
    views.extend(judging().map(|prompt| PromptView::new(prompt, false, Vec::new())));
    let unknown: Vec<UnknownView> =
        chosen.into_iter().map(|(version, namespaces)| UnknownView { version, namespaces }).collect();
    if as_json {
        return print(&json!({ "prompts": views, "unknown": unknown }));
    }
    let mut table = rows(["prompt", "sha256", "tokens", "from", "used by"]);
    for view in views {
        let default = view.default.then(|| "(default)".to_owned());
        let used_by: Vec<String> = default.into_iter().chain(view.namespaces).collect();
        let hash = view.sha256.chars().take(SHORT).collect();
        let name = format!("{}/{}", view.name, view.version);
        table.add_row([name, hash, view.tokens.to_string(), view.origin, used_by.join(" ")]);
    }
    for view in unknown {
        let name = format!("{EXTRACT}/{}", view.version);
        table.add_row([name, String::new(), String::new(), "not known here".to_owned(), view.namespaces.join(" ")]);
    }
    say!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The version each namespace with settings of its own chooses: those of the configuration, and those of others that are written
/// down in the store, where it can be asked.
async fn choices(config: &Config) -> BTreeMap<String, String> {
    let nothing_there = matches!(config.store.url, StoreUrl::Embedded) && !config.data_dir.is_dir();
    let stored = if nothing_there { Ok(Vec::new()) } else { stored(config).await };
    let stored = stored.unwrap_or_else(|error| {
        eprintln!("namespaces of the configuration only: {error:#}");
        Vec::new()
    });
    let own = config.namespaces.iter().map(|(name, settings)| (name.clone(), settings.prompt_version.clone()));
    stored.into_iter().chain(own).collect()
}

async fn stored(config: &Config) -> anyhow::Result<Vec<(String, String)>> {
    let store = wire::store(config, &wire::Access::Read)?;
    store.prompt_versions().await.map_err(wire::explained)
}

fn show(args: &PromptArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let prompt = prompts::find(&args.prompt, &prompts::known(&config.prompts.dir)?)?;
    let view = PromptTextView::from(&prompt);
    if args.json {
        return print(&view);
    }
    say!("{}, {} tokens, {}", name_of(&prompt), view.tokens, view.origin);
    say!("sha256 {}", view.sha256);
    say!("\n== sent first\n{}", view.system);
    say!("\n== schema of the reply\n{}", view.schema.trim_end());
    say!("\n== changelog, not sent\n{}", view.changelog.trim_end());
    Ok(ExitCode::SUCCESS)
}

fn check(args: &PromptArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let path = Path::new(&args.prompt);
    let views = if path.join(EXTRACT).is_dir() {
        prompts::versions(path)?.iter().map(|folder| tried_folder(folder)).collect()
    } else if path.is_dir() {
        vec![tried_folder(path)]
    } else {
        vec![CheckView::tried(&prompts::find(&args.prompt, &prompts::known(&config.prompts.dir)?)?, &[])]
    };
    let code = if views.iter().all(|view| view.good) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.json {
        print(&views)?;
        return Ok(code);
    }
    views.iter().for_each(tell);
    Ok(code)
}

fn tried_folder(folder: &Path) -> CheckView {
    match prompts::read(folder) {
        Ok(prompt) => CheckView::tried(&prompt, &other_words(&prompt)),
        Err(error) => CheckView::unreadable(folder.display().to_string(), format!("{error:#}")),
    }
}

/// Whether the build has other words under the version of a prompt.
fn other_words(prompt: &Prompt) -> Vec<recall_core::prompt::Fault> {
    let known = Library::builtin().extract(&prompt.version).is_ok();
    let refused = known.then(|| Library::builtin().with(prompt.clone()).err()).flatten();
    refused.map(|refused| refused.faults).unwrap_or_default()
}

fn tell(view: &CheckView) {
    match (&view.sha256, view.tokens) {
        (Some(sha256), Some(tokens)) => say!("{}, {tokens} tokens, sha256 {sha256}", view.prompt),
        _ => say!("{}", view.prompt),
    }
    for example in &view.examples {
        let verdict = match (example.candidates, example.faults.len()) {
            (0, 0) => "nothing to keep".to_owned(),
            (candidates, 0) => format!("{candidates} candidates, all kept"),
            (candidates, _) => format!("{candidates} candidates: {}", example.faults.join("; ")),
        };
        say!("  example {}: {verdict}", example.example);
    }
    let told = |fault: &&String| view.examples.iter().any(|example| example.faults.contains(fault));
    view.faults.iter().filter(|fault| !told(fault)).for_each(|fault| say!("  {fault}"));
    say!("  {}", if view.good { "good" } else { "not taken" });
}

fn diff((a, b): (&str, &str), as_json: bool, config: &Config) -> anyhow::Result<ExitCode> {
    let library = prompts::known(&config.prompts.dir)?;
    let view = DiffView::new(&prompts::find(a, &library)?, &prompts::find(b, &library)?);
    if as_json {
        return print(&view);
    }
    for (file, diff) in [("system.txt", &view.system), ("schema.json", &view.schema), ("examples.json", &view.examples)]
    {
        match diff.as_str() {
            "" => say!("{file} says the same"),
            diff => say!("{}", diff.trim_end()),
        }
    }
    say!("tokens {} -> {} ({:+})", view.a.tokens, view.b.tokens, view.more_tokens);
    Ok(ExitCode::SUCCESS)
}
