//! How other languages deny and doubt: a small table a language.

use std::sync::LazyLock;

use fnv::FnvHashSet;

/// What a language denies and doubts by. Words are parted by spaces, phrases by semicolons.
struct Tongue {
    /// Words that deny the whole clause, wherever they stand.
    denying: &'static str,
    /// Of these words a second one in a clause does not take the first back: "no fumo nunca", "non … mai", "nie … nigdy".
    agreeing: &'static str,
    /// Words that deny what follows: "ohne", "sans".
    without: &'static str,
    /// Words and phrases by which something only may be so.
    doubting: &'static str,
}

const TONGUES: &[Tongue] = &[
    // German
    Tongue {
        denying: "nicht kein keine keinen keinem keiner keines nie niemals niemand niemanden nichts nirgends",
        agreeing: "",
        without: "ohne",
        doubting: "vielleicht; möglicherweise; womöglich; eventuell; vermutlich; kann sein dass",
    },
    // Spanish
    Tongue {
        denying: "nunca jamás nadie tampoco ningún ninguna ninguno",
        agreeing: "nunca jamás nadie no tampoco ningún ninguna ninguno",
        without: "",
        doubting: "quizás; quizá; tal vez; a lo mejor; puede que; posiblemente; probablemente",
    },
    // French; "ne … plus" is told by its "ne".
    Tongue {
        denying: "pas jamais",
        agreeing: "pas jamais",
        without: "sans",
        doubting: "peut être; peut - être; peut-être; peut etre; probablement; sans doute; il se peut",
    },
    // Italian
    Tongue {
        denying: "non nessuno nessuna neanche nemmeno",
        agreeing: "non nessuno nessuna neanche nemmeno niente nulla",
        without: "senza",
        doubting: "forse; magari; può darsi; probabilmente",
    },
    // Portuguese
    Tongue {
        denying: "não nenhum nenhuma ninguém nunca",
        agreeing: "não nenhum nenhuma ninguém nunca",
        without: "sem",
        doubting: "talvez; se calhar; provavelmente; pode ser que",
    },
    // Polish; "może" in front of the clause doubts, behind its subject it allows.
    Tongue {
        denying: "nie nigdy nikt żaden żadna żadnego",
        agreeing: "nie nigdy nikt żaden żadna żadnego",
        without: "bez",
        doubting: "być może; chyba; prawdopodobnie; możliwe że",
    },
    // Russian
    Tongue {
        denying: "не нет никогда никто нету",
        agreeing: "не никогда никто",
        without: "без",
        doubting: "может быть; возможно; наверное; наверно; вероятно; пожалуй",
    },
    // Japanese is read sign by sign; it denies at the end of a clause.
    Tongue {
        denying: "", agreeing: "", without: "", doubting: "か も し れ; た ぶ ん; 多 分; お そ ら く; か も"
    },
    // The other languages met most, as far as they deny by a word.
    Tongue {
        denying: "niet geen nooit niemand inte aldrig ikke aldri nikdy لا ليس لم لن ولا नहीं मत 不 没",
        agreeing: "nikdy",
        without: "",
        doubting: "misschien; kanske; måske; kanskje; možná; ربما; शायद; 也 许; 可 能",
    },
];

type Words = LazyLock<FnvHashSet<&'static str>>;

fn all(of: fn(&Tongue) -> &'static str) -> FnvHashSet<&'static str> {
    TONGUES.iter().flat_map(|tongue| of(tongue).split_whitespace()).collect()
}

/// The folded word denies its whole clause.
pub(super) fn denies(word: &str) -> bool {
    static WORDS: Words = LazyLock::new(|| all(|tongue| tongue.denying));
    WORDS.contains(word)
}

/// The folded word denies nothing anew where its clause is denied.
pub(super) fn agrees(word: &str) -> bool {
    static WORDS: Words = LazyLock::new(|| all(|tongue| tongue.agreeing));
    WORDS.contains(word)
}

/// The folded word denies what follows it.
pub(super) fn is_without(word: &str) -> bool {
    static WORDS: Words = LazyLock::new(|| all(|tongue| tongue.without));
    WORDS.contains(word)
}

/// Words that doubt where a clause begins with them, and allow elsewhere.
pub(super) fn doubts_in_front(words: &[&str]) -> bool {
    matches!(words, ["może" | "может", _, ..])
}

/// Phrases by which something only may be so.
pub fn doubts() -> impl Iterator<Item = &'static str> {
    TONGUES.iter().flat_map(|tongue| tongue.doubting.split("; ")).filter(|phrase| !phrase.is_empty())
}

/// For every word of a clause in Japanese whether it is denied; `None` where nothing is. What stands between two commas is one.
pub(super) fn denied_at_end(words: &[&str]) -> Option<Vec<bool>> {
    let is_kana = |word: &&str| word.starts_with(|c: char| ('\u{3041}'..='\u{309f}').contains(&c));
    if !words.iter().any(is_kana) {
        return None;
    }
    let runs = words.split_inclusive(|word| matches!(*word, "、" | "," | "，" | "。"));
    let denied: Vec<bool> = runs.flat_map(|run| std::iter::repeat_n(ends_denied(run), run.len())).collect();
    denied.contains(&true).then_some(denied)
}

/// "食べません", "食べない", "じゃなかった"; but not "かもしれない", "しかない", "危ない", "少ない".
fn ends_denied(run: &[&str]) -> bool {
    const DENYING: &[&[&str]] = &[&["ま", "せ", "ん"], &["な", "い"], &["な", "か", "っ", "た"], &["な", "く"]];
    const NO_DENIAL: &[&[&str]] = &[&["し", "れ"], &["し", "か"], &["危"], &["少"]];
    DENYING.iter().any(|phrase| {
        run.windows(phrase.len()).enumerate().any(|(at, found)| {
            let before = run.get(..at).unwrap_or_default();
            found == *phrase && !NO_DENIAL.iter().any(|other| before.ends_with(other))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_denies_at_the_end() {
        let signs = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let table = [
            ("魚は食べません", true),
            ("猫が好きじゃない", true),
            ("行かなかった", true),
            ("犬を飼っています", false),
            ("引っ越すかもしれない", false),
            ("時間が少ない", false),
        ];
        for (text, denied) in table {
            let signs = signs(text);
            let words: Vec<&str> = signs.iter().map(String::as_str).collect();
            assert_eq!(denied_at_end(&words).is_some(), denied, "{text}");
        }
        let signs = signs("肉は食べない、魚は食べる");
        let words: Vec<&str> = signs.iter().map(String::as_str).collect();
        let denied = denied_at_end(&words).unwrap_or_default();
        assert_eq!((denied.first(), denied.last()), (Some(&true), Some(&false)));
    }
}
