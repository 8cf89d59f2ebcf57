//! The built program as a server in a process of its own, and a cord to it that can be
//! cut: what a browser sees of a bad connection.

use std::io::{self, BufRead, BufReader};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A folder of this test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// The program, serving.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    data: PathBuf,
    more: &'static [&'static str],
}

impl Server {
    /// Starts on a free port with its data in a new folder of this name.
    pub(crate) fn start(name: &str) -> Server {
        Server::at("127.0.0.1:0", &folder(name), &[])
    }

    /// The same, without a limit on how much is asked of it.
    #[allow(dead_code, reason = "a browser keeps to the limits")]
    pub(crate) fn start_unlimited(name: &str) -> Server {
        Server::at("127.0.0.1:0", &folder(name), &["--unlimited"])
    }

    fn at(address: &str, data: &Path, more: &'static [&'static str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args(["serve", "--addr", address, "--data"])
            .arg(data)
            .args(more)
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
            more,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills it without a word and starts it anew with what is on the disk.
    pub(crate) fn kill_and_restart(&mut self) {
        self.kill();
        let address = self.address.to_string();
        *self = Server::at(&address, &self.data.clone(), self.more);
    }

    /// Kills it without a word.
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

/// A cord between browsers and a server.
pub(crate) struct Cord {
    address: SocketAddr,
    state: Arc<Mutex<Through>>,
}

struct Through {
    cut: bool,
    streams: Vec<TcpStream>,
}

impl Cord {
    pub(crate) fn to(server: SocketAddr) -> Cord {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let state = Arc::new(Mutex::new(Through {
            cut: false,
            streams: Vec::new(),
        }));
        let cord = Cord {
            address,
            state: Arc::clone(&state),
        };
        thread::spawn(move || {
            for browser in listener.incoming().flatten() {
                connect(&browser, server, &state);
            }
        });
        cord
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends all connections, and lets none through until it is mended.
    pub(crate) fn cut(&self) {
        let mut through = held(&self.state);
        through.cut = true;
        for stream in through.streams.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn mend(&self) {
        held(&self.state).cut = false;
    }
}

fn held(state: &Mutex<Through>) -> MutexGuard<'_, Through> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(browser: &TcpStream, server: SocketAddr, state: &Mutex<Through>) {
    let mut through = held(state);
    if through.cut {
        let _ = browser.shutdown(Shutdown::Both);
        return;
    }
    let Ok(server) = TcpStream::connect(server) else {
        let _ = browser.shutdown(Shutdown::Both);
        return;
    };
    let ends = [browser, &server].map(|end| end.try_clone().expect("a handle"));
    through.streams.extend(ends);
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
