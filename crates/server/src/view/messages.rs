//! The messages of a stream: first the complete state, then what has changed since the last
//! message. Spectators who see the same share one message.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use noughts_wire::{GameUpdate, NewMoves, PartUpdate};
use serde::Serialize;
use serde_json::Value;

use super::patch;
use super::view_request::{ViewRequest, game_fields, render_parts, sides, to_json, view_fields};
use crate::error::ApiError;
use crate::live::{GameSnapshot, PagePart, Viewer};

/// Writes the messages of one stream.
pub(crate) struct StreamWriter {
    pub(crate) request: ViewRequest,
    sent: Option<SentView>,
}

/// What was sent last.
struct SentView {
    snapshot: Arc<GameSnapshot>,
    viewer: Viewer,
    /// The ids and hashes of the parts of the page.
    parts: Vec<(&'static str, Box<[u64]>)>,
}

impl StreamWriter {
    pub(crate) fn new(request: ViewRequest) -> StreamWriter {
        StreamWriter {
            request,
            sent: None,
        }
    }

    /// The next message: `{"type":"state",…}` at first, then `{"type":"update",…}`. A tag lets the
    /// client match the response to its own message.
    pub(crate) fn next(&mut self, snapshot: &Arc<GameSnapshot>, tag: Option<&Value>) -> Bytes {
        let viewer = self.request.viewer_of(snapshot);
        let is_default = viewer == Viewer::default();
        let shared = &snapshot.cache.messages[usize::from(self.request.html)];
        let sent = self.sent.take();
        let shared = match &sent {
            _ if tag.is_some() || !is_default => None,
            None => Some(&shared.state),
            Some(sent) => (sent.viewer == viewer && snapshot.follows(&sent.snapshot))
                .then_some(&shared.update),
        };
        let mut own_parts = Vec::new();
        let parts = self.parts(snapshot, &viewer, &mut own_parts);
        let now = SentView::new(snapshot, viewer, parts);
        let write = || match &sent {
            Some(sent) => message("update", tag, sent.update_to(&now, parts)),
            None => {
                let html = self.request.html.then_some(parts);
                let fields = view_fields(snapshot, &now.viewer, html);
                let tag = tag.map_or_else(String::new, |tag| format!(r#""tag":{tag},"#));
                format!(r#"{{"type":"state",{tag}{fields}}}"#).into()
            }
        };
        let message = match shared {
            Some(shared) => shared.get_or_init(write).clone(),
            None => write(),
        };
        self.sent = Some(now);
        message
    }

    /// An error, with what has changed if the client has to know it.
    pub(crate) fn error(
        &mut self,
        error: &ApiError,
        snapshot: Option<&Arc<GameSnapshot>>,
        tag: Option<&Value>,
    ) -> Bytes {
        let update = snapshot.and_then(|snapshot| {
            let sent = self.sent.take()?;
            let viewer = self.request.viewer_of(snapshot);
            let mut own_parts = Vec::new();
            let parts = self.parts(snapshot, &viewer, &mut own_parts);
            let now = SentView::new(snapshot, viewer, parts);
            let update = sent.update_to(&now, parts);
            self.sent = Some(now);
            Some(update)
        });
        message("error", tag, ErrorFields { error, update })
    }

    /// The parts of the page, if the client wants them. Spectators share theirs; those of a player are
    /// put into `own_parts`.
    fn parts<'a>(
        &self,
        snapshot: &'a GameSnapshot,
        viewer: &Viewer,
        own_parts: &'a mut Vec<PagePart>,
    ) -> &'a [PagePart] {
        let render = || render_parts(snapshot, viewer);
        match *viewer == Viewer::default() {
            _ if !self.request.html => &[],
            true => snapshot.cache.parts.get_or_init(render),
            false => {
                *own_parts = render();
                own_parts
            }
        }
    }
}

#[derive(Serialize)]
struct ErrorFields<'a> {
    error: &'a ApiError,
    #[serde(skip_serializing_if = "Option::is_none")]
    update: Option<GameUpdate>,
}

impl SentView {
    fn new(snapshot: &Arc<GameSnapshot>, viewer: Viewer, parts: &[PagePart]) -> SentView {
        let parts = parts.iter().map(|part| (part.id, part.hashes.clone()));
        SentView {
            snapshot: snapshot.clone(),
            viewer,
            parts: parts.collect(),
        }
    }

    fn update_to(&self, now: &SentView, parts: &[PagePart]) -> GameUpdate {
        let (before, viewer) = (&self.viewer, &now.viewer);
        let html: BTreeMap<String, PartUpdate> = parts
            .iter()
            .filter_map(|part| {
                let sent = self.parts.iter().find(|(id, _)| *id == part.id);
                let update = match sent {
                    Some((_, hashes)) => patch::update(hashes, part)?,
                    None => PartUpdate::Content(part.markup.clone()),
                };
                Some((part.id.into(), update))
            })
            .collect();
        GameUpdate {
            you: (sides(before) != sides(viewer)).then(|| sides(viewer)),
            game: self.changed_fields(now),
            moves: self.new_moves(now),
            invite: (before.invite_link != viewer.invite_link).then(|| viewer.invite_link.clone()),
            html: (!html.is_empty()).then_some(html),
        }
    }

    /// The fields of the game that have changed, except the moves.
    fn changed_fields(&self, now: &SentView) -> BTreeMap<String, Value> {
        if Arc::ptr_eq(&self.snapshot, &now.snapshot) {
            return BTreeMap::new();
        }
        let (before, after) = (game_fields(&self.snapshot), game_fields(&now.snapshot));
        let changed = after
            .iter()
            .zip(before)
            .filter(|(after, before)| after != before);
        let changed = changed.filter(|((name, _), _)| name != "moves");
        changed
            .map(|((name, json), _)| (name.clone(), serde_json::from_str(json).unwrap_or_default()))
            .collect()
    }

    fn new_moves(&self, now: &SentView) -> Option<NewMoves> {
        if Arc::ptr_eq(&self.snapshot.state, &now.snapshot.state) {
            return None;
        }
        let (before, mut after) = (self.snapshot.state.moves(), now.snapshot.state.moves());
        let same = before
            .iter()
            .zip(&after)
            .take_while(|(before, after)| before == after);
        let keep = same.count();
        let add = after.split_off(keep);
        (keep < before.len() || !add.is_empty()).then_some(NewMoves { keep, add })
    }
}

fn message(r#type: &str, tag: Option<&Value>, fields: impl Serialize) -> Bytes {
    #[derive(Serialize)]
    struct Message<'a, T> {
        r#type: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        tag: Option<&'a Value>,
        #[serde(flatten)]
        fields: T,
    }
    to_json(&Message {
        r#type,
        tag,
        fields,
    })
    .into()
}
