//! Closed word classes, a table of first names and a table of English stems: what tells a name from a word.

use std::sync::LazyLock;

use fnv::{FnvHashMap, FnvHashSet};

/// One line a name: the name, a blank, and the share of women among its bearers as a letter from `a` (0) to `u` (1).
const NAMES: &str = include_str!("data/names.txt");
/// One stem of an English word a line.
const STEMS: &str = include_str!("data/words.txt");

static SHARES: LazyLock<FnvHashMap<&'static str, f32>> = LazyLock::new(|| {
    let share = |letter: &str| letter.bytes().next().map(|byte| f32::from(byte.saturating_sub(b'a')) / 20.0);
    NAMES.lines().filter_map(|line| line.split_once(' ').and_then(|(name, l)| Some((name, share(l)?)))).collect()
});
static WORDS: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| STEMS.lines().collect());

/// Share of women among the bearers of a first name, where it is one.
pub(super) fn share_of_women(name: &str) -> Option<f32> {
    SHARES.get(name).copied().or_else(|| SHARES.get(name.split('-').next()?).copied())
}

/// Whether a folded word is a word of the English dictionary, names aside.
pub(super) fn is_common(word: &str) -> bool {
    if is_function(word) || is_verb(word) || SLANG.contains(word) {
        return true;
    }
    WORDS.contains(crate::lexicon::stem(word).as_str())
}

/// Chat words no dictionary of the table has.
static SLANG: Words = LazyLock::new(|| {
    words(
        "ok okay btw lol omg thx pls yep nope yeah haha hmm uh um wow ooh gonna gotta wanna idk imo tbh \
    fyi ugh aww whoa mm mmm hm ow ouch yay whoo woo whaddya mm-hmm uh-huh alright ohh oooh ahh huh \
    eh er erm duh yup nah yo ha hee psst la jeez",
    )
});

/// Words that hold a sentence together; none of them is a name or the head of a phrase.
static FUNCTION: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| {
    "a an the this that these those my your his her its our their some any each every no another such both all few \
     many much more most several and or but nor so yet if then than because cause while when where why how what which \
     who whom whose whether though although unless until till since as of in on at to from by with without about \
     into onto over under after before between during through against among across behind beside near off out up \
     down for per via i me you he him she it we us they them myself yourself himself herself itself ourselves \
     themselves mine yours hers ours theirs one ones not don't doesn't didn't isn't aren't wasn't weren't won't \
     can't cannot couldn't wouldn't shouldn't never always often also too just only even still already again now \
     here there today yesterday tomorrow tonight soon later ago once twice yes no please thanks thank hello hi hey \
     very really quite rather maybe perhaps anyway however well oh ah there's that's else ever almost actually \
     finally recently usually sometimes meanwhile instead together apparently probably basically honestly luckily \
     sorry good great nice right sure okay ok btw somebody someone anybody anyone nobody everyone everybody something \
     anything nothing everything am pm etc like"
        .split_whitespace()
        .collect()
});

/// Helping verbs and the forms of everyday verbs that carry no telling ending, or carry one a noun may have.
static VERBS: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| {
    "is are was were am be been being has have had having do does did done will would can could shall should may \
     might must isn't wasn't won't can't couldn't wouldn't doesn't didn't hasn't haven't hadn't aren't weren't ain't \
     went goes go gone got gets get gave gives give given said says say told tells tell took takes take taken made \
     makes make came comes come became knew knows know known thought thinks think felt feels feel left leaves leave \
     found finds find saw sees see seen met meets meet bought buys buy brought brings bring kept keeps keep let lets \
     put puts ran runs run sent sends send sat sits stood stands spent spends lost loses lose won wins win wrote \
     writes write read reads rode rides ride drove drives drive ate eats eat drank drinks drink slept sleeps fell \
     falls broke breaks chose chooses grew grows held holds hurt hurts led leads paid pays quit quits rang rings rose \
     sang sings sold sells sell shot shuts shut spoke speaks stole swam swims taught teaches teach threw throws \
     understood woke wakes wore wears wear works work lives live loves love likes hates hate wants want needs need \
     looks look seems seem plays play calls call asks ask helps help starts start stops stop moves move turns turn \
     keeps hosted sleeps laughs smiles cooks teaches studies visits joined plans plan hopes hope used began begins \
     built builds caught cost cut cuts dealt drew draws flew flies forgot forgets hid hit hits laid lent lends lit \
     meant means overheard proved set sets showed shows shown struck thinks thanks booked agreed agrees suggested \
     passed died dies born married divorced retired"
        .split_whitespace()
        .collect()
});

/// A list of words that is looked up word by word.
pub(super) type Words = LazyLock<FnvHashSet<&'static str>>;

/// The words of a list, parted by blanks.
pub(super) fn words(list: &'static str) -> FnvHashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// Determiners, prepositions, conjunctions, pronouns, everyday adverbs.
pub(super) fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

/// A verb form of the table, or a word whose ending makes it one.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// A verb by table or by its past ending.
pub(super) fn looks_like_verb(word: &str) -> bool {
    is_verb(word) || (word.len() > 4 && word.ends_with("ed")) || word.ends_with("n't")
}

/// Words that begin a place or a part of something.
pub(super) fn is_preposition(word: &str) -> bool {
    static PREPOSITIONS: Words = LazyLock::new(|| {
        words(
            "of in on at to from by with without about into onto over under after before between during \
        through against among across behind beside near for per than like as",
        )
    });
    PREPOSITIONS.contains(word)
}

/// Articles and possessives.
pub(super) fn is_determiner(word: &str) -> bool {
    static DETERMINERS: Words = LazyLock::new(|| {
        words("the a an this that these those my your his her its our their some any no every each another")
    });
    DETERMINERS.contains(word)
}

/// Personal pronouns and words whose apostrophe is always short for "is" or "has".
pub(super) fn is_pronoun(word: &str) -> bool {
    static PRONOUNS: Words = LazyLock::new(|| {
        words(
            "i you he she it we they that this who what where there here how when why let everyone somebody \
        someone everything",
        )
    });
    PRONOUNS.contains(word)
}

/// Capitalised words that name no person: days, months, languages, peoples, feasts.
pub(super) fn is_calendar_or_people(word: &str) -> bool {
    static OTHERS: Words = LazyLock::new(|| {
        words(
            "monday tuesday wednesday thursday friday saturday sunday january february march april may june \
        july august september october november december christmas easter halloween thanksgiving ramadan \
        diwali hanukkah english french german spanish italian dutch danish swedish norwegian finnish \
        polish russian turkish greek chinese japanese korean arabic hindi portuguese american british \
        european african asian indian canadian australian irish scottish mexican brazilian christian \
        catholic jewish muslim buddhist hindu god internet",
        )
    });
    OTHERS.contains(word)
}

/// A title before a name and the share of women it tells.
pub(super) fn title(word: &str) -> Option<Option<f32>> {
    match word {
        "mr" | "sir" | "lord" | "uncle" | "brother" | "father" | "king" | "prince" | "grandpa" | "opa" => {
            Some(Some(0.0))
        }
        "mrs" | "ms" | "miss" | "madam" | "lady" | "aunt" | "auntie" | "sister" | "queen" | "princess" | "grandma"
        | "oma" | "mama" => Some(Some(1.0)),
        "dr" | "doctor" | "prof" | "professor" | "captain" | "rabbi" | "judge" | "president" | "senator" | "coach"
        | "chef" | "pastor" => Some(None),
        _ => None,
    }
}

/// Small words inside a name.
pub(super) fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "de" | "del"
            | "della"
            | "di"
            | "da"
            | "dos"
            | "van"
            | "von"
            | "der"
            | "den"
            | "du"
            | "la"
            | "le"
            | "bin"
            | "ibn"
            | "al"
            | "el"
            | "ter"
            | "zu"
    )
}

/// Last words of names of places and organisations.
pub(super) fn is_institution(word: &str) -> bool {
    static INSTITUTIONS: Words = LazyLock::new(|| {
        words(
            "university college school academy institute hospital museum church city county street road \
        avenue river lake mountain island park bridge station airport inc ltd llc gmbh corp company \
        club team union association society council committee department ministry bank opera theatre \
        theater festival award awards league records news times house",
        )
    });
    INSTITUTIONS.contains(word)
}
