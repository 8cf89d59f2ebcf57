//! All metrics served at `/metrics`, with one function for each event.

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::Method;
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const REQUESTS: &str = "noughts_requests_total";
const REQUEST_SECONDS: &str = "noughts_request_seconds";
const STREAMS: &str = "noughts_streams_open";
const ROOMS: &str = "noughts_rooms";
const MOVES: &str = "noughts_moves_stored_total";
const STORE_SECONDS: &str = "noughts_store_seconds";
const LOG_DROPPED: &str = "noughts_log_lines_dropped_total";
const REFUSED: &str = "noughts_connections_refused_total";
const EVICTED: &str = "noughts_connections_evicted_total";
const ACCEPT_ERRORS: &str = "noughts_accept_errors_total";
const WAITING: &str = "noughts_thinking_waiting";
const RUNNING: &str = "noughts_thinking_running";
const BOT_MEMORY: &str = "noughts_bot_memory_bytes";
const BOT_MEMORY_LIMIT: &str = "noughts_bot_memory_limit_bytes";
const BOT_TABLES_DROPPED: &str = "noughts_bot_tables_dropped_total";

/// Histogram buckets, from half a millisecond to half a minute.
const SECONDS: [f64; 14] = [
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0,
];

/// Counts a request whose response has started.
pub(crate) fn record_request(method: &Method, route: &str, status: u16, took: Duration) {
    // Clients can make up method names; the number of label values has to be bounded.
    let method = match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    };
    let labels = [
        ("method", method.to_owned()),
        ("route", route.to_owned()),
        ("status", status.to_string()),
    ];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(REQUEST_SECONDS, "route" => route.to_owned()).record(took);
}

/// Changes the number of open streams and sockets.
pub(crate) fn change_open_streams(change: f64) {
    gauge!(STREAMS).increment(change);
}

/// Sets the number of games in memory.
pub(crate) fn set_rooms(count: usize) {
    gauge!(ROOMS).set(count as f64);
}

/// Counts a stored move and how long storing it took.
pub(crate) fn record_stored_move(took: Duration) {
    counter!(MOVES).increment(1);
    histogram!(STORE_SECONDS).record(took);
}

/// Sets how many tasks of a kind (`moves`, `analyses`) are queued and running.
pub(crate) fn set_engine_load(kind: &'static str, waiting: usize, running: usize) {
    gauge!(WAITING, "kind" => kind).set(waiting as f64);
    gauge!(RUNNING, "kind" => kind).set(running as f64);
}

/// Sets the bytes that all bots' search tables use, and their limit.
pub(crate) fn set_bot_memory(used: usize, limit: usize) {
    gauge!(BOT_MEMORY).set(used as f64);
    gauge!(BOT_MEMORY_LIMIT).set(limit as f64);
}

/// Counts search tables that were dropped to make room for another bot's.
pub(crate) fn count_dropped_bot_tables() {
    counter!(BOT_TABLES_DROPPED).increment(1);
}

/// Sets the number of log lines lost since the start.
pub(crate) fn set_dropped_log_lines(count: u64) {
    counter!(LOG_DROPPED).absolute(count);
}

/// Counts a connection that was refused because its address has too many.
pub(crate) fn count_refused_connection() {
    counter!(REFUSED).increment(1);
}

/// Counts a connection without a request that was closed to make room for another.
pub(crate) fn count_evicted_connection() {
    counter!(EVICTED).increment(1);
}

/// Counts a connection that couldn't be accepted, for lack of file descriptors or the like.
pub(crate) fn count_accept_error() {
    counter!(ACCEPT_ERRORS).increment(1);
}

/// All metrics in the Prometheus text format.
pub(crate) fn render() -> String {
    handle().map_or_else(String::new, PrometheusHandle::render)
}

/// Aggregates recorded times. They take memory until this is called or the metrics are read.
pub(crate) fn run_upkeep() {
    if let Some(handle) = handle() {
        handle.run_upkeep();
    }
}

/// The recorder of this process, shared by all servers in it. `None` if another recorder is
/// installed.
fn handle() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(install_recorder).as_ref()
}

/// Starts recording.
pub(crate) fn install() {
    let _ = handle();
}

fn install_recorder() -> Option<PrometheusHandle> {
    let durations = Matcher::Suffix("_seconds".into());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(durations, &SECONDS);
    let recorder = builder.ok()?.build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).ok()?;
    describe_counter!(REQUESTS, "Requests answered");
    describe_histogram!(
        REQUEST_SECONDS,
        Unit::Seconds,
        "Time until a response starts"
    );
    describe_gauge!(STREAMS, "Open streams and sockets");
    describe_gauge!(ROOMS, "Games in memory");
    describe_counter!(MOVES, "Moves stored");
    describe_histogram!(STORE_SECONDS, Unit::Seconds, "Time until a move is on disk");
    describe_counter!(LOG_DROPPED, "Log lines dropped");
    describe_counter!(
        REFUSED,
        "Connections refused because their address had too many"
    );
    describe_counter!(EVICTED, "Idle connections closed to make room");
    describe_counter!(ACCEPT_ERRORS, "Connections that couldn't be accepted");
    describe_gauge!(WAITING, "Bot moves and analyses waiting for a thread");
    describe_gauge!(RUNNING, "Bot moves and analyses in progress");
    describe_gauge!(
        BOT_MEMORY,
        Unit::Bytes,
        "Memory used by search tables of bots"
    );
    describe_gauge!(
        BOT_MEMORY_LIMIT,
        Unit::Bytes,
        "Memory limit for search tables of bots"
    );
    describe_counter!(
        BOT_TABLES_DROPPED,
        "Search tables dropped to make room for other bots"
    );
    Some(handle)
}
