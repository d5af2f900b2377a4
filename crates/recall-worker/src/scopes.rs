//! Turns of scopes: inside a process one call at a time judges and writes in a scope. The store would refuse all but one of those
//! that judge at once, and a person with many sessions would keep every worker judging in vain.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use recall_core::scope::Scope;
use tokio::sync::{Mutex as Place, OwnedMutexGuard};

/// So many scopes may be remembered that nobody waits in any more.
const IDLE: usize = 256;

/// Who waits in which scope, in the order of coming.
#[derive(Debug, Default)]
pub struct Scopes {
    places: Mutex<HashMap<Scope, Weak<Place<()>>>>,
}

impl Scopes {
    /// Waits for the turn in a scope; dropping what is returned ends it.
    pub(crate) async fn turn(&self, scope: &Scope) -> OwnedMutexGuard<()> {
        self.place(scope).lock_owned().await
    }

    fn place(&self, scope: &Scope) -> Arc<Place<()>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(scope).and_then(Weak::upgrade) {
            return place;
        }
        if places.len() >= IDLE {
            places.retain(|_, place| place.strong_count() > 0);
        }
        let place = Arc::new(Place::new(()));
        places.insert(scope.clone(), Arc::downgrade(&place));
        place
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use recall_core::scope::Owner;

    use super::*;

    fn scope(user: &str) -> Scope {
        Scope::new("n".into(), Owner::User(user.into()), None).unwrap()
    }

    #[tokio::test]
    async fn one_call_at_a_time_in_a_scope_and_nobody_waits_for_another_scope() {
        let scopes = Scopes::default();
        let ana = scope("ana");
        let first = scopes.turn(&ana).await;
        assert!(scopes.turn(&scope("bo")).now_or_never().is_some());
        let mut second = Box::pin(scopes.turn(&ana));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert!(second.now_or_never().is_some());
    }

    #[tokio::test]
    async fn scopes_nobody_waits_in_are_forgotten() {
        let scopes = Scopes::default();
        for user in 0..3 * IDLE {
            drop(scopes.turn(&scope(&user.to_string())).await);
        }
        assert!(scopes.places.lock().unwrap().len() <= IDLE);
    }
}
