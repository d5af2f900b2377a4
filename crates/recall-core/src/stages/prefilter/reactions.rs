//! Statements that only react to the other's words ("it must feel so good", "glad you like it", "I'll let you know"): they tell nothing that lasts.

use std::sync::LazyLock;

use regex::RegexSet;

use crate::lexicon::people;
use crate::text::{Token, TokenKind};

const JUDGING: &str = "(?:great|good|cool|nice|awesome|amazing|fantastic|wonderful|lovely|perfect|excellent|brilliant|incredible|impressive|inspir[a-z]+|beautiful|gorgeous|stunning|fun|funny|hilarious|sweet|neat|epic|terrific|terrible|awful|tough|rough|wild|weird|scary|interesting|fascinating|exciting|thrilling|adorable|cute|helpful|smart|thoughtful|touching|heartwarming|relaxing|peaceful|refreshing|rewarding|motivating|encouraging|uplifting|magical|special|unreal|remarkable|outstanding|satisfying|enjoyable|cozy|delightful|powerful|best|blast|important|key|huge|essential|priceless|liberating|calming|soothing|breathtaking|unforgettable|memorable|meaningful|worthwhile|freeing|comforting|invigorating|worth)";

const DEGREE: &str = "(?:(?:so|really|very|pretty|quite|too|just|super|such|all|totally|truly|absolutely|definitely|always|kinda|sort|of|rather|a|an|the|bit|little|extremely|incredibly|even|also|like|pure|true|real|much|more|most) )*";

const SEEMING: &str = "(?:is|are|was|were|looks?|sounds?|seems?|feels?|felt|must be|must have been|must've been|must feel|must have felt|would be|would feel|can be|can feel|has been|have been|had to be|has to be)";

fn patterns() -> Vec<String> {
    vec![
        // What one does in general: "learning to dance is awesome".
        format!("^[a-z]+ing(?: [a-z'-]+){{0,7}} {SEEMING} {DEGREE}{JUDGING}\\b"),
        format!("^(?:your|the|these|those) (?:[a-z'-]+ ){{1,3}}{SEEMING} {DEGREE}{JUDGING}(?: [a-z'-]+){{0,3}}$"),
        // How it seems to the listener.
        "^(?:must|sounds?|looks?|seems?|feels?|bet) .*".into(),
        "^(?:i )?(?:really |just |do |sure )?(?:hope|bet|wish) (?:you|it|your|things|everything|to|the|this|we|all|u) .*".into(),
        "^(?:i'm|i am) (?:sure|certain|confident) (?:you|it|that|your|they|he|she|things) .*".into(),
        // What it makes the speaker feel.
        "^(?:so |really |super |always |very )?(?:glad (?:you|to hear|it|that|we|i could|your|things|everything)|happy (?:for|to help|to hear|you|that)|proud of|excited (?:for|to see|to hear)|stoked|pumped (?:for|to)|thrilled|congrats|congratulations|kudos|props|best of luck|good luck|hats off|good to|great to|nice to|sorry) .*".into(),
        "^(?:i'm|i am) (?:also |so |really |super |always |very |truly |just )*(?:glad|happy|proud|sorry|here for|there for|rooting|grateful|thankful|excited|stoked|pumped|thrilled|looking forward)(?: .*)?$".into(),
        "^(?:thanks|thank you|thx|appreciate|i appreciate|i really appreciate|much appreciated) .*".into(),
        // What the answer does for the speaker.
        "^(?:that|this|your answer) (?:really |definitely |totally |actually |already |also |all )*(?:helps?|helped)(?: (?:a|lot|bit|me|us|so|much|very|perfectly|great|fine|well|for|now|out|enormously|indeed))*$".into(),
        // What the speaker will do in this conversation.
        "^(?:i'll|i will|will) (?:definitely |be sure to |make sure to |surely |totally )*(?:let you know|keep you|check|reach out|be there for|be here|always be (?:here|there)|catch you|see you|keep (?:that|this|it)|give (?:it|that|them) a|try (?:it|that|them)|tell you|take your|do my best|never forget).*".into(),
        "^(?:gotta|have to|need to) (?:try|check) .*".into(),
        "^(?:we|we'll|together) (?:can|will|could|both)? ?.*\\b(?:together|each other|make a difference|got this)\\b.*".into(),
        "^keep (?:up|it|on|going|at|pushing|chasing|doing|being|working|me|us|believing|following|shining|inspiring|rocking|spreading|that|moving) ?.*".into(),
        "^(?:you must (?:be|feel|have)|you've got (?:this|a great|such)|you deserve|you make me|you seem|you look|you sound) .*".into(),
    ]
}

static REACTIONS: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(patterns()).ok());

/// Openings that say nothing by themselves.
const OPENINGS: &[&str] = &[
    "wow",
    "oh",
    "yeah",
    "yes",
    "yep",
    "yup",
    "hey",
    "hi",
    "hello",
    "well",
    "and",
    "so",
    "also",
    "plus",
    "sure",
    "ok",
    "okay",
    "cool",
    "haha",
    "aw",
    "aww",
    "awww",
    "ah",
    "nice",
    "great",
    "man",
    "totally",
    "definitely",
    "absolutely",
    "right",
    "true",
    "btw",
    "honestly",
    "still",
    "anyway",
    "thanks",
    "whoa",
    "woah",
    "omg",
    "gosh",
];

/// Longer clauses say more than a reaction.
const LONGEST: usize = 24;

/// Is a statement only a reaction? Names, numbers, times and relatives in it make it news.
pub(super) fn is_reaction(tokens: &[Token]) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|token| super::news::is_spoken(token.kind)).collect();
    if words.len() > LONGEST || words.is_empty() || holds_news(tokens) {
        return false;
    }
    let opening = words.iter().take_while(|token| OPENINGS.contains(&token.folded.as_str())).count();
    let rest: Vec<&str> = words
        .iter()
        .skip(opening)
        .filter(|token| !addressed(tokens, token))
        .map(|token| token.folded.as_str())
        .collect();
    let line = rest.join(" ");
    REACTIONS.as_ref().is_some_and(|reactions| reactions.is_match(&line))
}

fn holds_news(tokens: &[Token]) -> bool {
    let first = tokens.iter().find(|token| super::news::is_spoken(token.kind)).map(|token| token.span.start);
    tokens.iter().any(|token| {
        let name = token.capital
            && token.kind == TokenKind::Word
            && Some(token.span.start) != first
            && !is_first_person(&token.folded);
        token.kind == TokenKind::Number
            || is_time(&token.folded)
            || people::relative(token.folded.strip_suffix("'s").unwrap_or(&token.folded)).is_some()
            || matches!(
                token.folded.as_str(),
                "dog" | "cat" | "pup" | "puppy" | "our" | "my" | "me" | "she" | "her" | "he" | "him" | "his"
            )
            || (name && !addressed(tokens, token) && !follows_opening(tokens, token))
    })
}

fn is_first_person(folded: &str) -> bool {
    folded == "i" || folded.starts_with("i'")
}

/// A name between commas, or at the end after one: the listener's.
fn addressed(tokens: &[Token], token: &Token) -> bool {
    let Some(at) = tokens.iter().position(|other| other.span == token.span) else { return false };
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let after = tokens.get(at + 1);
    token.capital
        && before.is_some_and(|before| before.folded == ",")
        && after.is_none_or(|after| matches!(after.folded.as_str(), "," | "!" | "." | "?" | "-"))
}

/// "Wow Odile", "Hey Tomas": the name after an opening.
fn follows_opening(tokens: &[Token], token: &Token) -> bool {
    let Some(at) = tokens.iter().position(|other| other.span == token.span) else { return false };
    at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| OPENINGS.contains(&before.folded.as_str()))
}

/// Words that place something in time.
pub(super) fn is_time(folded: &str) -> bool {
    const TIMES: &[&str] = &[
        "yesterday",
        "today",
        "tonight",
        "tomorrow",
        "last",
        "next",
        "ago",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "morning",
        "weekend",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "summer",
        "winter",
        "spring",
        "autumn",
        "birthday",
        "since",
        "soon",
    ];
    TIMES.contains(&folded)
}
