//! The tables of the page.

use super::class;
use super::html::text;
use crate::eval::compare::measures::Better;
use crate::eval::compare::report::{Both, FEW, Report, Row};
use crate::eval::compare::shown::{name, probability, short};

/// Every measure of both arms.
pub(super) fn measures(report: &Report) -> String {
    let mut table = format!(
        "<h2>Every measure</h2>\n<p class=\"note\">Differences of shares in points; under each its 95 % interval and p.</p>\n\
         <div class=\"wide\"><table>\n<thead><tr><th>measure</th><th><span class=\"arm a\">A</span><small>{}</small></th>\
         <th><span class=\"arm b\">B</span><small>{}</small></th><th>B − A</th></tr></thead>\n<tbody>\n",
        text(&name(report, true)),
        text(&name(report, false)),
    );
    for row in report.measures.iter().filter(|row| row.has_figures()) {
        let difference = &row.compared.difference;
        let head = if row.headline { " class=\"head\"" } else { "" };
        let (class, _) = class(row);
        table.push_str(&format!(
            "<tr{head}><th>{}</th><td>{}</td><td>{}</td><td class=\"{class}\"><b>{}</b><small>{}</small><small>p {}</small></td></tr>\n",
            text(row.title),
            row.shown(row.compared.a.value),
            row.shown(row.compared.b.value),
            row.shown_difference(difference.figure.value),
            row.interval_of_difference(),
            text(&probability(difference.p)),
        ));
    }
    table.push_str("</tbody></table></div>\n");
    table
}

/// The headline measures over parts of the conversations.
pub(super) fn slices(report: &Report) -> String {
    let heads: String = report.headline().map(|row| format!("<th>{}</th>", short(row.name))).collect();
    let columns = report.headline().count() + 1;
    let mut table = format!(
        "<h2>Parts</h2>\n<p class=\"note\">B − A in points, under it A → B. In colour where the interval does not hold 0 and \
         there are at least {FEW} conversations; of many parts one differs by chance.</p>\n\
         <div class=\"wide\"><table>\n<thead><tr><th>part</th>{heads}</tr></thead>\n<tbody>\n"
    );
    let mut by = "";
    for slice in &report.slices {
        if slice.by != by {
            by = slice.by;
            table.push_str(&format!("<tr class=\"group\"><th colspan=\"{columns}\">by {by}</th></tr>\n"));
        }
        let cells: String = slice.measures.iter().map(|row| cell(row, slice.is_clear(row))).collect();
        table.push_str(&format!(
            "<tr><th>{}<small>n = {}</small></th>{cells}</tr>\n",
            text(&slice.name.replace('_', " ")),
            slice.conversations
        ));
    }
    table.push_str("</tbody></table></div>\n");
    table.push_str(&by_conversation(report));
    table
}

/// The headline measures of every conversation, folded.
fn by_conversation(report: &Report) -> String {
    let heads: String = report.headline().map(|row| format!("<th>{}</th>", short(row.name))).collect();
    let mut table = format!(
        "<details><summary>Every conversation<small>A → B in per cent</small></summary><div class=\"wide\"><table>\n\
         <thead><tr><th>conversation</th>{heads}</tr></thead>\n<tbody>\n"
    );
    let whole = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{:.0}", value * 100.0));
    for read in &report.conversations {
        let told = |both: &Both<Option<f64>>| match (both.a, both.b) {
            (None, None) => "–".to_owned(),
            (a, b) => format!("{} → {}", whole(a), whole(b)),
        };
        let cell = |row: &Row| format!("<td>{}</td>", read.figures.get(row.name).map_or("–".to_owned(), told));
        let cells: String = report.headline().map(cell).collect();
        table.push_str(&format!("<tr><th>{}</th>{cells}</tr>\n", text(&read.id)));
    }
    table.push_str("</tbody></table></div></details>\n");
    table
}

fn cell(row: &Row, clear: bool) -> String {
    let figure = &row.compared.difference.figure;
    if figure.value.is_none() {
        return "<td>–</td>".to_owned();
    }
    let class = match (clear, figure.value.is_some_and(|value| value > 0.0), row.better) {
        (true, true, Better::Higher) | (true, false, Better::Lower) => "good",
        (true, _, _) => "bad",
        (false, _, _) => "",
    };
    let whole = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{:.0}", value * 100.0));
    format!(
        "<td class=\"{class}\"><b>{}</b><small>{} → {}</small></td>",
        row.shown_difference(figure.value),
        whole(row.compared.a.value),
        whole(row.compared.b.value)
    )
}

/// What the gate turned away.
pub(super) fn reasons(report: &Report) -> String {
    if report.reasons.is_empty() {
        return String::new();
    }
    let mut table = String::from(
        "<h2>What the gate turned away</h2>\n<p class=\"note\">Candidates by reason; behind each number how many of them tell a \
         gold fact.</p>\n<div class=\"wide\"><table>\n<thead><tr><th>reason</th><th><span class=\"arm a\">A</span></th><th>gold</th>\
         <th><span class=\"arm b\">B</span></th><th>gold</th></tr></thead>\n<tbody>\n",
    );
    for row in &report.reasons {
        table.push_str(&format!(
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            text(&row.reason.replace('_', " ")),
            row.a.0,
            row.a.1,
            row.b.0,
            row.b.1
        ));
    }
    table.push_str("</tbody></table></div>\n");
    table
}
