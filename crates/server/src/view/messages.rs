//! The messages of a stream: first the complete state, then what has changed since the last
//! message. Spectators who see the same share one message.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use noughts_wire::{NewMoves, PartUpdate};
use serde_json::{Map, Value};

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
        let shared = &snapshot.cache.messages[usize::from(self.request.html)];
        let is_spectator = tag.is_none() && viewer == Viewer::default();
        let sent = self.sent.take();
        let shared = match &sent {
            _ if !is_spectator => None,
            None => Some(&shared.state),
            Some(sent) if sent.viewer == viewer && snapshot.follows(&sent.snapshot) => {
                Some(&shared.update)
            }
            Some(_) => None,
        };
        let is_default = viewer == Viewer::default();
        let own_parts;
        let parts: &[PagePart] = match (self.request.html, is_default) {
            (false, _) => &[],
            (true, true) => {
                let render = || render_parts(snapshot, &viewer);
                snapshot.cache.parts.get_or_init(render)
            }
            (true, false) => {
                own_parts = render_parts(snapshot, &viewer);
                &own_parts
            }
        };
        let now = SentView {
            snapshot: snapshot.clone(),
            parts: parts
                .iter()
                .map(|part| (part.id, part.hashes.clone()))
                .collect(),
            viewer,
        };
        let write = || match &sent {
            Some(sent) => message("update", tag, &sent.update_to(&now, parts)),
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
        let mut fields = Map::new();
        fields.insert("error".into(), to_value(error));
        if let Some(snapshot) = snapshot.filter(|_| self.sent.is_some())
            && let Ok(Value::Object(mut update)) =
                serde_json::from_slice(&self.next(snapshot, None))
            && update.remove("type") == Some("update".into())
        {
            fields.insert("update".into(), update.into());
        }
        message("error", tag, &fields)
    }
}

impl SentView {
    /// The fields of a [`noughts_wire::GameUpdate`].
    fn update_to(&self, now: &SentView, parts: &[PagePart]) -> Map<String, Value> {
        let mut update = Map::new();
        if sides(&self.viewer) != sides(&now.viewer) {
            update.insert("you".into(), to_value(&sides(&now.viewer)));
        }
        update.insert("game".into(), self.changed_fields(now).into());
        if let Some(moves) = self.new_moves(now) {
            update.insert("moves".into(), to_value(&moves));
        }
        if self.viewer.invite_link != now.viewer.invite_link {
            update.insert("invite".into(), to_value(&now.viewer.invite_link));
        }
        let changed: BTreeMap<&str, PartUpdate> = parts
            .iter()
            .filter_map(|part| {
                let sent = self.parts.iter().find(|(id, _)| *id == part.id);
                let update = match sent {
                    Some((_, hashes)) => patch::update(hashes, part)?,
                    None => PartUpdate::Content(part.markup.clone()),
                };
                Some((part.id, update))
            })
            .collect();
        if !changed.is_empty() {
            update.insert("html".into(), to_value(&changed));
        }
        update
    }

    /// The fields of the game that have changed, except the moves.
    fn changed_fields(&self, now: &SentView) -> Map<String, Value> {
        if Arc::ptr_eq(&self.snapshot, &now.snapshot) {
            return Map::new();
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

fn message(kind: &str, tag: Option<&Value>, fields: &Map<String, Value>) -> Bytes {
    let mut message = Map::new();
    message.insert("type".into(), kind.into());
    if let Some(tag) = tag {
        message.insert("tag".into(), tag.clone());
    }
    message.extend(fields.clone());
    to_json(&message).into()
}

fn to_value(value: &impl serde::Serialize) -> Value {
    // JSON can't represent maps with non-string keys, and there are none here.
    serde_json::to_value(value).unwrap_or_default()
}
