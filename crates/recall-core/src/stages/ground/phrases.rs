//! Everyday turns of phrase and ties that show a word which does not stand in them: "passed away" shows "died", "my wife" shows "married".

use std::sync::LazyLock;

use fnv::FnvHashMap;

use super::claim::{Claim, Item};
use super::passage::{Passage, Word};
use crate::lexicon;

/// Indices of the words that show an item by a turn of phrase; of each turn its last word.
pub(super) fn show(claim: &Claim, item: &Item, passage: &Passage<'_>) -> Vec<usize> {
    let Some(phrases) = BY_SHOWN.get(item.root.as_str()) else { return Vec::new() };
    let mut found: Vec<usize> = phrases.iter().flat_map(|phrase| ends(passage, phrase)).collect();
    if TIES.iter().any(|(shown, _)| *shown == item.root) {
        found.retain(|at| holds_still(claim, passage, *at));
    }
    found
}

/// The most words of a passage a phrase is looked for in.
const WORDS: usize = 400;

/// Where a phrase ends in the passage, wherever it stands.
fn ends<'a>(passage: &'a Passage<'_>, phrase: &'a [String]) -> impl Iterator<Item = usize> + 'a {
    let is = |word: &Word<'_>, part: &String| *word.root == **part || *word.text == **part;
    let holds = move |run: &[Word<'_>]| {
        run.iter().zip(phrase).all(|(word, part)| is(word, part))
            && run.first().zip(run.last()).is_some_and(|(first, last)| first.piece == last.piece)
    };
    let words = passage.words.get(..WORDS).unwrap_or(&passage.words);
    words
        .windows(phrase.len().max(1))
        .enumerate()
        .filter(move |(_, run)| holds(run))
        .map(|(at, run)| at + run.len() - 1)
}

/// A tie of the past ("my ex-wife") shows no present one.
fn holds_still(claim: &Claim, passage: &Passage<'_>, at: usize) -> bool {
    const OVER: &[&str] = &["ex", "former", "late", "future", "first"];
    let before = at.checked_sub(1).and_then(|at| passage.words.get(at));
    claim.says(&["was", "were"]) || !before.is_some_and(|word| OVER.contains(&&*word.text))
}

/// By the root of a word, the phrases that show it, as roots or, of function words, as they stand.
static BY_SHOWN: LazyLock<FnvHashMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let mut by_shown: FnvHashMap<String, Vec<Vec<String>>> = FnvHashMap::default();
    for (shown, phrases) in TIES.iter().chain(PHRASES).chain(ABROAD) {
        for word in shown.split(' ') {
            let phrases = phrases.split("; ").map(|phrase| phrase.split(' ').map(str::to_owned).collect());
            by_shown.entry(lexicon::stem(word)).or_default().extend(phrases);
        }
    }
    by_shown
});

/// What one has when somebody is one's wife, and so on.
const TIES: &[(&str, &str)] = &[
    ("marri", "wife; husband; spouse; hubbi"),
    ("engag", "fianc\u{e9}; fianc\u{e9}e; fiance; fiancee"),
    ("parent", "daughter; son; child"),
];

/// Verbs of other languages that say "I", for a claim about it in English.
const ABROAD: &[(&str, &str)] = &[
    (
        "live reside",
        "vivo; vivimos; abito; abitiamo; moro; moramos; wohne; wohnen; habite; j'habite; habitons; mieszkam; bydlím; asun; woon; живу; живём",
    ),
    (
        "work",
        "trabajo; trabajamos; lavoro; lavoriamo; trabalho; arbeite; travaille; pracuję; pracuji; työskentelen; werk; работаю",
    ),
    ("smoke", "fumo; rauche; fume; palę; kouřím; курю"),
];

/// Phrases and the words they show.
const PHRASES: &[(&str, &str)] = &[
    ("divorced", "ex wife; ex husband; ex-wife; ex-husband"),
    ("die death", "pass away"),
    ("marry married wedding", "tie the knot; get hitch; say i do"),
    ("live reside", "move out; move in; base in; settl in; call home; grow up in"),
    ("grow raise", "born and rais; born and bred"),
    ("dislike hate", "not a fan; not into; not keen"),
    ("enjoy like love interested", "i'm into; realli into; so into; be into; fan of; keen on"),
    ("visit", "be to; trip to; stop by; drop by"),
    ("head go travel", "off to; on my way; set off"),
    ("organize organise", "put togeth; set up"),
    ("establish found start create", "set up"),
    ("register enrol enroll join", "sign up"),
    ("away", "move from"),
    ("start begin", "take up"),
    ("stop quit", "give up; cut out"),
    ("continue", "keep go; carri on; keep at; keep it up; keep on; don't give; don't quit"),
    ("persevere continue", "not give; don't give"),
    ("care", "look after; take care"),
    ("struggle", "tough time; hard time; rough time"),
    ("favorite favourite", "top pick; number one; prefer; most of all"),
    ("decide", "make up my mind; settl on"),
    ("exercise", "work out; workout"),
    ("reduce", "cut down; cut back"),
    ("avoid", "stop; quit; give up; cut out; don't; do not; never; stay away; steer clear"),
    ("fire dismiss", "be let go; get let go; lay off; laid off; the sack"),
    ("unemployed jobless", "lose my job; lost my job; be let go; get let go; laid off"),
    (
        "pregnant",
        "expect a babi; expect a child; expect twin; expect a girl; expect a boy; expect my first; expect our first; expect her first; \
        expect their first; expect my second; expect our second; expect her second; expect their second; babi on the way",
    ),
    ("separate separated", "break up; split up; broke up"),
    ("teacher", "teach"),
    ("student", "start univers; start colleg; start uni; at univers; at uni; at colleg; studi"),
    ("work", "volunt; job"),
    ("participate", "take part; took part; enter"),
    ("attend", "be to; go to; show up"),
    ("discover", "find out; come across"),
    ("return", "come back; be back; get back; go back"),
    ("wake", "get up"),
    ("celebrate", "throw a parti; have a parti"),
    ("experience", "go through; have"),
    ("previously", "befor"),
    ("buy bought purchase", "pick up; snap up; get hold; treat myself; splash out"),
    ("reject decline refuse", "turn down; turn it down; turn them down; knock back; say no"),
    ("stop quit", "give up; give it up; pack in; pack it in; drop out"),
    ("begin start", "take up; get into; took up"),
    ("expire", "run out"),
    ("lower reduce drop decrease", "knock off; bring down; come down; go down"),
    ("raise increase rise", "put up; go up; bump up"),
    ("install fit", "put in"),
    ("lose lost", "lay off; laid off; be let go; get let go; made redund; the sack"),
    ("postpone delay", "put off; push back"),
    ("cancel", "call off"),
    ("eat tolerate bear stand", "can't do; can't stand; put up with"),
    ("upset", "wreck; not agre"),
    ("resemble", "take after"),
    ("meet", "run into; bump into; catch up"),
    ("choose pick select", "go for; opt for; settl on"),
    ("demolish", "tear down; pull down; knock down"),
    ("hire employ", "take on"),
    ("leave depart", "set off; head out; move out"),
    ("arrive", "get in; turn up; show up; touch down"),
    ("operation surgery", "op"),
    ("member", "of us"),
    ("finish complete", "wrap up; get through; done with"),
    ("handle manage", "cope with; deal with"),
    ("argue quarrel", "fall out; have a row"),
    ("reconcile", "make up"),
    ("recover", "get over; get better; on my feet; on the mend"),
    ("renovate redecorate decorate", "do up; fix up"),
    ("adopt", "take in"),
    ("submit", "send off; hand in; send in"),
    ("pay", "shell out; fork out"),
    ("save", "put asid; set asid; put by; put away"),
    ("drink drunk", "touch alcohol; touch a drop"),
    ("cellist", "play the cello; play cello"),
    ("pianist", "play the piano; play piano"),
    ("violinist", "play the violin; play violin"),
    ("drummer", "play the drum; play drum"),
    ("guitarist", "play the guitar; play guitar"),
    ("organist", "play the organ"),
    ("vomit", "throw up; threw up; puke"),
    ("bring brought", "drop off; drop round"),
    ("pay paid", "my rent; our rent; rent's; rent is; set me back; set us back"),
    ("move migrate transfer", "switch to; switch my; switch our; switch the; move over; migrat"),
    ("switch", "move to; move over; migrat"),
    (
        "live reside",
        "be in this flat; be in this hous; be in this apart; be in this place; be in this town; be in this citi; be in this villag",
    ),
    ("contain", "one with; full of"),
    ("accept", "say yes; said yes; green light"),
    ("expect", "be pregnant; is pregnant; am pregnant"),
    ("keep kept store", "stand in; stand at; sit in; sit at; lie in; live in"),
    ("recently", "just; the other day; last week; yesterday; last month"),
];
