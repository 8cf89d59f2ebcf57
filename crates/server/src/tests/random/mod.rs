//! Random requests and frames, many of them malformed: nothing panics, there are no server errors,
//! and every error response has the same format and changes nothing.

mod frames;
mod generator;
mod requests;
mod tracker;

/// Requests and frames in total, a tenth of them frames. The soak test sends forty times as many.
const ALL: usize = 6_000;

#[tokio::test]
async fn random_requests_never_fail_and_errors_change_nothing() {
    requests::send(1, ALL / 10 * 9).await;
}

#[tokio::test]
async fn random_frames_never_fail_and_errors_change_nothing() {
    frames::send(2, ALL / 10).await;
}

/// How many times longer the soak test runs: `NOUGHTS_SOAK=20`.
fn soak() -> u64 {
    let factor = std::env::var("NOUGHTS_SOAK").ok();
    factor.and_then(|times| times.parse().ok()).unwrap_or(40)
}

#[tokio::test]
#[ignore = "soak"]
async fn soak_random_requests_and_frames() {
    for seed in 1..=soak() {
        requests::send(1000 + seed, ALL / 10 * 9).await;
        frames::send(2000 + seed, ALL / 10).await;
    }
}
