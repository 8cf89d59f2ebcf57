//! The offer to build the exact table of Tic-Tac-Two.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use ratatui::text::Line;

use crate::tui::building::TableState;
use crate::tui::house::House;
use crate::tui::setup::Setup;
use crate::tui::widgets::{Choice, Dialog};
use noughts_session::Who;

/// What is made of the offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    Build,
    Without,
}

/// What building takes, roughly.
const COST: &str = "about a minute, 13 MiB on the disk and 300 MiB of memory";

/// Would somebody in this game play better with a table that is not there, and has
/// nobody been asked yet?
pub(crate) fn is_wanted(house: &mut House, setup: &Setup) -> bool {
    let exact = |who: &Who| matches!(who, Who::Bot(BotKind::Perfect | BotKind::Best));
    setup.players.iter().any(exact) && is_missing(house, setup.variant)
}

/// Is there no table where there could be one, and has nobody been asked yet?
pub(crate) fn is_missing(house: &mut House, variant: Variant) -> bool {
    if house.offered {
        return false;
    }
    house.look_for_tables(variant);
    house.table(variant) == TableState::Missing
}

/// The question, which is asked once.
pub(crate) fn offer(house: &mut House) -> Dialog<Offer> {
    house.offered = true;
    let game = Variant::TIC_TAC_TWO;
    let text = vec![
        Line::from(format!(
            "The exact table of {game} has not been built. With it perfect, best and the analysis know the \
             value of every position; without it they search."
        )),
        Line::default(),
        Line::from(format!("Building it takes {COST}, while you play.")),
    ];
    let choices = vec![
        Choice::new('b', "Build it while we play", Offer::Build),
        Choice::new('p', "Play without it", Offer::Without),
    ];
    Dialog::new("The exact table", text, choices).wide(64)
}
