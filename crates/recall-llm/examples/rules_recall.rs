//! How many labelled facts the offline rules find: `cargo run --release --example rules_recall -- FILE`.
//!
//! FILE holds one conversation a line: `turns [{id, speaker, text}]`, `facts [{about, text, evidence}]`. A fact counts as found
//! where a candidate cites one of its turns and carries at least half of its content words.
#![allow(clippy::print_stdout, reason = "a command line tool answers on standard output")]

use std::collections::HashSet;

use recall_core::candidate::Candidate;
use recall_core::prompt::AskTurn;
use recall_core::turn::{Role, Said, TurnId};
use recall_llm::recorded::{Fact, Labelled};
use recall_llm::rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: rules_recall FILE")?;
    let shown = std::env::args().nth(2).map(|count| count.parse()).transpose()?.unwrap_or(0_usize);
    let (mut facts, mut found, mut candidates, mut useful, mut turns) = (0, 0, 0, 0, 0);
    let mut printed = 0;
    for line in std::fs::read_to_string(path)?.lines() {
        let conversation: Labelled = serde_json::from_str(line)?;
        turns += conversation.turns.len();
        let proposed: Vec<Candidate> = conversation.turns.iter().flat_map(|turn| Rules::read(&asked(turn))).collect();
        facts += conversation.facts.len();
        found += conversation.facts.iter().filter(|fact| proposed.iter().any(|claim| carries(claim, fact))).count();
        candidates += proposed.len();
        useful += proposed.iter().filter(|claim| conversation.facts.iter().any(|fact| carries(claim, fact))).count();
        for claim in proposed.iter().take(shown.saturating_sub(printed)) {
            println!("{:?}", (&claim.content, &claim.subject, &claim.attribute, &claim.value, &claim.time_expression));
            printed += 1;
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!("facts found: {found} of {facts} ({:.1} %)", share(found, facts));
    println!(
        "candidates: {candidates} from {turns} turns, {useful} ({:.1} %) carry a labelled fact",
        share(useful, candidates)
    );
    Ok(())
}

fn asked(turn: &recall_llm::recorded::LabelledTurn) -> AskTurn {
    AskTurn {
        id: TurnId(turn.id.clone()),
        role: Role::User,
        name: Some(turn.speaker.clone()),
        at: None,
        content: Said::new(turn.text.clone()),
    }
}

fn carries(claim: &Candidate, fact: &Fact) -> bool {
    let cites = claim.evidence.iter().any(|citation| fact.evidence.iter().any(|id| id == citation.turn_id.as_str()));
    let wanted = content_words(&fact.text);
    let carried = content_words(&claim.content);
    cites && 2 * wanted.intersection(&carried).count() >= wanted.len()
}

const EMPTY: &str = " a an the and or but of to in on at for with by from as is are was were be been being has have had do does \
    did not no it its this that these those he she they them his her their him i my me we our you your who which what when \
    where how why so very also just about into over up out if than then there will would can could may might should ";

fn content_words(text: &str) -> HashSet<String> {
    let words =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').map(|word| word.trim_matches('\'').to_lowercase());
    let words = words.map(|word| word.strip_suffix("'s").unwrap_or(&word).to_owned());
    words.filter(|word| !word.is_empty() && !EMPTY.contains(&format!(" {word} "))).map(|word| stem(&word)).collect()
}

fn stem(word: &str) -> String {
    let endings = ["ing", "ed", "es", "s"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() > 2);
    stem.unwrap_or(word).to_owned()
}
