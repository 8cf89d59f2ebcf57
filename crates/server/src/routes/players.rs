//! `/players` and `/players/{name}`: everybody, and one's record.

use axum::extract::{Path, State};
use noughts_store::Name;

use super::Page;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::view::pages;

pub(super) async fn players(State(app): State<App>) -> Result<Page, Error> {
    Ok(Page(pages::players(
        &app.config.store.people_who_played().await?,
    )))
}

pub(super) async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Page, Error> {
    let nobody = || Error::new(Kind::NotFound, "there is no player of this name");
    let name = Name::new(&name).map_err(|_| nobody())?;
    let record = app.config.store.record(&name).await?.ok_or_else(nobody)?;
    Ok(Page(pages::player(&record)))
}
