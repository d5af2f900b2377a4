//! Takes calls from the partitions this worker owns: one task a partition, one channel at a time, and a partition is given
//! up by closing its channel, since a cancelled consumer would let the next owner overtake what is still held here.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use lapin::message::Delivery as Message;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Consumer as Stream};
use recall_core::call::Lane;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::arrived::{Arrived, Purpose};
use super::backoff::Backoff;
use super::connection::{ANSWER_LIMIT, Lease, Link, Trouble, chain, within};
use super::generations::{self, Ended};
use super::hold::{Hold, Turn, Watched};
use crate::topology::{LANES, Layout};
use crate::{BrokerError, Delivery, Stray};

/// How a consumer behaves.
#[derive(Debug, Clone)]
pub(super) struct Manners {
    pub(super) layout: Layout,
    pub(super) prefetch: u16,
    pub(super) drain: Duration,
}

/// The receiving half.
pub(super) struct Consumer {
    wanted: HashMap<u32, watch::Sender<bool>>,
    /// Whether what the broker set aside is taken over: while anything is owned.
    strays: watch::Sender<bool>,
    inbox: tokio::sync::Mutex<Inbox>,
    ended: std::sync::Mutex<mpsc::UnboundedReceiver<Ended>>,
    stopped: watch::Sender<bool>,
    /// Dropping it ends the partitions' tasks.
    _partitions: JoinSet<()>,
}

struct Inbox {
    live: mpsc::UnboundedReceiver<Arrived>,
    bulk: mpsc::UnboundedReceiver<Arrived>,
}

impl Consumer {
    /// Owns nothing until told to. Must be called within a runtime.
    pub(super) fn start(link: Link, manners: &Manners) -> Self {
        let link = Arc::new(link);
        let (live_out, live) = mpsc::unbounded_channel();
        let (bulk_out, bulk) = mpsc::unbounded_channel();
        let (ends_out, ended) = mpsc::unbounded_channel();
        let mut wanted = HashMap::new();
        let mut tasks = JoinSet::new();
        for partition in 0..manners.layout.partitions {
            let (want, wants) = watch::channel(false);
            wanted.insert(partition, want);
            for lane in LANES {
                let out = match lane {
                    Lane::Live => live_out.clone(),
                    Lane::Bulk => bulk_out.clone(),
                };
                let (queue, purpose) = (manners.layout.queue(lane, partition), Purpose::Calls(lane, partition));
                let (link, manners, wanted, ends) = (link.clone(), manners.clone(), wants.clone(), ends_out.clone());
                tasks.spawn(Partition { link, queue, purpose, manners, out, ends, wanted }.serve());
            }
        }
        let (strays, wants) = watch::channel(false);
        for stray in Stray::ALL {
            let (queue, purpose) = (manners.layout.stray_queue(stray), Purpose::Strays(stray));
            let (link, manners, wanted, ends) = (link.clone(), manners.clone(), wants.clone(), ends_out.clone());
            tasks.spawn(Partition { link, queue, purpose, manners, out: bulk_out.clone(), ends, wanted }.serve());
        }
        let inbox = tokio::sync::Mutex::new(Inbox { live, bulk });
        let (ended, stopped) = (std::sync::Mutex::new(ended), watch::Sender::new(false));
        Self { wanted, strays, inbox, ended, stopped, _partitions: tasks }
    }

    /// Partitions that were read to their end since this was asked last.
    pub(super) fn ended(&self) -> Vec<Ended> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| ended.try_recv().ok()).collect()
    }

    /// Owns exactly these partitions from now on. Lost ones end in the background.
    pub(super) fn set_partitions(&self, partitions: &[u32]) {
        if *self.stopped.borrow() {
            return;
        }
        let wants = self.wanted.iter().map(|(partition, want)| (want, partitions.contains(partition)));
        for (want, owned) in wants.chain([(&self.strays, !partitions.is_empty())]) {
            want.send_if_modified(|wanted| std::mem::replace(wanted, owned) != owned);
        }
    }

    /// The next message that may be started.
    pub(super) async fn receive(&self) -> Result<Delivery, BrokerError> {
        let mut stopped = self.stopped.subscribe();
        let next = async {
            let mut inbox = self.inbox.lock().await;
            loop {
                let Inbox { live, bulk } = &mut *inbox;
                let arrived = tokio::select! {
                    biased;
                    Some(arrived) = live.recv() => arrived,
                    Some(arrived) = bulk.recv() => arrived,
                    else => return Err(BrokerError::Stopped),
                };
                // What waited here while its channel closed comes again, and must not run twice.
                if arrived.hold.hand_out() {
                    return Ok(arrived.into_delivery());
                }
            }
        };
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => Err(BrokerError::Stopped),
            delivery = next => delivery,
        }
    }

    /// Hands out nothing more, gives up every partition once its calls are settled.
    pub(super) fn stop(&self) {
        self.stopped.send_replace(true);
        for want in self.wanted.values().chain([&self.strays]) {
            want.send_replace(false);
        }
    }
}

/// One queue that this process may own.
struct Partition {
    link: Arc<Link>,
    queue: String,
    purpose: Purpose,
    manners: Manners,
    out: mpsc::UnboundedSender<Arrived>,
    ends: mpsc::UnboundedSender<Ended>,
    wanted: watch::Receiver<bool>,
}

/// A consuming channel. However it ends, the channel closes before the library could cancel the consumer.
struct Open {
    channel: Channel,
    stream: Stream,
    hold: Arc<Hold>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.hold.close();
        // The close frame leaves with the first poll; its answer matters to nobody.
        let _ = self.channel.close(200, "OK".into()).now_or_never();
    }
}

enum End {
    NotWanted,
    HandedBack,
    Lost(String),
}

impl Partition {
    async fn serve(mut self) {
        let mut backoff = Backoff::default();
        while self.wanted.wait_for(|wanted| *wanted).await.is_ok() {
            let Ok(lease) = self.link.lease(Instant::now() + ANSWER_LIMIT).await else {
                tokio::time::sleep(backoff.next()).await;
                continue;
            };
            let born = Instant::now();
            let end = match self.open(&lease).await {
                Ok(mut open) => {
                    let hold = open.hold.clone();
                    let end = self.pump(&mut open, lease.generation).await;
                    self.close(open, &end).await;
                    if hold.progressed() {
                        backoff.progressed();
                    }
                    end
                }
                Err(trouble) => {
                    self.link.report(lease.generation);
                    End::Lost(chain(&trouble))
                }
            };
            backoff.lived(born.elapsed());
            match end {
                End::NotWanted => continue,
                End::HandedBack => {}
                End::Lost(why) => tracing::warn!(queue = self.queue, why, "partition is lost, opening it again"),
            }
            tokio::time::sleep(backoff.next()).await;
        }
    }

    async fn open(&self, lease: &Lease) -> Result<Open, Trouble> {
        let channel = within(lease.connection.create_channel()).await?;
        within(channel.basic_qos(self.manners.prefetch, BasicQosOptions::default())).await?;
        let (queue, tag) = (self.queue.as_str().into(), "".into());
        let stream =
            within(channel.basic_consume(queue, tag, BasicConsumeOptions::default(), FieldTable::default())).await?;
        Ok(Open { channel, stream, hold: Arc::new(Hold::new(self.wanted.clone())) })
    }

    async fn pump(&self, open: &mut Open, generation: u64) -> End {
        let mut marks = Vec::new();
        loop {
            let watched = if marks.is_empty() { Watched::Only } else { Watched::ForQuiet };
            let mut wanted = self.wanted.clone();
            tokio::select! {
                biased;
                _ = wanted.wait_for(|wanted| !*wanted) => return End::NotWanted,
                turn = open.hold.turned(watched) => match turn {
                    Turn::HandedBack => return End::HandedBack,
                    Turn::Quiet => self.tell_end(open, std::mem::take(&mut marks), generation),
                },
                next = open.stream.next() => match next {
                    Some(Ok(message)) if self.is_end(&message) => marks.push(message),
                    Some(Ok(message)) => {
                        open.hold.arrived();
                        if self.out.send(self.arrived(open, message, generation)).is_err() {
                            return End::NotWanted;
                        }
                    }
                    Some(Err(error)) => return End::Lost(error.to_string()),
                    None => return End::Lost("broker ended the consumer".into()),
                },
            }
        }
    }

    fn is_end(&self, message: &Message) -> bool {
        matches!(self.purpose, Purpose::Calls(..)) && generations::is_mark(message)
    }

    fn arrived(&self, open: &Open, message: Message, generation: u64) -> Arrived {
        let (hold, link, purpose) = (open.hold.clone(), self.link.clone(), self.purpose);
        Arrived { message, hold, link, generation, purpose }
    }

    /// Everything before the marks is settled: the partition was read to its end.
    fn tell_end(&self, open: &Open, marks: Vec<Message>, generation: u64) {
        let Purpose::Calls(lane, partition) = self.purpose else { return };
        for mark in marks {
            open.hold.arrived();
            if open.hold.hand_out() {
                let held = self.arrived(open, mark, generation).into_held();
                let of = self.manners.layout.generation;
                // The receiver goes with the tasks.
                let _ = self.ends.send(Ended::new(of, (lane, partition), held));
            }
        }
    }

    /// Lets what is in flight be settled, then closes the channel, so that the rest comes again in its order.
    async fn close(&self, open: Open, end: &End) {
        open.hold.close();
        match end {
            End::Lost(_) => return,
            End::NotWanted | End::HandedBack => {}
        }
        let left = open.hold.drained(self.manners.drain).await;
        if left > 0 {
            tracing::warn!(queue = self.queue, left, "channel closes over calls in flight; they will come again");
        }
        if let Err(trouble) = within(open.channel.close(200, "OK".into())).await {
            tracing::debug!(queue = self.queue, why = %chain(&trouble), "channel was gone before it closed");
        }
    }
}
