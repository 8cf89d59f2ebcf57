//! The program as a server process, and a proxy in front of it that simulates a broken connection.

use std::io::{self, BufRead, BufReader};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// An empty directory for one test.
pub(crate) fn test_dir(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// A server process.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    data: PathBuf,
    extra_args: &'static [&'static str],
}

impl Server {
    /// Starts a server on a free port with its data in a new directory of this name.
    pub(crate) fn start(name: &str) -> Server {
        Server::start_at("127.0.0.1:0", &test_dir(name), &[])
    }

    /// The same without rate limits.
    #[allow(dead_code, reason = "a browser keeps to the limits")]
    pub(crate) fn start_unlimited(name: &str) -> Server {
        Server::start_at("127.0.0.1:0", &test_dir(name), &["--unlimited"])
    }

    fn start_at(address: &str, data: &Path, extra_args: &'static [&'static str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args(["serve", "--addr", address, "--data"])
            .arg(data)
            .args(extra_args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let output = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(output)
            .read_line(&mut line)
            .expect("its address");
        let address = line.trim().trim_start_matches("http://");
        let address = address.trim_end_matches('/').parse();
        Server {
            child,
            address: address.unwrap_or_else(|_| panic!("an address, not {line:?}")),
            data: data.into(),
            extra_args,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills the server and restarts it on the same port with the same data.
    pub(crate) fn kill_and_restart(&mut self) {
        self.kill();
        let address = self.address.to_string();
        *self = Server::start_at(&address, &self.data.clone(), self.extra_args);
    }

    /// Kills the server.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A TCP proxy between browsers and a server.
pub(crate) struct Proxy {
    address: SocketAddr,
    state: Arc<Mutex<ProxyState>>,
}

struct ProxyState {
    is_disconnected: bool,
    streams: Vec<TcpStream>,
}

impl Proxy {
    pub(crate) fn new(server: SocketAddr) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let state = Arc::new(Mutex::new(ProxyState {
            is_disconnected: false,
            streams: Vec::new(),
        }));
        let proxy = Proxy {
            address,
            state: Arc::clone(&state),
        };
        thread::spawn(move || {
            for browser in listener.incoming().flatten() {
                connect(&browser, server, &state);
            }
        });
        proxy
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes all connections, and rejects new ones until it is reconnected.
    pub(crate) fn disconnect(&self) {
        let mut state = lock(&self.state);
        state.is_disconnected = true;
        for stream in state.streams.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn reconnect(&self) {
        lock(&self.state).is_disconnected = false;
    }
}

fn lock(state: &Mutex<ProxyState>) -> MutexGuard<'_, ProxyState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(browser: &TcpStream, server: SocketAddr, state: &Mutex<ProxyState>) {
    let mut state = lock(state);
    if state.is_disconnected {
        let _ = browser.shutdown(Shutdown::Both);
        return;
    }
    let Ok(server) = TcpStream::connect(server) else {
        let _ = browser.shutdown(Shutdown::Both);
        return;
    };
    let ends = [browser, &server].map(|end| end.try_clone().expect("a handle"));
    state.streams.extend(ends);
    for (from, to) in [(browser, &server), (&server, browser)] {
        let [mut from, mut to] = [from, to].map(|end| end.try_clone().expect("a handle"));
        thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            for end in [from, to] {
                let _ = end.shutdown(Shutdown::Both);
            }
        });
    }
}
