//! The game as lines of text, for pipes, tests and screen readers: it asks, reads an
//! answer, and says what came of it. What is legal is asked of the rules, what is
//! kept of the store; nothing here moves a cursor or needs a terminal.

mod bots;
mod dialogue;
mod end;
mod grid;
mod resume;
mod setup;
mod spoken;
mod tell;
mod turn;
mod words;

use std::io::{BufRead, Write};

use noughts_engine::{Limits, Tables};
use noughts_rules::{AnyPlay, Variant};
use noughts_store::Name;

use crate::error::Error;
use crate::keeper::Keeper;
use crate::who_arg::WhoArg;
use bots::{Bots, Sides};
use dialogue::{Dialogue, Leave};
use noughts_session::{Session, Who};
use resume::Offered;
use words::Word;

/// What the command line says of the game; what it leaves open is asked.
pub(crate) struct Wishes {
    /// Without it, classic.
    pub(crate) variant: Option<Variant>,
    /// Where the game starts, if not as usual.
    pub(crate) from: Option<AnyPlay>,
    /// X's and O's.
    pub(crate) seats: [Option<WhoArg>; 2],
    /// What bots may spend on a move.
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    /// How many threads a bot may use.
    pub(crate) threads: usize,
    /// Draw in ASCII.
    pub(crate) ascii: bool,
}

/// The one who talks with the players.
struct Host<'a> {
    talk: Dialogue<'a>,
    keeper: &'a Keeper,
    bots: Bots<'a>,
    wishes: Wishes,
    variant: Variant,
    /// Where games start, if not as usual.
    from: Option<AnyPlay>,
    /// The people at the table, as far as they are known.
    guests: Vec<Name>,
    /// The game that is asked about, before one is played.
    offered: Option<Offered>,
    /// A hint was given and stored since the session was last updated.
    hinted: bool,
}

/// A game while it is played, and the bots in it.
struct Round {
    session: Session,
    bots: Sides,
    /// How moves are written has been said.
    explained: bool,
}

/// What somebody said to a question.
enum Answer {
    Text(String),
    /// Something to do with the running game instead of an answer.
    Step(Word),
}

/// Plays until the players have enough or the input ends. `sign` stands before
/// every answer where somebody types them.
pub(crate) fn play(
    wishes: Wishes,
    keeper: &Keeper,
    tables: &dyn Fn(Variant) -> Tables,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    sign: &'static str,
) -> Result<(), Error> {
    let mut host = Host {
        talk: Dialogue::new(input, output, sign),
        keeper,
        bots: Bots::new(&wishes, tables),
        variant: wishes.variant.unwrap_or(Variant::CLASSIC),
        from: wishes.from.clone(),
        wishes,
        guests: Vec::new(),
        offered: None,
        hinted: false,
    };
    let done = host.evening();
    let done = match done {
        Err(Leave::Quit | Leave::InputEnded) => host.goodbye(),
        Err(Leave::GivenUp(sentence)) => {
            // That it failed is to be known whoever hears the goodbye.
            let _ = host.goodbye();
            Err(Leave::Failed(Error::Failure(sentence)))
        }
        done => done,
    };
    match done {
        Err(Leave::Failed(error)) => Err(error),
        // Nobody reads any more.
        _ => Ok(()),
    }
}

impl Host<'_> {
    /// From the welcome to the goodbye.
    fn evening(&mut self) -> Result<(), Leave> {
        self.welcome()?;
        let mut next = match self.offer_to_resume()? {
            Some(session) => Some(self.seated(session)?),
            None => {
                let seats = self.sit_down()?;
                Some(self.begin(&seats)?)
            }
        };
        while let Some(round) = next {
            next = match self.round(round)? {
                Some(seats) => Some(self.begin(&seats)?),
                None => None,
            };
        }
        self.goodbye()
    }

    /// Where games start.
    fn start(&self) -> AnyPlay {
        let usual = || AnyPlay::new(self.variant);
        self.from.clone().unwrap_or_else(usual)
    }

    /// A new game between these two.
    fn begin(&mut self, seats: &[Who; 2]) -> Result<Round, Leave> {
        loop {
            let from = self.start();
            let begun = Session::begin_from(self.keeper.store(), &from, seats.clone());
            match self.keeper.wait(begun) {
                Ok(session) => {
                    if let Some(how) = session.assisted()
                        && seats.iter().any(Who::is_person)
                    {
                        self.talk.say(how.notice())?;
                    }
                    return self.seated(session);
                }
                Err(problem) => {
                    let sentence = format!("the game cannot be begun: {}", problem.cause());
                    self.try_again(seats, sentence, None)?;
                }
            }
        }
    }

    /// Makes the bots of a game.
    fn seated(&mut self, session: Session) -> Result<Round, Leave> {
        let bots = self.bots.sit_down(&session)?;
        Ok(Round {
            session,
            bots,
            explained: false,
        })
    }

    /// One game, and who plays the next one, if there is one.
    fn round(&mut self, mut round: Round) -> Result<Option<[Who; 2]>, Leave> {
        let played = self.play_out(&mut round);
        match played.and_then(|()| self.end(&round)) {
            Err(leave) => {
                self.part_with(&round.session, &leave)?;
                Err(leave)
            }
            next => next,
        }
    }

    /// Says what could not be kept, and returns where it is to be tried again.
    fn try_again(
        &mut self,
        seats: &[Who; 2],
        sentence: String,
        at: Option<&Session>,
    ) -> Result<(), Leave> {
        if !seats.iter().any(Who::is_person) {
            // There is nobody to ask.
            return Err(Leave::GivenUp(sentence));
        }
        self.talk.say(&format!("Sorry: {sentence}."))?;
        match self.yes("Try again? (y or n)", at) {
            Ok(true) => Ok(()),
            Ok(false) | Err(Leave::Quit | Leave::InputEnded) => Err(Leave::GivenUp(sentence)),
            Err(leave) => Err(leave),
        }
    }

    /// Asks until there is an answer. The words that work everywhere are seen to;
    /// those that change a running game are handed back.
    fn ask(&mut self, question: &str, at: Option<&Session>) -> Result<Answer, Leave> {
        loop {
            self.talk.say(question)?;
            let line = match self.talk.hear()? {
                Ok(line) => line,
                Err(reason) => {
                    self.refuse(reason)?;
                    continue;
                }
            };
            match Word::of(&line) {
                None => return Ok(Answer::Text(line)),
                Some(Word::Quit) => return Err(Leave::Quit),
                Some(word) if word.is_step() && at.is_some_and(|at| at.over().is_none()) => {
                    return Ok(Answer::Step(word));
                }
                Some(word) => self.tell(word, at)?,
            }
        }
    }

    /// Asks where no game is running.
    fn ask_text(&mut self, question: &str, at: Option<&Session>) -> Result<String, Leave> {
        loop {
            if let Answer::Text(text) = self.ask(question, at)? {
                return Ok(text);
            }
        }
    }

    /// Asks for yes or no where no game is running.
    fn yes(&mut self, question: &str, at: Option<&Session>) -> Result<bool, Leave> {
        loop {
            let text = self.ask_text(question, at)?;
            match words::yes_or_no(&text) {
                Some(yes) => return Ok(yes),
                None => self.refuse(words::YES_OR_NO)?,
            }
        }
    }

    /// Words of the program's own, without the few letters that ASCII lacks where it
    /// is asked for; people's names stay as they are.
    fn spelled(&self, text: &str) -> String {
        if self.wishes.ascii {
            text.replace('×', "x").replace('è', "e")
        } else {
            text.into()
        }
    }

    fn refuse(&mut self, reason: &str) -> Result<(), Leave> {
        self.talk.say(&format!("Refused: {reason}."))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
