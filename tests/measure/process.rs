//! What a process of ours costs, as the kernel counts it.

use std::process::Child;

/// Ticks of the kernel's clock in a second; fixed for programs on Linux.
const TICKS: f64 = 100.0;

/// Seconds of processor time a process has used, its threads included.
pub(crate) fn cpu_seconds(process: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    // The name of the program may hold anything, so fields are counted from behind it.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    ticks as f64 / TICKS
}

/// The most memory a process has held at once, in MiB.
pub(crate) fn peak_mib(process: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Load of the machine: the mean number of tasks that wanted a core during the last minute.
pub(crate) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}
