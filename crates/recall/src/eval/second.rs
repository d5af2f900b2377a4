//! The second opinion in an evaluation: what grounding leaves open is asked of a judge once and kept in a file, so that an evaluation
//! goes on where it was stopped and can be repeated without the judge.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use recall_core::candidate::Candidate;
use recall_core::context::Context;
use recall_core::evidence::{Evidence, Support};
use recall_core::prompt::{self, Doubts, Opinions};
use recall_core::stage::Reason;
use recall_core::stages::ground::ground;
use serde::{Deserialize, Serialize};

/// What a judge said so far, and what it was not asked yet.
pub(crate) struct Second {
    opinions: Opinions,
    open: Mutex<HashMap<String, Doubts>>,
    file: File,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Said {
    key: String,
    verdict: Support,
}

impl Second {
    /// Reads what was said before; the file is made where there is none.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let told = || format!("cannot use {}", path.display());
        let file = File::options().create(true).append(true).read(true).open(path).with_context(told)?;
        let mut said = Vec::new();
        for line in BufReader::new(&file).lines() {
            // A line that was cut off is asked again.
            said.extend(serde_json::from_str::<Said>(&line.with_context(told)?).ok());
        }
        let opinions = said.into_iter().map(|said| (said.key, said.verdict)).collect();
        Ok(Self { opinions, open: Mutex::default(), file })
    }

    /// What was said under a key.
    pub(crate) fn known(&self, key: &str) -> Option<Support> {
        self.opinions.of_key(key)
    }

    /// Grounds a candidate with what is known; what is not is noted.
    pub(crate) fn ground(&self, cx: &Context<'_>, candidate: &Candidate) -> Result<Evidence, Reason> {
        let found = ground(&Context { opinions: Some(&self.opinions), ..*cx }, candidate);
        if found == Err(Reason::JudgeUnavailable) {
            let doubts = prompt::doubts(cx, std::slice::from_ref(candidate));
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.insert(prompt::doubt_key(candidate), doubts);
        }
        found
    }

    /// What was not asked yet; none of it is noted any more.
    pub(crate) fn take_open(&self) -> Vec<Doubts> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(String, Doubts)> = open.drain().collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all.into_iter().map(|(_, doubts)| doubts).collect()
    }

    /// Keeps what was said of doubts.
    pub(crate) fn keep(&mut self, doubts: &Doubts, said: &Opinions) -> anyhow::Result<()> {
        for doubt in &doubts.claims {
            let Some(verdict) = said.of_key(&doubt.key) else { continue };
            let line = serde_json::to_string(&Said { key: doubt.key.clone(), verdict })?;
            writeln!(self.file, "{line}")?;
            self.opinions.add(doubt.key.clone(), verdict);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_known_again_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("said.jsonl");
        let doubt = prompt::Doubt { key: "k".into(), claim: "c".into(), turns: [0].into() };
        let doubts = Doubts { turns: Vec::new(), claims: vec![doubt] };
        let mut second = Second::open(&path).unwrap();
        let said: Opinions =
            [("k".to_owned(), Support::Partial), ("other".to_owned(), Support::Supported)].into_iter().collect();
        second.keep(&doubts, &said).unwrap();
        write!(second.file, "{{\"key\":\"cut").unwrap();
        let again = Second::open(&path).unwrap();
        assert_eq!(again.opinions.of_key("k"), Some(Support::Partial));
        assert_eq!((again.opinions.of_key("other"), again.opinions.of_key("cut")), (None, None));
    }
}
