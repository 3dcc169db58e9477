//! Connections with limits, so that no client can hold the server up: a bounded number at a time, a time within which a
//! request must be complete and an answer must be taken, a largest request.
//!
//! The clock and the byte count of a connection start anew whenever an answer is written, so a connection may live as
//! long as it is used. Whoever comes when all places are taken gets 503 at once, and may come again.

use axum::serve::Listener;
use std::future::Future;
use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most connections at a time.
    pub connections: usize,
    /// Time for a whole request, and for each piece of an answer to be taken; also how long an idle connection is kept.
    pub patience: Duration,
    /// Most bytes of a request: no request here has a body, so all of it is head.
    pub request_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 128, patience: Duration::from_secs(10), request_bytes: 16 * 1024 }
    }
}

const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 41\r\n\
content-type: text/plain\r\n\r\ntoo many connections; try again in a bit\n";
const TOO_LARGE: &[u8] =
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// A listener that hands out [`Guarded`] connections.
#[derive(Debug)]
pub struct GuardedListener {
    inner: TcpListener,
    places: Arc<Semaphore>,
    limits: Limits,
}

impl GuardedListener {
    /// Guards a listener.
    pub fn new(inner: TcpListener, limits: Limits) -> Self {
        Self { inner, places: Arc::new(Semaphore::new(limits.connections)), limits }
    }
}

impl Listener for GuardedListener {
    type Io = Guarded;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guarded, SocketAddr) {
        loop {
            // The listener's own accept: waits out errors such as a lack of file descriptors.
            let (stream, address) = Listener::accept(&mut self.inner).await;
            match self.places.clone().try_acquire_owned() {
                Ok(place) => return (Guarded::new(stream, place, self.limits), address),
                Err(_) => drop(tokio::spawn(refuse(stream))),
            }
        }
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// Says 503. What the client has sent is taken first, or closing would destroy the answer on its way.
async fn refuse(mut stream: TcpStream) {
    let answer = async {
        let mut asked = [0; 4096];
        let _ = timeout(Duration::from_millis(200), stream.read(&mut asked)).await;
        let _ = stream.write_all(REFUSAL).await;
        let _ = stream.shutdown().await;
    };
    let _ = timeout(Duration::from_secs(2), answer).await;
}

/// A connection that ends when its client is too slow or asks too much.
#[derive(Debug)]
pub struct Guarded {
    stream: TcpStream,
    clock: Pin<Box<Sleep>>,
    /// Bytes of the request that is being read.
    asked: usize,
    limits: Limits,
    _place: OwnedSemaphorePermit,
}

impl Guarded {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, limits: Limits) -> Self {
        Self { stream, clock: Box::pin(sleep(limits.patience)), asked: 0, limits, _place: place }
    }

    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        self.clock.as_mut().poll(context).is_ready()
    }

    /// An answer was taken, or a part of it.
    fn starts_anew(&mut self) {
        let later = Instant::now() + self.limits.patience;
        self.clock.as_mut().reset(later);
        self.asked = 0;
    }
}

impl AsyncRead for Guarded {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        if self.is_late(context) {
            return Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client is too slow")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.asked += buffer.filled().len() - before;
        if self.asked > self.limits.request_bytes {
            // As good as it can be said from here; the connection ends in any case.
            let _ = self.stream.try_write(TOO_LARGE);
            return Poll::Ready(Err(Error::new(ErrorKind::InvalidData, "the request is too large")));
        }
        read
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        match written {
            Poll::Ready(Ok(_)) => self.starts_anew(),
            Poll::Pending if self.is_late(context) => {
                return Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client takes no answer")));
            }
            _ => {}
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
