//! Who comes in: bearer keys bound to a namespace and a role. Without keys the server is on loopback and everybody is admin.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State as Of};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use recall_core::keys::Key;
use recall_store::deed::Actor;
use secrecy::ExposeSecret;

use super::State;
use super::problem::Problem;
use crate::config::{ApiKeyConfig, ApiRole};

/// Keys as keyed hashes, so that a comparison tells nothing by its time.
pub(crate) struct Keys {
    hash: Key,
    known: Vec<([u8; 32], Keyholder)>,
}

/// Who was recognised.
#[derive(Debug, Clone)]
pub(crate) struct Keyholder {
    /// The name of the key; empty where there are none.
    pub name: String,
    /// The only namespace, or `*`.
    pub namespace: String,
    /// What it may do.
    pub role: ApiRole,
}

impl Keys {
    /// The keys of the configuration.
    pub(crate) fn new(hash: Key, keys: &[ApiKeyConfig]) -> Self {
        let digest = |key: &ApiKeyConfig| hash.digest(&["api-key", key.key.expose_secret()]);
        let known = keys
            .iter()
            .map(|key| {
                let (name, namespace) = (key.name.clone(), key.namespace.clone());
                (digest(key), Keyholder { name, namespace, role: key.role })
            })
            .collect();
        Self { hash, known }
    }

    fn find(&self, bearer: Option<&str>) -> Option<Keyholder> {
        if self.known.is_empty() {
            return Some(Keyholder { name: String::new(), namespace: "*".into(), role: ApiRole::Admin });
        }
        let digest = self.hash.digest(&["api-key", bearer?]);
        self.known.iter().find(|(known, _)| *known == digest).map(|(_, holder)| holder.clone())
    }
}

impl Keyholder {
    /// The namespace a request is about: the key's own, or the one asked for where the key is for all.
    ///
    /// # Errors
    /// 403 for another namespace.
    pub(crate) fn namespace(&self, asked: Option<&str>) -> Result<String, Problem> {
        match asked {
            Some(asked) if self.namespace != "*" && self.namespace != asked => {
                Err(Problem::forbidden("this key belongs to another namespace"))
            }
            Some(asked) => Ok(asked.to_owned()),
            None if self.namespace == "*" => Ok("default".to_owned()),
            None => Ok(self.namespace.clone()),
        }
    }

    /// Who acts, for the audit log.
    pub(crate) fn actor(&self) -> Actor {
        if self.name.is_empty() { Actor::Operator("local".into()) } else { Actor::ApiKey(self.name.clone()) }
    }

    /// May change what is remembered: forget, restore, delete, correct, settle, merge.
    pub(crate) fn may_repair(&self) -> Result<(), Problem> {
        match self.role {
            ApiRole::Support | ApiRole::Admin => Ok(()),
            ApiRole::Service => Err(Problem::forbidden("a service key remembers; it does not change memories")),
        }
    }

    /// May erase a person.
    pub(crate) fn may_erase(&self) -> Result<(), Problem> {
        match self.role {
            ApiRole::Admin => Ok(()),
            ApiRole::Support | ApiRole::Service => Err(Problem::forbidden("only an admin key erases a person")),
        }
    }

    /// May send calls.
    pub(crate) fn may_remember(&self) -> Result<(), Problem> {
        match self.role {
            ApiRole::Service | ApiRole::Admin => Ok(()),
            ApiRole::Support => Err(Problem::forbidden("a support key reads; it does not remember")),
        }
    }

    /// May decide about dead letters and look at the fleet.
    pub(crate) fn may_operate(&self) -> Result<(), Problem> {
        match self.role {
            ApiRole::Admin => Ok(()),
            ApiRole::Service | ApiRole::Support => Err(Problem::forbidden("this takes an admin key")),
        }
    }

    /// May read memories and whole traces, which hold words of people.
    pub(crate) fn may_read(&self) -> Result<(), Problem> {
        match self.role {
            ApiRole::Support | ApiRole::Admin => Ok(()),
            ApiRole::Service => Err(Problem::forbidden(
                "a service key remembers and asks how its calls stand; it does not read memories",
            )),
        }
    }
}

/// Without keys only programs of this host are meant: a web page that a browser was led to must neither write nor read here.
/// Another name in `Host` (DNS rebinding) or a request from another origin is refused.
pub(super) async fn only_from_here(Of(state): Of<Arc<State>>, request: Request, next: Next) -> Response {
    if state.keys.known.is_empty() && !is_from_here(&request) {
        let detail = "without API keys only this host itself is answered; call it localhost or 127.0.0.1";
        return Problem::forbidden(detail).into_response();
    }
    next.run(request).await
}

fn is_from_here(request: &Request) -> bool {
    let named = |header: &str| request.headers().get(header).and_then(|value| value.to_str().ok());
    let host = named("host").or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    let origin = named("origin").map(|origin| origin.split("//").nth(1).unwrap_or_default());
    host.is_none_or(is_here) && origin.is_none_or(is_here)
}

fn is_here(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name });
    matches!(name, "localhost" | "[::1]") || name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

impl FromRequestParts<Arc<State>> for Keyholder {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, Problem> {
        let header = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = header
            .and_then(|value| {
                value.split_once(' ').filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer")).map(|(_, key)| key)
            })
            .map(str::trim);
        state.keys.find(bearer).ok_or_else(Problem::unauthorised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_and_addresses_of_this_host_are_here() {
        for host in ["localhost", "localhost:8070", "127.0.0.1", "127.0.0.1:8070", "127.9.9.9", "[::1]", "[::1]:8070"] {
            assert!(is_here(host), "{host}");
        }
        for host in ["127.evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "10.0.0.1", "[::2]", ""]
        {
            assert!(!is_here(host), "{host}");
        }
    }
}
