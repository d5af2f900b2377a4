//! How many tokens a request would take, counted before it is sent.

use recall_core::prompt::{Ask, Prompt, render};

/// Tokens of what is the same in every request with a prompt: system text and schema of the reply.
pub fn constant_tokens(prompt: &Prompt) -> u64 {
    count(&prompt.system) + count(&prompt.schema)
}

/// Tokens of context and turns, and of the namespace's own sentence.
pub fn asked_tokens(prompt: &Prompt, ask: &Ask) -> u64 {
    let rendered = render(ask, prompt);
    let note = rendered.system.strip_prefix(prompt.system.as_str()).unwrap_or_default();
    count(note) + count(&rendered.user)
}

fn count(text: &str) -> u64 {
    u64::try_from(bpe_openai::o200k_base().count(text)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use recall_core::prompt::{AskTurn, builtin};
    use recall_core::turn::{Role, Said, TurnId};

    use super::*;

    #[test]
    fn a_request_takes_more_the_more_is_asked() {
        let prompt = builtin("v1").unwrap();
        let turn = |id: &str| AskTurn {
            id: TurnId(id.into()),
            role: Role::User,
            name: None,
            at: None,
            content: Said::new("I keep two goats and a hen."),
        };
        let mut ask = Ask {
            session: "s".into(),
            turns: vec![turn("1")],
            context: Vec::new(),
            custom_instruction: None,
            prompt_version: "v1".into(),
        };
        let one = asked_tokens(prompt, &ask);
        ask.context.push(turn("0"));
        let two = asked_tokens(prompt, &ask);
        ask.custom_instruction = Some("keep pets".into());
        assert!(one > 8 && two > one + 8 && asked_tokens(prompt, &ask) > two, "{one} {two}");
        assert!(constant_tokens(prompt) > 500, "{}", constant_tokens(prompt));
    }
}
