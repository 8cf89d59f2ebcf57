//! Unfinished games: offered when the program starts, and released when a player quits in the
//! middle of one.

use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{GameId, GameSummary};

use super::PlainMode;
use super::console::ExitReason;
use super::text_commands::{self, TextCommand};
use crate::participant_arg::ParticipantArg;
use crate::position::start_state_of;
use noughts_session::{GameAction, Participant, Session, SessionError, resumable_games};

/// How many games are listed. The others can be resumed, too; `noughts games` lists them.
const MAX_LISTED: usize = 9;

/// What to do about the unfinished games.
enum ResumeChoice {
    Resume(GameId),
    Abandon(GameId),
    Later,
}

/// The game that a question is about: commands such as `board` refer to it.
pub(super) struct OfferedGame {
    id: GameId,
    variant: Variant,
    /// There are several games, so messages say which one is meant.
    several: bool,
}

impl PlainMode<'_> {
    /// Offers to resume an unfinished game.
    pub(super) fn offer_to_resume(&mut self) -> Result<Option<Session>, ExitReason> {
        if let [Some(ParticipantArg::Bot(_)), Some(ParticipantArg::Bot(_))] = self.options.seats {
            // Two bots play by themselves: nobody is asked anything.
            return Ok(None);
        }
        loop {
            let games = match self
                .store_handle
                .block_on(resumable_games(self.store_handle.store()))
            {
                Ok(games) => games,
                Err(error) => {
                    let text = format!("Sorry, unfinished games can't be read: {error}.");
                    self.console.write_line(&text)?;
                    return Ok(None);
                }
            };
            let games: Vec<GameSummary> = games
                .into_iter()
                .filter(|game| self.matches_options(game))
                .collect();
            if games.is_empty() {
                return Ok(None);
            }
            self.list_games(&games)?;
            let result = match self.choose(&games)? {
                ResumeChoice::Later => return Ok(None),
                ResumeChoice::Resume(id) => {
                    let resumed = self.resume(id).map(Some);
                    resumed.map_err(|error| ("resumed", error))
                }
                ResumeChoice::Abandon(id) => {
                    let abandoned = self.abandon(id);
                    abandoned.map_err(|error| ("abandoned", error))
                }
            };
            match result {
                Ok(None) => self
                    .console
                    .write_line("The game is abandoned and isn't rated.")?,
                Ok(Some(session)) => {
                    self.continue_game(&session)?;
                    return Ok(Some(session));
                }
                Err((action, error)) => {
                    let cause = error.cause();
                    let text = format!("Sorry, the game can't be {action}: {cause}.");
                    self.console.write_line(&text)?;
                }
            }
        }
    }

    /// Does the game match the command line?
    fn matches_options(&self, game: &GameSummary) -> bool {
        let variant_matches = self
            .options
            .variant
            .is_none_or(|variant| variant == game.variant);
        let mut seats = self.options.seats.iter().zip(&game.seats);
        let seats_match =
            seats.all(
                |(requested, seat)| match (requested, Participant::from_seat(seat)) {
                    (_, Err(_)) => false,
                    (None, _) | (Some(ParticipantArg::Human(None)), Ok(Participant::Player(_))) => {
                        true
                    }
                    (Some(ParticipantArg::Human(Some(name))), Ok(Participant::Player(player))) => {
                        *name == player
                    }
                    (Some(ParticipantArg::Bot(kind)), Ok(Participant::Bot(bot))) => *kind == bot,
                    _ => false,
                },
            );
        variant_matches && seats_match && self.starts_as_requested(game)
    }

    /// Does it start where the command line says? If the command line says nothing, any start will
    /// do.
    fn starts_as_requested(&self, game: &GameSummary) -> bool {
        let Some(start) = &self.options.start else {
            return true;
        };
        self.store_handle.continues_from(game.id, start)
    }

    fn list_games(&mut self, games: &[GameSummary]) -> Result<(), ExitReason> {
        self.console.write_line(&match games.len() {
            1 => "There is 1 unfinished game:".to_owned(),
            count => format!("There are {count} unfinished games:"),
        })?;
        for game in games.iter().take(MAX_LISTED) {
            let [x, o] = &game.seats;
            let moves = noughts_text::plural(game.move_count, "move");
            let (variant, started) = (game.variant, game.started.to_local_string());
            let number = game.id;
            self.console.write_line(&format!(
                "{number}: {variant}, {x} (X) against {o} (O), {moves}, started {started}."
            ))?;
        }
        match games.len().checked_sub(MAX_LISTED) {
            None | Some(0) => Ok(()),
            Some(more) => self
                .console
                .write_line(&format!("And {more} more; `noughts games` lists them.")),
        }
    }

    /// Asks what to do about them. Meanwhile commands such as `board` refer to the first one.
    fn choose(&mut self, games: &[GameSummary]) -> Result<ResumeChoice, ExitReason> {
        let several = games.len() > 1;
        let question = if several {
            "Resume one? (its number; no to save them for later; abandon and a number to end one \
             without a result)"
        } else {
            "Resume it? (yes; no to save it for later; abandon to end it without a result)"
        };
        loop {
            self.offered_game = games.first().map(|game| offered_game(game, several));
            let text = self.ask_text(question, None)?.to_lowercase();
            let choice = match parse_choice(&text, games) {
                Some(ResumeChoice::Abandon(id)) => {
                    let selected = games.iter().find(|game| game.id == id);
                    self.offered_game = selected.map(|game| offered_game(game, false));
                    let confirmation = format!("Abandon game {id} permanently? (y or n)");
                    if !self.ask_yes_no(&confirmation, None)? {
                        continue;
                    }
                    ResumeChoice::Abandon(id)
                }
                Some(choice) => choice,
                None if several => {
                    self.refuse(
                        "please answer with the number of a game, no, or abandon and the number of a \
                         game",
                    )?;
                    continue;
                }
                None => {
                    self.refuse("please answer yes, no or abandon")?;
                    continue;
                }
            };
            self.offered_game = None;
            return Ok(choice);
        }
    }

    /// Runs a command while a game is offered.
    pub(super) fn run_command_on_offered_game(
        &mut self,
        command: TextCommand,
    ) -> Result<(), ExitReason> {
        let Some(OfferedGame {
            id,
            variant,
            several,
        }) = self.offered_game
        else {
            return Ok(());
        };
        let is_about_game = matches!(
            command,
            TextCommand::Rules | TextCommand::Board | TextCommand::Read
        );
        if is_about_game && several {
            self.console
                .write_line(&format!("This is game {id}, {variant}:"))?;
        }
        match command {
            TextCommand::Help => self.show_help(variant),
            TextCommand::Rules => self.show_rules(variant),
            TextCommand::Board | TextCommand::Read => match self.load_state(id) {
                Ok(state) if command == TextCommand::Board => self.draw_board(&state),
                Ok(state) => self.describe_board(&state),
                Err(reason) => self
                    .console
                    .write_line(&format!("Sorry, it can't be shown: {reason}.")),
            },
            _ => self.console.write_line("Resume the game first."),
        }
    }

    /// Loads the game without claiming it.
    fn load_state(&self, id: GameId) -> Result<AnyGameState, String> {
        let game = self
            .store_handle
            .block_on(self.store_handle.store().game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("game {id} no longer exists"))?;
        game.replay().map_err(|error| error.to_string())
    }

    fn resume(&self, id: GameId) -> Result<Session, SessionError> {
        self.store_handle
            .block_on(Session::resume(self.store_handle.store(), id))
    }

    fn abandon(&self, id: GameId) -> Result<Option<Session>, SessionError> {
        let session = self.resume(id)?;
        let store = self.store_handle.store();
        self.store_handle
            .block_on(session.apply(store, GameAction::Abandon))?;
        Ok(None)
    }

    fn continue_game(&mut self, session: &Session) -> Result<(), ExitReason> {
        self.variant = session.game_state().variant();
        let state = session.game_state();
        self.start = (!state.has_standard_start()).then(|| start_state_of(state));
        self.announce_game()?;
        for side in Side::BOTH {
            if let Participant::Player(name) = session.participant(side) {
                self.humans.push(name.clone());
            }
        }
        for name in self.humans.clone() {
            self.show_record(&name)?;
        }
        Ok(())
    }

    /// Releases the game when a player quits, so that it can be resumed. A game without moves can't
    /// be resumed.
    pub(super) fn release_game(
        &mut self,
        session: &Session,
        exit_reason: &ExitReason,
    ) -> Result<(), ExitReason> {
        if session.result().is_some() {
            return Ok(());
        }
        let store = self.store_handle.store();
        let is_started = !session.is_unplayed();
        // If this fails, the end of the program releases its games anyway.
        let _ = self.store_handle.block_on(session.release(store));
        if matches!(
            exit_reason,
            ExitReason::OutputClosed | ExitReason::Failed(_)
        ) {
            return Ok(());
        }
        self.console
            .write_line(&match (is_started, self.store_handle.is_persistent()) {
                (false, _) => "No move was made, so there's nothing to save.".to_owned(),
                (true, false) => "The game isn't saved.".to_owned(),
                (true, true) => format!(
                    "The game is saved as number {number}; you can resume it next time.",
                    number = session.id()
                ),
            })
    }
}

fn offered_game(game: &GameSummary, several: bool) -> OfferedGame {
    OfferedGame {
        id: game.id,
        variant: game.variant,
        several,
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
    match text_commands::parse_yes_no(text) {
        Some(false) => Some(ResumeChoice::Later),
        Some(true) => only.map(ResumeChoice::Resume),
        None => game_with_number(text).map(ResumeChoice::Resume),
    }
}
