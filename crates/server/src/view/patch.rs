//! Changes of a page part: steps that make its new markup from the old one. The sender keeps only
//! hashes of what it sent before.

use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_wire::{PartUpdate, PatchStep};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::live::PagePart;

/// The hashes of the pieces of some markup.
pub(super) fn hashes(markup: &str) -> Box<[u64]> {
    let hash = |piece: &str| {
        let mut hasher = DefaultHasher::new();
        piece.hash(&mut hasher);
        hasher.finish()
    };
    pieces(markup).into_iter().map(hash).collect()
}

/// The update from markup with these hashes to a part's; `None` if nothing has changed.
pub(super) fn update(old: &[u64], part: &PagePart) -> Option<PartUpdate> {
    if *old == *part.hashes {
        return None;
    }
    // Nearly all pieces are unique, which this algorithm needs to be fast.
    let changes = capture_diff_slices(Algorithm::Patience, old, &part.hashes);
    let pieces = pieces(&part.markup);
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let mut steps = Vec::new();
    for change in changes {
        let (tag, old, new) = change.as_tag_tuple();
        if tag == DiffTag::Equal {
            steps.push(PatchStep::Pieces(number(old.len())));
            continue;
        }
        if !old.is_empty() {
            steps.push(PatchStep::Pieces(-number(old.len())));
        }
        if !new.is_empty() {
            steps.push(PatchStep::Text(pieces[new].concat()));
        }
    }
    let patched: usize = steps.iter().map(step_len).sum();
    Some(match patched < part.markup.len() {
        true => PartUpdate::Patch(steps),
        false => PartUpdate::Content(part.markup.clone()),
    })
}

/// Roughly the length of a step as JSON.
fn step_len(step: &PatchStep) -> usize {
    match step {
        PatchStep::Pieces(_) => 4,
        PatchStep::Text(text) => text.len(),
    }
}

/// The markup, divided before every opening tag. Clients divide it in the same way.
fn pieces(markup: &str) -> Vec<&str> {
    let bytes = markup.as_bytes();
    let is_tag =
        |at: &usize| bytes[*at] == b'<' && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in (1..bytes.len()).filter(is_tag) {
        pieces.push(&markup[start..at]);
        start = at;
    }
    if start < markup.len() {
        pieces.push(&markup[start..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a client does.
    fn apply(old: &str, update: &PartUpdate) -> String {
        let steps = match update {
            PartUpdate::Content(markup) => return markup.clone(),
            PartUpdate::Patch(steps) => steps,
        };
        let old = pieces(old);
        let (mut at, mut new) = (0, String::new());
        for step in steps {
            match step {
                PatchStep::Text(text) => new += text,
                PatchStep::Pieces(count) => {
                    let end = at + usize::try_from(count.unsigned_abs()).expect("small");
                    if *count > 0 {
                        new += &old[at..end].concat();
                    }
                    at = end;
                }
            }
        }
        new
    }

    fn update(old: &str, new: &str) -> Option<PartUpdate> {
        let part = PagePart {
            id: "board",
            markup: new.into(),
            hashes: hashes(new),
        };
        super::update(&hashes(old), &part)
    }

    #[test]
    fn a_small_change_has_a_small_patch() {
        let cell = |i: usize, mark: &str| format!("<rect x=\"{i}\"/><g class=\"mark\">{mark}</g>");
        let board = |marked: usize| -> String {
            (0..81)
                .map(|i| cell(i, if i == marked { "x" } else { "" }))
                .collect()
        };
        let (old, new) = (board(3), board(40));
        let patch = update(&old, &new).expect("a change");
        assert_eq!(apply(&old, &patch), new);
        let PartUpdate::Patch(steps) = patch else {
            panic!("a patch");
        };
        let sent: usize = steps.iter().map(step_len).sum();
        assert!(sent < 100, "{steps:?}");
        assert_eq!(update(&old, &old), None);
    }

    proptest! {
        /// Whatever changes, the client ends up with the new markup.
        #[test]
        fn patches_make_the_new_markup(old in "(<[ab]>|</a>|x|é| ){0,30}", new in "(<[ab]>|</a>|x|é| ){0,30}") {
            match update(&old, &new) {
                Some(change) => prop_assert_eq!(apply(&old, &change), new),
                None => prop_assert_eq!(old, new),
            }
        }
    }
}
