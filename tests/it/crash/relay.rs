//! A relay in front of a server. It can hold one stream at a boundary, told by the bytes that were seen, and it can cut connections.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::world::PATIENCE;

/// Where a stream is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// What the client said last does not reach the server.
    Request,
    /// It does, but nothing comes back any more.
    Answer,
}

/// Holds the first connection on which the client has said all these words, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Trap {
    pub(super) words: Vec<&'static [u8]>,
    pub(super) hold: Hold,
}

/// What the connections of a relay have in common.
struct Orders {
    trap: Mutex<Option<Trap>>,
    sprung: Notify,
    /// How many chunks a connection carries before it is cut, and by what chance.
    shears: Mutex<Option<(Range<u32>, StdRng)>>,
    cut: watch::Sender<u32>,
}

/// A relay; its connections end with it.
pub(super) struct Relay {
    address: String,
    orders: Arc<Orders>,
    _tasks: JoinSet<()>,
}

impl Relay {
    /// A relay in front of `server`, as `host:port`.
    pub(super) async fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let orders = Arc::new(Orders {
            trap: Mutex::default(),
            sprung: Notify::new(),
            shears: Mutex::default(),
            cut: watch::Sender::new(0),
        });
        let (server, common) = (server.to_owned(), Arc::clone(&orders));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut pipes = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                // A server that is away is a connection that ends at once.
                let Ok(server) = TcpStream::connect(&server).await else { continue };
                let (common, cut) = (Arc::clone(&common), common.cut.subscribe());
                pipes.spawn(async move { Pipe::new(&common, cut).carry(client, server).await });
            }
        });
        Self { address, orders, _tasks: tasks }
    }

    /// A relay in front of the server of a URL, and the URL that leads through it.
    pub(super) async fn before_url(url: &str, port: u16) -> (Self, String) {
        let (head, rest) = url.split_once("://").unwrap();
        let (place, path) = rest.split_once('/').unwrap();
        let (user, host) = place.rsplit_once('@').map_or(("", place), |(user, host)| (user, host));
        let server = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
        let relay = Self::before(&server).await;
        let at = if user.is_empty() { "" } else { "@" };
        let url = format!("{head}://{user}{at}{}/{path}", relay.address);
        (relay, url)
    }

    /// Where it listens, as `host:port`.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Sets the trap; it springs once.
    pub(super) fn set(&self, trap: Trap) {
        *self.orders.trap.lock().unwrap_or_else(PoisonError::into_inner) = Some(trap);
    }

    /// Waits until a stream is held.
    pub(super) async fn sprung(&self) {
        let sprung = tokio::time::timeout(PATIENCE, self.orders.sprung.notified()).await;
        assert!(sprung.is_ok(), "nobody said the words of the trap");
    }

    /// Cuts every connection; what was held is lost.
    pub(super) fn cut(&self) {
        self.orders.cut.send_modify(|times| *times += 1);
    }

    /// From now on cuts every new connection once it has carried so many chunks, drawn by chance from `seed`.
    pub(super) fn cut_after(&self, chunks: Range<u32>, seed: u64) {
        let shears = Some((chunks, StdRng::seed_from_u64(seed)));
        *self.orders.shears.lock().unwrap_or_else(PoisonError::into_inner) = shears;
        self.cut();
    }

    /// Lets new connections live; how many cuts there were.
    pub(super) fn lay_down_the_shears(&self) -> u32 {
        *self.orders.shears.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.cuts()
    }

    /// How many cuts there were.
    pub(super) fn cuts(&self) -> u32 {
        *self.orders.cut.borrow()
    }
}

/// One connection.
struct Pipe<'o> {
    orders: &'o Orders,
    cut: watch::Receiver<u32>,
    /// Words of the trap that were said here, and the last bytes the client sent.
    said: usize,
    tail: Vec<u8>,
    held: Option<Hold>,
    chunks_left: Option<u32>,
}

impl<'o> Pipe<'o> {
    fn new(orders: &'o Orders, cut: watch::Receiver<u32>) -> Self {
        let mut shears = orders.shears.lock().unwrap_or_else(PoisonError::into_inner);
        let chunks_left = shears.as_mut().map(|(chunks, chance)| chance.random_range(chunks.clone()));
        Self { orders, cut, said: 0, tail: Vec::new(), held: None, chunks_left }
    }

    async fn carry(mut self, mut client: TcpStream, mut server: TcpStream) {
        let (mut from_client, mut to_client) = client.split();
        let (mut from_server, mut to_server) = server.split();
        let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
        loop {
            let carried = tokio::select! {
                _ = self.cut.changed() => return,
                read = from_client.read(&mut up), if self.held != Some(Hold::Request) => {
                    let bytes = &up[..read.unwrap_or_default()];
                    let springs = self.springs(bytes);
                    if springs != Some(Hold::Request) && to_server.write_all(bytes).await.is_err() {
                        return;
                    }
                    if springs.is_some() {
                        self.held = springs;
                        self.orders.sprung.notify_one();
                    }
                    bytes.len()
                }
                read = from_server.read(&mut down), if self.held != Some(Hold::Answer) => {
                    let bytes = &down[..read.unwrap_or_default()];
                    if to_client.write_all(bytes).await.is_err() {
                        return;
                    }
                    bytes.len()
                }
            };
            if carried == 0 || self.is_worn_out() {
                return;
            }
        }
    }

    /// Whether these bytes of the client complete the words of the trap, which is gone then.
    fn springs(&mut self, bytes: &[u8]) -> Option<Hold> {
        let mut trap = self.orders.trap.lock().unwrap_or_else(PoisonError::into_inner);
        let Trap { words, hold } = trap.as_ref()?;
        self.tail.extend_from_slice(bytes);
        while let Some(word) = words.get(self.said) {
            let Some(at) = self.tail.windows(word.len()).position(|window| window == *word) else { break };
            self.tail.drain(..at + word.len());
            self.said += 1;
        }
        // Of what is no word yet, only what could begin one is kept.
        let longest = words.iter().map(|word| word.len()).max().unwrap_or_default();
        self.tail.drain(..self.tail.len().saturating_sub(longest));
        let springs = (self.said == words.len()).then_some(*hold);
        if springs.is_some() {
            *trap = None;
        }
        springs
    }

    fn is_worn_out(&mut self) -> bool {
        let Some(left) = &mut self.chunks_left else { return false };
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.orders.cut.send_if_modified(|times| {
                *times += 1;
                false
            });
        }
        *left == 0
    }
}
