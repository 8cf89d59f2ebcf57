//! All metrics served at `/metrics`, and functions for the events.

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::Method;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Declares metrics of one type: a constant for each, its name and its description.
macro_rules! declare {
    ($function:ident, $describe:ident: $($constant:ident = $name:literal, $text:literal;)*) => {
        $(pub(crate) const $constant: &str = $name;)*

        fn $function() {
            $($describe!($constant, $text);)*
        }
    };
}

declare! { describe_counters, describe_counter:
    REQUESTS = "noughts_requests_total", "Requests answered";
    MOVES = "noughts_moves_stored_total", "Moves stored";
    LOG_DROPPED = "noughts_log_lines_dropped_total", "Log lines dropped";
    REFUSED = "noughts_connections_refused_total", "Connections refused because their address had too many";
    EVICTED = "noughts_connections_evicted_total", "Idle connections closed to make room";
    ACCEPT_ERRORS = "noughts_accept_errors_total", "Connections that couldn't be accepted";
    BOT_TABLES_DROPPED = "noughts_bot_tables_dropped_total", "Search tables dropped to make room for other bots";
}

declare! { describe_gauges, describe_gauge:
    STREAMS = "noughts_streams_open", "Open streams and sockets";
    ROOMS = "noughts_rooms", "Games in memory";
    WAITING = "noughts_thinking_waiting", "Bot moves, hints, analyses and images waiting for a thread";
    RUNNING = "noughts_thinking_running", "Bot moves, hints, analyses and images in progress";
    BOT_MEMORY = "noughts_bot_memory_bytes", "Memory used by search tables of bots";
    BOT_MEMORY_LIMIT = "noughts_bot_memory_limit_bytes", "Memory limit for search tables of bots";
}

declare! { describe_histograms, describe_histogram:
    REQUEST_SECONDS = "noughts_request_seconds", "Time until a response starts";
    STORE_SECONDS = "noughts_store_seconds", "Time until a move is on disk";
}

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

/// Counts a stored move and how long storing it took.
pub(crate) fn record_stored_move(took: Duration) {
    counter!(MOVES).increment(1);
    histogram!(STORE_SECONDS).record(took);
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
    describe_counters();
    describe_gauges();
    describe_histograms();
    Some(handle)
}
