//! The offer to build the exact table of Tic-Tac-Two.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use ratatui::text::Line;

use crate::tui::app_context::AppContext;
use crate::tui::game_setup::GameSetup;
use crate::tui::tablebase_build::TablebaseStatus;
use crate::tui::widgets::{Choice, Dialog};
use noughts_session::Participant;

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
pub(crate) fn is_wanted(house: &mut AppContext, setup: &GameSetup) -> bool {
    let exact =
        |who: &Participant| matches!(who, Participant::Bot(BotKind::Perfect | BotKind::Best));
    setup.players.iter().any(exact) && is_missing(house, setup.variant)
}

/// Is there no table where there could be one, and has nobody been asked yet?
pub(crate) fn is_missing(house: &mut AppContext, variant: Variant) -> bool {
    if house.build_offered {
        return false;
    }
    house.look_for_tables(variant);
    house.tablebase_status(variant) == TablebaseStatus::Missing
}

/// The question, which is asked once.
pub(crate) fn dialog(house: &mut AppContext) -> Dialog<Offer> {
    house.build_offered = true;
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
    Dialog::new("The exact table", text, choices).with_width(64)
}
