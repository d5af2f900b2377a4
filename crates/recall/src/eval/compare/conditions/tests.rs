//! Conditions read and decided.

use super::*;
use crate::eval::compare::page::tests::report;

#[test]
fn a_condition_compares_sums_of_figures() {
    let report = report();
    let value = |name: &str| report.measures.iter().find(|row| row.name == name).unwrap().compared;
    let (recall, precision) = (value("recall"), value("precision"));
    let worse = precision.b.value < precision.a.value.map(|value| value - 0.01);
    for (text, right) in [
        ("precision_b < precision_a - 0.01", worse),
        ("precision_b >= precision_a - 0.01", !worse),
        ("recall_a > 0 and recall_a < 1.5", true),
        ("recall_a > 2 or (recall_b + 1) * 2 >= 2", true),
        ("recall_a > 2 or recall_b > 2 and recall_a > 0", false),
        ("recall_difference > -0.0001", recall.difference.figure.value.unwrap() > -0.0001),
        ("recall_p <= 1", true),
        ("recall_low<=recall_high", true),
        ("-1 / 2 > recall_a", false),
    ] {
        assert_eq!(Condition::read(text).unwrap().holds(&report), Ok(right), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    for (text, told) in [
        ("", "a figure or a number was expected at its end"),
        ("precision_b <", "a figure or a number was expected at its end"),
        ("precision_b", "<, <=, > or >= was expected at its end"),
        ("precision_b < precision_c", "at \"precision_c\""),
        ("precision < 1", "one of recall, precision, "),
        ("recall_a < 1 recall_b", "\"and\", \"or\" or the end was expected at \"recall_b\""),
        ("(recall_a < 1", "\")\" was expected at \"<\""),
        ("recall_a == 1", "<, <=, > or >= was expected at \"=\""),
        ("recall_a < 1; drop", "at \";\""),
    ] {
        let error = Condition::read(text).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn a_condition_of_endless_brackets_is_refused() {
    let told = Condition::read(&"(".repeat(100_000)).unwrap_err().to_string();
    assert!(told.contains("longer than 500 bytes") && told.len() < 200, "{told}");
    assert!(Condition::read(&format!("{}recall_b{} < 1", "(".repeat(200), ")".repeat(200))).is_ok());
}

#[test]
fn a_figure_that_is_not_there_decides_nothing() {
    let mut report = report();
    report.measures.iter_mut().for_each(|row| row.compared.b.value = None);
    let undecided = Condition::read("recall_a > 5 and cost_b > 1").unwrap().holds(&report).unwrap_err();
    assert!(undecided.to_string().contains("there is no cost here"), "{undecided}");
}
