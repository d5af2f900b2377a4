//! What has come to an end is denied from then on: "stopped smoking", "gave up sugar", "moved out of Leeds".

/// For every word of a clause whether it stands behind words that end it; the words are folded.
pub(super) fn ended(words: &[&str]) -> Vec<bool> {
    let mut result = vec![false; words.len()];
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let Some(length) = ending(rest) else {
            at += 1;
            continue;
        };
        let reach = rest.iter().skip(length).take_while(|word| !closes(word)).count();
        let from = at + length - usize::from(length > 1);
        result.iter_mut().take(at + length + reach).skip(from).for_each(|ended| *ended = true);
        at += length + reach;
    }
    result
}

/// For every word of a clause whether it stands behind "rarely": as good as denied, as behind "hardly".
pub(super) fn seldom(words: &[&str]) -> Vec<bool> {
    let mut under = false;
    let mut result = Vec::with_capacity(words.len());
    for word in words {
        under &= !closes(word);
        result.push(under);
        under |= matches!(*word, "rarely" | "seldom");
    }
    result
}

/// Number of words by which something is ended, where the words begin so.
fn ending(words: &[&str]) -> Option<usize> {
    let mut words = words.iter().copied();
    let (first, second, third) = (words.next()?, words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match first {
        "stop" | "stops" | "stopped" | "stopping" if is_doing(second) => Some(1),
        "quit" | "quits" | "quitting" | "avoid" | "avoids" | "avoiding" | "avoided" if !second.is_empty() => Some(1),
        "resigned" | "retired" if second == "from" => Some(2),
        "left" if matches!(second, "my" | "our" | "their" | "his" | "her" | "the") && is_post(third) => Some(1),
        "gave" | "give" | "given" | "giving" if second == "up" => Some(2),
        // "gave mine up"
        "gave" | "give" | "given" | "giving"
            if third == "up" && matches!(second, "mine" | "ours" | "his" | "hers" | "theirs") =>
        {
            Some(3)
        }
        "cut" | "cutting" if second == "out" => Some(2),
        // "packed in the smoking", not "packed it in a box".
        "pack" | "packed" | "packing" | "jacked" | "chucked"
            if second == "in" && !matches!(third, "a" | "an" | "my") =>
        {
            Some(2)
        }
        "move" | "moved" | "moving" if second == "out" => Some(2),
        _ => None,
    }
}

/// A verb of a root, with the word behind it, says that something has come to an end.
pub(super) fn ends(root: &str, next: &str) -> bool {
    match root {
        "stop" | "quit" | "avoid" => true,
        "give" => next == "up",
        "cut" | "move" => next == "out",
        "pack" | "jack" | "chuck" => next == "in",
        _ => false,
    }
}

fn is_doing(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing")
}

fn is_post(word: &str) -> bool {
    matches!(word, "job" | "post" | "position" | "company" | "firm" | "team" | "band" | "role")
}

/// Here another part of the clause begins.
pub(super) fn closes(word: &str) -> bool {
    matches!(
        word,
        "," | ";" | "." | "!" | "?" | "and" | "but" | "because" | "since" | "when" | "after" | "to" | "so" | "now"
    )
}
