//! `recall eval gate`: runs every scorer over a folder of labelled rows and says how sure each figure is.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use super::second::Second;
use super::{Row, Scorer, scorers};

/// Resamples behind an interval.
const RESAMPLES: usize = 200;

/// What is scored.
pub(crate) struct Options {
    /// Folder with one folder a stage.
    pub data: PathBuf,
    /// Folder of the gate cases, where it is not `cases` under `data`.
    pub cases: Option<PathBuf>,
    /// Only this stage folder.
    pub stage: Option<String>,
}

/// A figure with the interval that holds 95 % of its resamples.
#[derive(Serialize)]
pub(crate) struct Figure {
    /// On all rows.
    pub value: f64,
    /// 2.5 % of the resamples are below.
    pub low: f64,
    /// 2.5 % of the resamples are above.
    pub high: f64,
}

/// The scores of one file.
pub(crate) struct FileScore {
    /// Folder.
    pub stage: &'static str,
    /// File without licence tag and ending.
    pub file: String,
    /// Rows that were scored.
    pub n: usize,
    /// By metric.
    pub metrics: BTreeMap<&'static str, Figure>,
    /// One line for each row that is wrong.
    pub wrong: Vec<String>,
}

/// Scores and what was not there.
pub(crate) struct Report {
    /// In the order of the pipeline.
    pub files: Vec<FileScore>,
    /// Files a scorer asks for that are absent.
    pub skipped: Vec<String>,
}

impl Report {
    /// The machine-readable form: `{"files":[{"stage","file","n","metrics":{…},"intervals":{…}}],"skipped":[…]}`.
    pub(crate) fn to_json(&self) -> Value {
        let file = |score: &FileScore| {
            let values: BTreeMap<_, _> = score.metrics.iter().map(|(name, figure)| (*name, figure.value)).collect();
            let intervals: BTreeMap<_, _> =
                score.metrics.iter().map(|(name, figure)| (*name, [figure.low, figure.high])).collect();
            serde_json::json!({
                "stage": score.stage, "file": score.file, "n": score.n, "metrics": values, "intervals": intervals,
            })
        };
        serde_json::json!({ "files": self.files.iter().map(file).collect::<Vec<_>>(), "skipped": self.skipped })
    }
}

/// Scores every file that is there.
///
/// # Errors
/// A folder that does not exist, a file that cannot be read, a line that is not JSON.
pub(crate) fn run(options: &Options, second: Option<&Second>) -> anyhow::Result<Report> {
    anyhow::ensure!(options.data.is_dir(), "no folder at {}", options.data.display());
    let mut report = Report { files: Vec::new(), skipped: Vec::new() };
    let wanted = |scorer: &&Scorer| options.stage.as_deref().is_none_or(|stage| stage == scorer.stage);
    for scorer in scorers().filter(wanted) {
        let folder = match (&options.cases, scorer.stage) {
            (Some(cases), "cases") => cases.clone(),
            _ => options.data.join(scorer.stage),
        };
        match find(&folder, scorer) {
            Some(path) => report.files.push(score(scorer, &path, second)?),
            None => report.skipped.push(format!("{}/{}", scorer.stage, scorer.file)),
        }
    }
    Ok(report)
}

/// The file of a scorer, whatever its licence tag and half; of the cases, the only file there.
fn find(folder: &Path, scorer: &Scorer) -> Option<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.sort();
    names.into_iter().find(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let ours = scorer.stage == "cases" || name.split('.').next() == Some(scorer.file);
        ours && name.ends_with(".jsonl")
    })
}

fn score(scorer: &Scorer, path: &Path, second: Option<&Second>) -> anyhow::Result<FileScore> {
    let rows = judge_lines(scorer, path, second)?;
    let all: Vec<&Row> = rows.iter().collect();
    let values = (scorer.summarise)(&all);
    let samples = resample(scorer, &rows);
    let metrics = values.into_iter().map(|(name, value)| (name, figure(name, value, &samples))).collect();
    let wrong = rows.iter().filter_map(|row| row.wrong.clone()).collect();
    Ok(FileScore { stage: scorer.stage, file: scorer.file.to_owned(), n: rows.len(), metrics, wrong })
}

/// Lines are read one by one and judged on every core; rows keep the order of the file.
fn judge_lines(scorer: &Scorer, path: &Path, second: Option<&Second>) -> anyhow::Result<Vec<Row>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut lines = BufReader::new(file).lines().enumerate().peekable();
    let mut rows = Vec::new();
    while lines.peek().is_some() {
        let mut batch = Vec::new();
        for (number, line) in lines.by_ref().take(cores * 64) {
            let line = line.with_context(|| format!("{} line {}", path.display(), number + 1))?;
            let value: Value =
                serde_json::from_str(&line).with_context(|| format!("{} line {}", path.display(), number + 1))?;
            batch.push(value);
        }
        let share = batch.len().div_ceil(cores).max(1);
        let judged = std::thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(share)
                .map(|part| {
                    let rows = |line| scorer.judge.rows(line, second);
                    scope.spawn(move || part.iter().flat_map(rows).collect::<Vec<Row>>())
                })
                .collect();
            workers.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
        });
        for part in judged {
            rows.extend(part.map_err(|_| anyhow::anyhow!("a scorer panicked on {}", path.display()))?);
        }
    }
    Ok(rows)
}

/// Metrics of resamples with whole groups drawn again and again; the draw is the same on every machine.
fn resample(scorer: &Scorer, rows: &[Row]) -> Vec<BTreeMap<&'static str, f64>> {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(&row.group).or_default().push(row);
    }
    let groups: Vec<Vec<&Row>> = groups.into_values().collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % groups.len().max(1) as u64).unwrap_or_default()
    };
    let mut samples = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let sample: Vec<&Row> = (0..groups.len()).flat_map(|_| groups[draw()].iter().copied()).collect();
        samples.push((scorer.summarise)(&sample));
    }
    samples
}

fn figure(name: &str, value: f64, samples: &[BTreeMap<&'static str, f64>]) -> Figure {
    let mut values: Vec<f64> = samples.iter().filter_map(|sample| sample.get(name).copied()).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * values.len() as f64) as usize).copied().unwrap_or(value);
    Figure { value, low: at(0.025), high: at(0.975) }
}
