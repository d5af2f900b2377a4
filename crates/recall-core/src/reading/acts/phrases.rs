//! Set phrases that carry no news: greetings, thanks, assent, comments on the other's words, talk about the chat. Kept as patterns over folded words, because whole clauses have to be covered by them.

use std::sync::LazyLock;

use regex::Regex;

use super::Act;

/// Weakens or strengthens and never informs.
const FILLER: &str = "and|but|so|oh+|ah+|aw+|well|um+|uh+|hm+|mm+|er+|like|just|really|very|you know|i mean|then|now|anyway|\
    anyways|please|pls|plz|man|dude|bro|buddy|mate|pal|again|too|also|though|yet|for now|all|or|look|listen|\
    by the way|btw|guys?|folks|everyone|everybody|there|dear|friend|my friend|sir|honey|girl|boy|today|\
    definitely|totally|truly|as well|actually";

/// Hello and goodbye.
const GREETING: &str = "hi+(?: there)?|he+y+(?: there| you)?|hello+(?: there)?|hiya|howdy|yo|greetings|welcome(?: back)?|\
    good (?:morning|afternoon|evening|day|night)|morning|evening|gn|gm|good ?bye|bye+|bye bye|byebye|bb|cheerio|\
    ciao|cya|ttyl|farewell|night(?: night)?|\
    see (?:you|ya|u)(?: all| guys)?(?: around| later| soon| then| there| tomorrow| tonight| next time| again| next week)*|\
    (?:catch|talk to|speak to|chat with) (?:you|ya|u)(?: later| soon| again| tomorrow| then)*|\
    (?:talk|chat|speak)(?: to you)? (?:soon|later|again)|later|laters|so long|until next time|\
    take (?:good |it )?(?:care|easy)(?: of yourself)?|\
    (?:you )?have (?:a|an) (?:[a-z']+ ){0,2}(?:day|night|evening|weekend|one|time|trip|flight|week|morning|afternoon|vacation|holiday|summer|christmas)|\
    enjoy (?:the|your) (?:rest of (?:the|your) )?(?:day|evening|weekend|night)|\
    how (?:are|r|is|have|has|'?ve) (?:you|u|ya|things|it|everything|everyone|life|your [a-z']+)(?: been| doing| going| today| these days| lately| all| holding up| with you| so far)*|\
    how you doing|\
    how'?s (?:it|everything|life|things|your [a-z']+)(?: going| been| with you| treating you| hanging)*|\
    how do you do|what'?s (?:up|new|good|going on|happening|cooking|cracking)(?: with you)?|what is (?:up|new)|\
    wh?assup|sup|anything new|what have you been up to|how goes it|\
    (?:so )?(?:nice|good|great|lovely|glad|awesome|wonderful|happy|pleasure|a pleasure) (?:to (?:see|meet|hear from|chat with|talk to|talk with|catch up with|speak with|speak to|be talking to)|seeing|meeting|talking to|talking with|chatting with|hearing from|catching up with) (?:from )?(?:you|ya|u)(?: too| again| as well)*|\
    (?:it'?s |it was |it has been |it'?s been )?(?:so |really |very )?(?:nice|good|great|lovely|fun|a pleasure|enjoyable)(?: to be)? (?:talking|chatting|speaking|talk|chat|catching up)(?: to| with)?(?: you| ya)?(?: too| again)*|\
    i(?:'ve| have)?(?: really| certainly)? enjoyed (?:talking|it|chatting|this|our [a-z']+|the [a-z']+|speaking)(?: to| with)?(?: you)?|\
    long time no (?:see|talk|chat|speak|hear)|\
    (?:it'?s )?been (?:a while|ages|too long|so long|forever|a long time|some time)(?: since we (?:last )?(?:talked|chatted|spoke|saw each other|caught up|met))?|\
    it has been (?:a while|ages)|\
    hope (?:you(?:'re| are)? (?:are |all )?(?:doing )?(?:well|ok|okay|good|great|alright|fine)|all(?: is|'s)? (?:well|good)|all is well with you|your day is going well)|\
    (?:and )?(?:how about|what about|and) (?:you|yourself|u)|\
    (?:i )?(?:got to|gotta|have to|need to|must|should|better) (?:go|run|head (?:out|off))(?: now)?|you too|\
    same to you|u too|\
    (?:happy|merry) (?:birthday|new year|christmas|easter|holidays|friday|monday|weekend|thanksgiving|halloween|anniversary)|\
    peace|hallo|guten (?:tag|morgen|abend)|gute nacht|tsch(?:ü|ue)ss?|hola|\
    buen(?:o|a)s (?:d[ií]as|tardes|noches)|adi[oó]s|hasta luego|bonjour|bonsoir|salut|au revoir|buongiorno|\
    buonasera|ol[aá]|bom dia|boa (?:tarde|noite)|hoi|hej(?: hej)?|moin|namaste|salaam|shalom|aloha|merhaba";

/// Assent, dissent, thanks, surprise: answers to words that were said, without words of one's own.
const ACKNOWLEDGEMENT: &str = "ok+|okay+|okie|okey|k+|kk|oki|okie dokie|okey dokey|ye+s+|ye+a+h*|ye+p+|yup|ya|yah|yea|aye|no+|nope|nah|na|\
    naw|sure(?: thing)?|for sure|of course|right(?: on)?|all ?right(?:y)?|alrighty|aight|righto|right right|\
    exactly|precisely|correct|indeed|absolutely|certainly|agreed|true|totally|obviously|naturally|\
    (?:very |so |too |quite )?true that|uh ?huh|huh ?uh|mm ?hm+|m+-?h+m+|mhm+|uhhuh|unh unh|uh uh|huh|hmph|hu+h|\
    oo+h*|oops|ouch|ow|yikes|jeez|geez|gee|gosh|golly|goodness|(?:my|oh my) (?:god|gosh|goodness|word)|omg|\
    oh my|my|wo+w+|wo+a+h*|whoa+|woo+(?: ?hoo+)?|yay+|hooray|hurray|yippee|ha+|(?:ha)+h?|(?:he){2,}|hehe|lol+|\
    lmao|rofl|phew|whew|ugh+|eh|meh|aha|bingo|yum|shoot|darn|damn|dang|boy|man oh man|good grief|good heavens|\
    good lord|heavens|no way|get out|really|seriously|is that (?:right|so|true)|you'?re kidding(?: me)?|\
    are you (?:serious|kidding(?: me)?)|no kidding|\
    (?:oh )?(?:did|do|does|is|are|was|were|have|has|can|will|would|could|should)(?:n't)? (?:you|it|he|she|they|that|there|we|i|this)|\
    is it|\
    thank(?: you|s|u| u| ya)+(?: so| very)?(?: much| kindly)?(?: again)?(?: for (?:the|your|all your|all the|being|believing in|having|always|asking|sharing|telling me|letting me know|that|this|it|everything|your time|your help)(?: [a-z']+){0,7})?|\
    thanks|thx+|ty+|ta+|tysm|tks|cheers|much obliged|many thanks|thanks (?:a lot|a bunch|a million|a ton|heaps)|\
    (?:much |i (?:really |so |truly )?|really )?appreciate(?:d)?(?: it| that| you| this)?(?: so much| a lot)?|\
    i (?:really |so |truly )?appreciate (?:it|that|you|the [a-z']+|your [a-z']+)(?: and [a-z']+)?|\
    (?:you(?:'re| are)|ur|you) (?:so |very |most |always )?welcome|welcome|\
    no (?:problem|prob|worries|biggie|need|doubt)|np|nw|don'?t mention it|my pleasure|any ?time|not at all|\
    never ?mind|nvm|forget it|(?:it )?means (?:a lot|so much|the world|everything)(?: to me)?|\
    danke(?: sch(?:ö|oe)n)?|gracias|muchas gracias|merci(?: beaucoup)?|grazie(?: mille)?|obrigad[oa]|\
    dank je(?: wel)?|bedankt|tack|tak|arigato|can you (?:imagine|believe (?:it|that))|would you believe it|\
    i (?:see|understand|get it|know|agree|agree with (?:you|that)(?: there| completely| totally)?|guess(?: so| not)?|think so|bet|bet (?:it|that|you|he|she|they) (?:was|is|are|do|did|does|were|will|would)|hope so|suppose(?: so)?|believe (?:so|it|that)|imagine(?: so| that)?|suspect so|know what you mean|hear (?:you|ya)|feel you|know how (?:that|it) (?:is|feels|goes)|can imagine|can see that|understand that|don'?t think so|wish|doubt it|didn'?t know that|did not know that|hadn'?t heard that|never thought of (?:it|that)(?: that way)?)|\
    dunno|idk|(?:oh )?got(?:cha| it| you)|gotcha|understood|noted|roger(?: that)?|copy that|will do|\
    makes? (?:a lot of |perfect |total |some )?sense|me (?:too|neither|either)|same(?: here| for me)?|\
    so (?:do|am|did|have|would|can) i|neither (?:do|am|did|have|can) i|likewise|ditto|as well|you bet|\
    you know it|hell yeah|you (?:said it|got it|know)|that'?s it|that is it|bless (?:you|your heart)|i'?m telling you|(?:i )?thank you|i'?m (?:doing )?(?:fine|good|ok|okay|well|great)|i'?ll be darned|that'?s all|there you go|here we go|\
    let'?s (?:go|do (?:it|this)|see)|\
    (?:good|great|excellent|fair|valid) (?:point|enough|idea|thinking|question|one|call|choice|luck|job|work|stuff|thing|news|deal)(?: (?:with|on|to) (?:it|that|you|everything|the [a-z']+|your [a-z']+|your [a-z']+ [a-z']+))?|\
    best of luck|good for (?:you|him|her|them)|all the best|best wishes|\
    congrat(?:s|ulations|z)?(?: again)?(?: on (?:that|this|it|the [a-z']+|your [a-z']+(?: [a-z']+)?|your new [a-z']+|winning|getting [a-z']+(?: [a-z']+)?|finishing [a-z']+(?: [a-z']+)?))?|\
    kudos(?: to you)?|bravo|well done|nice (?:one|work|job|going|try)|way to go|\
    (?:so )?sorry(?: to hear (?:that|it|about (?:it|that|your [a-z']+|your [a-z']+ [a-z']+)))?|\
    sorry about (?:that|it|your [a-z']+)|my bad|oh no+|oh dear|poor (?:you|thing)|bummer|\
    what a (?:pity|shame|bummer|relief|surprise|coincidence)|too bad|pity|no pun intended|fingers crossed|\
    hope so|go for it|keep (?:it up|going|pushing|at it|up the (?:good|great) work|on [a-z']+ing)|\
    you(?:'ve| have)? got this|you can do (?:it|this)|\
    sounds like (?:a (?:plan|blast|deal|good (?:plan|idea|time)|great (?:plan|idea|time)|lot of fun)|fun|you(?:'re| are)? (?:having|had|have) (?:a )?(?:fun|great time|blast|good time))|\
    deal|done|yes please|no thanks|no thank you|\
    that'?s (?:what i|what i'?m|why i|how i) (?:thought|think|thinking|said|say|saying|heard|feel|was thinking|was saying)|\
    that'?s (?:right|true|it|correct|for sure|a fact|so true)|\
    (?:you(?:'re| are)|ur) (?:so |absolutely |totally |probably |completely )?right(?: about (?:that|it))?|\
    isn'?t it|or something(?: like that)?|or whatever|\
    and (?:so on|so forth|stuff|things|everything)(?: like that)?|etc|things? like that|stuff like that|\
    that'?s (?:neat|good|funny)|hear hear|touch[eé]|voil[aà]|bon app[eé]tit|here(?: you go| it is| we are)?|\
    there it is";

/// Adverbs before a judging word.
const DEGREE: &str = "(?:(?:so|really|very|pretty|quite|too|just|super|such|all|totally|truly|absolutely|definitely|always|kind of|kinda|sort of|rather|that|a bit|a little|extremely|incredibly|amazingly|not|even|certainly|probably|also|still|never|more|much|most|well) )*";

/// Judging words, alone or after "that's".
const JUDGING: &str = "(?:great|good|cool|nice|awesome|amazing|fantastic|wonderful|lovely|perfect|excellent|brilliant|incredible|impressive|inspiring|beautiful|gorgeous|stunning|fine|fun|funny|hilarious|sweet|neat|rad|sick|dope|lit|epic|super|terrific|terrible|awful|horrible|bad|sad|tough|rough|hard|crazy|insane|wild|weird|strange|odd|scary|interesting|fascinating|exciting|thrilling|terrifying|adorable|cute|tasty|yummy|delicious|doable|helpful|useful|clever|smart|wise|thoughtful|kind|touching|heartwarming|relaxing|peaceful|refreshing|rewarding|motivating|encouraging|uplifting|magical|special|unreal|unbelievable|remarkable|outstanding|marvelous|marvellous|splendid|superb|stellar|solid|legit|true|right|fair|wrong|ok|okay|alright|understandable|reasonable|sensible|normal|natural|important|key|huge|big|essential|priceless|precious|satisfying|enjoyable|pleasant|cozy|delightful|tempting|yucky|gross|disgusting|annoying|frustrating|disappointing|unfortunate|painful|stressful|nerve-wracking|intense|strong|powerful|dedicated|talented|creative|better|best|worse|worst|sure|glad|happy|proud|excited|pumped|thrilled|stoked|impressed|surprised|inspired|curious|jealous|speechless|grateful|thankful|worth it|worthwhile|possible|common|different|similar|new|familiar|clear|handy|convenient|easy|simple|safe|quick|hot|warm|cold|fresh|healthy|vibrant|colorful|breathtaking|spectacular|magnificent|charming|elegant|meaningful|memorable|unforgettable|a (?:shame|pity|bummer|relief|lot|thought|plan|deal|start|bit much|must))";

/// Nouns a judging word may carry with it.
const JUDGED: &str = "(?: (?:one|idea|news|stuff|thing|things|way|point|work|job|plan|choice|attitude|experience|feeling|time|place|story|accomplishment|achievement|goal|step|start|news|memory|memories|combo|combination|gift|gesture|view|picture|photo|pic|shot|moment|person|reminder|mindset|outlook|approach|perspective|question|advice|suggestion|tip|sight|spot|sound|team|group|friend|partner|duo|adventure|journey|reason|skill|hobby|passion|inspiration|example|bond|deal|surprise))?";

/// What may follow a judgement without making it news.
const AFTERWARDS: &str = "(?: (?:to (?:hear|see|know|say|read|look at|watch|think|have|be)(?: (?:it|that|about it|about that|this|all that|so))?|for (?:you|him|her|them|me|us|sure)|of (?:you|him|her|them)|about (?:it|that|this|you)|by (?:it|that|you|this)|isn'?t it|huh|right|then|too|indeed|though|as well|with (?:you|me|that|it)|in (?:that|this) way|like that|i (?:guess|think|suppose|bet|must say)))*";

fn judged() -> String {
    format!("{DEGREE}(?:a |an )?{DEGREE}{JUDGING}(?: (?:and|but) {DEGREE}{JUDGING})?{JUDGED}{AFTERWARDS}")
}

/// Said calmly, these judge the thing; exclaimed, they answer the other's words.
fn exclamation() -> String {
    format!(
        "(?:it|they)(?:'?s|'?re| is| are| was| were| must be| must have been| would be| has been|'?s been| sounds?| looks?| feels?) {}",
        judged()
    )
}

fn reactions() -> Vec<String> {
    let judged = judged();
    vec![
        judged.clone(),
        format!(
            "(?:(?:oh )?(?:that|this|which|these|those|everything)(?:'?s|'?re| is| are| was| were| must be| must have been|'?ll be| will be| would be|'?d be| has been|'?s been| sure is| really is| has to be| had to be| gotta be| can be| could be|'?s gonna be| is going to be|'?s got to be| may be| might be| seems?| sounds?| looks?| feels?| turned out| does (?:sound|look|seem)| really (?:sounds?|looks?|seems?)| actually (?:sounds?|looks?|seems?)) ){judged}"
        ),
        format!("(?:sounds?|looks?|seems?|feels?|smells?|tastes?|must be|must have been|bet (?:it|that|you) (?:was|felt|were|feels?|is|are)) (?:like )?{judged}"),
        format!("(?:what|such) (?:a |an )?{DEGREE}{JUDGING}{JUDGED}{AFTERWARDS}"),
        format!("how {DEGREE}{JUDGING}{AFTERWARDS}"),
        format!("(?:you(?:'re| are| were|'ve been| look| sound| guys are)|ur) {judged}"),
        format!("(?:i(?:'m| am| was)? )?(?:so |really |very |super |truly |just )*(?:glad|happy|proud|excited|thrilled|stoked|pumped|sorry|pleased|delighted|impressed|jealous)(?: (?:for|of|to hear|to see|about|that|with|by) (?:you|that|it|this|your [a-z']+|the [a-z']+|your [a-z']+ [a-z']+|you and [a-z']+))*(?: too| as well)?"),
        "(?:i )?(?:really |just |so )?(?:can'?t|cannot|can not) wait(?: to (?:hear|see|know|find out|read|try)(?: (?:it|that|you|them|more|all|about it|the [a-z']+|your [a-z']+|what you [a-z']+|how it [a-z']+|what [a-z']+ next|from you))*)?(?: too)?".into(),
        "(?:i'?m )?(?:so |really )?looking forward to (?:it|that|hearing (?:from you|about it|more|it|all about it)|seeing (?:it|you|them|that))(?: too)?".into(),
        "(?:i )?(?:really |so )?(?:love|like|loved|liked|enjoyed) (?:it|that|this|the (?:idea|sound) of (?:it|that))(?: too| so much| a lot)?".into(),
        "(?:keep|let) (?:me|us) (?:know|posted|updated)(?: how it goes| if you need (?:anything|help)| what you think)?".into(),
    ]
}

/// Talk about the chat itself: how it goes on, not what is in it.
const META: &str = "go on|go ahead|carry on|continue|proceed|next(?: one| topic| question| point| step)?|\
    (?:tell|give) me more(?: about (?:it|that))?|more|one more|another(?: one)?|\
    (?:say|try|do) (?:that|it|this)? ?again|try again|again|once more|repeat(?: that| it| please)*|\
    wait+(?: a (?:sec|second|minute|moment|bit))?|hold on(?: a (?:sec|second|minute|moment))?|\
    hang on(?: a (?:sec|second|minute|moment))?|(?:one|just a|give me a) (?:sec|second|minute|moment)|brb|back|\
    i'?m back|afk|\
    (?:let'?s |let us |can we |could we |shall we |i want to |i'd like to |we (?:can|could|should) )?(?:please )?(?:switch|change|move on|get back|go back|return|turn|start over|talk about|jump|skip|drop|leave|pause|stop)(?: (?:to|on|over|with|about|at|there|here|that|this|it|for now|now|topics?|the|another|something|subject|topic|else|a|different|other|next|previous|last|first|beginning|start|question|point|part|thing|one|subjects|today|back|earlier|what|were|we|before|issue|matter|conversation|chat|thread))*|\
    (?:wait )?back to (?:the (?:start|beginning|topic|question|point|list|first|previous|main|other)(?: [a-z']+)?|my (?:question|point|list|original question)|square one|business|work|it)|\
    where were we|where was i|what (?:were|was) (?:we|i|you) (?:saying|talking about)|\
    (?:that'?s|that is|that was|that will be|that'?ll be) (?:all|it|everything|enough)(?: for (?:today|now|me|tonight|the moment))?|\
    (?:i'?m|we'?re|all) done(?: here| for (?:today|now))?|\
    (?:too|a bit|a little|way too) (?:long|short|complicated|vague|formal|wordy)|\
    (?:make (?:it|that|this) )?(?:a bit |a little |much )?(?:shorter|longer|simpler|clearer|more (?:formal|detailed|concise|specific))|\
    (?:in )?(?:more|less) detail|\
    (?:can|could) you (?:repeat|rephrase|elaborate|clarify|say)(?: (?:that|it|again|on that|more|this))*|\
    (?:i )?(?:don'?t|didn'?t) (?:understand|get it|follow|get that)|what do you mean(?: by that)?|\
    (?:are you|you) (?:still )?there|(?:hello )?anyone there|test(?:ing)?(?: [0-9]+)*|\
    (?:new|different|other|another) (?:topic|question|subject|chat)|\
    (?:start|begin)(?: again| over| from scratch)?|stop|enough|scratch that|\
    ignore (?:that|my last message|the last message)|wrong (?:chat|window|thread)|never ?mind|\
    skip(?: it| that| this)?|off topic|quick question|one more thing|\
    (?:i have|i'?ve got|got) (?:a|another|one more|a quick) question(?: for you)?|\
    where did we (?:stop|leave off)|(?:as|like) i (?:said|mentioned)(?: before| earlier)?|\
    you already (?:said|told me) that|(?:read|see) above|same (?:question|as before)|regenerate|undo";

/// Whom the words are addressed to: a capitalised word, marked so by the caller.
const VOCATIVE: &str = "\\^[^ ]+(?: \\^[^ ]+)?";

/// Assent that repeats the verb and nothing else: "it really does".
const ECHO: &str = "(?:it|he|she|they|that|you|there|this) (?:really |probably |sure |certainly |definitely |always )?(?:does|do|did|is|was|are|were|would|will|has|have|can|should|don'?t|doesn'?t|didn'?t|isn'?t|wasn'?t)(?: too| not| indeed)?";

struct Phrases {
    echo: Regex,
    acknowledgement: Regex,
    exclaimed: Regex,
    greeting: Regex,
    meta: Regex,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let reactions = reactions().join("|");
    let acknowledgement = format!("{ACKNOWLEDGEMENT}|{reactions}|{FILLER}");
    let exclaimed = format!("{}|{acknowledgement}", exclamation());
    let greeting = format!("{GREETING}|{acknowledgement}");
    let meta = format!("{META}|{greeting}");
    Phrases {
        echo: covering_once(ECHO),
        acknowledgement: covering(&acknowledgement),
        exclaimed: covering(&exclaimed),
        greeting: covering(&greeting),
        meta: covering(&meta),
    }
});

/// Set phrases, one after the other, up to the end.
fn covering(alternatives: &str) -> Regex {
    compiled(&format!("^(?:(?:{alternatives})(?: {VOCATIVE})?(?: |$))+$"))
}

/// One phrase after words that say nothing.
fn covering_once(phrase: &str) -> Regex {
    compiled(&format!("^(?:(?:{FILLER}|yes|yeah|no|sure) )*(?:{phrase})(?: {VOCATIVE})?$"))
}

#[expect(clippy::expect_used, reason = "the patterns are constants and compiled by every test run")]
fn compiled(pattern: &str) -> Regex {
    regex::RegexBuilder::new(pattern)
        .size_limit(64 << 20)
        .dfa_size_limit(16 << 20)
        .build()
        .expect("set phrases compile")
}

/// Longer clauses are never set phrases; the limit keeps the match cheap.
const LONGEST: usize = 30;

/// How a clause is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// With an exclamation mark.
    Exclaimed,
    /// Without one.
    Plain,
}

/// What a clause does that consists of set phrases only. Words are folded; names among them are marked with `^`.
pub(super) fn set_phrase(words: &[String], tone: Tone) -> Option<Act> {
    if words.is_empty() || words.len() > LONGEST {
        return None;
    }
    let line = words.join(" ");
    if PHRASES.acknowledgement.is_match(&line) || PHRASES.echo.is_match(&line) {
        return Some(Act::Acknowledgement);
    }
    if tone == Tone::Exclaimed && PHRASES.exclaimed.is_match(&line) {
        return Some(Act::Acknowledgement);
    }
    if PHRASES.greeting.is_match(&line) {
        return Some(Act::Greeting);
    }
    PHRASES.meta.is_match(&line).then_some(Act::Meta)
}
