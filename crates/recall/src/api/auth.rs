//! Who comes in: the holder of a key or of a user's token, bound to a namespace and a role. While there never was a key the server is on
//! loopback and everybody is admin.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State as Of};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use recall_core::scope::Owner;
use recall_store::deed::Actor;

use super::State;
use super::matrix::{self, Verb};
use super::problem::Problem;
use crate::config::ApiRole;

/// Who was recognised.
#[derive(Debug, Clone)]
pub(crate) struct Keyholder {
    /// Who acts, for the audit log.
    pub actor: Actor,
    /// The only namespace, or `*`.
    pub namespace: String,
    /// What it may do.
    pub role: ApiRole,
    /// The only owner, of a user's token.
    pub owner: Option<Owner>,
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

    /// The owner a request is about: a user's own, or the one asked for.
    ///
    /// # Errors
    /// 403 where a user asks for another.
    pub(super) fn owner(&self, asked: Option<Owner>) -> Result<Option<Owner>, Problem> {
        match (&self.owner, asked) {
            (Some(own), Some(asked)) if *own != asked => {
                Err(Problem::forbidden("this token is for another person or account"))
            }
            (Some(own), _) => Ok(Some(own.clone())),
            (None, asked) => Ok(asked),
        }
    }

    /// Who acts, for the audit log.
    pub(crate) fn actor(&self) -> Actor {
        self.actor.clone()
    }

    /// `Ok` where its role may do this.
    ///
    /// # Errors
    /// 403.
    pub(super) fn may(&self, verb: Verb) -> Result<(), Problem> {
        if matrix::allows(self.role, verb) { Ok(()) } else { Err(matrix::refusal(self.role, verb)) }
    }

    /// `Ok` where this may be of concern to it: everybody but a user reaches the whole namespace.
    ///
    /// # Errors
    /// 404 where it is another's; the same answer as where there is none.
    pub(super) async fn reaches(
        &self,
        state: &State,
        (namespace, kind, id): (&str, &str, &str),
    ) -> Result<(), Problem> {
        let Some(owner) = &self.owner else { return Ok(()) };
        if state.repairs.is_of((namespace, owner), id).await? {
            return Ok(());
        }
        Err(Problem::not_found(format!("this namespace has no such {kind}")))
    }
}

/// Without keys only programs of this host are meant: a web page that a browser was led to must neither write nor read here.
/// Another name in `Host` (DNS rebinding) or a request from another origin is refused.
pub(super) async fn only_from_here(Of(state): Of<Arc<State>>, request: Request, next: Next) -> Response {
    if !is_from_here(&request) {
        match state.keys.are_none().await {
            Ok(false) => {}
            Ok(true) => {
                let detail = "without API keys only this host itself is answered; call it localhost or 127.0.0.1";
                return Problem::forbidden(detail).into_response();
            }
            Err(problem) => return problem.into_response(),
        }
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
        state.keys.holder(bearer).await
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
