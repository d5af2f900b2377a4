//! How many tokens a text takes, about: models differ, and one count serves for all of them.

use recall_core::prompt::{Ask, Prompt, render};

/// Tokens of a text; never fewer than bytes would allow.
pub fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// Tokens of what every request with a prompt begins with: system text, examples and schema.
pub fn constant(prompt: &Prompt) -> usize {
    count(&prompt.system) + count(&prompt.schema)
}

/// Tokens of the constant part where they are more than `most`. They are counted only where its bytes leave that open, since a token is at
/// least one byte: the tables of the tokens take 35 MB, and most processes never need them.
pub fn constant_beyond(prompt: &Prompt, most: usize) -> Option<usize> {
    let bytes = prompt.system.len() + prompt.schema.len();
    if bytes <= most {
        return None;
    }
    Some(constant(prompt)).filter(|tokens| *tokens > most)
}

/// Tokens of what a request asks beyond that: the namespace's own sentence, context and turns.
pub fn asked(ask: &Ask) -> usize {
    let rendered = render(ask);
    let note = rendered.system.strip_prefix(ask.prompt.system.as_str()).unwrap_or_default();
    count(note) + count(&rendered.user)
}

#[cfg(test)]
mod tests {
    use recall_core::prompt::{AskTurn, Library};
    use recall_core::turn::{Role, Said, TurnId};

    use super::*;

    #[test]
    fn a_prompt_is_too_long_by_its_tokens_not_by_its_bytes() {
        let prompt = Library::builtin().extract("v1").unwrap().clone();
        let (tokens, bytes) = (constant(&prompt), prompt.system.len() + prompt.schema.len());
        assert!(tokens < bytes, "{tokens} {bytes}");
        for (most, beyond) in
            [(bytes, None), (bytes - 1, None), (tokens, None), (tokens - 1, Some(tokens)), (0, Some(tokens))]
        {
            assert_eq!(constant_beyond(&prompt, most), beyond, "{most}");
        }
    }

    #[test]
    fn a_request_takes_more_the_more_is_asked() {
        let prompt = Library::builtin().extract("v1").unwrap().clone();
        let turn = |id: &str| AskTurn {
            id: TurnId(id.into()),
            role: Role::User,
            name: None,
            at: None,
            content: Said::new("I keep two goats and a hen."),
        };
        let mut ask =
            Ask { session: "s".into(), turns: vec![turn("1")], context: Vec::new(), custom_instruction: None, prompt };
        let one = asked(&ask);
        ask.context.push(turn("0"));
        let two = asked(&ask);
        ask.custom_instruction = Some("keep pets".into());
        assert!(one > 8 && two > one + 8 && asked(&ask) > two, "{one} {two}");
        assert!(constant(&ask.prompt) > 500, "{}", constant(&ask.prompt));
    }
}
