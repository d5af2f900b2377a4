//! What credentials look like and what they are called, as patterns.

use std::sync::LazyLock;

use fnv::FnvHashSet;

use regex::Regex;

pub(super) struct Patterns {
    /// Any word by which the patterns below know a credential; most texts have none of them.
    pub(super) named: Regex,
    pub(super) shapes: Regex,
    pub(super) address: Regex,
    pub(super) card: Regex,
    pub(super) iban: Regex,
    pub(super) labelled: Regex,
    pub(super) beside: Regex,
    pub(super) reversed: Regex,
    pub(super) phrase: Regex,
    pub(super) part: Regex,
}

/// Keys and tokens that show by themselves what they are.
const SHAPES: &[&str] = &[
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)",
    r"\b(?:AKIA|ASIA|AGPA|AROA)[0-9A-Z]{12,}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{10,}\b|\bgithub_pat_[A-Za-z0-9_]{10,}|\bglpat-[A-Za-z0-9_-]{10,}",
    r"\b(?:sk|pk|rk)-(?:[a-z]+-)*[A-Za-z0-9_-]{12,}",
    r"\b[A-Za-z]{2,10}[_-](?:test|live|prod|dev|sandbox|secret|key|token|api|sk|pk|pat|v\d)[_-][A-Za-z0-9_-]{6,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}|\bAIza[0-9A-Za-z_-]{20,}|\bya29\.[0-9A-Za-z_-]{10,}|\bEAA[0-9A-Za-z]{20,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    r"\b(?:npm|hf|dop_v1|shpat|pypi|dckr_pat|lin_api|figd|ntn|secret)[_-][A-Za-z0-9_-]{16,}|\bSG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"\b\d{8,10}:[A-Za-z0-9_-]{30,}|\bAGE-SECRET-KEY-[0-9A-Z]{10,}",
    r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9+/_.=-]{16,}",
    r"(?i)(?:--|/)(?:password|passwd|token|api-key|secret)[ =]\S+|\b(?:password|pwd|accountkey|sharedaccesskey|secret_?key|access_?key|api_?key|auth_?token)=[^\s;&,]+",
];

/// What credentials are called. `NUMERIC` ones may be digits only.
const WORDY: &str = r"pass ?words?|pass ?phrases?|passwd|pwd|pw|passwort|kennwort|contrase(?:ñ|n)a|clave|mot de passe|senha|wachtwoord|has(?:ł|l)o|l(?:ö|o)senord|parola|пароль|密码|密碼|パスワード|비밀번호|كلمة المرور|पासवर्ड";
const NUMERIC: &str = r"pins?(?: codes?| numbers?)?|pass ?codes?|(?:door|gate|alarm|access|entry|security|verification|unlock|lock|safe|login|backup|recovery|one[- ]time|sms|2fa|mfa|otp|auth|authentication|garage|building|keypad|vault|sim|puk|cvv|cvc)(?: codes?| pins?| combinations?)|(?:codes?|combinations?|numbers?) (?:for|of|to) (?:the |my |our |his |her |their )?(?:\w+ ){0,2}?(?:lock|padlock|door|gate|alarm|safe|garage|entrance|keypad|vault|shed|suitcase|lockbox|lift|flat)|(?:social security|passport|national insurance|tax id)(?: numbers?| no\.?| nr\.?)?|ssn|sozialversicherungsnummer|reisepassnummer|cvv2?|cvc2?|puk|otp|combination|geheimzahl|geheimnummer";
const MACHINE: &str = r"(?:api|access|secret|private|license|licence|encryption|signing|master|ssh|account|auth|client|service)[ _-]?(?:keys?|tokens?|secrets?)|tokens?|secrets?|(?:\w+ )?keys?|credentials?|auth|log ?ins?|schl(?:ü|u)ssel|jeton|llave|密钥";
const CARD: &str =
    r"(?:credit |debit |bank |visa |master)?card(?: number| no\.?| nr\.?)?|kartennummer|num(?:é|e)ro de carte|tarjeta";

/// Of every name the beginning of a word in it that all its spellings have, and of some the whole. Words of other scripts stand without
/// spaces, so that theirs may begin anywhere.
const NAMED: &str = r"(?:(?-u:\b)|_)(?:pass|ssn|social security|national insurance|tax id|sozialvers|reisepass|pwd|pw|kennwort|contrase|clave|senha|wachtwoord|hasł|haslo|l(?:ö|o)senord|parola|pin|code|combin|number|cvv|cvc|puk|sim|otp|geheim|(?:api|access|private|licen[sc]e|encryption|signing|master|ssh|account|shared|client|service)*(?:key|token|secret)|credential|auth|log ?in|schl|jeton|llave|(?:master)?card|karte|carte|tarjeta|phrase|word|seed|bearer|basic)|пароль|密码|密碼|パスワード|비밀번호|كلمة|पासवर्ड|密钥";

/// Between the name and its value.
const COPULA: &str =
    r"(?:\b(?:is|are|was|=|ist|lautet|est|es|è|é|sera|to|with|reads|будет|это)\b|[=:：]|->|→|是|は|은|는)";

pub(super) static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let labels = format!("(?P<wordy>{WORDY})|(?P<numeric>{NUMERIC})|(?P<card>{CARD})|(?P<machine>{MACHINE})");
    let value = r#"["'“”‘’`«»]?(?P<value>[^\s"“”‘’`«»]+)"#;
    Some(Patterns {
        named: Regex::new(&format!("(?i){NAMED}")).ok()?,
        shapes: Regex::new(&SHAPES.join("|")).ok()?,
        address: Regex::new(r"\b[A-Za-z][A-Za-z0-9+.-]*://([^\s/@:]*:[^\s/@]+)@").ok()?,
        card: Regex::new(r"\b\d(?:[ -]?\d){12,18}\b").ok()?,
        iban: Regex::new(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b").ok()?,
        labelled: Regex::new(&format!(
            r"(?i)(?:\b|_)(?:{labels})(?:\s+(?:for|at|to|of|on|in|the|my|our|your|his|her|new|old|current|für|zum|der|die|das|de|del|la|le|du|[\w'’.-]+)){{0,5}}?\s*{COPULA}\s*(?:(?:now|still|just|simply|again|set to|always|changed to|actually|currently|called)\s+)*{value}"
        ))
        .ok()?,
        beside: Regex::new(&format!(r"(?i)\b(?:{labels})\s+(?:starts with |begins with |ends with |ends in |ending in |starting with |number |nr\.? )?{value}")).ok()?,
        reversed: Regex::new(&format!(
            r#"(?i)(?:^|[\s"'“‘])(?P<value>[^\s"'”’]+)["'”’]? (?:is|was) (?:my|the|our|his|her|their) (?:new |old |current |[\w-]+ )?(?:{WORDY}|{NUMERIC})\b"#
        ))
        .ok()?,
        part: Regex::new(&format!(
            r#"(?i)\b(?:{WORDY}|{NUMERIC}|{CARD}|(?:api|access|secret|private)[ _-]keys?)\b(?P<gap>[^.,;!?\n]{{0,40}}?)\b(?:starts?|begins?|ends?|starting|beginning|ending|contains?|includes?)(?: (?:with|in|on|by))?(?: the)?(?: digits?| letters?| numbers?| characters?)? ["'“‘]?(?P<value>[^\s"'”’]+)|\b(?:first|last|middle|second|third|final) (?:\w+ )?(?:digits?|letters?|numbers?|characters?|half|part) of [^.!?\n]{{0,30}}?(?:{WORDY}|{NUMERIC}|{CARD})\b[^.!?\n]{{0,20}}? (?:is|are) ["'“‘]?(?P<last>[^\s"'”’]+)"#
        ))
        .ok()?,
        phrase: Regex::new(
            r"(?i)\b(?:seed|recovery|backup|mnemonic|wallet|secret|pass)[ -]?(?:phrase|words?|seed)\b[^:=\n]{0,30}?(?:\bis\b|\bare\b|[:=])\s*((?:[a-z]{3,12}[ ,]+){3,24}[a-z]{3,12})",
        )
        .ok()?,
    })
});

/// Words after "the password is" that tell something about it and are not it.
const TELLING: &str = "a an the my your his her our their not no too very so weak strong wrong right expired saved stored required \
    incorrect invalid in on at changed reset lost hard easy secure safe compromised correct missing same needed \
    forgotten long short there here written what which that this it something anything nothing always never only \
    also still now gone broken fine good bad old new different unique complicated simple case-sensitive known \
    unknown kept hidden shared protected used blocked locked ok okay working valid being up out from for by with \
    to of all one be been hashed encrypted important stolen leaked generated managed manager set empty none public \
    private people and falsch richtig nicht zu schwach sicher faible trop débil muy demasiado i you we they he she \
    more less better worse about because when where how why who if just really pretty quite";

/// Does a word after "the password is" only tell something about it?
pub(super) fn tells_about(word: &str) -> bool {
    static WORDS: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| TELLING.split_whitespace().collect());
    WORDS.contains(word.to_lowercase().as_str())
}

/// Attributes whose value is the credential itself.
pub(super) fn is_secret_name(attribute: &str) -> bool {
    static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(r"(?i)(?:^|[_ .-])(?:{WORDY}|{NUMERIC}|api[_ -]?key|access[_ -]?key|secret[_ -]?key|private[_ -]?key|auth[_ -]?token|access[_ -]?token|token|card[_ -]?number|credit[_ -]?card|seed[_ -]?phrase|(?:door|gate|alarm|access|entry|security|pin|safe)[_ -]code)$")).ok()
    });
    NAMES.as_ref().is_some_and(|names| names.is_match(attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_credential_is_known_by_its_beginning() {
        let named = &PATTERNS.as_ref().unwrap().named;
        let names = "pass word;passphrase;Passwort;pw;Kennwort;contraseña;clave;mot de passe;senha;wachtwoord;hasło;haslo;lösenord;\
            losenord;parola;Пароль;我的密码;密碼;パスワード;비밀번호;كلمة المرور;पासवर्ड;my PIN;pins;passcode;door code;one-time pin;\
            vault combination;number for the lock;SSN;social security no.;passport no;national insurance number;tax id;\
            Sozialversicherungsnummer;Reisepassnummer;cvv2;cvc;puk;otp;Geheimzahl;apikey;api_key;access-token;clientsecret;\
            sharedaccesskey;licence key;sshkey;my_token;credentials;auth;login;log in;Schlüssel;schlussel;jeton;llave;密钥;\
            mastercard;credit card;Kartennummer;numéro de carte;tarjeta;seed words;backup phrase;bearer;basic";
        for name in names.split(';') {
            assert!(named.is_match(name), "{name}");
        }
        for other in ["my opinion", "shopping", "the encoder", "a monkey", "a spinning top", "discard it"] {
            assert!(!named.is_match(other), "{other}");
        }
    }
}
