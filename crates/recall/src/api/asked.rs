//! Query parameters: unknown ones, ones given twice and ones that cannot be read are named, not passed over.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use crate::door::Fault;

/// The query of a request as a struct that refuses unknown fields.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let wrong = |detail: String| Problem::invalid(vec![Fault::new("query", detail)]);
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(wrong("holds a NUL character".into()));
        }
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(rejection) => Err(wrong(rejection.body_text())),
        }
    }
}
