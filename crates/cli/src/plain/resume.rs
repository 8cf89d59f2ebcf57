//! Games that were left: offered when the program starts, let go when somebody
//! leaves in the middle of one.

use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{GameId, GameSummary};

use super::PlainMode;
use super::console::ExitReason;
use super::text_commands::{self, TextCommand};
use crate::participant_arg::ParticipantArg;
use crate::position::start_state_of;
use noughts_session::{GameAction, Participant, Session, SessionError, resumable_games};

/// So many are listed; `noughts games` lists the others, which can be had, too.
const MOST: usize = 9;

/// What to do about the games that were left.
enum Choice {
    Resume(GameId),
    Abandon(GameId),
    Later,
}

/// A game that somebody is asked about: words about the game mean this one.
pub(super) struct OfferedGame {
    id: GameId,
    variant: Variant,
    /// Which one is meant has to be said.
    several: bool,
}

impl PlainMode<'_> {
    /// Offers to go on with a game that was left.
    pub(super) fn offer_to_resume(&mut self) -> Result<Option<Session>, ExitReason> {
        if let [Some(ParticipantArg::Bot(_)), Some(ParticipantArg::Bot(_))] = self.options.seats {
            // Two computers are to play by themselves: nobody is asked anything.
            return Ok(None);
        }
        loop {
            let games = match self
                .store_handle
                .block_on(resumable_games(self.store_handle.store()))
            {
                Ok(games) => games,
                Err(error) => {
                    let said = format!("Sorry, unfinished games cannot be read: {error}.");
                    self.console.write_line(&said)?;
                    return Ok(None);
                }
            };
            let games: Vec<GameSummary> =
                games.into_iter().filter(|game| self.suits(game)).collect();
            if games.is_empty() {
                return Ok(None);
            }
            self.list(&games)?;
            let taken = match self.choose(&games)? {
                Choice::Later => return Ok(None),
                Choice::Resume(id) => {
                    let resumed = self.resume(id).map(Some);
                    resumed.map_err(|problem| ("resumed", problem))
                }
                Choice::Abandon(id) => {
                    let abandoned = self.abandon(id);
                    abandoned.map_err(|problem| ("abandoned", problem))
                }
            };
            match taken {
                Ok(None) => self
                    .console
                    .write_line("It is abandoned, and counts in nobody's record.")?,
                Ok(Some(session)) => {
                    self.go_on_with(&session)?;
                    return Ok(Some(session));
                }
                Err((what, problem)) => {
                    let cause = problem.cause();
                    let said = format!("Sorry: the game cannot be {what}: {cause}.");
                    self.console.write_line(&said)?;
                }
            }
        }
    }

    /// Is it a game that the command line asks for?
    fn suits(&self, game: &GameSummary) -> bool {
        let variant = self
            .options
            .variant
            .is_none_or(|variant| variant == game.variant);
        let mut seats = self.options.seats.iter().zip(&game.seats);
        let suits = seats.all(
            |(wanted, seat)| match (wanted, Participant::from_seat(seat)) {
                (_, Err(_)) => false,
                (None, _) | (Some(ParticipantArg::Human(None)), Ok(Participant::Player(_))) => true,
                (Some(ParticipantArg::Human(Some(name))), Ok(Participant::Player(person))) => {
                    *name == person
                }
                (Some(ParticipantArg::Bot(kind)), Ok(Participant::Bot(bot))) => *kind == bot,
                _ => false,
            },
        );
        variant && suits && self.starts_as_asked(game)
    }

    /// Does it start where the command line says? Any start will do if it says nothing.
    fn starts_as_asked(&self, game: &GameSummary) -> bool {
        let Some(from) = &self.options.start else {
            return true;
        };
        self.store_handle.continues_from(game.id, from)
    }

    fn list(&mut self, games: &[GameSummary]) -> Result<(), ExitReason> {
        self.console.write_line(&match games.len() {
            1 => "There is a game to go on with:".to_owned(),
            many => format!("There are {many} games to go on with:"),
        })?;
        for game in games.iter().take(MOST) {
            let [x, o] = &game.seats;
            let moves = match game.move_count {
                1 => "1 move".to_owned(),
                moves => format!("{moves} moves"),
            };
            let (variant, began) = (game.variant, game.started.to_local_string());
            let number = game.id;
            self.console.write_line(&format!(
                "{number}: {variant}, {x} (X) against {o} (O), {moves}, begun {began}."
            ))?;
        }
        match games.len().checked_sub(MOST) {
            None | Some(0) => Ok(()),
            Some(more) => self
                .console
                .write_line(&format!("And {more} more; `noughts games` lists them.")),
        }
    }

    /// What to do about them; meanwhile words about the game mean the first.
    fn choose(&mut self, games: &[GameSummary]) -> Result<Choice, ExitReason> {
        let several = games.len() > 1;
        let question = if several {
            "Go on with one? (its number; no keeps them for later; abandon and a number ends one \
             without a result)"
        } else {
            "Go on with it? (yes; no keeps it for later; abandon ends it without a result)"
        };
        loop {
            self.offered_game = games.first().map(|game| offered(game, several));
            let text = self.ask_text(question, None)?.to_lowercase();
            let choice = match chosen(&text, games) {
                Some(Choice::Abandon(id)) => {
                    let meant = games.iter().find(|game| game.id == id);
                    self.offered_game = meant.map(|game| offered(game, false));
                    let sure = format!("Abandon game {id} for good? (y or n)");
                    if !self.ask_yes_no(&sure, None)? {
                        continue;
                    }
                    Choice::Abandon(id)
                }
                Some(choice) => choice,
                None if several => {
                    self.refuse(
                        "the answer is the number of a game, no, or abandon and the number of a \
                         game",
                    )?;
                    continue;
                }
                None => {
                    self.refuse("the answer is yes, no or abandon")?;
                    continue;
                }
            };
            self.offered_game = None;
            return Ok(choice);
        }
    }

    /// Sees to a word about the game that is offered.
    pub(super) fn run_command_on_offered_game(
        &mut self,
        word: TextCommand,
    ) -> Result<(), ExitReason> {
        let Some(OfferedGame {
            id,
            variant,
            several,
        }) = self.offered_game
        else {
            return Ok(());
        };
        let about = matches!(
            word,
            TextCommand::Rules | TextCommand::Board | TextCommand::Read
        );
        if about && several {
            self.console
                .write_line(&format!("This is game {id}, {variant}:"))?;
        }
        match word {
            TextCommand::Help => self.show_help(variant),
            TextCommand::Rules => self.show_rules(variant),
            TextCommand::Board | TextCommand::Read => match self.look_at(id) {
                Ok(play) if word == TextCommand::Board => self.draw_board(&play),
                Ok(play) => self.describe_board(&play),
                Err(reason) => self
                    .console
                    .write_line(&format!("It cannot be shown: {reason}.")),
            },
            _ => self
                .console
                .write_line("The game has to be resumed first; it is only offered yet."),
        }
    }

    /// The game as it stands, without taking it over.
    fn look_at(&self, id: GameId) -> Result<AnyGameState, String> {
        let game = self
            .store_handle
            .block_on(self.store_handle.store().game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("there is no game {id} any more"))?;
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

    fn go_on_with(&mut self, session: &Session) -> Result<(), ExitReason> {
        self.variant = session.game_state().variant();
        let play = session.game_state();
        self.start = (!play.has_standard_start()).then(|| start_state_of(play));
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

    /// Somebody leaves: the game stays open for whoever wants to go on with it. One
    /// without a move is no game to go on with.
    pub(super) fn release_game(
        &mut self,
        session: &Session,
        leave: &ExitReason,
    ) -> Result<(), ExitReason> {
        if session.result().is_some() {
            return Ok(());
        }
        let store = self.store_handle.store();
        let begun = !session.is_unplayed();
        // What fails here is made good by the end of the program, which frees its games.
        let _ = self.store_handle.block_on(session.release(store));
        if matches!(leave, ExitReason::OutputClosed | ExitReason::Failed(_)) {
            return Ok(());
        }
        self.console
            .write_line(&match (begun, self.store_handle.is_persistent()) {
                (false, _) => "No move was made, so there is nothing to go on with.".to_owned(),
                (true, false) => "The game is not kept.".to_owned(),
                (true, true) => format!(
                    "The game is kept as number {}; at the next start you can go on with it.",
                    session.id()
                ),
            })
    }
}

fn offered(game: &GameSummary, several: bool) -> OfferedGame {
    OfferedGame {
        id: game.id,
        variant: game.variant,
        several,
    }
}

/// What an answer means, if anything: games are known by their own numbers, and a
/// single one needs none.
fn chosen(text: &str, games: &[GameSummary]) -> Option<Choice> {
    let only = match games {
        [game] => Some(game.id),
        _ => None,
    };
    let numbered = |text: &str| {
        let number: i64 = text.parse().ok()?;
        let mut ids = games.iter().map(|game| game.id);
        ids.find(|id| id.0 == number)
    };
    if let Some(rest) = text.strip_prefix("abandon") {
        let id = match rest.trim() {
            "" => only,
            rest => numbered(rest),
        };
        return id.map(Choice::Abandon);
    }
    match text_commands::parse_yes_no(text) {
        Some(false) => Some(Choice::Later),
        Some(true) => only.map(Choice::Resume),
        None => numbered(text).map(Choice::Resume),
    }
}
