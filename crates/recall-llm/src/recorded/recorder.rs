//! Records what another extractor answers, so that it can be played again.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use recall_core::prompt::{Ask, Reply};

use super::tape::{Entry, Item, Words, turn_ids};
use crate::{Extractor, LlmError, Standing};

/// An extractor that keeps every reply of the one inside it. The tape holds words of people.
pub struct Recorder<E> {
    inner: E,
    tape: Mutex<File>,
}

impl<E: Extractor> Recorder<E> {
    /// Appends to a tape, which is made where there is none. A last line that broke off is ended, so that it spoils no other.
    ///
    /// # Errors
    /// [`LlmError::Config`] where the file cannot be opened for writing.
    pub fn append(inner: E, tape: &Path) -> Result<Self, LlmError> {
        let wrong = |error| LlmError::Config(format!("tape {} cannot be written: {error}", tape.display()));
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(tape).map_err(wrong)?;
        end_last_line(&mut file).map_err(wrong)?;
        Ok(Self { inner, tape: Mutex::new(file) })
    }

    fn keep(&self, ask: &Ask, reply: &Reply) -> std::io::Result<()> {
        let entry = Entry {
            session: ask.session.clone(),
            turns: turn_ids(&ask.turns),
            words: Words::Items { candidates: reply.candidates.iter().cloned().map(Item::from).collect() },
            model: reply.extracted_by.model.clone(),
            usage: reply.usage,
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // One write for the whole line: a reader beside us never sees half of it.
        self.tape.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
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
        let reply = self.inner.extract(ask).await?;
        if let Err(error) = self.keep(ask, &reply) {
            // The call is worth more than its recording.
            tracing::warn!(%error, "reply could not be recorded");
        }
        Ok(reply)
    }

    fn provider(&self) -> &'static str {
        self.inner.provider()
    }

    fn standing(&self) -> Standing {
        self.inner.standing()
    }
}
