//! The second opinion on a reply: what grounding leaves open is shown to a judge once, before anything is judged.

use recall_core::candidate::Candidate;
use recall_core::class::Class;
use recall_core::context::{Context, NearKeys, Stamp};
use recall_core::prompt::{self, Opinions, Reply};
use recall_core::reading::Reading;
use recall_llm::Unjudged;

use crate::Ports;
use crate::near::near;
use crate::process::{Classed, Error, outside};

/// What a judge says of the doubtful claims of a reply. Without an answer there are no opinions, and grounding turns those claims
/// away: the call itself goes on, since nothing that was said is in doubt. What the judge used counts either way.
pub(crate) async fn opinions(
    ports: &Ports,
    reading: &Reading,
    stamp: &Stamp,
    (proposed, keys): (&[Candidate], &NearKeys),
    reply: &mut Reply,
) -> Result<Opinions, Error> {
    let Some(judge) = ports.judge.as_ref().filter(|_| !proposed.is_empty()) else { return Ok(Opinions::default()) };
    let near = near(ports, &reading.call, keys, None).await?;
    let cx = Context { reading, near: &near, keys: &ports.keys, stamp, opinions: None };
    let doubts = prompt::doubts(&cx, proposed);
    let number = doubts.claims.len();
    if number == 0 {
        return Ok(Opinions::default());
    }
    let spent = reply.usage.model_calls.saturating_sub(reply.further_parts);
    let judged = outside(ports, "model", "judge", judge.judge(&doubts, spent)).await;
    let (note, usage, opinions) = match judged {
        Ok(judged) => {
            let note = format!("{} of {number} doubtful candidates were shown to a judge", judged.shown);
            (note, judged.usage, judged.opinions)
        }
        Err(Unjudged { error, usage }) => {
            (format!("{number} doubtful candidates had no judge: {error}"), usage, Opinions::default())
        }
    };
    reply.notes.push(note);
    reply.usage.add(&usage);
    Ok(opinions)
}

impl Classed for Unjudged {
    fn class(&self) -> Class {
        self.error.class()
    }
}
