//! Whether a clause tells of what was or of what will be: the cue that decides between the two readings of "on Friday".

use std::sync::LazyLock;

use fnv::FnvHashMap;

/// What a clause tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    /// What was.
    Past,
    /// What is planned, and the present tense of timetables.
    Future,
}

/// Past forms that are no present form as well.
const PAST: &str = "was were wasn't weren't did didn't had hadn't got went came took made said saw knew thought gave \
    found told became left felt brought began kept held wrote stood heard meant met ran paid sat spoke \
    led grew lost fell sent built understood drew broke spent rose drove bought wore chose ate won taught \
    sold caught slept fought threw flew bit drank rode rang sang sank swam woke hid shook forgot froze \
    stole tore dug hung shot stuck struck swept wept fed fled dealt dreamt learnt burnt lent bent sped \
    shone knelt withdrew overslept couldn't blew began laid sewed quit redid rebuilt outgrew";

/// Past forms that are present forms as well; they count where nothing else does.
const EITHER: &str = "put let set read cut hit bet cost hurt split spread shut beat cast";

/// Participles behind "have" that do not end in -ed.
const PARTICIPLES: &str = "been gone done seen taken had made gotten got given known written become come begun broken chosen \
    driven eaten fallen flown forgotten grown hidden ridden risen run spoken stolen sung swum thrown \
    woken worn won lost met left kept held bought brought built caught felt found heard led paid put read \
    said sent set slept sold spent stood taught told thought quit";

/// Words of plans.
const FUTURE: &str = "will won't shall gonna going plan plans planning hope hoping want wants wanna upcoming due deadline \
    supposed might may could should must need needs intend intends expecting let's lets tomorrow \
    scheduled booked planned reserved arranged invited forward remind can can't cannot would";

/// Verbs whose present tense tells of a timetable.
const PRESENT: &str = "is am are isn't aren't start starts begin begins leave leaves arrive arrives come comes go goes end \
    ends open opens close closes happens takes move moves get gets have has turn turns fly flies return \
    returns finish finishes departs meet meets graduate graduates celebrates expires retires renews \
    visits marries launches runs lasts falls becomes joins drives travels hosts performs delivers ships lands reopens resumes don't doesn't see";

/// Words that end in -ed and are no verbs of the past.
const NO_VERB: &str = "need speed feed seed hundred indeed breed exceed proceed succeed supposed scheduled booked planned \
    reserved arranged invited wicked naked sacred rugged embed wed";

/// What a word can be.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    past: bool,
    either: bool,
    participle: bool,
    future: bool,
    present: bool,
    no_verb: bool,
}

static FORMS: LazyLock<FnvHashMap<&'static str, Form>> = LazyLock::new(|| {
    let mut forms: FnvHashMap<&'static str, Form> = FnvHashMap::default();
    let mut fill = |words: &'static str, set: fn(&mut Form)| {
        words.split_whitespace().for_each(|word| set(forms.entry(word).or_default()));
    };
    fill(PAST, |form| form.past = true);
    fill(EITHER, |form| form.either = true);
    fill(PARTICIPLES, |form| form.participle = true);
    fill(FUTURE, |form| form.future = true);
    fill(PRESENT, |form| form.present = true);
    fill(NO_VERB, |form| form.no_verb = true);
    forms
});

fn form(word: &str) -> Form {
    FORMS.get(word).copied().unwrap_or_default()
}

/// A verb form that tells of the past.
pub(crate) fn is_past_verb(word: &str) -> bool {
    form(word).past || is_regular(word)
}

fn is_regular(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed") && !form(word).no_verb
}

/// The tense of a clause: its nearest cue before or after a place decides; `None` where it has none.
pub(crate) fn tense(clause: &[&str], place: usize) -> Option<Tense> {
    let cues = clause.iter().enumerate().filter_map(|(at, word)| Some((at, cue(clause, at, word)?)));
    let nearest = cues.min_by_key(|(at, _)| at.abs_diff(place)).map(|(_, tense)| tense);
    nearest.or_else(|| clause.iter().any(|word| form(word).either).then_some(Tense::Past))
}

fn cue(clause: &[&str], at: usize, word: &str) -> Option<Tense> {
    let before = |back: usize| at.checked_sub(back).and_then(|at| clause.get(at)).copied().unwrap_or_default();
    let being = |word: &str| {
        matches!(word, "is" | "am" | "are" | "be" | "isn't" | "aren't" | "get" | "gets" | "getting")
            || word.ends_with("'m")
            || word.ends_with("'re")
            || word.ends_with("'s")
    };
    let having = |word: &str| matches!(word, "have" | "has" | "haven't" | "hasn't") || word.ends_with("'ve");
    // "is booked for Friday" is a plan, "was booked" and "got married" are not.
    if is_regular(word) && (being(before(1)) || being(before(2))) {
        return Some(Tense::Future);
    }
    let perfect = (having(before(1)) || having(before(2)) || before(1).ends_with("'s"))
        && (is_regular(word) || form(word).participle);
    if perfect || form(word).past || is_regular(word) {
        return Some(Tense::Past);
    }
    let past_plan = matches!(before(1), "was" | "were") && matches!(word, "going" | "supposed" | "planning" | "due");
    if past_plan {
        return Some(Tense::Past);
    }
    if is_present(word, before(1)) {
        return Some(Tense::Future);
    }
    let wills = word.ends_with("'ll") || word.ends_with("'m") || word.ends_with("'re");
    (wills || form(word).future || form(word).present).then_some(Tense::Future)
}

/// Adverbs between a pronoun and its verb.
const ADVERBS: &[&str] =
    &["just", "never", "always", "also", "already", "still", "even", "almost", "both", "all", "then", "once"];

/// "I turn", "it expires": the word behind a pronoun, in a form that is not of the past.
fn is_present(word: &str, before: &str) -> bool {
    let letters = word.chars().all(char::is_alphabetic);
    let adverb = word.ends_with("ly") || ADVERBS.contains(&word) || form(word).either;
    match before {
        "i" | "we" | "they" | "you" => letters && !adverb,
        "he" | "she" | "it" | "who" => letters && !adverb && word.ends_with('s'),
        _ => false,
    }
}
