//! The plots of the page, as SVG inside it. Colours are the page's own, so that light and dark fit.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::html::text;
use crate::eval::compare::measures::{Better, Unit};
use crate::eval::compare::report::{ReasonRow, Report, Row, Tenth};
use crate::eval::compare::shown::Turn;
use crate::eval::compare::trial::Side;

/// Stand-ins for the colours of the page: the library writes numbers, the page has names.
const INK: RGBColor = RGBColor(1, 1, 1);
const MUTED: RGBColor = RGBColor(2, 2, 2);
const GRID: RGBColor = RGBColor(3, 3, 3);
const A: RGBColor = RGBColor(4, 4, 4);
const B: RGBColor = RGBColor(5, 5, 5);
const GOOD: RGBColor = RGBColor(6, 6, 6);
const BAD: RGBColor = RGBColor(7, 7, 7);
const NAMES: [(&str, &str); 7] = [
    ("#010101", "var(--ink)"),
    ("#020202", "var(--muted)"),
    ("#030303", "var(--grid)"),
    ("#040404", "var(--a)"),
    ("#050505", "var(--b)"),
    ("#060606", "var(--good)"),
    ("#070707", "var(--bad)"),
];

/// As wide as a phone shows it without making the letters smaller.
const WIDTH: u32 = 360;
/// The library makes letters smaller by a quarter.
const LETTERS: i32 = 15;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// All plots.
///
/// # Errors
/// A plot that cannot be drawn.
pub(super) fn section(report: &Report) -> anyhow::Result<String> {
    let mut figures = Vec::new();
    let shares: Vec<&Row> = report.measures.iter().filter(|row| is_share(row)).collect();
    if !shares.is_empty() {
        let height = 46 + 40 * u32::try_from(shares.len()).unwrap_or(1);
        let plot = drawn(height, |area| differences(area, &shares))?;
        figures.push(figure("Differences with their intervals", "To the right: in favour of B, in points.", &plot));
    }
    if report.reliability.a.iter().chain(&report.reliability.b).any(|tenth| tenth.memories > 0.0) {
        let plot = drawn(330, |area| reliability(area, &report.reliability.a, &report.reliability.b))?;
        let told = "On the line: memories are as often supported as their confidence says. Larger dots: more memories.";
        figures.push(figure("Is the confidence right?", told, &plot));
    }
    let found = by_conversation(report);
    if !found.is_empty() {
        let plot = drawn(230, |area| conversations(area, &found))?;
        let told = "One bar a conversation: gold facts B found more (up) or fewer (down), all readings together.";
        figures.push(figure("Conversation by conversation", told, &plot));
    }
    if !report.reasons.is_empty() {
        let most: Vec<&ReasonRow> = report.reasons.iter().take(8).collect();
        let height = 20 + 46 * u32::try_from(most.len()).unwrap_or(1);
        let plot = drawn(height, |area| reasons(area, &most))?;
        figures.push(figure(
            "Why candidates were turned away",
            "The eight most frequent reasons; A above, B below.",
            &plot,
        ));
    }
    Ok(format!("<h2>In pictures</h2>\n<div class=\"plots\">\n{}</div>\n", figures.concat()))
}

fn is_share(row: &Row) -> bool {
    row.unit == Unit::Share && row.better != Better::Neither && row.compared.difference.figure.value.is_some()
}

fn figure(title: &str, told: &str, plot: &str) -> String {
    format!(
        "<figure role=\"img\" aria-label=\"{0}\"><figcaption>{0}<small>{1}</small></figcaption>\n{plot}</figure>\n",
        text(title),
        text(told)
    )
}

/// Draws into a text and gives the colours their names.
fn drawn(height: u32, draw: impl FnOnce(&Area<'_>) -> anyhow::Result<()>) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area)?;
        area.present().map_err(cannot)?;
    }
    Ok(NAMES.iter().fold(svg, |svg, (number, name)| svg.replace(&format!("\"{number}\""), &format!("\"{name}\""))))
}

fn cannot(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("a plot cannot be drawn: {error}")
}

fn letters(colour: &RGBColor, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", LETTERS).into_font().color(colour).pos(Pos::new(horizontal, vertical))
}

/// A scale on which the tenths of a page are whole numbers.
fn reach(largest: f64) -> f64 {
    let steps = [0.02, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0];
    steps.into_iter().find(|step| largest <= *step).unwrap_or(1.0)
}

fn differences(area: &Area<'_>, rows: &[&Row]) -> anyhow::Result<()> {
    let ends = |row: &&&Row| {
        let figure = row.compared.difference.figure;
        [figure.low, figure.high, figure.value].into_iter().flatten().map(f64::abs).fold(0.0, f64::max)
    };
    let reach = reach(rows.iter().map(|row| ends(&row)).fold(0.01, f64::max));
    let (left, right) = (14.0, f64::from(WIDTH) - 14.0);
    let x = |value: f64| ((value / reach).clamp(-1.0, 1.0) + 1.0) / 2.0 * (right - left) + left;
    let bottom = 18 + 40 * i32::try_from(rows.len()).unwrap_or(1);
    for tick in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let at = x(tick * reach) as i32;
        for place in 0..i32::try_from(rows.len()).unwrap_or_default() {
            let line = 32 + 40 * place;
            let (colour, half) = if tick == 0.0 { (&MUTED, 9) } else { (&GRID, 6) };
            area.draw(&PathElement::new([(at, line - half), (at, line + half)], colour)).map_err(cannot)?;
        }
        let anchor = match tick {
            -1.0 => HPos::Left,
            1.0 => HPos::Right,
            _ => HPos::Center,
        };
        let at = if tick == -1.0 {
            2
        } else if tick == 1.0 {
            WIDTH as i32 - 2
        } else {
            at
        };
        let label = signed(tick * reach * 100.0);
        area.draw(&Text::new(label, (at, bottom + 8), letters(&MUTED, anchor, VPos::Top))).map_err(cannot)?;
    }
    for (place, row) in rows.iter().enumerate() {
        let top = 6 + 40 * i32::try_from(place).unwrap_or_default();
        let figure = row.compared.difference.figure;
        // To the right is in favour of b, whichever way is better.
        let favour = if row.better == Better::Lower { -1.0 } else { 1.0 };
        let colour = match row.turn() {
            Turn::Better => &GOOD,
            Turn::Worse => &BAD,
            Turn::Other | Turn::Unclear => &INK,
        };
        area.draw(&Text::new(row.title, (4, top), letters(&INK, HPos::Left, VPos::Top))).map_err(cannot)?;
        let line = top + 26;
        if let Some((low, high)) = figure.low.zip(figure.high) {
            let ends = [(x(low * favour) as i32, line), (x(high * favour) as i32, line)];
            area.draw(&PathElement::new(ends, colour.stroke_width(3))).map_err(cannot)?;
        }
        let at = x(figure.value.unwrap_or_default() * favour) as i32;
        area.draw(&Circle::new((at, line), 5, colour.filled())).map_err(cannot)?;
    }
    Ok(())
}

fn signed(points: f64) -> String {
    if points == 0.0 { "0".to_owned() } else { format!("{points:+}").replace('-', "\u{2212}") }
}

fn reliability(area: &Area<'_>, a: &[Tenth], b: &[Tenth]) -> anyhow::Result<()> {
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(40)
        .y_label_area_size(54)
        .build_cartesian_2d(0.0..1.04, 0.0..1.06)
        .map_err(cannot)?;
    chart
        .configure_mesh()
        .axis_style(MUTED)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(letters(&MUTED, HPos::Center, VPos::Center))
        .axis_desc_style(letters(&MUTED, HPos::Center, VPos::Center))
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|value| format!("{value:.1}"))
        .y_label_formatter(&|value| format!("{value:.1}"))
        .x_desc("confidence")
        .y_desc("share supported")
        .draw()
        .map_err(cannot)?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], MUTED)).map_err(cannot)?;
    for (tenths, colour) in [(a, A), (b, B)] {
        let points: Vec<(f64, f64, f64)> =
            tenths.iter().filter_map(|tenth| Some((tenth.confidence?, tenth.supported?, tenth.memories))).collect();
        let line = points.iter().map(|(confidence, supported, _)| (*confidence, *supported));
        chart.draw_series(LineSeries::new(line, colour.stroke_width(2))).map_err(cannot)?;
        let all: f64 = points.iter().map(|(_, _, memories)| memories).sum();
        let dots = points.iter().map(|(confidence, supported, memories)| {
            Circle::new(
                (*confidence, *supported),
                3 + (10.0 * (memories / all).sqrt()) as i32,
                colour.mix(0.75).filled(),
            )
        });
        chart.draw_series(dots).map_err(cannot)?;
    }
    Ok(())
}

/// Facts b found more than a, for each conversation with gold, the best first.
fn by_conversation(report: &Report) -> Vec<i32> {
    let found = |conversation: &str, side: Side| -> i32 {
        let trials = report.trials.iter().filter(|trial| trial.conversation == conversation && trial.arm == side);
        let told = trials.flat_map(|trial| {
            let mut gold: Vec<&String> = trial.memories.iter().flat_map(|memory| &memory.found.gold).collect();
            gold.sort();
            gold.dedup();
            gold
        });
        i32::try_from(told.count()).unwrap_or(i32::MAX)
    };
    let labelled =
        report.conversations.iter().filter(|read| read.labels.as_ref().is_some_and(|labels| !labels.gold.is_empty()));
    let mut differences: Vec<i32> = labelled.map(|read| found(&read.id, Side::B) - found(&read.id, Side::A)).collect();
    differences.sort_unstable_by(|one, other| other.cmp(one));
    differences
}

fn conversations(area: &Area<'_>, found: &[i32]) -> anyhow::Result<()> {
    let most = found.iter().map(|difference| difference.abs()).max().unwrap_or_default().max(2);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .y_label_area_size(34)
        .build_cartesian_2d(0.0..found.len() as f64, f64::from(-most)..f64::from(most))
        .map_err(cannot)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .axis_style(TRANSPARENT)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(letters(&MUTED, HPos::Center, VPos::Center))
        .y_labels(5)
        .y_label_formatter(&|value| signed(*value))
        .draw()
        .map_err(cannot)?;
    let bars = found.iter().enumerate().map(|(place, difference)| {
        let (left, colour) = (place as f64, if *difference > 0 { B } else { A });
        Rectangle::new([(left + 0.12, 0.0), (left + 0.88, f64::from(*difference))], colour.filled())
    });
    chart.draw_series(bars).map_err(cannot)?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (found.len() as f64, 0.0)], MUTED)).map_err(cannot)?;
    Ok(())
}

fn reasons(area: &Area<'_>, rows: &[&ReasonRow]) -> anyhow::Result<()> {
    let most = rows.iter().map(|row| row.a.0.max(row.b.0)).max().unwrap_or_default().max(1);
    let room = f64::from(WIDTH) - 56.0;
    for (place, row) in rows.iter().enumerate() {
        let top = 4 + 46 * i32::try_from(place).unwrap_or_default();
        let name = row.reason.replace('_', " ");
        area.draw(&Text::new(name, (4, top), letters(&INK, HPos::Left, VPos::Top))).map_err(cannot)?;
        for (below, number, colour) in [(18, row.a.0, A), (29, row.b.0, B)] {
            let width = (room * number as f64 / most as f64) as i32;
            let corners = [(4, top + below), (4 + width.max(1), top + below + 9)];
            area.draw(&Rectangle::new(corners, colour.filled())).map_err(cannot)?;
            let label = letters(&MUTED, HPos::Left, VPos::Center);
            area.draw(&Text::new(number.to_string(), (12 + width, top + below + 4), label)).map_err(cannot)?;
        }
    }
    Ok(())
}
