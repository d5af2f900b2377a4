//! The ways in which claims were and are taken apart for suppressed claims. An entry says which one made its parts; it holds only hashes,
//! so that it cannot be made anew with a later one, and a claim is taken apart in the way of each entry it is held against.

/// A version of the normaliser. One stays here as long as entries of it may be anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Normaliser {
    /// 1: the words a claim was told in.
    Told,
    /// 2: beside them the one spelling of everything, where the claim was told in another.
    Spelled,
}

impl Normaliser {
    /// The one new entries are made with.
    pub const CURRENT: Self = Self::Spelled;

    /// Every one, the oldest first.
    pub const ALL: [Self; 2] = [Self::Told, Self::Spelled];

    /// Its number in entries.
    pub fn number(self) -> u32 {
        match self {
            Self::Told => 1,
            Self::Spelled => 2,
        }
    }

    /// The one of a number; `None` where this build does not know it.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.number() == number)
    }

    /// Whether entries of it may hold parts in the one spelling.
    pub(super) fn spells(self) -> bool {
        match self {
            Self::Told => false,
            Self::Spelled => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_one_is_the_latest_and_an_unknown_number_is_none() {
        assert_eq!(Normaliser::ALL.last(), Some(&Normaliser::CURRENT));
        assert_eq!(Normaliser::ALL.map(|one| Normaliser::of(one.number())), Normaliser::ALL.map(Some));
        assert_eq!(Normaliser::of(0), None);
        assert_eq!(Normaliser::of(Normaliser::CURRENT.number() + 1), None);
    }
}
