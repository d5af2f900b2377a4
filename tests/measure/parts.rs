//! The measurements, one function each. Whatever is compared is measured in turns, so that what else the machine does meets both.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::figures::{Line, Target, median, quantile, rate_of_slots, steady_rate};
use super::installation::{Installation, Servers};
use super::{calls, process, rows, senders, stub};

/// Clients that post at once, and calls a worker holds at once by default.
const AT_ONCE: usize = 64;
/// Connections of a worker to its database by default.
const CONNECTIONS: u32 = 12;
/// A bare limit below this many calls a second says more of the machine than of the product.
const LEAST_BARE: f64 = 2000.0;

/// How much is measured.
#[derive(Debug)]
pub(crate) struct Sizes {
    /// Repetitions of everything.
    pub(crate) pairs: usize,
    accept_seconds: u64,
    backlog: usize,
    rounds: usize,
    held: usize,
    chat_pairs: usize,
}

impl Sizes {
    pub(crate) fn full() -> Self {
        Self { pairs: 5, accept_seconds: 4, backlog: 4000, rounds: 8, held: 2500, chat_pairs: 1000 }
    }

    pub(crate) fn quick() -> Self {
        Self { pairs: 1, accept_seconds: 2, backlog: 800, rounds: 4, held: 1000, chat_pairs: 200 }
    }
}

/// (a) Posting until confirmed, against publishing the same message and waiting for its confirm, with few clients and with many: few
/// mostly wait for the broker, many share out the cores.
pub(crate) async fn accepting(servers: &mut Servers, sizes: &Sizes) -> Vec<Line> {
    let time = Duration::from_secs(sizes.accept_seconds);
    let clients = [8, AT_ONCE];
    let mut sides = clients.map(|_| Sides::default());
    let mut bytes = 0;
    for _ in 0..sizes.pairs {
        let mut fleet = servers.fleet(&[]).await;
        fleet.open().await;
        // The first posts meet cold caches and connections on both sides.
        senders::post_claims(fleet.port, AT_ONCE, 4 * AT_ONCE).await;
        let message = Arc::new(servers.broker.sample().await);
        bytes = message.body.len();
        servers.broker.confirm_loop(&message, AT_ONCE, Duration::from_millis(500)).await;
        for (clients, sides) in clients.into_iter().zip(&mut sides) {
            servers.broker.purge().await;
            let ours = sides.ours.add(senders::post_for(fleet.port, clients, time).await, time);
            servers.broker.purge().await;
            let bare = sides.bare.add(servers.broker.confirm_loop(&message, clients, time).await, time);
            sides.ratios.push(ours / bare);
        }
        servers.end(fleet).await;
    }
    let mut lines = Vec::new();
    for (clients, Sides { ratios, ours, bare }) in clients.into_iter().zip(sides) {
        let what = format!("remember to confirmed / bare confirm ({clients} clients, {bytes} bytes)");
        lines.push(Line::new("a", what, ratios, Target::AtLeast(0.9)));
        for (who, Measured { rates, p50, p99 }) in [("remember", ours), ("bare", bare)] {
            let line =
                |what, figures| Line::new("a", format!("{clients} clients, {who}, {what}"), figures, Target::None);
            lines.extend([line("calls/s", rates), line("p50 ms", p50), line("p99 ms", p99)]);
        }
    }
    lines
}

/// Both sides of a comparison.
#[derive(Default)]
struct Sides {
    ratios: Vec<f64>,
    ours: Measured,
    bare: Measured,
}

#[derive(Default)]
struct Measured {
    rates: Vec<f64>,
    p50: Vec<f64>,
    p99: Vec<f64>,
}

impl Measured {
    /// Takes a repetition in; its calls a second.
    fn add(&mut self, mut latencies: Vec<Duration>, time: Duration) -> f64 {
        let rate = latencies.len() as f64 / time.as_secs_f64();
        self.rates.push(rate);
        self.p50.push(quantile(&mut latencies, 0.5));
        self.p99.push(quantile(&mut latencies, 0.99));
        rate
    }
}

/// (b) A backlog worked off by one worker, against consuming it and writing the same rows with nothing in between. The model of the first
/// fleet costs next to nothing (`rules`, in the worker), since the bare loop has none; that of the second answers over HTTP at once, and
/// its server takes its share of the same cores.
pub(crate) async fn throughput(servers: &mut Servers, sizes: &Sizes) -> Vec<Line> {
    let model = stub::start(Duration::ZERO).await;
    let (mut rules, mut http, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows_each = 0.0;
    for _ in 0..sizes.pairs {
        let fleet = worked_off(servers, sizes.backlog, &[("MODEL__PROVIDER", "rules")]).await;
        rules.push(steady_rate(fleet.commit_times().await));
        let written = rows::written(&fleet).await;
        rows_each = written.each;
        servers.end(fleet).await;

        let empty = backlog(servers, sizes.backlog, &[]).await;
        let limits = (AT_ONCE, CONNECTIONS);
        bare.push(steady_rate(rows::write_again(&servers.broker, &empty, written, limits).await));
        servers.end(empty).await;

        let fleet = worked_off(servers, sizes.backlog, &openai(&model.url)).await;
        http.push(steady_rate(fleet.commit_times().await));
        servers.end(fleet).await;
    }
    let ratios = |ours: &[f64]| ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect::<Vec<f64>>();
    let slow = median(&bare) < LEAST_BARE;
    let void = slow.then(|| format!("the bare limit is below {LEAST_BARE} calls/s"));
    let what = format!("fleet / bare rows, model `rules` ({rows_each:.0} rows a call)");
    let ratio = Line { void, ..Line::new("b", what, ratios(&rules), Target::AtLeast(0.7)) };
    vec![
        ratio,
        Line::new("b", "fleet / bare rows, model over HTTP at 0 ms", ratios(&http), Target::None),
        Line::new("b", "fleet, model `rules`, calls/s", rules, Target::None),
        Line::new("b", "fleet, model over HTTP at 0 ms, calls/s", http, Target::None),
        Line::new("b", "bare: consume, the same rows, ack, calls/s", bare, Target::None),
    ]
}

fn openai(url: &str) -> [(&str, &str); 4] {
    [("MODEL__PROVIDER", "openai"), ("MODEL__BASE_URL", url), ("MODEL__MODEL", "stub-1"), ("MODEL__API_KEY", "none")]
}

/// A fleet whose queues hold so many calls, and nobody who works.
async fn backlog(servers: &mut Servers, calls: usize, settings: &[(&str, &str)]) -> Installation {
    let mut fleet = servers.fleet(settings).await;
    fleet.open().await;
    senders::post_claims(fleet.port, AT_ONCE, calls).await;
    fleet.close();
    fleet
}

/// The same, and worked off by one worker; every call made its memory.
async fn worked_off(servers: &mut Servers, calls: usize, settings: &[(&str, &str)]) -> Installation {
    let mut fleet = backlog(servers, calls, settings).await;
    fleet.work(1);
    fleet.committed(calls).await;
    let kept = fleet.number("SELECT count(*) FROM memories").await;
    assert_eq!(kept as usize, calls, "every call holds one claim");
    fleet
}

/// (c) One worker with so many places and a model that takes a second.
pub(crate) async fn slots(servers: &mut Servers, sizes: &Sizes) -> Vec<Line> {
    let model = stub::start(Duration::from_secs(1)).await;
    let mut shares = Vec::new();
    for _ in 0..sizes.pairs {
        shares.push(rate_at(servers, &model.url, (1, AT_ONCE), sizes.rounds).await / AT_ONCE as f64);
    }
    let what = format!("share of K calls/s reached, K = {AT_ONCE}, model over HTTP at 1 s");
    vec![Line::new("c", what, shares, Target::AtLeast(0.97))]
}

/// Calls a second that so many workers with so many places each reach over whole rounds.
async fn rate_at(servers: &mut Servers, url: &str, (workers, places): (usize, usize), rounds: usize) -> f64 {
    let concurrency = places.to_string();
    let mut settings = openai(url).to_vec();
    settings.push(("WORKER__CONCURRENCY", &concurrency));
    let slots = workers * places;
    // Partitions are not shared out evenly, so that some queues run dry before the others: there are four times as many calls as are counted.
    let calls = (rounds + 2) * slots * if workers > 1 { 4 } else { 1 } + 2 * slots;
    let mut fleet = backlog(servers, calls, &settings).await;
    fleet.work(workers);
    fleet.committed((rounds + 2) * slots + 1).await;
    let times = fleet.commit_times().await;
    servers.end(fleet).await;
    rate_of_slots(times, slots, rounds)
}

/// (d) One, two and four workers while the model is the limit.
pub(crate) async fn scaling(servers: &mut Servers, sizes: &Sizes) -> Vec<Line> {
    let places = AT_ONCE / 2;
    let model = stub::start(Duration::from_secs(1)).await;
    let (mut one, mut two, mut four) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..sizes.pairs {
        one.push(rate_at(servers, &model.url, (1, places), sizes.rounds).await);
        two.push(rate_at(servers, &model.url, (2, places), sizes.rounds).await);
        four.push(rate_at(servers, &model.url, (4, places), sizes.rounds).await);
    }
    let share = |rates: &[f64], workers: f64| rates.iter().zip(&one).map(|(many, one)| many / one / workers).collect();
    let what = |workers| format!("{workers} workers / {workers} x 1 worker ({places} places each, model at 1 s)");
    vec![
        Line::new("d", what(2), share(&two, 2.0), Target::AtLeast(0.95)),
        Line::new("d", what(4), share(&four, 4.0), Target::AtLeast(0.95)),
        Line::new("d", "1 worker, calls/s", one, Target::None),
        Line::new("d", "2 workers, calls/s", two, Target::None),
        Line::new("d", "4 workers, calls/s", four, Target::None),
    ]
}

/// (e) Memory and processor time of a worker that holds 500 calls at once.
pub(crate) async fn in_flight(servers: &mut Servers, sizes: &Sizes) -> Vec<Line> {
    let (mut memory, mut cpu, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..sizes.pairs.min(3) {
        let model = stub::start(Duration::from_secs(3)).await;
        let mut settings = openai(&model.url).to_vec();
        settings.push(("WORKER__CONCURRENCY", "500"));
        let mut fleet = backlog(servers, sizes.held, &settings).await;
        fleet.work(1);
        fleet.committed(sizes.held).await;
        memory.push(process::peak_mib(&fleet.workers[0]));
        cpu.push(process::cpu_seconds(&fleet.workers[0]) * 1000.0 / sizes.held as f64);
        held.push(model.asked.most_in_flight.load(Ordering::Relaxed) as f64);
        servers.end(fleet).await;
    }
    let few = median(&held) < 450.0;
    let void = few.then(|| "fewer than 450 calls were in flight".to_owned());
    let peak = Line::new("e", "worker at 500 calls in flight, peak MiB", memory, Target::AtMost(150.0));
    vec![
        Line { void, ..peak },
        Line::new("e", "worker, CPU ms a call", cpu, Target::None),
        Line::new("e", "requests at the model at once", held, Target::None),
    ]
}

/// (f) Everyday chat, a call a pair: processor time of all processes of ours and tokens asked, for 1,000 pairs.
pub(crate) async fn chat(servers: &mut Servers, sizes: &Sizes, file: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut costs = [Cost::default(), Cost::default()];
    for _ in 0..sizes.pairs {
        for (place, cost) in costs.iter_mut().enumerate() {
            let model = stub::start(Duration::ZERO).await;
            let settings = openai(&model.url);
            let mut installation = match place {
                0 => servers.embedded(&settings),
                _ => servers.fleet(&settings).await,
            };
            installation.open().await;
            // Embedded, the door works, too.
            installation.work(place);
            senders::post_all(installation.port, 16, calls::workload(file, sizes.chat_pairs)).await;
            installation.committed(sizes.chat_pairs).await;
            cost.add(&installation, &model, sizes.chat_pairs as f64 / 1000.0).await;
            servers.end(installation).await;
        }
    }
    for (mode, cost) in ["embedded", "fleet"].into_iter().zip(costs) {
        let Cost { cpu, tokens, schema, requests, memories, peak } = cost;
        let line = |what: &str, figures, target| Line::new("f", format!("{mode}: {what}"), figures, target);
        lines.push(line("CPU s of our processes / 1,000 pairs", cpu, Target::AtMost(2.0)));
        lines.push(line("prompt tokens, millions / 1,000 pairs", tokens, Target::AtMost(0.55)));
        lines.push(line("tokens of the schema beside them, millions", schema, Target::None));
        lines.push(line("requests / 1,000 pairs", requests, Target::None));
        lines.push(line("memories / 1,000 pairs", memories, Target::None));
        lines.push(line("peak MiB of all processes", peak, Target::None));
    }
    lines
}

/// What chat cost, a figure a repetition, for 1,000 pairs.
#[derive(Default)]
struct Cost {
    cpu: Vec<f64>,
    tokens: Vec<f64>,
    schema: Vec<f64>,
    requests: Vec<f64>,
    memories: Vec<f64>,
    peak: Vec<f64>,
}

impl Cost {
    async fn add(&mut self, installation: &Installation, model: &stub::Stub, thousands: f64) {
        let asked = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64 / thousands;
        self.cpu.push(installation.processes().map(process::cpu_seconds).sum::<f64>() / thousands);
        self.tokens.push(asked(&model.asked.prompt_chars) / 4.0 / 1e6);
        self.schema.push(asked(&model.asked.schema_chars) / 4.0 / 1e6);
        self.requests.push(asked(&model.asked.requests));
        self.memories.push(installation.number("SELECT count(*) FROM memories").await as f64 / thousands);
        self.peak.push(installation.processes().map(process::peak_mib).sum());
    }
}
