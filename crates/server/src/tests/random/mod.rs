//! Requests and frames at random, many of them malformed: nothing panics, nothing is
//! answered with a fault, every refusal has the one form, and changes nothing.

mod frames;
mod generator;
mod requests;
mod tracker;

/// Requests and frames in total, a tenth of them frames. The soak sends forty times as many.
const ALL: usize = 6_000;

#[tokio::test]
async fn random_requests_are_answered_and_refusals_change_nothing() {
    requests::send(1, ALL / 10 * 9).await;
}

#[tokio::test]
async fn random_frames_are_answered_and_refusals_change_nothing() {
    frames::send(2, ALL / 10).await;
}

/// How many times longer the soak tests run: `NOUGHTS_SOAK=20`.
fn soak() -> u64 {
    let asked = std::env::var("NOUGHTS_SOAK").ok();
    asked.and_then(|times| times.parse().ok()).unwrap_or(40)
}

#[tokio::test]
#[ignore = "soak"]
async fn soak_random_requests_and_frames() {
    for seed in 1..=soak() {
        requests::send(1000 + seed, ALL / 10 * 9).await;
        frames::send(2000 + seed, ALL / 10).await;
    }
}
