//! See `noughts_conformance::fuzz::variant`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| noughts_conformance::fuzz::variant(data));
