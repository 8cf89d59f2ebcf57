//! The server in its own process: this program started again, with an environment variable that
//! names the data folder to serve.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use noughts_server::{Config, ServerLimits};
use noughts_store::Store;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::options::Options;
use crate::stored_games;

const FOLDER_VARIABLE: &str = "NOUGHTS_LOAD_FOLDER";

/// Raises the limit on open files as far as allowed, and starts a program.
const RAISE_FILE_LIMIT: &str = "ulimit -n $(ulimit -Hn) 2>/dev/null; exec \"$0\" \"$@\"";

/// The data folder, if this process is the server.
pub(crate) fn server_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from)
}

/// Runs the server until standard input is closed.
pub(crate) fn serve(dir: &Path) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(dir).await.expect("a store");
        let mut config = Config::new(store.clone(), dir.into());
        // All clients come from one address here.
        config.limits = ServerLimits {
            connections: 1 << 20,
            ..ServerLimits::unlimited()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        let (stop_sender, stop_requested) = tokio::sync::oneshot::channel::<()>();
        std::thread::spawn(move || {
            let _ = io::stdin().read_to_end(&mut Vec::new());
            drop(stop_sender);
        });
        let stop_requested = async {
            let _ = stop_requested.await;
        };
        noughts_server::run(listener, config, stop_requested).await;
        store.close().await;
    });
}

/// A handle to the server process.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    _dir: TempDir,
}

impl Server {
    pub(crate) async fn start(options: &Options) -> Server {
        // Next to the executable, so that the folder is on a disk and not in memory.
        let executable = std::env::current_exe().expect("this program has a file");
        let dir = tempfile::tempdir_in(executable.parent().expect("a folder")).expect("a folder");
        stored_games::fill(dir.path(), options).await;
        let mut child = Command::new("sh")
            .args(["-c", RAISE_FILE_LIMIT])
            .arg(&executable)
            .env(FOLDER_VARIABLE, dir.path())
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

    /// Asks the server to stop. Returns how long that took.
    pub(crate) fn stop(mut self) -> Duration {
        let stop_requested = Instant::now();
        drop(self.child.stdin.take());
        let ended = self.child.wait().expect("it ends");
        assert!(ended.success(), "the server exited with {ended}");
        stop_requested.elapsed()
    }

    /// The resident memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.pid());
        let status = fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kib.unwrap_or(0) * 1024
    }

    /// CPU time used so far, in seconds.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        read_cpu_seconds(&format!("/proc/{}/stat", self.pid()))
    }
}

/// Never leaves the process running, whatever happens.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU time used by this process, in seconds.
pub(crate) fn own_cpu_seconds() -> f64 {
    read_cpu_seconds("/proc/self/stat")
}

/// Fields 14 and 15 are in hundredths of a second. They are counted from behind the program's name,
/// which may contain spaces.
fn read_cpu_seconds(path: &str) -> f64 {
    let stat = fs::read_to_string(path).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
