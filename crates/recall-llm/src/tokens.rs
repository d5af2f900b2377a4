//! How many tokens a text takes, about: models differ, and one count serves for all of them.

use recall_core::prompt::Prompt;

/// Tokens of a text; never fewer than bytes would allow.
pub fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// Tokens of what every request with a prompt begins with: system text, examples and schema.
pub fn constant(prompt: &Prompt) -> usize {
    count(&prompt.system) + count(&prompt.schema)
}
