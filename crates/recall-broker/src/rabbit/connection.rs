//! One connection and its channel, kept up by a supervisor of our own: the library's recovery leaves publishers hanging
//! and consumers dead, so here a broken connection is thrown away whole and the next generation is made from nothing.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use lapin::options::ConfirmSelectOptions;
use lapin::protocol::{AMQPErrorKind, AMQPSoftError};
use lapin::tcp::AMQPUriTcpExt as _;
use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties, ErrorKind, Event};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::backoff::Backoff;
use super::generations::{Register, Use};
use super::opening;
use crate::BrokerError;
use crate::topology::Layout;

/// The longest any single answer of the broker is waited for.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(10);
/// Seconds between heartbeats where the address does not say: a silent cut is noticed after two.
const HEARTBEAT_SECONDS: u16 = 10;
/// How long a broken connection may take to say goodbye.
const FAREWELL_LIMIT: Duration = Duration::from_secs(2);

/// What went wrong with one request to the broker.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// No answer in time.
    #[error("no answer within {} s", ANSWER_LIMIT.as_secs())]
    Silent,
    /// The client library's error.
    #[error("request failed")]
    Failed(#[source] lapin::Error),
    /// Nobody answers at the address of the broker.
    #[error("cannot connect to {address}")]
    Unreachable {
        /// Host and port, without user and password.
        address: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
}

impl From<Trouble> for BrokerError {
    fn from(trouble: Trouble) -> Self {
        if let Trouble::Failed(error) = &trouble
            && let ErrorKind::ProtocolError(told) = error.kind()
            && matches!(told.kind(), AMQPErrorKind::Soft(AMQPSoftError::PRECONDITIONFAILED))
        {
            return Self::Mismatch(told.get_message().to_string());
        }
        Self::Unavailable(Some(Box::new(trouble)))
    }
}

/// An answer of the broker, waited for no longer than [`ANSWER_LIMIT`].
pub(super) async fn within<T>(answer: impl Future<Output = lapin::Result<T>>) -> Result<T, Trouble> {
    match tokio::time::timeout(ANSWER_LIMIT, answer).await {
        Ok(answer) => answer.map_err(Trouble::Failed),
        Err(_) => Err(Trouble::Silent),
    }
}

/// A connection that is up, with a channel in confirm mode on it.
#[derive(Clone)]
pub(super) struct Lease {
    /// Counts the connections of this link.
    pub(super) generation: u64,
    /// For further channels.
    pub(super) connection: Arc<Connection>,
    /// In confirm mode; the layout is declared.
    pub(super) channel: Channel,
    /// True while the broker takes no messages because memory or disk runs out.
    pub(super) blocked: watch::Receiver<bool>,
}

#[derive(Clone)]
enum State {
    Down(Arc<str>),
    Refused(Arc<str>),
    Moved,
    Up(Lease),
}

/// What a link is for.
pub(super) struct Errand {
    /// Its name at the broker.
    pub(super) name: &'static str,
    /// Whether it sends or reads.
    pub(super) using: Use,
    /// Knows whether the generation of the layout still stands.
    pub(super) register: Arc<dyn Register>,
}

/// Keeps a connection up and hands it out.
pub(super) struct Link {
    state: watch::Receiver<State>,
    reports: mpsc::UnboundedSender<u64>,
    /// Dropping it ends the supervisor.
    _supervisor: JoinSet<()>,
}

impl Link {
    /// Starts connecting. Must be called within a runtime.
    pub(super) fn start(mut uri: AMQPUri, layout: Layout, errand: Errand) -> Self {
        uri.query.heartbeat = uri.query.heartbeat.or(Some(HEARTBEAT_SECONDS));
        let (show, state) = watch::channel(State::Down("connecting".into()));
        let (reports, reported) = mpsc::unbounded_channel();
        let mut supervisor = JoinSet::new();
        supervisor.spawn(supervise(Supervised { uri, layout, errand, show, reported }));
        Self { state, reports, _supervisor: supervisor }
    }

    /// The connection, waited for until `deadline`.
    pub(super) async fn lease(&self, deadline: Instant) -> Result<Lease, BrokerError> {
        let mut state = self.state.clone();
        loop {
            if let State::Up(lease) = &*state.borrow_and_update() {
                return Ok(lease.clone());
            }
            if let Some(refused) = self.refused() {
                return Err(refused);
            }
            match tokio::time::timeout_at(deadline, state.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return Err(self.unavailable()),
            }
        }
    }

    /// The connection as it is now.
    pub(super) fn now(&self) -> Result<Lease, BrokerError> {
        match &*self.state.borrow() {
            State::Up(lease) if *lease.blocked.borrow() => Err(blocked()),
            State::Up(lease) => Ok(lease.clone()),
            State::Down(why) => Err(BrokerError::Unavailable(Some(why.to_string().into()))),
            State::Refused(why) => Err(BrokerError::Mismatch(why.to_string())),
            State::Moved => Err(BrokerError::Moved),
        }
    }

    /// Says that a generation does not work any more. The next is made; later reports of the same one do nothing.
    pub(super) fn report(&self, generation: u64) {
        // The receiver is gone only while everything shuts down.
        let _ = self.reports.send(generation);
    }

    fn refused(&self) -> Option<BrokerError> {
        match &*self.state.borrow() {
            State::Refused(why) => Some(BrokerError::Mismatch(why.to_string())),
            State::Moved => Some(BrokerError::Moved),
            State::Down(_) | State::Up(_) => None,
        }
    }

    fn unavailable(&self) -> BrokerError {
        match self.now() {
            Err(error) => error,
            Ok(_) => BrokerError::Unavailable(None),
        }
    }
}

/// The error of a broker that takes no messages for now.
pub(super) fn blocked() -> BrokerError {
    BrokerError::Unavailable(Some("broker takes no messages: out of memory or disk".into()))
}

struct Supervised {
    uri: AMQPUri,
    layout: Layout,
    errand: Errand,
    show: watch::Sender<State>,
    reported: mpsc::UnboundedReceiver<u64>,
}

async fn supervise(mut link: Supervised) {
    let mut farewells = JoinSet::new();
    let mut backoff = Backoff::default();
    for generation in 1_u64.. {
        while farewells.try_join_next().is_some() {}
        match open(&link, generation).await {
            Ok((lease, show_blocked)) => {
                tracing::info!(link = link.errand.name, generation, "connected to the broker");
                let born = Instant::now();
                let connection = lease.connection.clone();
                link.show.send_replace(State::Up(lease));
                let watched = watch_over(&connection, generation, &show_blocked, &mut link.reported).await;
                let Some(why) = watched else { return };
                tracing::warn!(link = link.errand.name, generation, why = %why, "connection to the broker is given up");
                link.show.send_replace(State::Down(why.into()));
                farewells.spawn(async move {
                    let _ = tokio::time::timeout(FAREWELL_LIMIT, connection.close(200, "OK".into())).await;
                });
                backoff.lived(born.elapsed());
            }
            Err(BrokerError::Mismatch(why)) => {
                tracing::error!(link = link.errand.name, why = %why, "queues are declared differently");
                link.show.send_replace(State::Refused(why.into()));
            }
            Err(BrokerError::Moved) => {
                tracing::info!(
                    link = link.errand.name,
                    generation = link.layout.generation,
                    "generation of queues is over"
                );
                link.show.send_replace(State::Moved);
            }
            Err(error) => {
                let why = chain(&error);
                tracing::warn!(link = link.errand.name, why = %why, "broker cannot be reached");
                link.show.send_replace(State::Down(why.into()));
            }
        }
        tokio::time::sleep(backoff.next()).await;
    }
}

async fn open(link: &Supervised, generation: u64) -> Result<(Lease, watch::Sender<bool>), BrokerError> {
    let connection = connect(&link.uri, link.errand.name).await?;
    let channel = within(connection.create_channel()).await?;
    match link.errand.using {
        Use::Send => opening::to_send(&link.errand, &link.layout, (&connection, &channel)).await?,
        Use::Read => opening::to_read(&link.errand, &link.layout, (&connection, &channel)).await?,
    }
    within(channel.confirm_select(ConfirmSelectOptions::default())).await?;
    let (show_blocked, blocked) = watch::channel(connection.status().blocked());
    Ok((Lease { generation, connection: Arc::new(connection), channel, blocked }, show_blocked))
}

/// Connects, or says at once that nobody answers there: the library may lose a failure of its first step, and its caller would wait out
/// [`ANSWER_LIMIT`].
async fn connect(uri: &AMQPUri, name: &str) -> Result<Connection, Trouble> {
    let properties = ConnectionProperties::default().with_connection_name(name.into());
    let (tell, mut told) = mpsc::unbounded_channel();
    let reach = async move |uri: AMQPUri, runtime| {
        let stream = uri.connect_async(&runtime).await;
        stream.map_err(|error| {
            // Whoever connects may have given up.
            let _heard = tell.send(std::io::Error::new(error.kind(), error.to_string()));
            lapin::Error::from(error)
        })
    };
    let runtime = lapin::runtime::default_runtime().map_err(Trouble::Failed)?;
    tokio::select! {
        biased;
        Some(source) = told.recv() => {
            let address = format!("{}:{}", uri.authority.host, uri.authority.port);
            Err(Trouble::Unreachable { address, source })
        }
        connected = within(Connection::connector(uri.clone(), runtime, reach, properties)) => connected,
    }
}

/// Returns why the connection is of no more use; `None` where nobody uses it any more.
async fn watch_over(
    connection: &Connection,
    generation: u64,
    show_blocked: &watch::Sender<bool>,
    reported: &mut mpsc::UnboundedReceiver<u64>,
) -> Option<String> {
    let mut events = Box::pin(connection.events_listener());
    loop {
        tokio::select! {
            report = reported.recv() => match report {
                Some(of) if of < generation => {}
                Some(_) => return Some("a request was not answered".into()),
                None => return None,
            },
            event = events.next() => match event {
                Some(Event::ConnectionBlocked(_)) => { show_blocked.send_replace(true); }
                Some(Event::ConnectionUnblocked) => { show_blocked.send_replace(false); }
                Some(Event::Error(error)) => return Some(error.to_string()),
                Some(_) => {}
                None => return Some("connection ended".into()),
            },
        }
    }
}

/// An error and its causes in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
