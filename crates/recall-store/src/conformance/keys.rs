//! Keys of callers: made, rotated, revoked, each with its audit row, and of other tenants nothing is told.

use recall_core::id::ApiKeyId;
use ulid::Ulid;

use super::ground::Ground;
use super::on_both;
use super::people::deed;
use super::said::at;
use crate::StoreError;
use crate::api_keys::{NewKey, SecretPrint};
use crate::record::{PageRequest, Tenants};

on_both! {
    a_key_is_made_rotated_and_revoked_with_an_audit_row_each,
    a_key_of_another_tenant_is_as_none,
}

fn print(hash: &str) -> SecretPrint {
    SecretPrint { hash: hash.into(), hash_key: "k1".into(), salt: None }
}

fn key(number: u128, namespace: &str) -> NewKey {
    NewKey {
        id: ApiKeyId::new(Ulid(number)),
        namespace: namespace.into(),
        role: "support".into(),
        label: "desk".into(),
        prefix: "rcl_x".into(),
        secret: print("aa"),
        expires_at: Some(at("2099-01-01T00:00:00Z")),
    }
}

async fn a_key_is_made_rotated_and_revoked_with_an_audit_row_each(ground: &Ground) {
    assert!(!ground.store.has_api_keys().await.unwrap());
    let made = ground.store.create_key(&key(1, "shop"), &deed()).await.unwrap();
    assert_eq!((made.secret.hash.as_str(), made.created_by.as_str()), ("aa", "api_key:desk"));
    assert_eq!((made.expires_at, &made.former, made.last_used_at), (Some(at("2099-01-01T00:00:00Z")), &None, None));
    let shop = Tenants::One("shop".into());
    let with = ("rcl_y", &print("bb"), 3600);
    let rotated = ground.store.rotate_key((&shop, &made.id), with, &deed()).await.unwrap();
    let (former, until) = rotated.former.clone().unwrap();
    assert_eq!((former.hash.as_str(), rotated.secret.hash.as_str(), rotated.prefix.as_str()), ("aa", "bb", "rcl_y"));
    assert!(until.microseconds() - made.created_at.microseconds() >= 3_600_000_000);
    ground.store.keys_used(std::slice::from_ref(&made.id)).await.unwrap();
    let there = ground.store.api_key(&made.id).await.unwrap().unwrap();
    assert!(there.last_used_at.is_some() && there.revoked_at.is_none());
    assert!(ground.store.revoke_key((&shop, &made.id), &deed()).await.unwrap().revoked_at.is_some());
    for late in [
        ground.store.revoke_key((&shop, &made.id), &deed()).await,
        ground.store.rotate_key((&shop, &made.id), with, &deed()).await,
    ] {
        assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    }
    for event in ["key_create", "key_rotate", "key_revoke"] {
        let rows = format!(
            "SELECT count(*) FROM audit WHERE event_type = '{event}' AND namespace = 'shop' AND scope_id IS NULL
                AND actor = 'api_key:desk' AND reason = 'a test'"
        );
        assert_eq!(ground.number(&rows).await, 1, "{event}");
    }
    assert!(ground.store.has_api_keys().await.unwrap(), "revoked keys count");
}

async fn a_key_of_another_tenant_is_as_none(ground: &Ground) {
    let made = ground.store.create_key(&key(1, "shop"), &deed()).await.unwrap();
    ground.store.create_key(&key(2, "stall"), &deed()).await.unwrap();
    let (stall, nobody) = (Tenants::One("stall".into()), ApiKeyId::new(Ulid(9)));
    let with = ("rcl_y", &print("bb"), 0);
    for id in [&made.id, &nobody] {
        let answers = [
            ground.store.revoke_key((&stall, id), &deed()).await,
            ground.store.rotate_key((&stall, id), with, &deed()).await,
        ];
        assert!(answers.iter().all(|answer| matches!(answer, Err(StoreError::Missing("key")))), "{answers:?}");
    }
    let page = PageRequest { limit: 1, cursor: None };
    let own = ground.store.api_keys(&stall, &page).await.unwrap();
    assert_eq!((own.items.len(), own.next_cursor), (1, None));
    let first = ground.store.api_keys(&Tenants::All, &page).await.unwrap();
    let next = PageRequest { limit: 1, cursor: first.next_cursor };
    let second = ground.store.api_keys(&Tenants::All, &next).await.unwrap();
    assert_ne!(first.items[0].id, second.items[0].id);
}
