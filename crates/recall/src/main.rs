//! The one binary.

mod eval;

fn main() -> anyhow::Result<()> {
    let data = std::env::args().nth(1).unwrap_or_default().into();
    let stage = std::env::args().nth(2);
    let report = eval::gate::run(&eval::gate::Options { data, cases: Some("../shared/cases".into()), stage })?;
    let wrong: Vec<&String> = report.files.iter().flat_map(|file| &file.wrong).collect();
    println!("{:#}\n{wrong:#?}", report.to_json());
    Ok(())
}
