//! Games: made, read, and joined by the link.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use noughts_rules::AnyPlay;
use noughts_session::Who;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::heard::{Asked, Body, Given, LongBody};
use super::shown::{Eyes, Wish};
use super::types::{GameView, NewGame, NewSeat};
use crate::app::App;
use crate::error::{Error, Kind};
use crate::guard::Visitor;
use crate::live::{Making, bot_of, person_of};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(make))
        .routes(routes!(read))
        .routes(routes!(join))
}

/// Makes a game. Who asks acts for the seats that are not offered to a friend.
#[utoipa::path(post, path = "/games", tag = "play", request_body = NewGame, params(Wish),
    responses(
        (status = 201, description = "The game", body = GameView),
        (status = 422, description = "There is no such variant, position, bot or name", body = super::ErrorBody),
    ))]
async fn make(
    State(app): State<App>,
    visitor: Visitor,
    Asked(wish): Asked<Wish>,
    headers: HeaderMap,
    LongBody(new): LongBody<NewGame>,
) -> Result<Response, Error> {
    let eyes = Eyes::new(&app, &headers, visitor, wish)?;
    let given = Given {
        variant: new.variant,
        position: new.position,
        moves: None,
    };
    let play = given.play().await?;
    if play.outcome().is_some() {
        let message = "the game is over in this position; begin with another one";
        return Err(Error::new(Kind::Invalid, message));
    }
    let x = sit(&new.x, &play)?;
    let o = sit(&new.o, &play)?;
    let invites = [new.x == NewSeat::Invite, new.o == NewSeat::Invite];
    if invites == [true; 2] {
        let message = "a friend takes one seat; the other one is yours or a computer's";
        return Err(Error::new(Kind::Invalid, message));
    }
    let start = (!play.is_from_start()).then(|| play.start_text());
    let making = Making {
        variant: play.variant(),
        start,
        seats: [x, o],
        sitters: invites.map(|invited| (!invited).then_some(visitor.hash)),
        invites,
        after: None,
        by: visitor,
    };
    let room = app.rooms.make(&app, making).await;
    match room {
        Ok(room) => Ok(eyes.answer(StatusCode::CREATED, &room.state())),
        Err(refused) => Ok(eyes.refusal(&refused)),
    }
}

fn sit(seat: &NewSeat, play: &AnyPlay) -> Result<Who, Error> {
    match seat {
        NewSeat::Person { name } => person_of(name.as_deref()),
        NewSeat::Invite => Ok(Who::Guest),
        NewSeat::Bot { bot } => Ok(Who::Bot(bot_of(bot, play.variant())?)),
    }
}

/// A game as it stands.
#[utoipa::path(get, path = "/games/{id}", tag = "play",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), Wish),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
    ))]
async fn read(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(wish): Asked<Wish>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let eyes = Eyes::new(&app, &headers, visitor, wish)?;
    let opened = app.rooms.open(&app, &id).await?;
    Ok(eyes.answer(StatusCode::OK, &opened.state()))
}

/// Somebody who comes by the link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Guest {
    /// The last part of the link: 32 hexadecimal digits.
    #[schema(max_length = 64)]
    code: String,
    /// The name; a guest has none, and no record.
    #[schema(max_length = 40)]
    name: Option<String>,
}

/// Takes the seat that is held open for whoever has the link.
#[utoipa::path(post, path = "/games/{id}/join", tag = "play", request_body = Guest,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), Wish),
    responses(
        (status = 200, description = "The game; the seat is yours", body = GameView),
        (status = 403, description = "The code is not the one of the link", body = super::ErrorBody),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
        (status = 422, description = "Nobody is awaited any more, or not under this name", body = super::actions::RefusedBody),
    ))]
async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(wish): Asked<Wish>,
    headers: HeaderMap,
    Body(guest): Body<Guest>,
) -> Result<Response, Error> {
    let eyes = Eyes::new(&app, &headers, visitor, wish)?;
    let room = app.rooms.open(&app, &id).await?.room()?;
    match room.join(&app, visitor, guest.code, guest.name).await {
        Ok(state) => Ok(eyes.answer(StatusCode::OK, &state)),
        Err(refused) => Ok(eyes.refusal(&refused)),
    }
}
