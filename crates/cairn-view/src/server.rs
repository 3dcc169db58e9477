//! The server: the page and the data of one run, to this machine only.
//!
//! Everything that can be asked for is in the table of [`routes`]; a number in a path is the number of a state and
//! nothing else. No path of a request is ever used as a path of a file. Only GET (and HEAD) is answered, and only if the
//! request names this machine as its host, so that no page from elsewhere can be made to read a run (DNS rebinding). All paths begin
//! with a secret that is made anew for each server and is part of the address that it prints: another user of the machine, who can reach
//! its ports, gets nothing.

use crate::assets::{Asset, INDEX, MODULES, STYLE};
use crate::frame::Wanted;
use crate::guard::{GuardedListener, Limits};
use crate::source::Source;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::future::IntoFuture;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// States that are read at the same time, at most: each takes memory of its own.
const READERS: usize = 4;

/// What the page may load: only from here, and pictures that it made itself.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How a server is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Port; 0 for any free one.
    pub port: u16,
    /// Limits of connections.
    pub limits: Limits,
}

#[derive(Clone)]
struct Shared {
    source: Arc<Source>,
    readers: Arc<Semaphore>,
    port: u16,
}

/// Serves until Ctrl-C; `ready` is told the address, `http://127.0.0.1:PORT/SECRET/`.
pub fn serve(source: Source, options: Options, ready: impl FnOnce(&str)) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
        let (address, secret) = (listener.local_addr()?, secret());
        let app = routes(source, address.port(), &secret);
        ready(&format!("http://{address}/{secret}/"));
        let serving = axum::serve(GuardedListener::new(listener, options.limits), app).into_future();
        tokio::select! {
            ended = serving => ended,
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    })
}

/// 128 bits that nobody can guess: the standard library keys its hashes with random numbers of the operating system.
fn secret() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

/// All that can be asked for, below the secret.
pub fn routes(source: Source, port: u16, secret: &str) -> Router {
    let at = |path: &str| format!("/{secret}/{path}");
    let shared = Shared { source: Arc::new(source), readers: Arc::new(Semaphore::new(READERS)), port };
    let mut router = Router::new()
        .route(&at(""), get(|| asset(INDEX)))
        .route(&at("api/model"), get(|State(s): State<Shared>| s.reads(|source| Ok(source.model()))))
        .route(&at("api/times"), get(times))
        .route(&at("api/history"), get(|State(s): State<Shared>| s.reads(|source| Ok(source.history()))))
        .route(&at("api/motions/{state}"), get(motions))
        .route(&at("api/contacts/{state}"), get(contacts));
    for file in MODULES.iter().chain([&STYLE]) {
        let file = *file;
        router = router.route(&at(file.name), get(move || asset(file)));
    }
    router.fallback(nothing).layer(middleware::from_fn_with_state(shared.clone(), guard)).with_state(shared)
}

/// Lets only requests through that mean this server, and gives every answer the same protective head.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|h| h.to_str().ok()).unwrap_or_default();
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", shared.port));
    let mut response = if !own.iter().any(|name| host.eq_ignore_ascii_case(name)) {
        (StatusCode::FORBIDDEN, "this server answers to 127.0.0.1 and localhost only\n").into_response()
    } else if !matches!(request.method().as_str(), "GET" | "HEAD") {
        (StatusCode::METHOD_NOT_ALLOWED, "only GET\n").into_response()
    } else {
        next.run(request).await
    };
    let head = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        head.insert(name, HeaderValue::from_static(value));
    }
    head.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, "there is nothing here\n")
}

async fn asset(asset: Asset) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, asset.media_type)], asset.text)
}

async fn times(State(shared): State<Shared>) -> Response {
    let json = |source: &Source| serde_json::to_vec(&source.timeline()).map_err(|e| e.to_string());
    let mut response = shared.reads(json).await;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

async fn motions(State(shared): State<Shared>, Path(state): Path<String>) -> Response {
    match state.parse::<usize>() {
        Ok(k) => shared.reads(move |source| source.motions(k, &Wanted::ALL)).await,
        Err(_) => nothing().await.into_response(),
    }
}

async fn contacts(State(shared): State<Shared>, Path(state): Path<String>) -> Response {
    match state.parse::<usize>() {
        Ok(k) => shared.reads(move |source| source.contacts(k)).await,
        Err(_) => nothing().await.into_response(),
    }
}

impl Shared {
    /// Reads from disk on a thread that may wait; what cannot be read is said in words.
    async fn reads<F>(self, read: F) -> Response
    where
        F: FnOnce(&Source) -> Result<Vec<u8>, String> + Send + 'static,
    {
        let Ok(_turn) = self.readers.clone().acquire_owned().await else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        match tokio::task::spawn_blocking(move || read(&self.source)).await {
            Ok(Ok(bytes)) => ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from(bytes)).into_response(),
            Ok(Err(sentence)) => (StatusCode::NOT_FOUND, sentence + "\n").into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}
