//! Words and phrases that deny, and that say how sure or how real something is.

use std::sync::LazyLock;

use fnv::FnvHashMap;

use super::abroad;
use crate::reading::acts::Modality;

/// Behind these another clause begins, which a denial in the middle of it does not leave; German denies at the end of both.
pub(super) const JOINING: &[&str] = &["et", "mais", "pero", "but", "aber", "sondern", "because"];

/// Words of Spanish before a "no" that denies the verb behind it: "y no como carne".
pub(super) const BEFORE_NO: &[&str] =
    &["y", "pero", "que", "aunque", "porque", "yo", "ella", "él", "usuario", "usuaria", "ya"];

/// Words after which "off" says that one keeps away from something: "I'm off sugar", but not "it paid off".
pub(super) const BEFORE_OFF: &[&str] = &[
    "i'm", "am", "is", "are", "was", "were", "be", "been", "being", "we're", "he's", "she's", "they're", "stay",
    "staying", "stayed", "keep", "keeping", "kept", "went", "came", "swore", "sworn",
];

pub(super) const FOLLOWING: &[&str] = &[
    "not", "never", "cannot", "cant", "dont", "didnt", "doesnt", "isnt", "arent", "wasnt", "werent", "wont", "havent",
    "hasnt", "hadnt", "couldnt", "wouldnt", "shouldnt", "aint", "without", "hardly", "barely", "neither", "nor", "n't",
    "off",
];

/// Words of English that deny the whole clause; those of other languages are in [`super::abroad`].
pub(super) const WHOLE: &[&str] = &["no", "none", "nobody", "nothing", "nowhere"];

/// Verbs that deny what they govern: "failed to pass", "refuses to fly".
pub(super) const FAILING: &[&str] = &[
    "fail",
    "fails",
    "failed",
    "failing",
    "refuse",
    "refuses",
    "refused",
    "refusing",
    "forget",
    "forgets",
    "forgot",
    "forgotten",
    "decline",
    "declines",
    "declined",
    "neglect",
    "neglects",
    "neglected",
];

/// Beginnings of turns of phrase that hold a negative word and deny nothing.
pub(super) const NOT_DENYING: &[&str] = &[
    "can't wait",
    "cannot wait",
    "n't agree more",
    "couldn't be happier",
    "couldn't be better",
    "couldn't be more",
    "can't get enough",
    "no doubt",
    "no wonder",
    "no worries",
    "no problem",
    "not only",
    "not just",
    "not to mention",
    "can't help but",
    "n't forget",
    "can't believe",
    "no matter",
    "nothing beats",
    "nothing better",
    "nothing like",
    "no joke",
    "no kidding",
    "never forget",
    "n't help but",
    "not gonna lie",
    "no biggie",
    "no lie",
    "n't you",
    "isn't it",
    "aren't they",
    "no one but",
    "off to",
    "off the",
    "off on",
    "off for",
    "no need",
];

/// Rank in [`CUES`] and the words after the first, by the first.
pub(super) static BY_FIRST: LazyLock<FnvHashMap<&'static str, Vec<(usize, &'static str)>>> = LazyLock::new(|| {
    let mut by_first: FnvHashMap<&'static str, Vec<(usize, &'static str)>> = FnvHashMap::default();
    for (rank, (modality, cues)) in CUES.iter().enumerate() {
        let doubts = abroad::doubts().filter(|_| *modality == Modality::Possible);
        for cue in cues.iter().copied().chain(doubts) {
            let (first, rest) = cue.split_once(' ').unwrap_or((cue, ""));
            by_first.entry(first).or_default().push((rank, rest));
        }
    }
    by_first
});

/// In the order in which they decide: what used to be is told before what would be, and that before plans.
pub(super) const CUES: &[(Modality, &[&str])] = &[
    (Modality::Past, &["used to *", "i used to", "formerly"]),
    (
        Modality::Hypothetical,
        &[
            "if",
            "nearly *",
            "almost *",
            "came close to",
            "this close to",
            "that close to",
            "so close to",
            "was going to",
            "were going to",
            "was about to",
            "was gonna",
            "was supposed to",
            "were supposed to",
            "was planning to",
            "would've",
            "would have",
            "could have",
            "should have",
            "could've",
            "should've",
            "would get",
            "i'd get",
            "i'd buy",
            "i'd take",
        ],
    ),
    (
        Modality::Wish,
        &[
            "wish",
            "wishes",
            "if only",
            "hope to",
            "hoping to",
            "hopes to",
            "dream of",
            "dreaming of",
            "would love to",
            "i'd love to",
            "want to",
            "wants to",
            "wanna",
            "wanted to",
            "would like to",
            "i'd like to",
        ],
    ),
    (
        Modality::Possible,
        &[
            "might",
            "might've",
            "i may *",
            "we may *",
            "you may *",
            "he may *",
            "she may *",
            "it may *",
            "they may *",
            "user may *",
            "may be",
            "may have",
            "may take",
            "may go",
            "may move",
            "may not",
            "could be",
            "considering",
            "thinking of",
            "thinking about",
            "not sure if",
            "not sure whether",
            "haven't decided",
        ],
    ),
    (
        Modality::Plan,
        &[
            "will",
            "won't",
            "i'll",
            "we'll",
            "he'll",
            "she'll",
            "they'll",
            "it'll",
            "gonna",
            "going to",
            "plan to",
            "plans to",
            "planning to",
            "planning on",
            "intend to",
            "intends to",
            "supposed to",
            "about to",
            "is due to",
            "want * to",
            "shall",
        ],
    ),
];
