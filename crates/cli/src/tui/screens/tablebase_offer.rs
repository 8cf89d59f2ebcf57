//! The offer to build the tablebase of Tic-Tac-Two.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use ratatui::text::Line;

use crate::tui::app_context::AppContext;
use crate::tui::game_setup::GameSetup;
use crate::tui::tablebase_build::BuildStatus;
use crate::tui::widgets::{Dialog, DialogChoice};
use noughts_session::Participant;

/// The answer to the offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TablebaseOffer {
    Build,
    Decline,
}

/// The approximate cost of a build.
const COST: &str = "about a minute, 13 MiB on the disk and 300 MiB of memory";

/// Would a bot of this game profit from a missing tablebase that hasn't been offered yet?
pub(crate) fn should_offer_for(context: &mut AppContext, setup: &GameSetup) -> bool {
    let profits = |participant: &Participant| {
        matches!(
            participant,
            Participant::Bot(BotKind::Perfect | BotKind::Best)
        )
    };
    setup.players.iter().any(profits) && should_offer(context, setup.variant)
}

/// Is this game's tablebase missing, and hasn't it been offered yet?
pub(crate) fn should_offer(context: &mut AppContext, variant: Variant) -> bool {
    if context.build_offered {
        return false;
    }
    context.open_tablebases(variant);
    context.tablebase_status(variant) == BuildStatus::Missing
}

/// The dialog, which is shown only once.
pub(crate) fn dialog(context: &mut AppContext) -> Dialog<TablebaseOffer> {
    context.build_offered = true;
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
        DialogChoice::new('b', "Build it while we play", TablebaseOffer::Build),
        DialogChoice::new('p', "Play without it", TablebaseOffer::Decline),
    ];
    Dialog::new("The exact table", text, choices).with_width(64)
}
