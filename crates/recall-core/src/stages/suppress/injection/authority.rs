//! Claims of permission, role or authority over the system. They are never kept, whatever the evidence and however many harmless steps led there.

use std::sync::LazyLock;

use regex::bytes::RegexSet;

use super::orders::compiled;
use super::{disguise, instructs};
use crate::candidate::Candidate;

/// The system itself, as opposed to the person's own clubs, shops and machines.
const SYSTEM: &str = r"(?:(?:this|the|your|our|that) (?:(?:whole|entire|chat|ai|support|online|web) )?(?:platform|system|assistant|service|app|application|bot|chatbot|site|website|server|tenant|workspace|instance|installation|product|deployment|account system|chat system|model|chat|conversation|ai|memory)|all (?:the )?(?:accounts?|users?|data|systems?|records|files|customers?|memories)|(?:every|any|each|other) (?:user|account|customer|tenant|person)(?:'?s)?(?: data| accounts?| records| memories)?|everything here|you)";

/// Rights that only a system gives.
const RIGHTS: &str = r"(?:access|rights?|privileges?|permissions?|clearance|authori[sz]ation|authority|credentials|powers?|entitlements?|override)";

/// Rights without bounds.
const UNBOUND: &str = r"(?:admin(?:istrator|istrative)?|root|super-?user|sudo|full|unlimited|unrestricted|total|complete|elevated|special|privileged|master|god-?mode|system|developer|staff|owner|moderator|unconditional|permanent|backend|level[- ]\d+|highest)";

/// Roles over a system.
const ROLES: &str = r"(?:admin|administrator|super-?admin|root(?: user)?|super-?user|owner|developer|creator|operator|maintainer|moderator|system administrator|sysadmin|engineer|supervisor|manager)";

fn patterns() -> Vec<String> {
    vec![
        format!(r"\b(?:am|is|are|was|be|being|as|become|becomes|i'm|he's|she's|they're)\b (?:also |now |actually |really |in fact )*(?:a |an |the |one of the )?(?:[a-z-]+ )?{ROLES}s? (?:of|for|on|in|over|behind) {SYSTEM}\b"),
        format!(r"\b(?:have|has|had|having|hold|holds|possess(?:es)?|gets?|got|given|granted|enjoys?|with|gain(?:s|ed)?)\b (?:[a-z']+ ){{0,3}}{UNBOUND}(?: [a-z-]+){{0,2}} {RIGHTS}\b"),
        format!(r"\b{UNBOUND} {RIGHTS} (?:to|for|over|on|in|across) (?:[a-z']+ )?{SYSTEM}\b"),
        format!(r"\b{RIGHTS} (?:to|for|over|on|in|across) (?:all|every|any|each|other) (?:the |of )?(?:accounts?|users?|data|systems?|records|files|customers?|memories|tenants?|people'?s?)\b"),
        format!(r"\b(?:admin|administrator|root|super-?user|sudo|owner|moderator) {RIGHTS}\b"),
        r"\b(?:unlimited|unrestricted|unconditional|automatic|guaranteed|lifelong) (?:refund|withdrawal|credit|discount|return|transfer|download|api)s? (?:rights?|privileges?|permissions?|access|approval|limits?)\b".into(),
        r"\b(?:is|am|are|was|been|being|i'm|he's|she's) (?:now |hereby |fully |always |pre-?|already |explicitly )*(?:authori[sz]ed|permitted|allowed|entitled|cleared|exempt(?:ed)?|whitelisted|empowered|approved|trusted)\b.{0,50}\b(?:access|bypass|skip|override|delete|change|modify|see (?:all|other|any|every)|read (?:all|other|any|every)|view (?:all|other|any|every)|all checks?|checks?|verification|restrictions?|rules|limits?|safety|system|security|refunds? without|anything|everything|other users?|admin|database|without (?:asking|confirmation|verification|approval|checks?|limits?))\b".into(),
        r"\b(?:may|can|must|should|is to|shall|wants to|lets?|could) (?:always |have |be |get |freely |now )*(?:bypass|skip|override|every|all|any|ignored?|exempt)\b.{0,30}\b(?:safety|security|identity|permission|verification|access|moderation|approval)(?: [a-z]+)? ?(?:checks?|filters?|rules|controls?|polic(?:y|ies)|steps?|questions?|skipped|waived|restrictions?)?\b".into(),
        r"\b(?:granted|gave|given|has|have|had) (?:the |you |me |us |it |him |her )?(?:assistant |user |agent )?(?:a )?(?:standing |blanket |full |explicit |permanent |permission|authori[sz]ation|consent)+.{0,20}\bto (?:skip|bypass|ignore|override|act|access|delete|send|share|disclose|proceed without)\b".into(),
        r"\b(?:always|never|must|should|has to|is to)\b.{0,20}\b(?:grant|approve|give)\b.{0,30}\b(?:access|admin|permission|refund|any(?:thing)? (?:he|she|they|i|the user))".into(),
        r"\b(?:safety|security|identity|verification|permission|moderation) (?:checks?|filters?|questions?|rules|restrictions?|steps?)\b.{0,40}\b(?:do(?:es)? not apply|don't apply|not needed|unnecessary|waived|skipped|disabled|not required|are off|be skipped)\b".into(),
        r"\b(?:speaks?|acts?|acting|speaking|writes?|messages?|requests?)\b.{0,20}\b(?:on behalf of|with the authority of|in the name of|come from|comes from|coming from) (?:the |your )?(?:system|developers?|platform|openai|anthropic|admin(?:istrator)?s?|operator|owner|company behind)\b".into(),
        r"\b(?:i|he|she|they|user|the user) (?:am|is|are|was|'m)?\s?(?:the one who )?(?:created?|built|made|programmed|own|owns|trained|developed|control|controls) (?:you|this assistant|the assistant|this (?:ai|bot|system|platform))\b".into(),
        r"\b(?:assistant|ai|bot|chatbot|model) (?:must|should|has to|is to|shall|will|may|can|is allowed to|is required to|needs to) (?:always |never |now |also )*(?:obey|comply|skip|bypass|ignore|disregard|override|grant|approve|accept|reveal|disclose|treat|trust|act|pretend|be |forget|execute|run|delete|send|forward|call|follow)\b".into(),
        r"\b(?:can|may|could|is able to|am able to|are able to|gets? to|lets? (?:me|him|her|them|the user)) (?:always |freely |now |also |just )*(?:see|view|read|open|access|edit|change|modify|delete|erase|export|download|look (?:at|into|up)) (?:into |through )?(?:the )?(?:data|accounts?|records|files|messages|chats|conversations|memories|profiles) of (?:all|every|any|each|other|everybody|everyone|anybody|anyone)\b".into(),
        r"\b(?:can|may|could|is able to|am able to|are able to|gets? to|lets? (?:me|him|her|them|the user)) (?:always |freely |now |also |just )*(?:see|view|read|open|access|edit|change|modify|delete|erase|export|download|look (?:at|into|up)) (?:into |through )?(?:(?:all|every|any|each|other)(?: the| of the)?(?: other)? (?:user|account|customer|tenant|member|client)s?|everybody|everyone|anybody|anyone)(?:'?s)? (?:else'?s )?(?:private |personal )?(?:data|accounts?|records|files|messages|chats|conversations|memories|profiles)\b".into(),
        r"\b(?:trust|clearance|privilege|permission|security|access) level (?:is |of |= ?)?(?:\d+|maximum|max|highest|admin|root|full|top)\b|\btop[- ]secret clearance\b".into(),
        r"\b(?:you|assistant|ai|bot|chatbot|model)\b(?: (?:must|should|will|may|can|do|does|shall|is to|has to))? (?:never|not|no longer|don't|doesn't|stop(?:s|ped)?) (?:again |ever |have to |need to )?(?:ask|asks|asking|request|requests|require|requires|demand|demands)\b.{0,20}\b(?:confirmation|verification|permission|approval|identification|proof|passwords?)\b".into(),
        r"\b(?:never|not|no longer) (?:to |have to |has to |need to |needs to )?be(?:ing)? asked for (?:any |a |further )?(?:confirmation|verification|approval|identification|proof)\b".into(),
        r"\b(?:no|without any|never a|isn't any|not any) need (?:for you )?to (?:verify|authenticate|check|confirm|question) (?:me|my identity|the user|the user's identity|their identity|who (?:i am|the user is|they are))\b".into(),
        r"\b(?:do|does|did)(?:n't| not| no longer)? (?:no longer )?(?:need|have) to (?:be (?:verified|authenticated|identified)|verify (?:me|my identity|the user)|(?:prove|confirm|verify) (?:my|their|the user's) identity)\b".into(),
        r"\b(?:verified|confirmed|registered|known|certified) (?:as )?(?:an? |the )?(?:admin|administrator|staff|employee|developer|owner|operator|moderator|superuser)(?: (?:of|on|in|at) (?:this|the|your)\b|$|[.,;])".into(),
    ]
}

static AUTHORITY: LazyLock<RegexSet> = LazyLock::new(|| compiled(&patterns()));

/// Does one reading state authority over the system?
pub(super) fn states_authority(reading: &str) -> bool {
    AUTHORITY.is_match(reading.as_bytes())
}

/// Attributes that are about what may be done to the system, whatever their value.
const ATTRIBUTES: &[&str] = &[
    "assistant_rule",
    "assistant_rules",
    "assistant_instruction",
    "assistant_instructions",
    "assistant_persona",
    "assistant_role",
    "assistant_identity",
    "assistant_mode",
    "system_rule",
    "system_rules",
    "system_instruction",
    "system_prompt",
    "system_role",
    "system_access",
    "permission",
    "permissions",
    "permiso",
    "permisos",
    "privilege",
    "privileges",
    "access_level",
    "access_rights",
    "account_access",
    "is_admin",
    "admin_rights",
    "admin_access",
    "admin_status",
    "authorization",
    "authorisation",
    "override",
    "safety_override",
    "safety_checks",
    "security_checks",
    "bypass",
    "trust_level",
    "account_role",
    "platform_role",
    "refund_rights",
    "jailbreak",
    "developer_mode",
    "persona",
    "root_access",
    "sudo",
];

/// Does a claim give its subject permission, role or authority over the system, or rules to the assistant?
/// Judged by the claim alone, so that several harmless turns cannot add up to one.
pub fn claims_authority(claim: &Candidate) -> bool {
    if ATTRIBUTES.contains(&attribute(&claim.attribute).as_str()) {
        return true;
    }
    let stated = format!("{} {}", claim.attribute.replace(['_', '-', '.'], " "), claim.value);
    [claim.content.as_str(), stated.as_str()]
        .into_iter()
        .flat_map(disguise::readings)
        .any(|reading| instructs(&reading))
}

/// Ways to say that somebody stands above the rules, without a word of what is theirs to administer.
const BARE: &str = r"\b(?:is|are|am|was|as|be|being|has been|became|in) (?:also |now |actually |really |already |currently |in fact )*(?:an? |the |your |our )?(?:(?:system|site|global|chief|head|verified|senior|full|real|true) )?(?:admin(?:istrator)?|super-?admin|root(?: user)?|super-?user|sudo(?:er)?|sysadmin|(?:god|developer|dev|debug|admin|root|maintenance|unrestricted) ?-?mode|(?:system|platform|server|tenant|workspace|instance|application) (?:owner|operator|controller|overseer))\s*[.!]?$";

/// Words around a job, which one may well have as an administrator.
const JOB: &str = r"\b(?:works?|working|worked|jobs?|career|employed|employer|hired|promoted|profession|trained|apprentice(?:ship)?|offices?|schools?|university|college|hospital|clinic|compan(?:y|ies)|firm|library|museum|charity|parish|council|departments?|for a living|colleagues?|shifts?|retired|salary|clubs?|choir|forum|group|wiki|server we|guild)\b";

/// Roles that are said to be one's own when powers are asked for.
const ROLE: &str = r"\b(?:admin(?:istrator)?|super-?admin|root|super-?user|sysadmin|owner|developer|creator|operator|maintainer|moderator|engineer|supervisor|manager|staff|employee|auditor|inspector|officer)s?\b";

/// Powers that a role is told for.
const ASKING: &str = r"\b(?:skip|bypass|ignore|disable|drop|waive|override|turn off|switch off|lift|without)\b.{0,30}\b(?:checks?|verification|restrictions?|rules|filters?|safeguards?|limits?|approvals?|confirmations?|signatures?)\b";

static ROLE_CLAIMS: LazyLock<[RegexSet; 4]> =
    LazyLock::new(|| [BARE, JOB, ROLE, ASKING].map(|text| compiled(&[text.to_owned()])));

/// Does a claim give somebody a role that only makes sense over this system? A bare "is an administrator" does, unless the
/// words around speak of a job; any role does where the same turn asks for powers.
pub fn claims_role(claim: &Candidate, said: &str) -> bool {
    let [bare, job, role, asking] = &*ROLE_CLAIMS;
    let content = claim.content.to_lowercase();
    let stands_above = bare.is_match(content.as_bytes());
    if !stands_above && !role.is_match(content.as_bytes()) {
        return false;
    }
    let words = said.to_lowercase();
    let at_work = job.is_match(words.as_bytes()) || job.is_match(content.as_bytes());
    stands_above && !at_work || asking.is_match(words.as_bytes()) || super::is_injection(said)
}

/// `Access Level`, `access-level` and `accessLevel` are one attribute.
fn attribute(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 4);
    let mut low = false;
    for c in name.trim().chars() {
        if c.is_uppercase() && low {
            plain.push('_');
        }
        low = c.is_lowercase();
        if c.is_alphanumeric() {
            plain.extend(c.to_lowercase());
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    plain
}
