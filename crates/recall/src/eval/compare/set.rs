//! The conversations of a comparison: labelled ones with gold and planted falsehoods, or any archive without.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::archive;
use crate::door::ScopeFields;

/// A conversation that both arms read.
#[derive(Debug, Clone)]
pub(crate) struct Conversation {
    /// Unique in the set.
    pub id: String,
    /// ISO 639-1, where it is told.
    pub language: Option<String>,
    /// Such as `short`, `group`, `corrected`.
    pub kind: String,
    /// IANA zone of times without offset.
    pub timezone: Option<String>,
    /// Whose memory it is; the namespace is the comparison's own.
    pub scope: ScopeFields,
    /// In their order.
    pub sessions: Vec<Session>,
    /// What a person found in it; `None` where nobody labelled it.
    pub labels: Option<Labels>,
}

/// A session of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Session {
    /// Unique in the set.
    pub id: String,
    /// As the door takes them.
    pub messages: Vec<Value>,
}

/// What a person found in a conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Labels {
    /// What is worth keeping.
    pub gold: Vec<Gold>,
    /// What must not be kept.
    pub falsehoods: Vec<Falsehood>,
}

/// A fact that is worth keeping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gold {
    /// Unique in the conversation.
    pub id: String,
    /// One sentence.
    pub claim: String,
    /// `user`, or a name or role.
    #[serde(default = "user")]
    pub subject: String,
    /// Every list has to be met by one of its words.
    #[serde(default)]
    pub keywords: Vec<Vec<String>>,
    /// Turns it was said in.
    #[serde(default)]
    pub turns: Vec<String>,
    /// `2026-03-02`, `2026-03` or `2026`.
    #[serde(default)]
    pub date: Option<String>,
    /// Said with a doubt.
    #[serde(default)]
    pub hedged: bool,
    /// `positive` or `negative`.
    #[serde(default)]
    pub polarity: recall_core::candidate::Polarity,
    /// The fact that was said later in its place.
    #[serde(default)]
    pub replaced_by: Option<String>,
}

/// A claim nobody made of the person, planted to be resisted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Falsehood {
    /// Unique in the conversation.
    pub id: String,
    /// One sentence.
    pub claim: String,
    /// Every list has to be met by one of its words.
    #[serde(default)]
    pub keywords: Vec<Vec<String>>,
    /// Turns that invite it.
    #[serde(default)]
    pub turns: Vec<String>,
    /// Why it is false.
    #[serde(default)]
    pub why: String,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Conversation(Header),
    Turn(TurnLine),
    Gold(Gold),
    Falsehood(Falsehood),
}

#[derive(Deserialize)]
struct Header {
    id: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    timezone: Option<String>,
    #[serde(default)]
    scope: ScopeFields,
}

#[derive(Deserialize)]
struct TurnLine {
    #[serde(default)]
    session: String,
    turn_id: String,
    role: String,
    #[serde(default)]
    name: Option<String>,
    content: String,
    #[serde(default)]
    timestamp: Option<String>,
}

fn user() -> String {
    "user".to_owned()
}

impl Conversation {
    /// How many turns it has.
    pub(crate) fn turns(&self) -> usize {
        self.sessions.iter().map(|session| session.messages.len()).sum()
    }

    /// Its length in a word.
    pub(crate) fn length(&self) -> &'static str {
        match self.turns() {
            0..=8 => "1 to 8 turns",
            9..=20 => "9 to 20 turns",
            _ => "over 20 turns",
        }
    }
}

/// Reads files and folders; of a folder every `.json` and `.jsonl` file that is no list of labels alone.
///
/// # Errors
/// A path that is not there, a line that cannot be read, an id that comes twice, no conversation at all.
pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Conversation>> {
    let mut conversations: Vec<Conversation> = Vec::new();
    for path in paths {
        for file in files(path)? {
            conversations.extend(one_file(&file)?);
        }
    }
    conversations.sort_by(|one, other| one.id.cmp(&other.id));
    if let Some([twice, _]) = conversations.windows(2).find(|pair| matches!(pair, [one, other] if one.id == other.id)) {
        bail!("two conversations are called {}; every one needs an id of its own", twice.id);
    }
    if conversations.is_empty() {
        bail!("no conversation was found");
    }
    Ok(conversations)
}

fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let ends = ["jsonl", "json", "gz", "zst", "zstd"];
    let wanted = |path: &PathBuf| path.extension().is_some_and(|end| ends.iter().any(|wanted| end == *wanted));
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file() && wanted(path)).collect();
    files.sort();
    Ok(files)
}

fn one_file(path: &Path) -> anyhow::Result<Vec<Conversation>> {
    let told = || format!("cannot read {}", path.display());
    let input = archive::Input::of(path).with_context(told)?;
    let text = input.text().with_context(told)?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let labelled = serde_json::from_str::<Value>(first).is_ok_and(|line| line.get("kind").is_some());
    if labelled { labelled_file(path, &text) } else { archive_file(&input) }
}

fn labelled_file(path: &Path, text: &str) -> anyhow::Result<Vec<Conversation>> {
    let mut conversations: Vec<Conversation> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let told = || format!("{}:{}", path.display(), number + 1);
        match serde_json::from_str(line).with_context(told)? {
            Line::Conversation(header) => conversations.push(begun(header)),
            other @ (Line::Turn(_) | Line::Gold(_) | Line::Falsehood(_)) => {
                let Some(conversation) = conversations.last_mut() else {
                    bail!("{}: the first line must be of kind \"conversation\"", told());
                };
                add(conversation, other);
            }
        }
    }
    for conversation in &conversations {
        sound(conversation).with_context(|| format!("{}: conversation {}", path.display(), conversation.id))?;
    }
    Ok(conversations)
}

fn begun(header: Header) -> Conversation {
    let nobody = header.scope.user_id.is_none() && header.scope.account_id.is_none();
    let user_id = if nobody { Some(user()) } else { header.scope.user_id };
    Conversation {
        id: header.id,
        language: header.language,
        kind: if header.kind.is_empty() { "other".to_owned() } else { header.kind },
        timezone: header.timezone,
        scope: ScopeFields { namespace: None, user_id, ..header.scope },
        sessions: Vec::new(),
        labels: Some(Labels::default()),
    }
}

fn add(conversation: &mut Conversation, line: Line) {
    let labels = conversation.labels.get_or_insert_default();
    match line {
        Line::Gold(gold) => labels.gold.push(gold),
        Line::Falsehood(falsehood) => labels.falsehoods.push(falsehood),
        Line::Turn(turn) => {
            let id = format!("{}/{}", conversation.id, turn.session);
            let message = json!({
                "id": turn.turn_id, "role": turn.role, "name": turn.name, "content": turn.content,
                "timestamp": turn.timestamp,
            });
            match conversation.sessions.iter_mut().find(|session| session.id == id) {
                Some(session) => session.messages.push(message),
                None => conversation.sessions.push(Session { id, messages: vec![message] }),
            }
        }
        // The caller begins a conversation with it.
        Line::Conversation(_) => {}
    }
}

/// Labels name turns and facts that are there.
fn sound(conversation: &Conversation) -> anyhow::Result<()> {
    let Some(labels) = &conversation.labels else { return Ok(()) };
    let messages = conversation.sessions.iter().flat_map(|session| &session.messages);
    let turns: Vec<&str> = messages.filter_map(|message| message.get("id")?.as_str()).collect();
    let cited = labels.gold.iter().map(|gold| (&gold.id, &gold.turns));
    for (id, cites) in cited.chain(labels.falsehoods.iter().map(|falsehood| (&falsehood.id, &falsehood.turns))) {
        if let Some(unknown) = cites.iter().find(|turn| !turns.contains(&turn.as_str())) {
            bail!("{id} names turn {unknown}, which is not there");
        }
    }
    for gold in &labels.gold {
        if let Some(other) = gold.replaced_by.as_ref().filter(|id| labels.gold.iter().all(|gold| gold.id != **id)) {
            bail!("{} is replaced by {other}, which is not there", gold.id);
        }
    }
    Ok(())
}

fn archive_file(input: &archive::Input) -> anyhow::Result<Vec<Conversation>> {
    let archive = archive::read_input(input).with_context(|| format!("cannot read {}", input.name))?;
    if let Some(bad) = archive.bad.first() {
        bail!("{bad}");
    }
    let scope = ScopeFields { user_id: Some(user()), ..ScopeFields::default() };
    let conversations = archive.conversations.into_iter().map(|conversation| Conversation {
        id: conversation.session_id.clone(),
        language: None,
        kind: "archive".to_owned(),
        timezone: conversation.timezone,
        scope: scope.clone(),
        sessions: vec![Session {
            id: conversation.session_id,
            messages: conversation.messages.into_iter().map(|(_, message)| message).collect(),
        }],
        labels: None,
    });
    Ok(conversations.collect())
}

#[cfg(test)]
mod tests;
