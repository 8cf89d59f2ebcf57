//! How quickly the terminal game starts, how quickly it responds to a key, and how much processor
//! time it uses while idle: measured from outside, in a pseudo-terminal.
//!
//! `cargo bench --bench terminal`

#[path = "../tests/pty/mod.rs"]
mod pty;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pty::{Terminal, test_dir};

const RUNS: usize = 30;
const KEYS: usize = 400;
const IDLE: Duration = Duration::from_secs(5);

/// Anything slower would be noticeable.
const FIRST_FRAME: Duration = Duration::from_millis(100);
const ANSWER: Duration = Duration::from_millis(16);

fn main() {
    println!("Start to first frame (80×24), {RUNS} times; target: at most {FIRST_FRAME:?}");
    let baseline = measure(|_| run_version());
    print("the program alone (--version)", &baseline, FIRST_FRAME);
    let first = measure(|run| first_frame(&test_dir(&format!("first-{run}"))));
    print("the menu, without a store", &first, FIRST_FRAME);
    let data = test_dir("bench");
    first_frame(&data);
    let again = measure(|_| first_frame(&data));
    print("the menu, with a store", &again, FIRST_FRAME);

    println!("\nKey press to its frame, {KEYS} keys; target: at most {ANSWER:?}");
    for (variant, columns, rows) in [
        ("classic", 80, 24),
        ("mnk:16,16,5", 80, 24),
        ("mnk:16,16,5", 200, 60),
        ("ultimate", 200, 60),
        ("tic-tac-two", 200, 60),
        ("ception:depth=6", 80, 24),
        ("ception:depth=6", 200, 60),
    ] {
        let key_latencies = key_latencies(variant, columns, rows);
        print(
            &format!("{variant} at {columns}×{rows}"),
            &key_latencies,
            ANSWER,
        );
    }

    println!("\nCPU time during {IDLE:?} without input");
    for variant in ["classic", "ception:depth=6"] {
        println!("  {variant:<34} {:>8.2}%", 100.0 * idle(variant));
    }
}

fn measure(what: impl Fn(usize) -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..RUNS).map(what).collect();
    times.sort();
    times
}

fn print(what: &str, times: &[Duration], target: Duration) {
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let percentile = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "  {what:<34} median {:>7.2} ms  p99 {:>7.2} ms  worst {:>7.2} ms  = {:>4.0}% of the target",
        millis(percentile(50)),
        millis(percentile(99)),
        millis(percentile(100)),
        100.0 * millis(percentile(99)) / millis(target),
    );
}

fn run_version() -> Duration {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    start.elapsed()
}

fn first_frame(data: &Path) -> Duration {
    let start = Instant::now();
    let mut terminal = Terminal::start(data, &[], 80, 24);
    // The last line of the menu.
    terminal.wait_for("q quit");
    let time = start.elapsed();
    terminal.type_keys("q");
    terminal.wait_for_end();
    time
}

/// A game of two humans, in which nothing happens without a key.
fn start_idle_game(variant: &str, columns: u16, rows: u16) -> Terminal {
    let args = [
        "play",
        variant,
        "--x",
        "human:Ada",
        "--o",
        "human:Bob",
        "--unsaved",
    ];
    let terminal = Terminal::start(&test_dir("bench-quiet"), &args, columns, rows);
    terminal.wait_for("q quit");
    terminal
}

fn key_latencies(variant: &str, columns: u16, rows: u16) -> Vec<Duration> {
    let mut terminal = start_idle_game(variant, columns, rows);
    if variant.contains("depth") {
        // Zoomed in, where there is most to draw.
        terminal.type_keys("zzzz");
        terminal.type_keys("Z");
    }
    let keys = ["\x1b[D", "\x1b[A", "\x1b[C", "\x1b[B"];
    let mut times: Vec<Duration> = (0..KEYS)
        .map(|n| {
            wait_until_quiet(&terminal);
            let (bytes, _) = terminal.received();
            let pressed = Instant::now();
            terminal.type_keys(keys[n % keys.len()]);
            terminal
                .wait_for_more(bytes)
                .saturating_duration_since(pressed)
        })
        .collect();
    times.sort();
    times
}

/// Waits until no output has arrived for a while, so that an old frame isn't taken for the next.
fn wait_until_quiet(terminal: &Terminal) {
    const QUIET: Duration = Duration::from_millis(5);
    loop {
        let (bytes, _) = terminal.received();
        thread::sleep(QUIET);
        if terminal.received().0 == bytes {
            return;
        }
    }
}

fn idle(variant: &str) -> f64 {
    let terminal = start_idle_game(variant, 80, 24);
    wait_until_quiet(&terminal);
    let before = ticks(terminal.process_id());
    thread::sleep(IDLE);
    // Linux counts processor time in hundredths of a second.
    (ticks(terminal.process_id()) - before) as f64 / 100.0 / IDLE.as_secs_f64()
}

/// The processor time that the process has used, in the system's ticks.
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux's account");
    let fields = stat.rsplit(')').next().unwrap_or_default();
    // User time and system time, counted from the field after the program's name.
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|text| text.parse::<u64>().ok()).sum()
}
