//! A game at once, without the menu being seen.

use noughts_rules::AnyPlay;
use noughts_store::Name;

use super::players::stand_in;
use crate::tui::house::House;
use crate::tui::screens::playing::Playing;
use crate::tui::screens::{Screen, question};
use crate::tui::setup::{First, Setup};
use crate::who_arg::WhoArg;
use noughts_session::Who;

/// Starts a game of X and O from where `from` is. People who gave no name are who they were
/// the last time. The menu that comes after it has this game and these players.
pub(crate) fn begin_at_once(
    house: &mut House,
    from: AnyPlay,
    seats: [WhoArg; 2],
) -> Box<dyn Screen> {
    let kept = house.remembered(Setup::CHOICE);
    let last = kept.and_then(|kept| Setup::from_json(&kept));
    let mut names: Vec<Name> = Vec::new();
    if let Some(setup) = last {
        names.extend(setup.players.iter().filter_map(Who::person).cloned());
    }
    names.extend([stand_in(0), stand_in(1)]);
    for seat in &seats {
        if let WhoArg::Human(Some(taken)) = seat {
            names.retain(|name| name != taken);
        }
    }
    names.dedup();
    let mut names = names.into_iter();
    let players = seats.map(|seat| match seat {
        WhoArg::Bot(kind) => Who::Bot(kind),
        WhoArg::Human(Some(name)) => Who::Person(name),
        WhoArg::Human(None) => Who::Person(names.next().unwrap_or_else(|| stand_in(0))),
    });
    let setup = Setup {
        variant: from.variant(),
        players,
        first: First::One,
    };
    let begun = match setup.fault() {
        None => {
            house.remember(Setup::CHOICE, setup.to_json());
            Playing::begin_from(house, &setup, from)
        }
        Some(fault) => Err(fault),
    };
    begun.unwrap_or_else(|problem| question::to_menu("No game", &problem))
}
