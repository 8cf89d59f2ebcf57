//! See `noughts_conformance::fuzz::record`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| noughts_conformance::fuzz::record(data));
