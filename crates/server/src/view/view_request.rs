//! What a visitor asks to see of a game, and the complete view as JSON.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::request::Parts;
use noughts_view::{board_at, path_of};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::{json, parts, patch};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::extract::{QueryParams, check_range};
use crate::live::{GameSnapshot, PagePart, Viewer};
use crate::middleware::Visitor;

/// The query parameters that select a view of a game.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewParams {
    /// `1` to include parts of the game's page by element ID.
    #[param(minimum = 0, maximum = 1)]
    html: Option<u8>,
    /// The path of the board that these parts zoom into, such as `4.0`; empty for the whole board.
    #[param(max_length = 64, pattern = "^[0-9.]*$")]
    path: Option<String>,
    /// The number of moves that these parts show; all of them by default.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
}

/// No game has more moves.
const MAX_PLY: usize = 1_000_000;

/// A visitor who looks at a game, and what they asked to see.
pub(crate) struct ViewRequest {
    pub(crate) visitor: Visitor,
    pub(super) html: bool,
    path: String,
    ply: Option<usize>,
    /// The server's origin, as the visitor sees it.
    origin: String,
}

/// The visitor, with the [`ViewParams`] of the query string.
impl FromRequestParts<App> for ViewRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ViewRequest, ApiError> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let QueryParams(params) = QueryParams::from_request_parts(parts, app).await?;
        ViewRequest::new(app, &parts.headers, visitor, params)
    }
}

impl ViewRequest {
    pub(crate) fn new(
        app: &App,
        headers: &HeaderMap,
        visitor: Visitor,
        params: ViewParams,
    ) -> Result<ViewRequest, ApiError> {
        let is_flag = params.html.is_none_or(|html| html <= 1);
        ApiErrorKind::BadRequest.require(is_flag, "html must be 0 or 1")?;
        let mut request = ViewRequest {
            visitor,
            html: params.html == Some(1),
            path: String::new(),
            ply: None,
            origin: origin(app, headers),
        };
        request.select(params.path.unwrap_or_default(), params.ply)?;
        Ok(request)
    }

    /// Selects a board and a ply.
    pub(crate) fn select(&mut self, path: String, ply: Option<usize>) -> Result<(), ApiError> {
        check_board_path(&path)?;
        self.path = path;
        let is_possible = |ply| check_range("ply", ply, 0..=MAX_PLY);
        self.ply = ply.map(is_possible).transpose()?;
        Ok(())
    }

    /// The visitor as a viewer of this game. The path is cut to the depth of its boards, and a ply
    /// that isn't in the past is dropped.
    pub(crate) fn viewer_of(&self, snapshot: &GameSnapshot) -> Viewer {
        let shape = snapshot.state.view().shape();
        let invite_path = snapshot.invite_path(&self.visitor);
        Viewer {
            path: path_of(&shape, board_at(&shape, &self.path)),
            ply: self.ply.filter(|&ply| ply < snapshot.rev.moves),
            invite_link: invite_path.map(|path| format!("{}{path}", self.origin)),
            ..snapshot.viewer(&self.visitor.hash)
        }
    }

    /// The view as JSON.
    pub(crate) fn view_json(&self, snapshot: &GameSnapshot) -> String {
        let viewer = self.viewer_of(snapshot);
        let html = self.html.then(|| render_parts(snapshot, &viewer));
        format!("{{{}}}", view_fields(snapshot, &viewer, html.as_deref()))
    }
}

/// The fields of a view as JSON.
pub(super) fn view_fields(
    snapshot: &GameSnapshot,
    viewer: &Viewer,
    html: Option<&[PagePart]>,
) -> String {
    let you = to_json(&sides(viewer));
    let fields = game_fields(snapshot).iter();
    let game: Vec<String> = fields
        .map(|(name, json)| format!("\"{name}\":{json}"))
        .collect();
    let invite = to_json(&viewer.invite_link);
    let html = html.map(|parts| {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| format!("\"{}\":{}", part.id, to_json(&part.markup)))
            .collect();
        format!("{{{}}}", parts.join(","))
    });
    format!(
        r#""you":{you},"game":{{{game}}},"invite":{invite},"html":{html}"#,
        game = game.join(","),
        html = html.as_deref().unwrap_or("null")
    )
}

/// The sides that the viewer plays.
pub(super) fn sides(viewer: &Viewer) -> Vec<noughts_wire::Side> {
    viewer.sides().into_iter().map(Into::into).collect()
}

/// The fields of the game as JSON, serialized once for all viewers.
pub(super) fn game_fields(snapshot: &GameSnapshot) -> &[(String, String)] {
    snapshot.cache.fields.get_or_init(|| {
        let game = serde_json::to_value(json::game(snapshot)).unwrap_or_default();
        let fields = game.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect()
    })
}

/// The parts of the page.
pub(super) fn render_parts(snapshot: &GameSnapshot, viewer: &Viewer) -> Vec<PagePart> {
    let parts = parts::render_parts(snapshot, viewer).into_iter();
    let parts = parts.map(|(id, markup)| PagePart {
        id,
        hashes: patch::hashes(&markup.0),
        markup: markup.0,
    });
    parts.collect()
}

pub(super) fn to_json(value: &impl Serialize) -> String {
    // JSON can't represent maps with non-string keys, and there are none here.
    serde_json::to_string(value).unwrap_or_default()
}

/// Checks the path of a board inside boards.
pub(crate) fn check_board_path(path: &str) -> Result<(), ApiError> {
    let is_path = path.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let message = "path must be numbers separated by points, with at most 64 characters";
    ApiErrorKind::BadRequest.require(is_path && path.len() <= 64, message)
}

/// The server's origin, as the visitor sees it. The middleware has checked the host.
fn origin(app: &App, headers: &HeaderMap) -> String {
    if let Some(origin) = &app.config.origin {
        return origin.trim_end_matches('/').into();
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}
