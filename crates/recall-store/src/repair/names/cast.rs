//! The names of a scope as the calls that count give them, gone through in the order in which they came.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::entity::EntityKind;
use recall_core::text::fold;

use super::{KnownAs, Said, There};

/// Whom a scope knows: entities, and the other names that calls gave them.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) known: BTreeMap<String, KnownAs>,
    /// By entity and folded name.
    pub(super) aliases: BTreeMap<String, BTreeMap<String, String>>,
}

impl There {
    /// Calls name it; nobody else did.
    fn is_named_by_calls(&self) -> bool {
        self.said > 0 && self.by_hand == 0
    }

    /// Nobody speaks of it and nobody will: its name is erased.
    fn is_over(&self) -> bool {
        self.said == 0 && self.waits == 1
    }

    /// Known by a name.
    fn known_as(&self, name: &str, key: String) -> KnownAs {
        KnownAs { entity_id: self.id.clone(), name: name.to_owned(), name_key: key, kind: self.kind.clone(), waits: 0 }
    }
}

/// Goes through what was said as the calls did: a name is of whoever bore it first.
pub(super) fn settled(there: &[There], said: &[Said], spoken: &BTreeSet<String>) -> Settled {
    let mut cast = Cast::of(there, said, spoken);
    let (known, rest): (Vec<&There>, Vec<&There>) = there.iter().partition(|one| cast.is_known(one));
    known.iter().filter(|one| !one.is_named_by_calls()).for_each(|one| cast.keep(one));
    known.iter().for_each(|one| cast.keep_given(one));
    said.iter().for_each(|said| cast.hear(said));
    known.iter().filter(|one| one.is_named_by_calls()).for_each(|one| cast.name_somehow(one));
    rest.into_iter().for_each(|one| cast.hide(one));
    cast.settled
}

struct Cast<'a> {
    there: BTreeMap<&'a str, &'a There>,
    /// Those whom calls that count speak of, by themselves and through what became part of them.
    heard: BTreeSet<&'a str>,
    spoken: &'a BTreeSet<String>,
    /// Who bears a folded name.
    bearers: BTreeMap<String, String>,
    /// The name a call gave that somebody else bears.
    wanted: BTreeMap<String, String>,
    settled: Settled,
}

impl<'a> Cast<'a> {
    fn of(there: &'a [There], said: &'a [Said], spoken: &'a BTreeSet<String>) -> Self {
        let there: BTreeMap<&str, &There> = there.iter().map(|one| (one.id.as_str(), one)).collect();
        let mut cast = Self {
            there,
            heard: BTreeSet::new(),
            spoken,
            bearers: BTreeMap::new(),
            wanted: BTreeMap::new(),
            settled: Settled::default(),
        };
        for said in said {
            let whole = cast.whole(&said.entity).map(|whole| whole.id.as_str());
            cast.heard.extend(whole.into_iter().chain([said.entity.as_str()]));
        }
        cast
    }

    /// The entity that one became part of, or itself.
    fn whole(&self, id: &str) -> Option<&'a There> {
        let mut one = self.there.get(id).copied()?;
        while let Some(into) = one.merged_into.as_deref().and_then(|into| self.there.get(into).copied()) {
            one = into;
        }
        Some(one)
    }

    /// Whether anybody knows it by itself.
    fn is_known(&self, one: &There) -> bool {
        let of_calls = || self.heard.contains(one.id.as_str()) || self.spoken.contains(&one.id) || one.suppressed > 0;
        one.merged_into.is_none() && if one.said > 0 { of_calls() } else { one.waits == 0 }
    }

    fn is_free(&self, key: &str, id: &str) -> bool {
        self.bearers.get(key).is_none_or(|bearer| bearer == id)
    }

    fn bear(&mut self, key: String, id: &str) {
        self.bearers.insert(key, id.to_owned());
    }

    fn know(&mut self, known: KnownAs) {
        self.bear(known.name_key.clone(), &known.entity_id);
        self.settled.known.insert(known.entity_id.clone(), known);
    }

    /// What people named, and the owner of the scope, stays as it is.
    fn keep(&mut self, one: &There) {
        let key = self.free_key(one);
        self.know(one.known_as(&one.name, key));
    }

    /// Other names that people gave are nobody else's.
    fn keep_given(&mut self, one: &There) {
        for alias in one.aliases.iter().flatten().filter(|alias| alias.by_hand > 0) {
            self.bear(alias.key.clone(), &one.id);
        }
    }

    /// The folded name of an entity, or one that nobody asks for where another bears it.
    fn free_key(&self, one: &There) -> String {
        let key = if one.kind == EntityKind::User.as_str() { one.key.clone() } else { fold(&one.name) };
        if self.is_free(&key, &one.id) { key } else { format!("{key} {}", one.id) }
    }

    /// Takes in a name as the call did.
    fn hear(&mut self, said: &Said) {
        let Some(whole) = self.whole(&said.entity) else { return };
        let is_own = said.kind.is_some() && said.entity == whole.id;
        let has_name = self.settled.known.contains_key(&whole.id);
        match &said.kind {
            Some(_) if is_own && has_name => {}
            Some(kind) if is_own => {
                if self.is_free(&said.key, &whole.id) {
                    let known = whole.known_as(&said.name, said.key.clone());
                    self.know(KnownAs { kind: kind.clone(), ..known });
                } else {
                    self.wanted.entry(whole.id.clone()).or_insert_with(|| said.name.clone());
                }
            }
            Some(_) | None if self.bearers.contains_key(&said.key) => {}
            Some(_) | None => {
                self.bear(said.key.clone(), &whole.id);
                let theirs = self.settled.aliases.entry(whole.id.clone()).or_default();
                theirs.insert(said.key.clone(), said.name.clone());
            }
        }
    }

    /// Somebody who is spoken of has a name, also where no call that counts gives one that is free.
    fn name_somehow(&mut self, one: &There) {
        if self.settled.known.contains_key(&one.id) {
            return;
        }
        let name = self.wanted.get(&one.id).cloned().unwrap_or_else(|| one.name.clone());
        let numbered = (2_u32..).map(|number| format!("{name} ({number})"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| self.is_free(&fold(name), &one.id));
        let name = free.unwrap_or(name);
        self.know(one.known_as(&name, fold(&name)));
    }

    /// Nobody knows it. It keeps its name, so that it is the one once somebody says it again.
    fn hide(&mut self, one: &There) {
        if one.is_over() {
            return;
        }
        let waits = i64::from(one.said > 0 && !self.heard.contains(one.id.as_str()));
        let key = if one.merged_into.is_some() { one.key.clone() } else { self.free_key(one) };
        if one.merged_into.is_none() {
            self.bear(key.clone(), &one.id);
        }
        self.settled.known.insert(one.id.clone(), KnownAs { waits, ..one.known_as(&one.name, key) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(id: &str, name: &str) -> There {
        There {
            id: id.into(),
            name: name.into(),
            key: fold(name),
            kind: "person".into(),
            merged_into: None,
            waits: 0,
            by_hand: 0,
            said: 1,
            suppressed: 0,
            aliases: None,
        }
    }

    fn name(entity: &str, name: &str) -> Said {
        Said { entity: entity.into(), name: name.into(), key: fold(name), kind: Some("person".into()) }
    }

    fn alias(entity: &str, alias: &str) -> Said {
        Said { kind: None, ..name(entity, alias) }
    }

    /// Names with other names of those who are known.
    fn known(there: &[There], said: &[Said]) -> Vec<String> {
        let Settled { known, aliases } = settled(there, said, &BTreeSet::new());
        let keys: BTreeSet<&str> = known.values().map(|one| one.name_key.as_str()).collect();
        let apart = there.iter().filter(|one| one.merged_into.is_none() && !one.is_over()).count();
        assert!(keys.len() >= apart, "a name is of one: {known:?}");
        let line = |one: &KnownAs| {
            let theirs: Vec<&str> =
                aliases.get(&one.entity_id).into_iter().flatten().map(|(_, name)| name.as_str()).collect();
            format!("{}: {}", one.name, theirs.join(", "))
        };
        known.values().filter(|one| one.waits == 0).map(line).collect()
    }

    #[test]
    fn what_only_calls_said_that_do_not_count_is_not_known() {
        let both = [there("a", "Priya"), there("b", "Tom")];
        let all = [name("a", "Priya"), alias("a", "user's manager"), name("b", "Tom"), alias("b", "user's manager")];
        assert_eq!(known(&both, &all), ["Priya: user's manager", "Tom: "]);
        assert_eq!(known(&both, &all[2..]), ["Tom: user's manager"]);
        assert_eq!(known(&both, &all[..1]), ["Priya: "]);
        assert!(known(&both, &[]).is_empty());
    }

    #[test]
    fn whoever_is_left_goes_by_the_name_that_is_left() {
        let one = [there("a", "Priya")];
        assert_eq!(known(&one, &[name("a", "user's manager"), name("a", "Priya")]), ["user's manager: "]);
        let two = [there("a", "Priya"), there("b", "Tom")];
        let said = [name("b", "Tom"), alias("b", "the boss"), name("a", "The boss")];
        assert_eq!(known(&two, &said), ["The boss (2): ", "Tom: the boss"]);
    }

    #[test]
    fn names_of_what_became_part_of_another_are_other_names_of_that_one() {
        let part = There { merged_into: Some("a".into()), ..there("b", "Prya") };
        let two = [there("a", "Priya"), part];
        let said = [name("a", "Priya"), name("b", "Prya"), alias("b", "Pri")];
        assert_eq!(known(&two, &said), ["Priya: Pri, Prya", "Prya: "]);
        assert_eq!(known(&two, &said[..1]), ["Priya: "]);
        assert_eq!(known(&two, &said[1..]), ["Priya: Pri, Prya", "Prya: "], "it is spoken of through its part");
    }

    #[test]
    fn names_that_people_gave_stay_and_so_does_what_is_erased() {
        let given = There { by_hand: 1, ..there("a", "Priya Rao") };
        let erased = There { said: 0, waits: 1, key: "erased c".into(), ..there("c", "erased") };
        let all = [given, there("b", "Priya"), erased];
        assert_eq!(known(&all, &[name("a", "Priya"), name("b", "Priya")]), ["Priya Rao: ", "Priya: "]);
        assert!(known(&all, &[]).is_empty());
    }

    #[test]
    fn whom_a_suppressed_claim_is_about_stays_known() {
        let one = There { suppressed: 1, ..there("a", "Priya") };
        assert_eq!(known(&[one], &[]), ["Priya: "]);
    }
}
