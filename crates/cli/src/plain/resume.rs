//! Unfinished games: offered when the program starts, and released when a player quits in the
//! middle of one.

use noughts_store::{GameId, GameSummary};

use super::PlainMode;
use super::answers;
use super::console::{ExitReason, PlainResult};
use crate::position::start_state_of;
use noughts_session::policy::RequestedPlayer;
use noughts_session::{GameAction, Participant, Session, display_name, resumable_games};
use noughts_text::Action;

/// How many games are listed. The others can be resumed, too; `noughts games` lists them.
const MAX_LISTED: usize = 9;

/// What to do about the unfinished games.
enum ResumeChoice {
    Resume(GameId),
    Abandon(GameId),
    Later,
}

impl PlainMode<'_> {
    /// Offers to resume an unfinished game.
    pub(super) fn offer_to_resume(&mut self) -> PlainResult<Option<Session>> {
        let is_bot = |seat: &Option<_>| matches!(seat, Some(RequestedPlayer::Bot(_)));
        if self.options.request.seats.iter().all(is_bot) {
            // Two bots play by themselves: nobody is asked anything.
            return Ok(None);
        }
        loop {
            let request = &self.options.request;
            let games = self
                .store_handle
                .query(|store| resumable_games(store, request));
            let games = match games {
                Ok(games) => games,
                Err(error) => {
                    self.refuse(&format!("unfinished games can't be read: {error}"))?;
                    return Ok(None);
                }
            };
            if games.is_empty() {
                return Ok(None);
            }
            self.list_games(&games)?;
            let (id, is_abandoned) = match self.choose(&games)? {
                ResumeChoice::Later => return Ok(None),
                ResumeChoice::Resume(id) => (id, false),
                ResumeChoice::Abandon(id) => (id, true),
            };
            let resumed = self.store_handle.query(|store| Session::resume(store, id));
            let error = match (resumed, is_abandoned) {
                (Ok(session), false) => {
                    self.continue_game(&session)?;
                    return Ok(Some(session));
                }
                (Ok(session), true) => self.apply(&session, GameAction::Abandon).err(),
                (Err(error), _) => Some(error),
            };
            let text = match error {
                None => "The game is abandoned and isn't rated.".to_owned(),
                Some(error) => {
                    let action = if is_abandoned { "abandoned" } else { "resumed" };
                    let cause = error.cause();
                    format!("Sorry, the game can't be {action}: {cause}.")
                }
            };
            self.write_line(&text)?;
        }
    }

    fn list_games(&mut self, games: &[GameSummary]) -> PlainResult {
        let count = noughts_text::plural(games.len(), "unfinished game");
        let are = noughts_text::is_or_are(games.len());
        self.write_line(format!("There {are} {count}:"))?;
        for game in games.iter().take(MAX_LISTED) {
            let [x, o] = game.seats.each_ref().map(display_name);
            let moves = noughts_text::plural(game.move_count, "move");
            let (variant, started) = (game.variant, game.started.to_local_string());
            let number = game.id;
            self.write_line(format!(
                "{number}: {variant}, {x} (X) against {o} (O), {moves}, started {started}."
            ))?;
        }
        match games.len().checked_sub(MAX_LISTED) {
            None | Some(0) => Ok(()),
            Some(more) => self.write_line(format!("And {more} more; `noughts games` lists them.")),
        }
    }

    /// Asks what to do about them. Meanwhile commands such as `board` refer to the first one.
    fn choose(&mut self, games: &[GameSummary]) -> PlainResult<ResumeChoice> {
        let several = games.len() > 1;
        let (question, expected) = if several {
            (
                "Resume one? (type its number; no to keep them for later; abandon and a number to end one \
                 without a result)",
                "that isn't one of the choices; type the number of a game, no, or abandon and the number of a game",
            )
        } else {
            (
                "Resume it? (yes; no to keep it for later; abandon to end it without a result)",
                "that isn't one of the choices; type yes, no or abandon",
            )
        };
        loop {
            self.offered_game = games.first().map(|game| (game.id, game.variant, several));
            let choice = self.ask_until(question, None, |text| {
                parse_choice(&text.to_lowercase(), games).ok_or_else(|| expected.into())
            })?;
            if let ResumeChoice::Abandon(id) = choice {
                let selected = games.iter().find(|game| game.id == id);
                self.offered_game = selected.map(|game| (game.id, game.variant, false));
                let confirmation = format!("Abandon game {id} permanently? (y or n)");
                if !self.ask_yes_no(&confirmation, None)? {
                    continue;
                }
            }
            self.offered_game = None;
            return Ok(choice);
        }
    }

    /// Runs a command while a game is offered.
    pub(super) fn run_command_on_offered_game(&mut self, command: Action) -> PlainResult {
        let Some((id, variant, several)) = self.offered_game else {
            return Ok(());
        };
        let is_about_game = matches!(command, Action::Rules | Action::Board | Action::Read);
        if is_about_game && several {
            self.write_line(format!("This is game {id}, {variant}:"))?;
        }
        match command {
            Action::Help => self.show_help(variant, None),
            Action::Rules => self.show_rules(variant),
            // Without claiming the game.
            Action::Board | Action::Read => {
                match self.store_handle.game(id).and_then(|game| game.replay()) {
                    Ok(state) if command == Action::Board => self.draw_board(&state, false),
                    Ok(state) => self.describe_board(&state),
                    Err(reason) => self.refuse(&format!("it can't be shown: {reason}")),
                }
            }
            _ => self.write_line("Resume the game first."),
        }
    }

    fn continue_game(&mut self, session: &Session) -> PlainResult {
        self.variant = session.game_state().variant();
        let state = session.game_state();
        self.start = (!state.has_standard_start()).then(|| start_state_of(state));
        self.announce_game()?;
        let players = session.seats().iter().filter_map(Participant::player_name);
        self.humans.extend(players.cloned());
        self.show_records(None)
    }

    /// Releases the game when a player quits, so that it can be resumed. A game without moves can't
    /// be resumed.
    pub(super) fn release_game(
        &mut self,
        session: &Session,
        exit_reason: &ExitReason,
    ) -> PlainResult {
        if session.result().is_some() {
            return Ok(());
        }
        let is_started = !session.is_unplayed();
        // If this fails, the end of the program releases its games anyway.
        let _ = self.store_handle.query(|store| session.release(store));
        if matches!(
            exit_reason,
            ExitReason::OutputClosed | ExitReason::Failed(_)
        ) {
            return Ok(());
        }
        self.write_line(match (is_started, self.store_handle.is_persistent()) {
            (false, _) => "No move was made, so there's nothing to save.".to_owned(),
            (true, false) => "The game isn't saved.".to_owned(),
            (true, true) => format!(
                "The game is saved as game {number}; you can resume it next time.",
                number = session.id()
            ),
        })
    }
}

/// Parses an answer. Games are identified by their own numbers; a single game needs none.
fn parse_choice(text: &str, games: &[GameSummary]) -> Option<ResumeChoice> {
    let only = match games {
        [game] => Some(game.id),
        _ => None,
    };
    let game_with_number = |text: &str| {
        let number: i64 = text.parse().ok()?;
        let mut ids = games.iter().map(|game| game.id);
        ids.find(|id| id.0 == number)
    };
    if let Some(rest) = text.strip_prefix("abandon") {
        let id = match rest.trim() {
            "" => only,
            rest => game_with_number(rest),
        };
        return id.map(ResumeChoice::Abandon);
    }
    match answers::parse_yes_no(text) {
        Ok(false) => Some(ResumeChoice::Later),
        Ok(true) => only.map(ResumeChoice::Resume),
        Err(_) => game_with_number(text).map(ResumeChoice::Resume),
    }
}
