//! The offer to build a game's tablebase.

use noughts_engine::BotKind;
use noughts_engine::tablebase::build_cost;
use noughts_rules::Variant;

use crate::tui::app_context::AppContext;
use crate::tui::game_setup::GameSetup;
use crate::tui::widgets::Dialog;
use noughts_session::Participant;

/// Would a bot of this game profit from a missing tablebase that hasn't been offered yet?
pub(crate) fn should_offer_for(context: &mut AppContext, setup: &GameSetup) -> bool {
    let kinds = [BotKind::Perfect, BotKind::Best];
    let profits = |kind| setup.players.contains(&Participant::Bot(kind));
    kinds.into_iter().any(profits) && should_offer(context, setup.variant)
}

/// Is this game's tablebase missing, and hasn't it been offered yet?
pub(crate) fn should_offer(context: &mut AppContext, variant: Variant) -> bool {
    if context.build_offered {
        return false;
    }
    context.open_tablebases(variant);
    context.is_tablebase_missing(variant)
}

/// The dialog, which is shown only once, with these answers.
pub(crate) fn dialog<T: Clone>(
    context: &mut AppContext,
    variant: Variant,
    build: T,
    decline: T,
) -> Dialog<T> {
    context.build_offered = true;
    let cost = build_cost(variant).map_or_else(|| "a while".to_owned(), |cost| cost.to_string());
    let text = format!(
        "The tablebase for {variant} hasn't been built. With it, Best and the analysis know the value \
         of every position. Without it, they search.\n\n\
         Building it takes {cost}. You can play while it builds."
    );
    Dialog::new("Build the tablebase?", text)
        .choice('b', "Build it while I play", build)
        .choice('p', "Play without it", decline)
        .with_width(64)
}
