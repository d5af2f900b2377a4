//! The comparison as a table for a terminal.

use comfy_table::{ContentArrangement, Table, presets};

use super::report::{FEW, Report, Row};
use super::shown::{Turn, name, probability, short, verdict};

/// The whole report in lines.
pub(crate) fn lines(report: &Report) -> String {
    let (sentence, details) = verdict(report);
    let mut text = vec![sentence, String::new()];
    text.extend(details.into_iter().map(|line| format!("  {line}")));
    text.extend([String::new(), measures(report), String::new(), slices(report)]);
    if !report.reasons.is_empty() {
        text.extend([String::new(), reasons(report)]);
    }
    text.push(String::new());
    text.extend(protocol(report));
    text.join("\n")
}

fn table<const N: usize>(header: [String; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

fn mark(row: &Row) -> &'static str {
    match row.turn() {
        Turn::Better => "better",
        Turn::Worse => "worse",
        Turn::Other => "differs",
        Turn::Unclear => "",
    }
}

fn measures(report: &Report) -> String {
    let mut table = table([
        "measure".into(),
        format!("a: {}", name(report, true)),
        format!("b: {}", name(report, false)),
        "b − a".into(),
        "95 %".into(),
        "p".into(),
        String::new(),
    ]);
    for row in report.measures.iter().filter(|row| row.has_figures()) {
        table.add_row([
            row.title.to_owned(),
            row.shown(row.compared.a.value),
            row.shown(row.compared.b.value),
            row.shown_difference(row.compared.difference.figure.value),
            row.interval_of_difference(),
            probability(row.compared.difference.p),
            mark(row).to_owned(),
        ]);
    }
    table.to_string()
}

fn slices(report: &Report) -> String {
    let heads = report.headline().map(|row| short(row.name).to_owned());
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["part".to_owned(), "n".to_owned()].into_iter().chain(heads));
    for slice in &report.slices {
        let cells = slice.measures.iter().map(|row| {
            let difference = &row.compared.difference.figure;
            let clear = slice.is_clear(row);
            match difference.value {
                None => "–".to_owned(),
                Some(_) => format!(
                    "{} → {} ({}){}",
                    row.shown(row.compared.a.value),
                    row.shown(row.compared.b.value),
                    row.shown_difference(difference.value),
                    if clear { " *" } else { "" }
                ),
            }
        });
        table.add_row(
            [format!("{}: {}", slice.by, slice.name), slice.conversations.to_string()].into_iter().chain(cells),
        );
    }
    format!("{table}\n* the 95 % interval does not hold 0 (of parts of at least {FEW} conversations)")
}

fn reasons(report: &Report) -> String {
    let mut table =
        table(["blocked by".into(), "a".into(), "of these gold".into(), "b".into(), "of these gold".into()]);
    for row in &report.reasons {
        let numbers = [row.a.0, row.a.1, row.b.0, row.b.1].map(|number| number.to_string());
        let [a, a_gold, b, b_gold] = numbers;
        table.add_row([row.reason.clone(), a, a_gold, b, b_gold]);
    }
    table.to_string()
}

/// How it was made and how far it can be trusted.
pub(crate) fn protocol(report: &Report) -> Vec<String> {
    let decided = report.protocol.decided;
    let turns: usize = report.conversations.iter().map(|read| read.turns).sum();
    let mut lines = vec![
        format!(
            "{} conversations, {turns} turns, read {} by each arm in calls of up to {} turns; stored differently in {}.",
            report.conversations.len(),
            times(report.protocol.repeats),
            report.protocol.turns_per_call,
            report.changed.len(),
        ),
        format!(
            "Support of a memory was decided {} times by label, {} times by a judge outside the pipeline, {} times by nobody.",
            decided.by_labels, decided.by_judge, decided.by_nobody
        ),
        format!(
            "Intervals: {} resamples of whole conversations. p: {} random swaps of the arms; better and worse are said of the four \
             first measures at .05 with all four taken together (Holm), of the others one by one, and of none whose interval holds 0.",
            report.protocol.effort.resamples, report.protocol.effort.swaps
        ),
    ];
    lines.extend(powers(report));
    lines.push(match &report.matcher {
        None => "The matcher of gold facts was not held against hand-judged pairs (--pairs FILE).".to_owned(),
        Some(agreement) => format!(
            "The matcher agrees with people on {} of {} pairs (kappa {:.2}); {} it took for the same and people did not, {} the other way.",
            agreement.agreed, agreement.pairs, agreement.kappa, agreement.too_many, agreement.too_few
        ),
    });
    lines
}

fn times(repeats: u32) -> String {
    match repeats {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// How much a comparison of this size could have found.
fn powers(report: &Report) -> Option<String> {
    let told = report.headline().filter_map(|row| {
        let (power, detectable) = (row.power?, row.detectable?);
        (row.compared.difference.figure.value.is_some() && detectable > 0.0)
            .then(|| format!("{} {:.0} % (80 % from {:.1} points)", short(row.name), power * 100.0, detectable * 100.0))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty())
        .then(|| format!("A true difference of 5 points would be found with this probability: {}.", told.join(", ")))
}
