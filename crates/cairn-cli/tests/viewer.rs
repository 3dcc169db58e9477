//! `cairn view` as a server: whatever clients do, it answers or refuses, stays up, and shows nothing but its run.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SCENE: &str = r#"
title = "Two disks"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { step = 1e-3, end = 0.02 }
output = { interval = 0.005 }
materials.stone = { density = 2500 }
[[contact]]
between = ["stone", "stone"]
friction = 0.5
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "disks"
material = "stone"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.1]
copies = { count = 2, step = [0.3, 0] }
"#;

fn cairn(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command.current_dir(folder).args(arguments);
    command
}

/// A run in a folder of its own, with a file beside it that nobody may read.
fn a_run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("disks.toml"), SCENE).unwrap();
    fs::write(folder.path().join("secret.txt"), "SECRET").unwrap();
    assert!(cairn(folder.path(), &["run", "disks.toml", "--quiet"]).status().unwrap().success());
    folder
}

/// A server that ends with the test.
struct Server {
    child: Child,
    address: SocketAddr,
    /// What all paths begin with: `/SECRET`.
    secret: String,
    said: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(folder: &Path, what: &str) -> Server {
    let mut child = cairn(folder, &["view", what, "--no-open"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = String::new();
    let (address, secret) = loop {
        let line = lines.next().expect("the address is printed").unwrap();
        said += &line;
        if let Some(rest) = line.split("http://").nth(1) {
            let (address, secret) = rest.trim_end_matches('/').split_once('/').unwrap();
            break (address.parse().unwrap(), format!("/{secret}"));
        }
    };
    Server { child, address, secret, said }
}

impl Server {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes; what was lost with a reset is empty.
    fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(e) if !matches!(e.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => panic!("{e}"),
            _ => answer,
        }
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.get_without_secret(&format!("{}{path}", self.secret))
    }

    fn get_without_secret(&self, path: &str) -> (u16, String) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        status_and_text(&self.raw(request.as_bytes()))
    }
}

fn status_and_text(answer: &[u8]) -> (u16, String) {
    let text = String::from_utf8_lossy(answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    (status, text)
}

#[test]
fn the_page_and_the_data_are_served() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    assert!(server.address.ip().is_loopback());
    for (path, part) in [
        ("/", "<title>Cairn</title>"),
        ("/main.js", "import"),
        ("/style.css", ":root"),
        ("/api/times", "\"times\":[0.0,0.005"),
        ("/api/model", "Two disks"),
        ("/api/motions/0", "displacement"),
        ("/api/contacts/4", "normal"),
        ("/api/history", "kinetic energy"),
    ] {
        let (status, text) = server.get(path);
        assert_eq!(status, 200, "{path}");
        assert!(text.contains(part), "{path} lacks {part}");
        assert!(text.contains("content-security-policy: default-src 'none'"), "{path}");
    }
    assert_eq!(server.get("/api/motions/5").0, 404);
}

#[test]
fn who_does_not_know_the_address_gets_nothing() {
    let folder = a_run();
    let (server, other) = (serve(folder.path(), "disks.results"), serve(folder.path(), "disks.results"));
    assert!(server.secret.len() == 33 && server.secret != other.secret);
    for path in ["/", "/main.js", "/api/times", "/api/model", &format!("{}/api/times", other.secret)] {
        assert_eq!(server.get_without_secret(path).0, 404, "{path}");
    }
}

#[test]
fn a_scene_shows_its_results_or_else_its_start() {
    let folder = a_run();
    assert!(serve(folder.path(), "disks.toml").said.contains("disks.results"));
    fs::rename(folder.path().join("disks.results"), folder.path().join("elsewhere")).unwrap();
    let server = serve(folder.path(), "disks.toml");
    assert!(server.said.contains("start"), "{}", server.said);
    assert!(server.get("/api/times").1.contains("\"times\":[0.0],\"status\":\"scene\""));
    assert_eq!(server.get("/api/contacts/0").0, 200);
}

#[test]
fn what_is_left_of_a_damaged_run_is_served_and_the_loss_is_told() {
    let folder = a_run();
    let results = folder.path().join("disks.results");
    // No manifest, half of the last state, no history.
    fs::remove_file(results.join("run.json")).unwrap();
    fs::remove_file(results.join("history.csv")).unwrap();
    let states = fs::read(results.join("states.cairn")).unwrap();
    fs::write(results.join("states.cairn"), &states[..states.len() - 100]).unwrap();
    let server = serve(folder.path(), "disks.results");
    let times = server.get("/api/times").1;
    for part in ["\"times\":[0.0,0.005,0.01,0.015]", "run.json", "is unfinished", "history.csv"] {
        assert!(times.contains(part), "{part} is not in {times}");
    }
    assert!(server.get("/api/model").1.contains("Two disks"));
    assert_eq!((server.get("/api/motions/3").0, server.get("/api/motions/4").0), (200, 404));
    assert_eq!(server.get("/api/history").0, 200);
    // Without its scene nobody knows what the states mean.
    fs::remove_dir_all(results.join("scene")).unwrap();
    let output = cairn(folder.path(), &["view", "disks.results", "--no-open"]).output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("run.json"));
}

#[test]
fn nothing_outside_the_run_can_be_reached() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    let secret = folder.path().join("secret.txt");
    let absolute = format!("/{}", secret.display());
    for path in [
        "/../secret.txt",
        "/../../../../../../etc/passwd",
        "/api/motions/../../secret.txt",
        "/api/motions/..%2f..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%252e%252e/secret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "/api/motions/%00",
        "/api/motions/0%00.txt",
        "/api/motions/-1",
        "/api/motions/1e3",
        "/api/motions/99999999999999999999999999",
        "//etc/passwd",
        "/etc/passwd",
        "/states.cairn",
        "/run.json",
        "/scene/disks.toml",
        "/secret.txt",
        "/api/",
        "/api/motions/",
        "/%ff%fe",
        &absolute,
    ] {
        let (status, text) = server.get(path);
        assert!((400..500).contains(&status), "{path}: {status}");
        assert!(!text.contains("SECRET") && !text.contains("root:"), "{path}");
    }
    // A request may also name a whole address, or be no HTTP at all.
    for request in [
        format!("GET file://{} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", secret.display(), server.address),
        format!("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", "secret.txt", server.address),
        "\0\0\0\0\r\n\r\n".to_string(),
        "GET / SPDY/9\r\n\r\n".to_string(),
    ] {
        let answer = String::from_utf8_lossy(&server.raw(request.as_bytes())).into_owned();
        assert!(!answer.contains("SECRET") && !answer.starts_with("HTTP/1.1 200"), "{request}: {answer}");
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn other_hosts_and_other_methods_are_refused() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    let port = server.address.port();
    let ask = |head: &str| status_and_text(&server.raw(format!("{head}Connection: close\r\n\r\n").as_bytes())).0;
    let times = format!("{}/api/times", server.secret);
    assert_eq!(ask(&format!("GET {times} HTTP/1.1\r\nHost: localhost:{port}\r\n")), 200);
    assert_eq!(ask(&format!("GET {times} HTTP/1.1\r\nHost: attacker.example:{port}\r\n")), 403);
    assert_eq!(ask(&format!("GET {times} HTTP/1.1\r\nHost: 127.0.0.1\r\n")), 403);
    assert_eq!(ask(&format!("GET {times} HTTP/1.0\r\n")), 403);
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"] {
        let status = ask(&format!("{method} / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n"));
        assert_eq!(status, 405, "{method}");
    }
}

#[test]
fn huge_requests_are_refused() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    let host = server.address;
    for request in [
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "a".repeat(1 << 20)),
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: y\r\n".repeat(5000)),
    ] {
        // 431, or a connection that is closed while the client still writes.
        let (status, _) = status_and_text(&server.raw(request.as_bytes()));
        assert!([0, 400, 414, 431].contains(&status), "{status}");
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn a_slow_client_is_cut_off() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    let mut slow = server.connect();
    let began = Instant::now();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    // A letter now and then does not buy time.
    let ended = loop {
        std::thread::sleep(Duration::from_millis(500));
        let mut byte = [0];
        let is_closed = slow.write_all(b"x").is_err()
            || slow.set_read_timeout(Some(Duration::from_millis(10))).is_err()
            || matches!(slow.read(&mut byte), Ok(0))
            || matches!(slow.take_error(), Ok(Some(_)));
        if is_closed || began.elapsed() > Duration::from_secs(60) {
            break began.elapsed();
        }
    };
    assert!(ended < Duration::from_secs(30), "after {ended:?} the connection is still open");
    assert!(ended > Duration::from_secs(5), "a client gets at least some seconds, not {ended:?}");
}

#[test]
fn a_thousand_connections_at_once_do_not_bring_it_down() {
    let folder = a_run();
    let server = serve(folder.path(), "disks.results");
    let all: Vec<TcpStream> = (0..1000).map(|_| server.connect()).collect();
    let (secret, address) = (&server.secret, server.address);
    let request = format!("GET {secret}/api/times HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    for mut stream in &all {
        let _ = stream.write_all(request.as_bytes());
    }
    let (mut served, mut refused) = (0, 0);
    for mut stream in all {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        match status_and_text(&answer).0 {
            200 => served += 1,
            503 => refused += 1,
            // Closed before the refusal could be read.
            0 => refused += 1,
            other => panic!("status {other}"),
        }
    }
    assert!(served >= 100, "{served} served, {refused} refused");
    assert_eq!(served + refused, 1000);
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn an_export_says_its_size_and_refuses_what_is_not_there() {
    let folder = a_run();
    let export = |more: &[&str]| {
        let arguments = [&["view", "disks.results", "--export", "disks.html"], more].concat();
        let output = cairn(folder.path(), &arguments).output().unwrap();
        let said = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).concat();
        (output.status.success(), said, fs::metadata(folder.path().join("disks.html")).map_or(0, |m| m.len()))
    };
    let (good, said, all) = export(&[]);
    assert!(good && said.contains("5 states") && said.contains("MB"), "{said}");
    let (good, said, fewer) = export(&["--times", "0:0.01:0.01", "--fields", "motion"]);
    assert!(good && said.contains("2 states"), "{said}");
    assert!(fewer < all);
    assert!(!export(&["--times", "5:6"]).0);
    let (good, said, _) = export(&["--fields", "colour"]);
    assert!(!good && said.contains("velocity"), "{said}");
    let nothing = cairn(folder.path(), &["view", "."]).output().unwrap();
    assert!(!nothing.status.success());
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("results folder"));
}
