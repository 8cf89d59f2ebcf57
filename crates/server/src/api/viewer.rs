//! What a given viewer sees of a game: the response to every request about it, and every frame of a
//! stream. The game itself is serialized once for all viewers; what differs is put around it.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use noughts_rules::{AnyGameState, Side as RulesSide, Variant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::IntoParams;

use super::types::{GameState, Side};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::{ActionError, GameSnapshot, PagePart, PublishedSnapshot, ViewerRole};
use crate::middleware::Visitor;
use crate::view::{self, ViewOptions};

/// The query parameters that select a view of a game.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewParams {
    /// `1` to include parts of the game's page by element ID.
    #[param(minimum = 0, maximum = 1)]
    pub(crate) html: Option<u8>,
    /// The board that these parts zoom into; empty for the whole board.
    #[param(max_length = 6, pattern = "^[a-i]*$")]
    pub(crate) path: Option<String>,
    /// The number of moves that these parts show; all of them by default.
    #[param(minimum = 0, maximum = 1000000)]
    pub(crate) ply: Option<usize>,
}

/// A visitor looking at a game, with what they asked to see.
pub(crate) struct Viewer {
    pub(crate) visitor: Visitor,
    html: bool,
    options: ViewOptions,
    /// The server's origin, as the visitor sees it.
    origin: String,
}

/// Hashes of the page parts that were last sent on a socket.
#[derive(Default)]
pub(crate) struct SentParts(HashMap<&'static str, u64>);

impl Viewer {
    pub(crate) fn new(
        app: &App,
        headers: &HeaderMap,
        visitor: Visitor,
        params: ViewParams,
    ) -> Result<Viewer, ApiError> {
        let html = match params.html {
            None | Some(0) => false,
            Some(1) => true,
            Some(_) => {
                return Err(ApiError::new(
                    ApiErrorKind::BadRequest,
                    "html must be 0 or 1",
                ));
            }
        };
        let path = params.path.unwrap_or_default();
        check_board_path(&path)?;
        Ok(Viewer {
            visitor,
            html,
            options: ViewOptions {
                path,
                ply: params.ply,
                invite_link: None,
            },
            origin: origin(app, headers),
        })
    }

    /// Switches to another board or another ply.
    pub(crate) fn change_view(&mut self, path: String, ply: Option<usize>) -> Result<(), ApiError> {
        check_board_path(&path)?;
        self.options.path = path;
        self.options.ply = ply;
        Ok(())
    }

    /// The options for this game: the path is cut to the depth of its boards, and a ply that isn't
    /// in the past is dropped.
    pub(crate) fn options_for(&self, snapshot: &PublishedSnapshot) -> ViewOptions {
        let mut options = self.options.clone();
        options.path.truncate(max_path_length(&snapshot.state));
        options.ply = options.ply.filter(|&ply| ply < snapshot.rev.moves);
        let invite_path = snapshot.invite_path(&self.visitor);
        options.invite_link = invite_path.map(|path| format!("{}{path}", self.origin));
        options
    }

    pub(crate) fn view_json(&self, snapshot: &PublishedSnapshot) -> String {
        format!("{{{}}}", self.fields(snapshot, None))
    }

    /// A frame of a stream, without the parts that were sent before. All spectators that don't ask
    /// for HTML share one.
    pub(crate) fn frame(
        &self,
        snapshot: &PublishedSnapshot,
        tag: Option<&Value>,
        sent: &mut SentParts,
    ) -> Bytes {
        let is_own = tag.is_some()
            || self.html
            || snapshot.role_of(&self.visitor.hash).is_participant()
            || snapshot.invite_path(&self.visitor).is_some();
        match is_own {
            true => self.viewer_frame(snapshot, tag, sent).into(),
            false => snapshot.spectator_frame(|| self.viewer_frame(snapshot, tag, sent)),
        }
    }

    fn viewer_frame(
        &self,
        snapshot: &PublishedSnapshot,
        tag: Option<&Value>,
        sent: &mut SentParts,
    ) -> String {
        let tag = tag.map_or_else(String::new, |tag| format!(r#""tag":{tag},"#));
        let fields = self.fields(snapshot, Some(sent));
        format!(r#"{{"type":"state",{tag}{fields}}}"#)
    }

    fn fields(&self, snapshot: &PublishedSnapshot, sent: Option<&mut SentParts>) -> String {
        let role = snapshot.role_of(&self.visitor.hash);
        let sides = RulesSide::BOTH.into_iter().filter(|&side| role.plays(side));
        let sides = json(&sides.map(Side::from).collect::<Vec<Side>>());
        let game = snapshot.cached_json(|snapshot| json(&GameState::from_snapshot(snapshot)));
        let options = self.options_for(snapshot);
        let invite = json(&options.invite_link);
        let html = match self.html {
            true => self.parts(snapshot, &options, sent),
            false => "null".into(),
        };
        format!(r#""you":{sides},"game":{game},"invite":{invite},"html":{html}"#)
    }

    /// The parts of the page as JSON, without those that were sent before and haven't changed. All
    /// spectators with default options share them.
    fn parts(
        &self,
        snapshot: &PublishedSnapshot,
        options: &ViewOptions,
        mut sent: Option<&mut SentParts>,
    ) -> String {
        let role = snapshot.role_of(&self.visitor.hash);
        let own_parts;
        let parts = match !role.is_participant() && *options == ViewOptions::default() {
            true => snapshot.spectator_parts(|snapshot| render_page_parts(snapshot, role, options)),
            false => {
                own_parts = render_page_parts(snapshot.snapshot(), role, options);
                &own_parts
            }
        };
        let mut text = String::from("{");
        for PagePart { id, json, hash } in parts {
            if let Some(SentParts(sent)) = &mut sent
                && sent.insert(id, *hash) == Some(*hash)
            {
                continue;
            }
            if text.len() > 1 {
                text.push(',');
            }
            // Writing to a string can't fail.
            let _ = write!(text, r#""{id}":{json}"#);
        }
        text.push('}');
        text
    }

    pub(crate) fn view_response(
        &self,
        status: StatusCode,
        snapshot: &PublishedSnapshot,
    ) -> Response {
        json_response(status, self.view_json(snapshot))
    }

    /// An error response, with the view if the error has a snapshot.
    pub(crate) fn error_response(&self, error: &ActionError) -> Response {
        let Some(snapshot) = &error.snapshot else {
            return error.error.clone().into_response();
        };
        let (error_json, view) = (json(&error.error), self.view_json(snapshot));
        let body = format!(r#"{{"error":{error_json},"view":{view}}}"#);
        json_response(error.error.kind.status(), body)
    }

    /// The same as a frame.
    pub(crate) fn error_frame(&self, error: &ActionError, tag: Option<&Value>) -> String {
        let tag = tag.map_or_else(String::new, |tag| format!(r#","tag":{tag}"#));
        let view = error.snapshot.as_ref();
        let view = view.map_or_else(String::new, |snapshot| {
            format!(r#","view":{}"#, self.view_json(snapshot))
        });
        format!(
            r#"{{"type":"error","error":{}{tag}{view}}}"#,
            json(&error.error)
        )
    }
}

fn render_page_parts(
    snapshot: &GameSnapshot,
    role: ViewerRole,
    options: &ViewOptions,
) -> Vec<PagePart> {
    let parts = view::render_parts(snapshot, role, options).into_iter();
    let parts = parts.map(|(id, markup)| {
        let mut hasher = DefaultHasher::new();
        markup.0.hash(&mut hasher);
        PagePart {
            id,
            json: json(&markup.0),
            hash: hasher.finish(),
        }
    });
    parts.collect()
}

fn json_response(status: StatusCode, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body).into_response()
}

fn json(value: &impl Serialize) -> String {
    // JSON can't represent maps with non-string keys, and there are none here.
    serde_json::to_string(value).unwrap_or_default()
}

fn check_board_path(path: &str) -> Result<(), ApiError> {
    let fits = path.len() <= 6 && path.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    match fits {
        true => Ok(()),
        false => Err(ApiError::new(
            ApiErrorKind::BadRequest,
            "path must have at most 6 letters from a to i",
        )),
    }
}

/// The most letters in the path of a board.
fn max_path_length(state: &AnyGameState) -> usize {
    match state.variant() {
        Variant::Nested(options) => usize::from(options.depth()).saturating_sub(1),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    }
}

/// The server's origin, as the visitor sees it. The middleware has checked the host.
fn origin(app: &App, headers: &HeaderMap) -> String {
    if let Some(origin) = &app.config.origin {
        return origin.trim_end_matches('/').into();
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}
