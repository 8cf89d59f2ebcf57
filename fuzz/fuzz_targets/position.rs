//! See `noughts_conformance::fuzz::position`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| noughts_conformance::fuzz::position(data));
