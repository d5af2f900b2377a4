//! What a model call costs, by a table in the config: prices change, code should not.

use serde::{Deserialize, Serialize};

/// The price of models whose name begins with a prefix, in millionths of a currency unit per million tokens
/// (a price of 0.15 per million tokens is 150 000).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Beginning of the model's name; the longest that fits counts. Empty fits every model.
    pub model: String,
    /// Of a million tokens of prompts.
    pub prompt_micros: u64,
    /// Of a million tokens of replies.
    pub completion_micros: u64,
}

/// Whether the table has a price for a model.
pub fn is_priced(prices: &[Price], model: &str) -> bool {
    prices.iter().any(|price| model.starts_with(&price.model))
}

/// Cost of a call in millionths of the table's currency unit, rounded up; 0 for a model without a price.
pub fn cost_micros(prices: &[Price], model: &str, prompt_tokens: u64, completion_tokens: u64) -> u64 {
    let fitting = prices.iter().filter(|price| model.starts_with(&price.model));
    let Some(price) = fitting.max_by_key(|price| price.model.len()) else { return 0 };
    let prompt = u128::from(prompt_tokens) * u128::from(price.prompt_micros);
    let completion = u128::from(completion_tokens) * u128::from(price.completion_micros);
    u64::try_from((prompt + completion).div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_decides_and_fractions_are_rounded_up() {
        let price = |model: &str, prompt, completion| Price {
            model: model.into(),
            prompt_micros: prompt,
            completion_micros: completion,
        };
        let prices = [price("swift", 1_000_000, 2_000_000), price("swift-mini", 150_000, 600_000)];
        let table = [
            ("swift-large", 1_000, 10, 1_020),
            ("swift-mini-2030", 1_000, 100, 210),
            ("swift-mini", 1, 0, 1),
            ("heron", 1_000_000, 1_000_000, 0),
            ("swift", u64::MAX, u64::MAX, u64::MAX),
        ];
        for (model, prompt, completion, cost) in table {
            assert_eq!(cost_micros(&prices, model, prompt, completion), cost, "{model}");
        }
    }
}
