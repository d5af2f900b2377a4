//! `/v1/entities`: people and things memories are about; suspected to be one, made one, taken apart.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::entity::EntityKind;
use recall_core::id::EntityId;
use recall_store::entities::EntityPatch;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Asked;
use super::correct::{Because, deed};
use super::matrix::Verb;
use super::memories::{One, id, named, wrong};
use super::owned::{Owned, Whose};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::door::{MAX_NAME_BYTES, fault_of_words};
use crate::view::repair::{EntityEntryView, RepairedView, SuspicionView};

/// Other names in one request.
const MAX_ALIASES: usize = 50;

/// Part of the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EntityPage {
    /// Newest first; merged ones say into which.
    items: Vec<EntityEntryView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

/// Entities of an owner.
#[utoipa::path(
    get, path = "/v1/entities", tag = "entities", params(Owned),
    responses((status = 200, body = EntityPage, description = "Entities with their names."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(owned): Asked<Owned>,
) -> Result<Json<EntityPage>, Problem> {
    keyholder.may(Verb::Look)?;
    let (namespace, owner, page) = owned.of_one(&keyholder)?;
    let page = state.repairs.entities((&namespace, &owner), &page).await?;
    let items = page.items.into_iter().map(EntityEntryView::from).collect();
    Ok(Json(EntityPage { items, next_cursor: page.next_cursor }))
}

/// Pairs that may be one.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Suspected {
    /// Most alike first.
    items: Vec<SuspicionView>,
}

/// Entities of an owner that may be one: names alike (Jaro-Winkler above 0.85), of one kind, with five memories together.
#[utoipa::path(
    get, path = "/v1/entities/duplicates", tag = "entities", params(Whose),
    responses((status = 200, body = Suspected, description = "Pairs."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn duplicates(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(whose): Asked<Whose>,
) -> Result<Json<Suspected>, Problem> {
    keyholder.may(Verb::Look)?;
    let (namespace, owner) = whose.named(&keyholder)?;
    let pairs = state.repairs.suspected_duplicates(&namespace, &owner).await?;
    Ok(Json(Suspected { items: pairs.into_iter().map(SuspicionView::from).collect() }))
}

/// What is changed of an entity.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EntityChange {
    /// Another main name.
    name: Option<String>,
    /// `person`, `animal`, `place`, `organisation`, `thing` or `unknown`.
    kind: Option<String>,
    /// Other names learnt.
    #[serde(default)]
    add_aliases: Vec<String>,
    /// Other names that are not theirs.
    #[serde(default)]
    remove_aliases: Vec<String>,
    /// Stands in the audit log.
    reason: String,
}

impl EntityChange {
    fn checked(self) -> Result<EntityPatch, Problem> {
        let lists = [("add_aliases", &self.add_aliases), ("remove_aliases", &self.remove_aliases)];
        let names = self.name.iter().map(|name| ("name", name));
        for (field, name) in
            names.chain(lists.into_iter().flat_map(|(field, list)| list.iter().map(move |name| (field, name))))
        {
            if let Some(fault) = fault_of_words(name, MAX_NAME_BYTES) {
                return Err(wrong(field, fault));
            }
        }
        if let Some((field, _)) = lists.into_iter().find(|(_, list)| list.len() > MAX_ALIASES) {
            return Err(wrong(field, format!("must be at most {MAX_ALIASES} names")));
        }
        let known = "person, animal, place, organisation, thing or unknown";
        let kind: Option<EntityKind> = named("kind", self.kind, known)?;
        if kind == Some(EntityKind::User) {
            return Err(wrong("kind", format!("must be {known}")));
        }
        let trimmed = |names: Vec<String>| names.into_iter().map(|name| name.trim().to_owned()).collect();
        let patch = EntityPatch {
            name: self.name.map(|name| name.trim().to_owned()),
            kind,
            add_aliases: trimmed(self.add_aliases),
            remove_aliases: trimmed(self.remove_aliases),
        };
        if patch == EntityPatch::default() {
            return Err(wrong("name", "nothing is to be changed; send name, kind, add_aliases or remove_aliases"));
        }
        Ok(patch)
    }
}

fn about(keyholder: &Keyholder, one: &One, entity_id: String) -> Result<(String, EntityId), Problem> {
    keyholder.may(Verb::Merge)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let missing = || Problem::not_found("this namespace has no such entity");
    Ok((namespace, id("entity_id", Some(entity_id))?.ok_or_else(missing)?))
}

/// Renames an entity, or changes its kind or other names.
#[utoipa::path(
    patch, path = "/v1/entities/{entity_id}", tag = "entities", request_body = EntityChange, params(("entity_id" = String, Path), One),
    responses((status = 200, body = EntityEntryView, description = "As it is now."), (status = 404, body = Problem, description = "This namespace has no such entity."), (status = 409, body = Problem, description = "Another one bears the name."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn update(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(entity_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<EntityEntryView>, Problem> {
    let (namespace, entity) = about(&keyholder, &one, entity_id)?;
    let patch: EntityChange = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &patch.reason)?;
    let patch = patch.checked()?;
    Ok(Json(EntityEntryView::from(state.repairs.update_entity((&namespace, &entity), &patch, &deed).await?)))
}

/// Two become one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Merge {
    /// The entity it becomes part of (`ent_…`).
    into: String,
    /// Stands in the audit log.
    reason: String,
}

/// Makes an entity part of another: memories, objects and suppressed claims are pointed anew.
#[utoipa::path(
    post, path = "/v1/entities/{entity_id}/merge", tag = "entities", request_body = Merge, params(("entity_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such entity."), (status = 409, body = Problem, description = "The two cannot be one."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn merge(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(entity_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    let (namespace, from) = about(&keyholder, &one, entity_id)?;
    let merge: Merge = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &merge.reason)?;
    let into: EntityId = id("into", Some(merge.into))?.ok_or_else(|| wrong("into", "must be there"))?;
    Ok(Json(RepairedView::from(state.repairs.merge_entities((&namespace, &from, &into), &deed).await?)))
}

/// Takes a merged entity out of the other again. What was learnt since stays with the other.
#[utoipa::path(
    post, path = "/v1/entities/{entity_id}/unmerge", tag = "entities", request_body = Because, params(("entity_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such entity."), (status = 409, body = Problem, description = "It is part of no other."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn unmerge(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(entity_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    let (namespace, from) = about(&keyholder, &one, entity_id)?;
    let because: Because = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, because.reason())?;
    Ok(Json(RepairedView::from(state.repairs.unmerge_entity(&namespace, &from, &deed).await?)))
}
