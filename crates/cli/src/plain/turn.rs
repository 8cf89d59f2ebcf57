//! A person's turn: a move, or one of the words that do something to the game.

use noughts_rules::{Player, Variant};
use noughts_store::Assistance;

use super::dialogue::Leave;
use super::tell::how_to_move;
use super::words::{self, Word};
use super::{Answer, Host, Round};
use noughts_session::{Session, Step, Who, typed};

impl Host<'_> {
    /// Lets everybody move until the game is over.
    pub(super) fn play_out(&mut self, round: &mut Round) -> Result<(), Leave> {
        let [x, o] = round.session.seats();
        let said = format!("{x} plays X and {o} plays O.");
        self.talk.say(&said)?;
        self.board(&round.session)?;
        loop {
            if std::mem::take(&mut self.hinted) {
                round.session.set_assisted(Assistance::Hint);
            }
            let side = round.session.play().side();
            match round.session.to_move() {
                None => return Ok(()),
                Some(Who::Bot(_)) => self.computer_turn(round, side)?,
                Some(Who::Person(_) | Who::Guest) => self.persons_turn(round, side)?,
            }
        }
    }

    /// Asks once for a move; afterwards it may still be this person's turn.
    fn persons_turn(&mut self, round: &mut Round, side: Player) -> Result<(), Leave> {
        let said = match self.variant {
            Variant::TicTacTwo(_) => self.grid_turn(round)?,
            Variant::Mnk(_) | Variant::Nested(_) => self.typed_move(round)?,
        };
        match said {
            Some(Answer::Text(mv)) => {
                if self.step(round, Step::Move(mv))? {
                    self.show_move(&round.session, side)?;
                }
                Ok(())
            }
            Some(Answer::Step(word)) => self.steps(round, word),
            None => Ok(()),
        }
    }

    /// A move in the project's notation, or nothing where it is refused already.
    fn typed_move(&mut self, round: &mut Round) -> Result<Option<Answer>, Leave> {
        let question = if round.explained {
            "Your move?".to_owned()
        } else {
            format!("Your move? ({})", how_to_move(self.variant))
        };
        round.explained = true;
        match self.ask(&question, Some(&round.session))? {
            Answer::Text(text) if text.is_empty() => {
                self.refuse(words::EMPTY)?;
                Ok(None)
            }
            Answer::Text(text) => match typed::legal_move(&text, round.session.play()) {
                Ok(mv) => Ok(Some(Answer::Text(mv))),
                Err(reason) => {
                    self.refuse(&reason)?;
                    Ok(None)
                }
            },
            step => Ok(Some(step)),
        }
    }

    /// Makes a step of the game, or says why it was not made.
    fn step(&mut self, round: &mut Round, step: Step) -> Result<bool, Leave> {
        let stepped = round.session.step(self.keeper.store(), step);
        match self.keeper.wait(stepped) {
            Ok(next) => {
                round.session = next;
                Ok(true)
            }
            Err(problem) => {
                self.refuse(&problem.to_string())?;
                Ok(false)
            }
        }
    }

    /// Does what a word asks for; where it asks back, the answer may be another word.
    fn steps(&mut self, round: &mut Round, word: Word) -> Result<(), Leave> {
        let mut next = Some(word);
        while let Some(word) = next {
            next = match word {
                Word::Undo => self.take_back(round)?,
                Word::Redo => self.make_again(round)?,
                Word::Resign => self.resign(round)?,
                Word::Draw => self.offer_draw(round)?,
                word => {
                    self.tell(word, Some(&round.session))?;
                    None
                }
            };
        }
        Ok(())
    }

    fn take_back(&mut self, round: &mut Round) -> Result<Option<Word>, Leave> {
        let before = round.session.clone();
        if self.step(round, Step::Undo)? {
            let taken = moves_between(&round.session, &before);
            self.talk.say(&format!("Taken back: {taken}."))?;
            if before.assisted().is_none() && !self.hinted {
                self.talk.say(Assistance::Takeback.notice())?;
            }
            self.board(&round.session)?;
        }
        Ok(None)
    }

    fn make_again(&mut self, round: &mut Round) -> Result<Option<Word>, Leave> {
        let before = round.session.clone();
        if self.step(round, Step::Redo)? {
            let made = moves_between(&before, &round.session);
            self.talk.say(&format!("Made again: {made}."))?;
            self.board(&round.session)?;
        }
        Ok(None)
    }

    fn resign(&mut self, round: &mut Round) -> Result<Option<Word>, Leave> {
        let side = round.session.play().side();
        let who = round.session.who(side);
        let question = format!("{who}, do you give the game up? (y or n)");
        match self.agreed(round, &question, Word::Resign)? {
            Agreed::Yes => {
                self.step(round, Step::Resign(side))?;
                Ok(None)
            }
            Agreed::No => Ok(None),
            Agreed::Instead(word) => {
                self.talk.say("The game is not given up.")?;
                Ok(Some(word))
            }
        }
    }

    /// Another person is asked; a computer cannot know better than to play on.
    fn offer_draw(&mut self, round: &mut Round) -> Result<Option<Word>, Leave> {
        let side = round.session.play().side();
        let (who, other) = (round.session.who(side), round.session.who(side.other()));
        let question = match other {
            name @ (Who::Person(_) | Who::Guest) => {
                format!("{who} offers a draw. {name}, do you agree? (y or n)")
            }
            Who::Bot(kind) => {
                let said = format!(
                    "{kind} agrees to no draws: it plays every game to its end. To end it now, \
                     resign."
                );
                self.talk.say(&said)?;
                return Ok(None);
            }
        };
        match self.agreed(round, &question, Word::Draw)? {
            Agreed::Yes => {
                self.step(round, Step::AgreeDraw)?;
                Ok(None)
            }
            Agreed::No => {
                self.talk.say("No draw; the game goes on.")?;
                Ok(None)
            }
            Agreed::Instead(word) => {
                self.talk.say("The offer of a draw is dropped.")?;
                Ok(Some(word))
            }
        }
    }

    /// Yes or no in a running game, where other words may be said instead of the one
    /// that led to the question.
    fn agreed(&mut self, round: &Round, question: &str, led: Word) -> Result<Agreed, Leave> {
        loop {
            match self.ask(question, Some(&round.session))? {
                Answer::Step(word) if word == led => {}
                Answer::Step(word) => return Ok(Agreed::Instead(word)),
                Answer::Text(text) => match words::yes_or_no(&text) {
                    Some(true) => return Ok(Agreed::Yes),
                    Some(false) => return Ok(Agreed::No),
                    None => self.refuse(words::YES_OR_NO)?,
                },
            }
        }
    }
}

enum Agreed {
    Yes,
    No,
    Instead(Word),
}

/// The moves that the later one of two moments of a game has more.
fn moves_between(earlier: &Session, later: &Session) -> String {
    let moves = later.play().moves();
    moves[earlier.times().len().min(moves.len())..].join(", ")
}
