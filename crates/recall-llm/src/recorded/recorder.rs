//! Records what another extractor answers, so that it can be played again.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use recall_core::prompt::{Ask, Reply};
use recall_core::run::Usage;

use super::tape::{Asked, Entry, Header, Item, Words, turn_ids};
use crate::{Extractor, LlmError, Standing};

/// An extractor that keeps every reply of the one inside it. The tape holds words of people.
pub struct Recorder<E> {
    inner: E,
    header: Header,
    sample: u32,
    tape: Mutex<Open>,
}

struct Open {
    file: File,
    /// The header is written before the first reply, so that nothing is added where nothing was asked.
    begun: bool,
}

impl<E: Extractor> Recorder<E> {
    /// Appends to a tape, which is made where there is none: the header, then each reply. A last line that broke off is ended, so
    /// that it spoils no other.
    ///
    /// # Errors
    /// [`LlmError::Config`] where the file cannot be opened for writing.
    pub fn append(inner: E, tape: &Path, header: Header) -> Result<Self, LlmError> {
        let wrong = |error| LlmError::Config(format!("tape {} cannot be written: {error}", tape.display()));
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(tape).map_err(wrong)?;
        end_last_line(&mut file).map_err(wrong)?;
        Ok(Self { inner, header, sample: 0, tape: Mutex::new(Open { file, begun: false }) })
    }

    /// Records the `sample`-th answer to each question, from 0.
    #[must_use]
    pub fn sample(self, sample: u32) -> Self {
        Self { sample, ..self }
    }

    /// Asks and records; with the reply, how long it took as it stands on the tape.
    pub async fn timed(&self, ask: &Ask) -> (Result<Reply, LlmError>, Duration) {
        let began = Instant::now();
        let reply = self.inner.extract(ask).await;
        let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Err(error) = self.keep(ask, &reply, took) {
            // The call is worth more than its recording.
            tracing::warn!(%error, "reply could not be recorded");
        }
        (reply, Duration::from_millis(took))
    }

    fn keep(&self, ask: &Ask, reply: &Result<Reply, LlmError>, took_ms: u64) -> std::io::Result<()> {
        let (words, model, usage) = match reply {
            Ok(reply) => (
                Words::Items { candidates: reply.candidates.iter().cloned().map(Item::from).collect() },
                reply.extracted_by.model.clone(),
                reply.usage,
            ),
            Err(LlmError::Unusable { why }) => {
                (Words::Unusable { unusable: why.clone() }, self.header.model.clone(), Usage::default())
            }
            // What failed outside says nothing about the model.
            Err(_) => return Ok(()),
        };
        let asked = Asked { model: self.header.model.clone(), ..Asked::new(ask, self.sample) };
        let turns = turn_ids(&ask.turns);
        let entry = Entry {
            session: ask.session.clone(),
            turns,
            words,
            model,
            usage,
            took_ms: Some(took_ms),
            asked: Some(asked),
        };
        let mut open = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = Vec::new();
        if !open.begun {
            serde_json::to_writer(&mut text, &serde_json::json!({ "tape": self.header }))?;
            text.push(b'\n');
        }
        serde_json::to_writer(&mut text, &entry)?;
        text.push(b'\n');
        // One write for whole lines: a reader beside us never sees half of one.
        open.file.write_all(&text)?;
        open.begun = true;
        Ok(())
    }
}

fn end_last_line(tape: &mut File) -> std::io::Result<()> {
    let mut last = [b'\n'];
    if tape.seek(SeekFrom::End(0))? > 0 {
        tape.seek(SeekFrom::End(-1))?;
        tape.read_exact(&mut last)?;
    }
    if last == [b'\n'] { Ok(()) } else { tape.write_all(b"\n") }
}

#[async_trait]
impl<E: Extractor> Extractor for Recorder<E> {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        self.timed(ask).await.0
    }

    fn provider(&self) -> &'static str {
        self.inner.provider()
    }

    fn standing(&self) -> Standing {
        self.inner.standing()
    }
}
