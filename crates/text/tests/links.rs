//! Every link between pages of the documentation leads to a file, and to a heading in it.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn links_between_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["", "docs", "docs/python", "training"];
    let pages: Vec<PathBuf> = (folders.iter())
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder exists"))
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    assert!(pages.len() > 15, "{pages:?}");
    for page in &pages {
        let folder = page.parent().expect("a page is in a folder");
        for link in links(&read(page)) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => folder.join(file),
            };
            let page = page.display();
            assert!(target.exists(), "{page}: {link}");
            let is_found = heading.is_empty() || anchors(&read(&target)).any(|it| it == heading);
            assert!(is_found, "{page}: {link}: no such heading");
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text outside of blocks of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    page.split("\n```").step_by(2)
}

/// The targets of links that aren't on other hosts.
fn links(page: &str) -> Vec<String> {
    let targets = prose(page).flat_map(|part| part.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split(')').next());
    let own = targets.filter(|target| !target.contains("://"));
    own.map(str::to_owned).collect()
}

/// The addresses of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let headings = prose(page).flat_map(str::lines);
    let headings = headings.filter_map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .filter(|_| line.starts_with('#'))
    });
    headings.map(|heading| {
        let kept = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.map(|letter| {
            if letter == ' ' {
                '-'
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect()
    })
}
