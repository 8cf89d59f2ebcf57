//! Exact values.
