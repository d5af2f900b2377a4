//! A broker behind a wire that can be cut, frozen, and told to say that memory is short.

use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::*;

/// What a relay does with the connections it carries now.
#[derive(Clone)]
pub(super) enum Order {
    Carry,
    Cut,
    Freeze,
    Tell(&'static [u8]),
}

/// `connection.blocked` with the reason "low", and `connection.unblocked`, as the server would send them.
pub(super) const BLOCKED: &[u8] = b"\x01\0\0\0\0\0\x08\0\x0a\0\x3c\x03low\xce";
pub(super) const UNBLOCKED: &[u8] = b"\x01\0\0\0\0\0\x04\0\x0a\0\x3d\xce";

/// A relay in front of the server: its connections can be cut, held still, or told something in the server's name.
pub(super) struct Relay {
    pub(super) url: String,
    pub(super) orders: watch::Sender<Order>,
    pub(super) open: watch::Sender<bool>,
    pub(super) _tasks: JoinSet<()>,
}

impl Relay {
    pub(super) async fn start() -> Self {
        let mut uri: AMQPUri = url().parse().unwrap();
        let server = format!("{}:{}", uri.authority.host, uri.authority.port);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        uri.authority.host = "127.0.0.1".into();
        uri.authority.port = listener.local_addr().unwrap().port();
        let (orders, open) = (watch::Sender::new(Order::Carry), watch::Sender::new(true));
        let (ordered, opens) = (orders.subscribe(), open.subscribe());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut pipes = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let mut ordered = ordered.clone();
                ordered.mark_unchanged();
                if *opens.borrow() {
                    pipes.spawn(pipe(client, TcpStream::connect(server.clone()).await.unwrap(), ordered));
                }
            }
        });
        Self { url: uri.to_string(), orders, open, _tasks: tasks }
    }

    pub(super) fn order(&self, order: Order) {
        self.orders.send_replace(order);
    }
}

pub(super) async fn pipe(mut client: TcpStream, mut server: TcpStream, mut ordered: watch::Receiver<Order>) {
    loop {
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut server) => return,
            _ = ordered.changed() => {}
        }
        let order = ordered.borrow_and_update().clone();
        match order {
            Order::Carry => {}
            Order::Cut => return,
            Order::Freeze => std::future::pending().await,
            Order::Tell(bytes) => client.write_all(bytes).await.unwrap(),
        }
    }
}
