//! Plain mode: the game as lines of text, for pipes, tests and screen readers. It asks a question,
//! reads an answer and prints the result. Nothing here moves a cursor or needs a terminal.

mod answers;
mod bots;
mod console;
mod game_over;
mod messages;
mod resume;
mod setup;
mod turn;

use std::io::{BufRead, Write};

use noughts_engine::{SearchLimits, SearchNote, Tablebases};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::{GameId, Name};

use crate::error::CliError;
use crate::store_handle::StoreHandle;
use bots::BotSeats;
use console::{Console, ExitReason, PlainResult};
use noughts_session::policy::GameRequest;
use noughts_session::{BotPlayer, GameAction, Participant, Session, SessionError};
use noughts_text::{Action, assistance_notice};

/// What the command line specifies. Whatever it leaves open is asked.
pub(crate) struct PlainOptions {
    /// The game, the usual one if none is given, and its players.
    pub(crate) request: GameRequest,
    /// The limits of bots for each move.
    pub(crate) limits: SearchLimits,
    pub(crate) seed: u64,
    /// How many threads a bot may use.
    pub(crate) threads: usize,
    /// Draw in ASCII.
    pub(crate) ascii: bool,
}

/// Everything that a run of plain mode needs.
struct PlainMode<'a> {
    console: Console<'a>,
    store_handle: &'a StoreHandle,
    options: PlainOptions,
    tablebases: &'a dyn Fn(Variant) -> Tablebases,
    /// Gives hints and evaluates draw offers; created on first use.
    advisor: Option<(Variant, BotPlayer)>,
    /// A bot's last note, so that it isn't repeated after every move.
    last_note: Option<SearchNote>,
    variant: Variant,
    /// The state that games start from, if not the variant's own.
    start: Option<AnyGameState>,
    /// The names of the human players that are known so far.
    humans: Vec<Name>,
    /// The unfinished game that the current question is about, before any game is played, and whether there are
    /// several, so that messages say which one is meant.
    offered_game: Option<(GameId, Variant, bool)>,
}

/// A game in progress and its bots.
struct ActiveGame {
    session: Session,
    bots: BotSeats,
    /// The ways to write a move that have been explained.
    explained_forms: Vec<String>,
}

/// An answer to a question.
enum Answer {
    Text(String),
    /// A command that changes the running game, instead of an answer.
    Command(Action),
}

/// Plays until the players quit or the input ends. `prompt` is printed before every answer.
pub(crate) fn run(
    options: PlainOptions,
    store_handle: &StoreHandle,
    tablebases: &dyn Fn(Variant) -> Tablebases,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    prompt: &'static str,
) -> Result<(), CliError> {
    let mut plain_mode = PlainMode {
        console: Console::new(input, output, prompt),
        store_handle,
        tablebases,
        advisor: None,
        last_note: None,
        variant: options.request.variant.unwrap_or_default(),
        start: options.request.start.clone(),
        options,
        humans: Vec::new(),
        offered_game: None,
    };
    let result = plain_mode.run_games();
    let result = match result {
        Err(ExitReason::Quit | ExitReason::InputEnded) => plain_mode.goodbye(),
        Err(ExitReason::SaveFailed(sentence)) => {
            // The failure is reported even if the goodbye can't be printed.
            let _ = plain_mode.goodbye();
            Err(ExitReason::Failed(CliError::Failure(sentence)))
        }
        result => result,
    };
    match result {
        Err(ExitReason::Failed(error)) => Err(error),
        // Nobody reads the output anymore.
        _ => Ok(()),
    }
}

impl PlainMode<'_> {
    /// Plays games from the welcome to the goodbye.
    fn run_games(&mut self) -> PlainResult {
        self.welcome()?;
        let mut game = match self.offer_to_resume()? {
            Some(session) => self.with_bots(session)?,
            None => {
                let seats = self.choose_players()?;
                self.start_game(&seats)?
            }
        };
        while let Some(seats) = self.play_game(game)? {
            game = self.start_game(&seats)?;
        }
        self.goodbye()
    }

    /// The state that games start from.
    fn start_state(&self) -> AnyGameState {
        let standard = || AnyGameState::new(self.variant);
        self.start.clone().unwrap_or_else(standard)
    }

    /// Starts a game, and offers to retry if it can't be stored.
    fn start_game(&mut self, seats: &[Participant; 2]) -> PlainResult<ActiveGame> {
        loop {
            let start_state = self.start_state();
            let started = self
                .store_handle
                .query(|store| Session::start_from(store, &start_state, seats.clone()));
            match started {
                Ok(session) => {
                    if let Some(assistance) = session.assistance()
                        && seats.iter().any(Participant::is_human)
                    {
                        self.write_line(assistance_notice(assistance))?;
                    }
                    return self.with_bots(session);
                }
                Err(error) => {
                    let sentence = format!("the game can't be started: {}", error.cause());
                    self.offer_retry(seats, sentence, None)?;
                }
            }
        }
    }

    /// Creates the bots of a game.
    fn with_bots(&mut self, session: Session) -> PlainResult<ActiveGame> {
        let bots = self.bots_for(&session)?;
        Ok(ActiveGame {
            session,
            bots,
            explained_forms: Vec::new(),
        })
    }

    /// Plays one game. Returns the players of the next one, if there is one.
    fn play_game(&mut self, mut game: ActiveGame) -> PlainResult<Option<[Participant; 2]>> {
        let played = self.play_to_end(&mut game);
        match played.and_then(|()| self.finish_game(&game)) {
            Err(exit_reason) => {
                self.release_game(&game.session, &exit_reason)?;
                Err(exit_reason)
            }
            next => next,
        }
    }

    /// Reports what couldn't be stored. Returns normally if the player wants to retry.
    fn offer_retry(
        &mut self,
        seats: &[Participant; 2],
        sentence: String,
        session: Option<&Session>,
    ) -> PlainResult {
        if !seats.iter().any(Participant::is_human) {
            // Nobody can be asked.
            return Err(ExitReason::SaveFailed(sentence));
        }
        self.write_line(format!("Sorry, {sentence}."))?;
        match self.ask_yes_no("Try again? (y or n)", session) {
            Ok(true) => Ok(()),
            Ok(false) | Err(ExitReason::Quit | ExitReason::InputEnded) => {
                Err(ExitReason::SaveFailed(sentence))
            }
            Err(exit_reason) => Err(exit_reason),
        }
    }

    /// Asks until there is an answer. Commands that only show something are run; those that change
    /// a running game are returned.
    fn ask(&mut self, question: &str, session: Option<&Session>) -> PlainResult<Answer> {
        loop {
            self.write_line(question)?;
            let line = match self.console.next_line()? {
                Ok(line) => line,
                Err(reason) => {
                    self.refuse(reason)?;
                    continue;
                }
            };
            let Some(action) = Action::from_word(&line) else {
                return Ok(Answer::Text(line));
            };
            let running = session.filter(|session| session.result().is_none());
            let changes_game = match action {
                Action::Quit => return Err(ExitReason::Quit),
                Action::TakeBack | Action::Redo | Action::OfferDraw | Action::Resign => true,
                // The first hint ends the rating of the game.
                Action::Hint => running.is_some_and(|session| session.assistance().is_none()),
                _ => false,
            };
            if running.is_some() && changes_game {
                return Ok(Answer::Command(action));
            }
            self.run_info_command(action, session)?;
        }
    }

    /// Asks while no game is running, until the answer can be parsed. `parse` returns the refusal otherwise.
    fn ask_until<T>(
        &mut self,
        question: &str,
        session: Option<&Session>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> PlainResult<T> {
        loop {
            match self.ask(question, session)? {
                Answer::Text(text) => match parse(&text) {
                    Ok(value) => return Ok(value),
                    Err(reason) => self.refuse(&reason)?,
                },
                Answer::Command(_) => self.refuse("that isn't available at this prompt")?,
            }
        }
    }

    /// Asks for yes or no while no game is running.
    fn ask_yes_no(&mut self, question: &str, session: Option<&Session>) -> PlainResult<bool> {
        self.ask_until(question, session, answers::parse_yes_no)
    }

    /// The program's own text, without its few non-ASCII letters if ASCII was requested. Not for
    /// players' names, which stay as they are.
    fn ascii_if_requested(&self, text: &str) -> String {
        if self.options.ascii {
            text.replace('×', "x").replace('è', "e")
        } else {
            text.into()
        }
    }

    /// Prints one line.
    fn write_line(&mut self, line: impl AsRef<str>) -> PlainResult {
        self.console.write_line(line.as_ref())
    }

    /// Prints several lines.
    fn write_lines(&mut self, lines: impl IntoIterator<Item = String>) -> PlainResult {
        lines.into_iter().try_for_each(|line| self.write_line(line))
    }

    /// The session after an action, once it is stored.
    fn apply(&self, session: &Session, action: GameAction) -> Result<Session, SessionError> {
        self.store_handle
            .query(|store| session.apply(store, action))
    }

    fn refuse(&mut self, reason: &str) -> PlainResult {
        self.write_line(format!("Sorry, {reason}."))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
