//! The game as lines of text, for pipes, tests and screen readers: it asks, reads an
//! answer, and says what came of it. What is legal is asked of the rules, what is
//! kept of the store; nothing here moves a cursor or needs a terminal.

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

use std::io::{BufRead, Write};

use noughts_engine::{SearchLimits, Tablebases};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::Name;

use crate::error::Error;
use crate::participant_arg::ParticipantArg;
use crate::store_handle::StoreHandle;
use bots::{BotFactory, BotSeats};
use console::{Console, ExitReason};
use noughts_session::{Participant, Session};
use resume::OfferedGame;
use text_commands::TextCommand;

/// What the command line says of the game; what it leaves open is asked.
pub(crate) struct PlainOptions {
    /// Without it, classic.
    pub(crate) variant: Option<Variant>,
    /// Where the game starts, if not as usual.
    pub(crate) start: Option<AnyGameState>,
    /// X's and O's.
    pub(crate) seats: [Option<ParticipantArg>; 2],
    /// What bots may spend on a move.
    pub(crate) limits: SearchLimits,
    pub(crate) seed: u64,
    /// How many threads a bot may use.
    pub(crate) threads: usize,
    /// Draw in ASCII.
    pub(crate) ascii: bool,
}

/// The one who talks with the players.
struct PlainMode<'a> {
    console: Console<'a>,
    store_handle: &'a StoreHandle,
    bot_factory: BotFactory<'a>,
    options: PlainOptions,
    variant: Variant,
    /// Where games start, if not as usual.
    start: Option<AnyGameState>,
    /// The people at the table, as far as they are known.
    humans: Vec<Name>,
    /// The game that is asked about, before one is played.
    offered_game: Option<OfferedGame>,
    /// A hint was given and stored since the session was last updated.
    hint_given: bool,
}

/// A game while it is played, and the bots in it.
struct ActiveGame {
    session: Session,
    bots: BotSeats,
    /// How moves are written has been said.
    is_syntax_explained: bool,
}

/// What somebody said to a question.
enum Answer {
    Text(String),
    /// Something to do with the running game instead of an answer.
    Command(TextCommand),
}

/// Plays until the players have enough or the input ends. `sign` stands before
/// every answer where somebody types them.
pub(crate) fn run(
    wishes: PlainOptions,
    keeper: &StoreHandle,
    tables: &dyn Fn(Variant) -> Tablebases,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    sign: &'static str,
) -> Result<(), Error> {
    let mut host = PlainMode {
        console: Console::new(input, output, sign),
        store_handle: keeper,
        bot_factory: BotFactory::new(&wishes, tables),
        variant: wishes.variant.unwrap_or(Variant::CLASSIC),
        start: wishes.start.clone(),
        options: wishes,
        humans: Vec::new(),
        offered_game: None,
        hint_given: false,
    };
    let done = host.evening();
    let done = match done {
        Err(ExitReason::Quit | ExitReason::InputEnded) => host.goodbye(),
        Err(ExitReason::SaveFailed(sentence)) => {
            // That it failed is to be known whoever hears the goodbye.
            let _ = host.goodbye();
            Err(ExitReason::Failed(Error::Failure(sentence)))
        }
        done => done,
    };
    match done {
        Err(ExitReason::Failed(error)) => Err(error),
        // Nobody reads any more.
        _ => Ok(()),
    }
}

impl PlainMode<'_> {
    /// From the welcome to the goodbye.
    fn evening(&mut self) -> Result<(), ExitReason> {
        self.welcome()?;
        let mut next = match self.offer_to_resume()? {
            Some(session) => Some(self.with_bots(session)?),
            None => {
                let seats = self.choose_players()?;
                Some(self.start_game(&seats)?)
            }
        };
        while let Some(round) = next {
            next = match self.round(round)? {
                Some(seats) => Some(self.start_game(&seats)?),
                None => None,
            };
        }
        self.goodbye()
    }

    /// Where games start.
    fn start_state(&self) -> AnyGameState {
        let usual = || AnyGameState::new(self.variant);
        self.start.clone().unwrap_or_else(usual)
    }

    /// A new game between these two.
    fn start_game(&mut self, seats: &[Participant; 2]) -> Result<ActiveGame, ExitReason> {
        loop {
            let from = self.start_state();
            let begun = Session::start_from(self.store_handle.store(), &from, seats.clone());
            match self.store_handle.block_on(begun) {
                Ok(session) => {
                    if let Some(how) = session.assistance()
                        && seats.iter().any(Participant::is_human)
                    {
                        self.console.write_line(how.notice())?;
                    }
                    return self.with_bots(session);
                }
                Err(problem) => {
                    let sentence = format!("the game cannot be begun: {}", problem.cause());
                    self.offer_retry(seats, sentence, None)?;
                }
            }
        }
    }

    /// Makes the bots of a game.
    fn with_bots(&mut self, session: Session) -> Result<ActiveGame, ExitReason> {
        let bots = self.bot_factory.bots_for(&session)?;
        Ok(ActiveGame {
            session,
            bots,
            is_syntax_explained: false,
        })
    }

    /// One game, and who plays the next one, if there is one.
    fn round(&mut self, mut round: ActiveGame) -> Result<Option<[Participant; 2]>, ExitReason> {
        let played = self.play_to_end(&mut round);
        match played.and_then(|()| self.finish_game(&round)) {
            Err(leave) => {
                self.release_game(&round.session, &leave)?;
                Err(leave)
            }
            next => next,
        }
    }

    /// Says what could not be kept, and returns where it is to be tried again.
    fn offer_retry(
        &mut self,
        seats: &[Participant; 2],
        sentence: String,
        at: Option<&Session>,
    ) -> Result<(), ExitReason> {
        if !seats.iter().any(Participant::is_human) {
            // There is nobody to ask.
            return Err(ExitReason::SaveFailed(sentence));
        }
        self.console.write_line(&format!("Sorry: {sentence}."))?;
        match self.ask_yes_no("Try again? (y or n)", at) {
            Ok(true) => Ok(()),
            Ok(false) | Err(ExitReason::Quit | ExitReason::InputEnded) => {
                Err(ExitReason::SaveFailed(sentence))
            }
            Err(leave) => Err(leave),
        }
    }

    /// Asks until there is an answer. The words that work everywhere are seen to;
    /// those that change a running game are handed back.
    fn ask(&mut self, question: &str, at: Option<&Session>) -> Result<Answer, ExitReason> {
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
                Some(word) if word.changes_game() && at.is_some_and(|at| at.result().is_none()) => {
                    return Ok(Answer::Command(word));
                }
                Some(word) => self.run_info_command(word, at)?,
            }
        }
    }

    /// Asks where no game is running.
    fn ask_text(&mut self, question: &str, at: Option<&Session>) -> Result<String, ExitReason> {
        loop {
            if let Answer::Text(text) = self.ask(question, at)? {
                return Ok(text);
            }
        }
    }

    /// Asks for yes or no where no game is running.
    fn ask_yes_no(&mut self, question: &str, at: Option<&Session>) -> Result<bool, ExitReason> {
        loop {
            let text = self.ask_text(question, at)?;
            match text_commands::parse_yes_no(&text) {
                Some(yes) => return Ok(yes),
                None => self.refuse(text_commands::EXPECTED_YES_NO)?,
            }
        }
    }

    /// Words of the program's own, without the few letters that ASCII lacks where it
    /// is asked for; people's names stay as they are.
    fn ascii_if_requested(&self, text: &str) -> String {
        if self.options.ascii {
            text.replace('×', "x").replace('è', "e")
        } else {
            text.into()
        }
    }

    fn refuse(&mut self, reason: &str) -> Result<(), ExitReason> {
        self.console.write_line(&format!("Refused: {reason}."))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
