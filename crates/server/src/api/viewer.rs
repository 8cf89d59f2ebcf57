//! What a visitor gets to see of a game: the answer to everything that is done with
//! one, and every frame of a stream. The game itself is written once for all who see
//! it; what differs is put around it.

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
use crate::error::{Error, Kind};
use crate::live::{ActionError, GameSnapshot, PagePart, PublishedSnapshot, ViewerRole};
use crate::middleware::Visitor;
use crate::view::{self, ViewOptions};

/// How somebody wants to see a game.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewParams {
    /// `1`: with the parts of the game's page by their ids.
    #[param(minimum = 0, maximum = 1)]
    pub(crate) html: Option<u8>,
    /// The board that these parts zoom into; empty for the whole.
    #[param(max_length = 6, pattern = "^[a-i]*$")]
    pub(crate) path: Option<String>,
    /// These parts show the game as it was after so many moves.
    #[param(minimum = 0, maximum = 1000000)]
    pub(crate) ply: Option<usize>,
}

/// Who looks at a game, and how.
pub(crate) struct Viewer {
    pub(crate) visitor: Visitor,
    html: bool,
    look: ViewOptions,
    /// Where this server is, as the visitor sees it.
    origin: String,
}

/// What a socket has been sent of the parts of a page.
#[derive(Default)]
pub(crate) struct SentParts(HashMap<&'static str, u64>);

impl Viewer {
    pub(crate) fn new(
        app: &App,
        headers: &HeaderMap,
        visitor: Visitor,
        wish: ViewParams,
    ) -> Result<Viewer, Error> {
        let html = match wish.html {
            None | Some(0) => false,
            Some(1) => true,
            Some(_) => return Err(Error::new(Kind::BadRequest, "html is 0 or 1")),
        };
        let path = wish.path.unwrap_or_default();
        check_letters(&path)?;
        Ok(Viewer {
            visitor,
            html,
            look: ViewOptions {
                path,
                ply: wish.ply,
                invite_link: None,
            },
            origin: origin(app, headers),
        })
    }

    /// Looks at another board, or another moment.
    pub(crate) fn change_view(&mut self, path: String, ply: Option<usize>) -> Result<(), Error> {
        check_letters(&path)?;
        self.look.path = path;
        self.look.ply = ply;
        Ok(())
    }

    /// How the game is looked at: another board than there is would show nothing.
    pub(crate) fn options_for(&self, state: &PublishedSnapshot) -> ViewOptions {
        let mut look = self.look.clone();
        look.path.truncate(deepest(&state.state));
        look.ply = look.ply.filter(|&ply| ply < state.rev.moves);
        let way_in = state.invite_path(&self.visitor);
        look.invite_link = way_in.map(|path| format!("{}{path}", self.origin));
        look
    }

    /// The view as JSON.
    pub(crate) fn view_json(&self, state: &PublishedSnapshot) -> String {
        format!("{{{}}}", self.fields(state, None))
    }

    /// A frame of a stream that has sent some parts already. Those who only watch share one.
    pub(crate) fn frame(
        &self,
        state: &PublishedSnapshot,
        tag: Option<&Value>,
        sent: &mut SentParts,
    ) -> Bytes {
        let is_own = tag.is_some()
            || self.html
            || state.role_of(&self.visitor.hash).is_participant()
            || state.invite_path(&self.visitor).is_some();
        match is_own {
            true => self.own_frame(state, tag, sent).into(),
            false => state.spectator_frame(|| self.own_frame(state, tag, sent)),
        }
    }

    fn own_frame(
        &self,
        state: &PublishedSnapshot,
        tag: Option<&Value>,
        sent: &mut SentParts,
    ) -> String {
        let tag = tag.map_or_else(String::new, |tag| format!(r#""tag":{tag},"#));
        let fields = self.fields(state, Some(sent));
        format!(r#"{{"type":"state",{tag}{fields}}}"#)
    }

    fn fields(&self, state: &PublishedSnapshot, sent: Option<&mut SentParts>) -> String {
        let you = state.role_of(&self.visitor.hash);
        let sides = RulesSide::BOTH.into_iter().filter(|&side| you.plays(side));
        let you_text = json(&sides.map(Side::from).collect::<Vec<Side>>());
        let game = state.cached_json(|snapshot| json(&GameState::from_snapshot(snapshot)));
        let look = self.options_for(state);
        let invite = json(&look.invite_link);
        let html = match self.html {
            true => self.parts(state, &look, sent),
            false => "null".into(),
        };
        format!(r#""you":{you_text},"game":{game},"invite":{invite},"html":{html}"#)
    }

    /// The parts of the page, without those that were sent as they are. Those who watch
    /// from the first row all see the same.
    fn parts(
        &self,
        state: &PublishedSnapshot,
        look: &ViewOptions,
        mut sent: Option<&mut SentParts>,
    ) -> String {
        let you = state.role_of(&self.visitor.hash);
        let own;
        let parts = match !you.is_participant() && *look == ViewOptions::default() {
            true => state.spectator_parts(|snapshot| made(snapshot, you, look)),
            false => {
                own = made(state.snapshot(), you, look);
                &own
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
            // Writing to a string does not fail.
            let _ = write!(text, r#""{id}":{json}"#);
        }
        text.push('}');
        text
    }

    /// An answer with the view.
    pub(crate) fn view_response(&self, status: StatusCode, state: &PublishedSnapshot) -> Response {
        answer(status, self.view_json(state))
    }

    /// An answer that says why not; where the game has gone on, with the view.
    pub(crate) fn error_response(&self, refused: &ActionError) -> Response {
        let Some(state) = &refused.snapshot else {
            return refused.error.clone().into_response();
        };
        let (error, view) = (json(&refused.error), self.view_json(state));
        let body = format!(r#"{{"error":{error},"view":{view}}}"#);
        answer(refused.error.kind.status(), body)
    }

    /// The same as a frame.
    pub(crate) fn error_frame(&self, refused: &ActionError, tag: Option<&Value>) -> String {
        let tag = tag.map_or_else(String::new, |tag| format!(r#","tag":{tag}"#));
        let view = refused.snapshot.as_ref();
        let view = view.map_or_else(String::new, |state| {
            format!(r#","view":{}"#, self.view_json(state))
        });
        format!(
            r#"{{"type":"error","error":{}{tag}{view}}}"#,
            json(&refused.error)
        )
    }
}

fn made(snapshot: &GameSnapshot, you: ViewerRole, look: &ViewOptions) -> Vec<PagePart> {
    let parts = view::render_parts(snapshot, you, look).into_iter();
    let made = parts.map(|(id, markup)| {
        let mut hasher = DefaultHasher::new();
        markup.0.hash(&mut hasher);
        PagePart {
            id,
            json: json(&markup.0),
            hash: hasher.finish(),
        }
    });
    made.collect()
}

fn answer(status: StatusCode, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body).into_response()
}

fn json(value: &impl Serialize) -> String {
    // What is told here has no map with odd keys, which is all that JSON cannot say.
    serde_json::to_string(value).unwrap_or_default()
}

fn check_letters(path: &str) -> Result<(), Error> {
    let fits = path.len() <= 6 && path.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    match fits {
        true => Ok(()),
        false => Err(Error::new(
            Kind::BadRequest,
            "a path has up to 6 letters from a to i",
        )),
    }
}

/// How many letters the path of a board has at most.
fn deepest(play: &AnyGameState) -> usize {
    match play.variant() {
        Variant::Nested(options) => usize::from(options.depth()).saturating_sub(1),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    }
}

/// Where this server is, as the visitor sees it. The guard has looked at the name.
fn origin(app: &App, headers: &HeaderMap) -> String {
    if let Some(origin) = &app.config.origin {
        return origin.trim_end_matches('/').into();
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}
