//! Plain mode: the game as lines of text, for pipes, tests and screen readers. It asks a question,
//! reads an answer and prints the result. Nothing here moves a cursor or needs a terminal.

mod bots;
mod console;
mod description;
mod game_over;
mod messages;
mod resume;
mod setup;
mod text_commands;
mod tic_tac_two;
mod turn;

use noughts_text::assistance_notice;
use std::io::{BufRead, Write};

use noughts_engine::{SearchLimits, Tablebases};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::Name;

use crate::error::CliError;
use crate::participant_arg::ParticipantArg;
use crate::store_handle::StoreHandle;
use bots::{BotFactory, BotSeats};
use console::{Console, ExitReason};
use noughts_session::{Participant, Session};
use resume::OfferedGame;
use text_commands::TextCommand;

/// What the command line specifies. Whatever it leaves open is asked.
pub(crate) struct PlainOptions {
    /// If `None`, classic.
    pub(crate) variant: Option<Variant>,
    /// The state to start from, if not the variant's own.
    pub(crate) start: Option<AnyGameState>,
    /// X's player and O's.
    pub(crate) seats: [Option<ParticipantArg>; 2],
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
    bot_factory: BotFactory<'a>,
    options: PlainOptions,
    variant: Variant,
    /// The state that games start from, if not the variant's own.
    start: Option<AnyGameState>,
    /// The names of the human players that are known so far.
    humans: Vec<Name>,
    /// The unfinished game that the current question is about, before any game is played.
    offered_game: Option<OfferedGame>,
    /// A hint was given and stored, but not yet noted in the session.
    hint_given: bool,
}

/// A game in progress and its bots.
struct ActiveGame {
    session: Session,
    bots: BotSeats,
    /// Has the notation of moves been explained?
    is_syntax_explained: bool,
}

/// An answer to a question.
enum Answer {
    Text(String),
    /// A command that changes the running game, instead of an answer.
    Command(TextCommand),
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
        bot_factory: BotFactory::new(&options, tablebases),
        variant: options.variant.unwrap_or(Variant::CLASSIC),
        start: options.start.clone(),
        options,
        humans: Vec::new(),
        offered_game: None,
        hint_given: false,
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
    fn run_games(&mut self) -> Result<(), ExitReason> {
        self.welcome()?;
        let mut next = match self.offer_to_resume()? {
            Some(session) => Some(self.with_bots(session)?),
            None => {
                let seats = self.choose_players()?;
                Some(self.start_game(&seats)?)
            }
        };
        while let Some(game) = next {
            next = match self.play_game(game)? {
                Some(seats) => Some(self.start_game(&seats)?),
                None => None,
            };
        }
        self.goodbye()
    }

    /// The state that games start from.
    fn start_state(&self) -> AnyGameState {
        let standard = || AnyGameState::new(self.variant);
        self.start.clone().unwrap_or_else(standard)
    }

    /// Starts a game, and offers to retry if it can't be stored.
    fn start_game(&mut self, seats: &[Participant; 2]) -> Result<ActiveGame, ExitReason> {
        loop {
            let start_state = self.start_state();
            let started =
                Session::start_from(self.store_handle.store(), &start_state, seats.clone());
            match self.store_handle.block_on(started) {
                Ok(session) => {
                    if let Some(assistance) = session.assistance()
                        && seats.iter().any(Participant::is_human)
                    {
                        self.console.write_line(&assistance_notice(assistance))?;
                    }
                    return self.with_bots(session);
                }
                Err(error) => {
                    let sentence =
                        format!("the game can't be started: {cause}", cause = error.cause());
                    self.offer_retry(seats, sentence, None)?;
                }
            }
        }
    }

    /// Creates the bots of a game.
    fn with_bots(&mut self, session: Session) -> Result<ActiveGame, ExitReason> {
        let bots = self.bot_factory.bots_for(&session)?;
        Ok(ActiveGame {
            session,
            bots,
            is_syntax_explained: false,
        })
    }

    /// Plays one game. Returns the players of the next one, if there is one.
    fn play_game(&mut self, mut game: ActiveGame) -> Result<Option<[Participant; 2]>, ExitReason> {
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
    ) -> Result<(), ExitReason> {
        if !seats.iter().any(Participant::is_human) {
            // Nobody can be asked.
            return Err(ExitReason::SaveFailed(sentence));
        }
        self.console.write_line(&format!("Sorry, {sentence}."))?;
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
    fn ask(&mut self, question: &str, session: Option<&Session>) -> Result<Answer, ExitReason> {
        loop {
            self.console.write_line(question)?;
            let line = match self.console.next_line()? {
                Ok(line) => line,
                Err(reason) => {
                    self.refuse(reason)?;
                    continue;
                }
            };
            match TextCommand::parse(&line) {
                None => return Ok(Answer::Text(line)),
                Some(TextCommand::Quit) => return Err(ExitReason::Quit),
                Some(command)
                    if command.changes_game()
                        && session.is_some_and(|session| session.result().is_none()) =>
                {
                    return Ok(Answer::Command(command));
                }
                Some(command) => self.run_info_command(command, session)?,
            }
        }
    }

    /// Asks while no game is running.
    fn ask_text(
        &mut self,
        question: &str,
        session: Option<&Session>,
    ) -> Result<String, ExitReason> {
        loop {
            if let Answer::Text(text) = self.ask(question, session)? {
                return Ok(text);
            }
        }
    }

    /// Asks for yes or no while no game is running.
    fn ask_yes_no(
        &mut self,
        question: &str,
        session: Option<&Session>,
    ) -> Result<bool, ExitReason> {
        loop {
            let text = self.ask_text(question, session)?;
            match text_commands::parse_yes_no(&text) {
                Some(yes) => return Ok(yes),
                None => self.refuse(text_commands::EXPECTED_YES_NO)?,
            }
        }
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

    fn refuse(&mut self, reason: &str) -> Result<(), ExitReason> {
        self.console.write_line(&format!("Sorry, {reason}."))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
