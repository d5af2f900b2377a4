//! The comparison as one page for people: verdict first, then figures, plots, parts, and the conversations that changed. It loads nothing.

mod conversations;
mod html;
mod plots;
mod tables;

use html::text;

use super::report::{ArmInfo, Report, Row};
use super::shown::{Turn, name, short, verdict};
use super::text::protocol;

const STYLE: &str = include_str!("page.css");

/// The page.
///
/// # Errors
/// A plot that cannot be drawn.
pub(crate) fn page(report: &Report) -> anyhow::Result<String> {
    let (sentence, _) = verdict(report);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{} against {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        text(&name(report, false)),
        text(&name(report, true)),
    );
    page.push_str(&format!(
        "<p class=\"eyebrow\">Recall · comparison on {} conversations</p>\n",
        report.conversations.len()
    ));
    page.push_str(&format!("<h1>{}</h1>\n", text(&sentence)));
    page.push_str(&arms(report));
    page.push_str("<div class=\"cards\">\n");
    report.headline().for_each(|row| page.push_str(&card(row)));
    page.push_str("</div>\n");
    page.push_str(&tables::measures(report));
    page.push_str(&plots::section(report)?);
    page.push_str(&tables::slices(report));
    page.push_str(&tables::reasons(report));
    page.push_str(&conversations::changed(report));
    page.push_str(&made(report));
    page.push_str("</main>\n</body>\n</html>\n");
    Ok(page)
}

fn arms(report: &Report) -> String {
    let arm = |letter: &str, info: &ArmInfo| {
        let hash: String = info.prompt_sha256.chars().take(12).collect();
        let models = if info.models.is_empty() { "no model".to_owned() } else { info.models.join(", ") };
        format!(
            "<span class=\"arm {}\">{letter}</span> prompt <b>{}</b> (<code>{}</code>), {}",
            letter.to_lowercase(),
            text(&info.prompt),
            text(&hash),
            text(&models)
        )
    };
    format!("<p class=\"lead\">{}<br>\n{}</p>\n", arm("A", &report.arms.a), arm("B", &report.arms.b))
}

/// The class of a difference, and the word for it.
fn class(row: &Row) -> (&'static str, &'static str) {
    match row.turn() {
        Turn::Better => ("good", "better"),
        Turn::Worse => ("bad", "worse"),
        Turn::Other => ("", "different"),
        Turn::Unclear => ("", "no clear change"),
    }
}

fn card(row: &Row) -> String {
    let title = short(row.name);
    let mut head = title.chars();
    let title: String = head.next().into_iter().flat_map(char::to_uppercase).chain(head).collect();
    if row.compared.difference.figure.value.is_none() {
        return format!(
            "<section class=\"card\"><h3>{title}</h3><div class=\"big\"><strong>–</strong></div><p class=\"note\">nothing to measure it on</p></section>\n"
        );
    }
    let (class, word) = class(row);
    format!(
        "<section class=\"card\"><h3>{title}</h3><div class=\"big\"><strong>{}</strong><span>A had {}</span></div>\
         <span class=\"pill {class}\">{} points</span> <span class=\"note\">{word}</span>\
         <p class=\"note\">95 %: {}</p></section>\n",
        row.shown(row.compared.b.value),
        row.shown(row.compared.a.value),
        row.shown_difference(row.compared.difference.figure.value),
        row.interval_of_difference(),
    )
}

fn made(report: &Report) -> String {
    let mut section = String::from("<h2>How it was made</h2>\n");
    protocol(report).iter().for_each(|line| section.push_str(&format!("<p class=\"note\">{}</p>\n", text(line))));
    section.push_str(
        "<p class=\"note\">A memory is supported where it tells a gold fact that still holds; where no label decides, a judge \
         model outside the pipeline may, and the gate never does. Gold facts are found by their words, not by the product's own \
         claim key. An interval that does not hold 0 and a small p say that chance alone hardly makes such a difference.</p>\n",
    );
    for header in &report.protocol.recorded {
        section.push_str(&format!(
            "<p class=\"note\">Replies of {} recorded at {} by {}: <code>{}</code></p>\n",
            text(&header.model),
            text(&header.recorded_at),
            text(&header.recorded_by),
            text(&header.command)
        ));
    }
    section
}

#[cfg(test)]
pub(crate) mod tests;
