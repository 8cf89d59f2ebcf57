//! The server's layers: see `ARCHITECTURE.md`.

use std::fs;
use std::path::{Path, PathBuf};

/// Every module by its layer, the lowest first; only those of the lowest may use each other. The shared
/// state (`app`) is passed through all layers.
const LAYERS: [&[&str]; 7] = [
    &[
        "address_pseudonyms",
        "assets",
        "config",
        "digest",
        "error",
        "log_writer",
        "machine",
        "meter",
        "network",
        "spectators",
    ],
    &["connection_slots", "extract", "middleware"],
    &["listen", "pool"],
    &["live"],
    &["view"],
    &["api", "routes"],
    &["server"],
];

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap();
        if name == "tests" {
            continue;
        }
        match path.is_dir() {
            true => source_files(&path, files),
            false => files.push(path),
        }
    }
}

/// Guards against `api`, `live`, `view` and `routes` importing each other in circles.
#[test]
fn modules_import_only_from_layers_below() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&source, &mut files);
    let mut checked = 0;
    for file in files {
        let path = file.strip_prefix(&source).unwrap();
        let module = path.iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs");
        let Some(layer) = layer_of(module) else {
            assert!(["app", "lib"].contains(&module), "{module} has no layer");
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for import in code.split("crate::").skip(1) {
            let list = import
                .strip_prefix('{')
                .and_then(|list| list.split('}').next());
            for name in list.map_or(vec![import], |list| list.split(',').collect()) {
                let is_end = |letter: char| !letter.is_ascii_lowercase() && letter != '_';
                let used = name.trim().split(is_end).next().unwrap();
                if let Some(used_layer) = layer_of(used).filter(|_| used != module) {
                    let is_below = used_layer < layer || layer == 0 && used_layer == 0;
                    assert!(is_below, "{} uses {used}", path.display());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}
