//! Calls that end among the dead letters: kept with their reason before the message is acknowledged.

use recall_broker::{Envelope, Stray, Unreadable};
use recall_core::class::Class;
use recall_core::retry::Fate;
use recall_core::window::Earlier;
use recall_store::record::DeadLetter;

use crate::Ports;
use crate::settle::durably;

/// Keeps a call that cannot be done.
pub(crate) async fn bury(
    ports: &Ports,
    envelope: &Envelope,
    attempts: u32,
    class: Class,
    reason: String,
) -> Option<Fate> {
    if class == Class::Bug {
        ports.metrics.bugs.inc();
        tracing::error!(trace_id = %envelope.call.trace_id, reason, "call met a bug");
    }
    let letter = DeadLetter {
        id: envelope.call.trace_id.to_string(),
        namespace: Some(envelope.call.scope.namespace().to_owned()),
        class: class.as_str().to_owned(),
        reason,
        attempts,
        body: envelope.encode().unwrap_or_default(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

/// Keeps a call whose trace id another call was committed under: as a letter of its own, beside the trace of the first.
pub(crate) async fn bury_second(ports: &Ports, envelope: &Envelope, attempts: u32) -> Option<Fate> {
    let print = envelope.call.fingerprint(ports.keys.current());
    let letter = DeadLetter {
        id: format!("{}~{print}", envelope.call.trace_id),
        namespace: Some(envelope.call.scope.namespace().to_owned()),
        class: Class::Permanent.as_str().to_owned(),
        reason: "idempotency key was used before for other turns".to_owned(),
        attempts,
        body: envelope.encode().unwrap_or_default(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

/// Keeps a message that cannot be read.
pub(crate) async fn bury_unreadable(ports: &Ports, unreadable: &Unreadable) -> Option<Fate> {
    tracing::error!(message_id = unreadable.message_id, why = %unreadable.why, "message cannot be read; it is kept as a dead letter");
    let digest = ports.keys.current().fingerprint(&["unreadable", &String::from_utf8_lossy(&unreadable.body)]);
    let letter = DeadLetter {
        id: unreadable.message_id.clone().unwrap_or(digest),
        namespace: None,
        class: Class::Permanent.as_str().to_owned(),
        reason: unreadable.to_string(),
        attempts: 1,
        body: unreadable.body.clone(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

/// What the broker had set aside becomes a dead letter, so that everything a person has to decide about is in one place.
pub(crate) async fn keep_stray(ports: &Ports, envelope: &Envelope, stray: Stray) -> Option<Fate> {
    ports.metrics.strays.with_label_values(&[stray.as_str()]).inc();
    bury_unless_done(ports, envelope, 0, Class::Permanent, stray.reason().to_owned()).await
}

/// Keeps a call that cannot be done, unless it was: by another copy of its message, or by a worker that ended before it could say so.
pub(crate) async fn bury_unless_done(
    ports: &Ports,
    envelope: &Envelope,
    attempts: u32,
    class: Class,
    reason: String,
) -> Option<Fate> {
    match ports.store.window(&envelope.call).await {
        Ok(window) if matches!(window.earlier, Earlier::ThisCall | Earlier::Erased | Earlier::Cancelled) => {
            durably(ports, || ports.store.end_attempts(&envelope.call.trace_id)).await.map(|()| Fate::Done)
        }
        Ok(window) if window.earlier == Earlier::AnotherCall => bury_second(ports, envelope, attempts).await,
        Ok(_) => bury(ports, envelope, attempts, class, reason).await,
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a call could not be put to the dead letters; its message comes again"
            );
            None
        }
    }
}
