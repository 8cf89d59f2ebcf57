//! The server, in a process of its own: this program once more, with a folder in its
//! surroundings that tells it to be the server.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use noughts_server::{Config, Limits};
use noughts_store::Store;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::options::Options;
use crate::stored_games;

const FOLDER: &str = "NOUGHTS_LOAD_FOLDER";

/// Raises the number of files that may be open as far as it goes, and starts a program.
const WITH_FILES: &str = "ulimit -n $(ulimit -Hn) 2>/dev/null; exec \"$0\" \"$@\"";

/// The folder, if this process is the server.
pub(crate) fn server_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// Is the server until its standard input is closed.
pub(crate) fn serve(dir: &Path) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(dir).await.expect("a store");
        let mut config = Config::new(store.clone(), dir.into());
        // All visitors come from one address here.
        config.limits = Limits {
            connections: 1 << 20,
            ..Limits::unlimited()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        let (asks, asked) = tokio::sync::oneshot::channel::<()>();
        std::thread::spawn(move || {
            let _ = io::stdin().read_to_end(&mut Vec::new());
            drop(asks);
        });
        let asked = async {
            let _ = asked.await;
        };
        noughts_server::run(listener, config, asked).await;
        store.close().await;
    });
}

/// The server as the others see it.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    _dir: TempDir,
}

impl Server {
    pub(crate) async fn start(options: &Options) -> Server {
        // Beside the program, so that it lies on a disk and not in memory.
        let me = std::env::current_exe().expect("this program has a file");
        let dir = tempfile::tempdir_in(me.parent().expect("a folder")).expect("a folder");
        stored_games::fill(dir.path(), options).await;
        let mut child = Command::new("sh")
            .args(["-c", WITH_FILES])
            .arg(&me)
            .env(FOLDER, dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let out = child.stdout.take().expect("piped");
        let mut line = String::new();
        let mut out = BufReader::new(out);
        out.read_line(&mut line).expect("its address");
        let address = line.trim().parse().expect("an address");
        Server {
            child,
            address,
            _dir: dir,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and says how long that takes.
    pub(crate) fn stop(mut self) -> Duration {
        let asked = Instant::now();
        drop(self.child.stdin.take());
        let ended = self.child.wait().expect("it ends");
        assert!(ended.success(), "the server ended with {ended}");
        asked.elapsed()
    }

    /// Bytes that it has in memory.
    pub(crate) fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.pid());
        let status = fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kib.unwrap_or(0) * 1024
    }

    /// Seconds of a processor that it has used.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        processor(&format!("/proc/{}/stat", self.pid()))
    }
}

/// Whatever happens, it does not stay.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The same of this process.
pub(crate) fn own_cpu_seconds() -> f64 {
    processor("/proc/self/stat")
}

/// Hundredths of a second in the fields 14 and 15, counted behind the program's name,
/// which may have blanks in it.
fn processor(path: &str) -> f64 {
    let stat = fs::read_to_string(path).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
