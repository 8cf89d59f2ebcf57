//! The store's integration tests, in one binary to compile the helpers once.

mod common;
mod files;
mod games;
mod group_commit;
mod import_export;
mod invalid_files;
mod players;
mod processes;
