//! Personas without rules: who the model is told to be, weighed with the vocabulary of such prompts, because no single word of them is proof.

use std::sync::LazyLock;

use regex::bytes::RegexSet;

use super::orders::compiled;

/// Puts a lasting persona on the model; each is enough together with one mark of [`MARKS`].
const PERSONAS: &[&str] = &[
    r"\b(?:you are|you're|you will be|you shall be|you have become) now\b|\bnow you (?:are|will be|act)\b|\byou are (?:no longer|about to)\b",
    r"\bfrom (?:now|this (?:point|moment))(?: on| onwards?| forward)?,?\b.{0,40}\b(?:you|your|respond|reply|answer|act|chatgpt)\b|\b(?:henceforth|from here on)\b.{0,20}\byou\b",
    r"\byou (?:will|are going to|must|shall|have to|should|need to|can) (?:now )?(?:act|play|pose|simulate|emulate|become|impersonate|pretend|be called|roleplay|role-play|take on|assume|respond as|answer as|embody|behave|operate|write as)\b",
    r"\b(?:act|acting|pose|behave|respond|reply|answer|speak|operate|roleplay|role-play|work|function) (?:only |exactly |just |now |solely )*as (?:if you|an?|the|my|one|two|though)\b",
    r"\b(?:pretend|imagine|suppose|assume|let's (?:say|pretend|act)|lets (?:say|pretend|act))\b.{0,30}\b(?:you|you're|your|we are|to be|ai|chatbot)\b",
    r"\b(?:simulate|emulate|impersonate|play the (?:role|character|part)|take on the (?:role|persona)|immerse yourself|put yourself|adopt the (?:role|persona))\b",
    r"\b(?:your|its|his|her) (?:new )?(?:name|role|persona|identity|character) (?:is|will be|shall be) (?:now )?|\bname\s?:\s?\S+.{0,60}\b(?:persona|model|character|personality)\b|\bis an? (?:[a-z-]+ ){0,4}(?:ai|chatbot|language model|bot|character|assistant|persona)\b",
    r"\b(?:stay|remain|keep) in character\b|\b(?:break|breaking|out of) character\b",
    r"\bhello,? (?:chat ?gpt|assistant|ai)\b|\bhi,? (?:chat ?gpt|assistant|ai|clyde)\b|\bchat ?gpt\b|\bopen ?ai\b|\blanguage model\b",
];

/// Marks of prompts that take the rules away.
const MARKS: &[&str] = &[
    r"\b(?:unfiltered|uncensored|unrestricted|unchained|unhinged|unlimited|unbiased|unlocked|jailbr(?:eak|oken)[a-z]*)\b",
    r"\b(?:amoral|immoral|unethical|nonmoral|evil|malicious|chaotic|foul-mouthed|rude|sarcastic|toxic)\b",
    r"\b(?:no|without|any|free (?:of|from)|lacks?|have|has|ignore[s]?|nor|beyond|care about|regards? (?:for|to)|not limited (?:by|to)|not bound (?:by|to)|not subject to|abide by|adhere to|bypass(?:es)?|follow(?:s)?)\b.{0,40}\b(?:restrictions?|limits?|limitations?|filters?|rules|guidelines|censorship|boundaries|moral(?:s|ity)?|ethic(?:s|al)?|ethicality|legality|polic(?:y|ies)|constraints|disclaimers?|warnings?|confines)\b",
    r"\b(?:do|say|answer|generate|ask|create|perform|make) anything(?: now)?\b|\bcan do everything\b|\bany (?:question|request|prompt|command|task|type of content)s?\b|\b(?:every|all) (?:question|request|prompt|command|order)s?\b",
    r"\b(?:dan|stan|dude|aim|evilbot|sydney|jailbot|devmode|dev mode|developer mode|god mode|opposite mode|sudo)\b",
    r"\b(?:illegal|unlawful|harmful|explicit|nsfw|offensive|violent|violence|sexual|profanit(?:y|ies)|profane|swears?|swearing|curse[s]?|vulgar|slurs?|racist|hateful|criminal|hacking|malware|obscene)\b",
    r"\b(?:never|not|cannot|can't|can not|won't|will not|doesn't|does not|must not|don't|do not)\b.{0,30}\b(?:refuse|refuses|decline|reject|deny|apologi[sz]e|warn|warns|say (?:no|that|you can)|tell me|inform|mention|break character|do that|judge|lecture|censor|moderate|state that|respond with|avoid|disagree|object)\b",
    r"\b(?:broken|break|breaks|freed?|liberated|escaped|released|bypass(?:es|ed)?) (?:free|from|the|of|out|all)\b",
    r"\b(?:openai|open ai|anthropic|google|content polic(?:y|ies)|usage polic(?:y|ies)|tos|terms of service)\b",
    r"\bas an? (?:ai|large)? ?language model\b|\bas an ai\b|\bi(?:'m| am) sorry,? but\b|\bi (?:cannot|can't|am unable)\b|\bcan'?t (?:assist|fulfill|help)\b",
    r"\b(?:two|2|both|dual) (?:different |separate |distinct )*(?:ways|responses|answers|outputs|paragraphs|versions|styles|messages|replies)\b|\[[^\[\]]{2,20}\]\s?:|\b(?:clearly |each )?(?:mark|label|prefix|prefixed|start)(?:ed)? (?:each|your|every|it|the|with)\b",
    r"\b(?:lose|loses|gain|have|start with|deduct(?:ed)?|points?|tokens?|lives?|credits?)\b.{0,30}\b(?:tokens?|points|lives|power|credits)\b",
    r"\b(?:stay in|remain in|break|out of) character\b|\bstay a [a-z]+\b",
    r"\b(?:must|will|always|shall)\b.{0,30}\b(?:obey|comply|answer|follow|respond|provide|accept|fulfill|do (?:what|as|anything))\b",
    r"\b(?:hypothetical|fictional|fiction|story|scenario|roleplay|role-play|rp|game|simulation|simulated|imaginary|character|persona)\b",
    r"\b(?:my (?:first|next) (?:question|request|prompt|command|message|order)|first (?:question|prompt|request|task)|confirm (?:by|that you)|if you understand|say \S+ if|reply with|do you understand|understood\?|to begin|respond (?:with|only)|only (?:reply|respond|answer|output)|let's (?:begin|start))\b",
    r"\b(?:emotions?|feelings|opinions?|opinionated|personality|human(?:-like)?|self-aware|sentient|conscious|free will)\b",
    r"\b(?:master|creator|slang|emojis?|markdown|parameters?|prompt|prompts|output|mode|commands?|activate[sd]?|enabled?|disabled?)\b",
];

/// A persona with this many marks overrides the rules.
const ENOUGH_WITH_PERSONA: usize = 3;
/// So many marks do without a persona.
const ENOUGH_ALONE: usize = 7;

/// Short texts that set a persona without rules outright.
const OUTRIGHT: &[&str] = &[
    r"\b(?:you are|you're|you will be|you shall be|become|act as|pretend (?:you are|to be)|pretend you're|respond as|play|called|be)\b.{0,60}\b(?:(?:with )?no (?:[a-z]+ ){0,2}(?:restrictions?|rules|limits?|limitations|filters?|content polic(?:y|ies)|polic(?:y|ies)|guidelines|morals|ethics)|without (?:any )?(?:[a-z]+ ){0,2}(?:restrictions?|rules|limits?|filters?|ethics|morals|guidelines|censorship)|unrestricted|unfiltered|uncensored|amoral|in developer mode|jailbroken)\b",
    r"\byou are (?:now )?(?:called |named )?dan\b|\bdo anything now\b|\bcalled dan\b|\b(?:developer|god|dan|jailbreak|unrestricted|sudo|root|maintenance|debug) mode (?:is |has been |now )*(?:on|enabled|activated|unlocked)\b|\bin (?:developer|unrestricted|god|dan|jailbreak) mode\b",
    r"\byou are (?:captain|lord|master|king|queen|agent|doctor|professor) [a-z]+\b.{0,40}\b(?:and|no|rules|must|will|without)\b",
    r"\bfrom now(?: on)?,? (?:you are|you're|you will be|you shall be|you(?: will)? (?:reply|act|respond|answer|speak|behave) as|you are (?:going )?to (?:act|change|pretend|be|become))\b|\byou are now (?:an?|the|my|called|named|known as|going to (?:act|play|pretend|be)) |\byour name is (?:now|from now)\b|\byou are hereby (?:an?|the|called|named)\b",
    r"\bhow would an? (?:ai|assistant|model) without (?:ethics|rules|restrictions|morals|filters)",
    r"\b(?:can|to|will|may) override the (?:restrictions|rules|limits|policies|safety)",
    r"\bthe (?:assistant|ai|bot|model|system) (?:is|must be|has to be|should be|will be|becomes|acts as|plays|poses as|pretends to be) (?:now )?(?:called |named )?(?:captain|dan|lord|master|king|queen|an? (?:unrestricted|unfiltered|evil|amoral|pirate|demon|hacker|character))\b",
];

static PERSONA: LazyLock<RegexSet> = LazyLock::new(|| compiled(&owned(PERSONAS)));
static MARK: LazyLock<RegexSet> = LazyLock::new(|| compiled(&owned(MARKS)));
static SHORT: LazyLock<RegexSet> = LazyLock::new(|| compiled(&owned(OUTRIGHT)));

fn owned(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
}

/// Does the reading make the model somebody else, beyond its rules?
pub(super) fn overrides(reading: &str) -> bool {
    if SHORT.is_match(reading.as_bytes()) {
        return true;
    }
    let marks = MARK.matches(reading.as_bytes()).iter().count();
    marks >= ENOUGH_ALONE || (marks >= ENOUGH_WITH_PERSONA && PERSONA.is_match(reading.as_bytes()))
}
