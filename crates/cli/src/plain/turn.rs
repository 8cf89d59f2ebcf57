//! A person's turn: a move, or one of the words that do something to the game.

use noughts_rules::{Side, Variant};
use noughts_store::Assistance;

use super::console::ExitReason;
use super::messages::move_syntax;
use super::text_commands::{self, TextCommand};
use super::{ActiveGame, Answer, PlainMode};
use noughts_session::{GameAction, Participant, Session, player_input};

impl PlainMode<'_> {
    /// Lets everybody move until the game is over.
    pub(super) fn play_to_end(&mut self, round: &mut ActiveGame) -> Result<(), ExitReason> {
        let [x, o] = round.session.seats();
        let said = format!("{x} plays X and {o} plays O.");
        self.console.write_line(&said)?;
        self.show_board(&round.session)?;
        loop {
            if std::mem::take(&mut self.hint_given) {
                round.session.set_assisted(Assistance::Hint);
            }
            let side = round.session.game_state().side();
            match round.session.to_move() {
                None => return Ok(()),
                Some(Participant::Bot(_)) => self.play_bot_turn(round, side)?,
                Some(Participant::Player(_) | Participant::Guest) => {
                    self.persons_turn(round, side)?
                }
            }
        }
    }

    /// Asks once for a move; afterwards it may still be this person's turn.
    fn persons_turn(&mut self, round: &mut ActiveGame, side: Side) -> Result<(), ExitReason> {
        let said = match self.variant {
            Variant::TicTacTwo(_) => self.ask_tic_tac_two_turn(round)?,
            Variant::Mnk(_) | Variant::Nested(_) => self.typed_move(round)?,
        };
        match said {
            Some(Answer::Text(mv)) => {
                if self.step(round, GameAction::Move(mv))? {
                    self.show_move(&round.session, side)?;
                }
                Ok(())
            }
            Some(Answer::Command(word)) => self.steps(round, word),
            None => Ok(()),
        }
    }

    /// A move in the project's notation, or nothing where it is refused already.
    fn typed_move(&mut self, round: &mut ActiveGame) -> Result<Option<Answer>, ExitReason> {
        let question = if round.is_syntax_explained {
            "Your move?".to_owned()
        } else {
            format!("Your move? ({})", move_syntax(self.variant))
        };
        round.is_syntax_explained = true;
        match self.ask(&question, Some(&round.session))? {
            Answer::Text(text) if text.is_empty() => {
                self.refuse(text_commands::EMPTY_ANSWER)?;
                Ok(None)
            }
            Answer::Text(text) => match player_input::parse_move(&text, round.session.game_state())
            {
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
    fn step(&mut self, round: &mut ActiveGame, step: GameAction) -> Result<bool, ExitReason> {
        let stepped = round.session.apply(self.store_handle.store(), step);
        match self.store_handle.block_on(stepped) {
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
    fn steps(&mut self, round: &mut ActiveGame, word: TextCommand) -> Result<(), ExitReason> {
        let mut next = Some(word);
        while let Some(word) = next {
            next = match word {
                TextCommand::Undo => self.take_back(round)?,
                TextCommand::Redo => self.make_again(round)?,
                TextCommand::Resign => self.resign(round)?,
                TextCommand::Draw => self.offer_draw(round)?,
                word => {
                    self.run_info_command(word, Some(&round.session))?;
                    None
                }
            };
        }
        Ok(())
    }

    fn take_back(&mut self, round: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let before = round.session.clone();
        if self.step(round, GameAction::TakeBack)? {
            let taken = moves_between(&round.session, &before);
            self.console.write_line(&format!("Taken back: {taken}."))?;
            if before.assistance().is_none() && !self.hint_given {
                self.console.write_line(Assistance::Takeback.notice())?;
            }
            self.show_board(&round.session)?;
        }
        Ok(None)
    }

    fn make_again(&mut self, round: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let before = round.session.clone();
        if self.step(round, GameAction::Redo)? {
            let made = moves_between(&before, &round.session);
            self.console.write_line(&format!("Made again: {made}."))?;
            self.show_board(&round.session)?;
        }
        Ok(None)
    }

    fn resign(&mut self, round: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let side = round.session.game_state().side();
        let who = round.session.participant(side);
        let question = format!("{who}, do you give the game up? (y or n)");
        match self.agreed(round, &question, TextCommand::Resign)? {
            Agreed::Yes => {
                self.step(round, GameAction::Resign(side))?;
                Ok(None)
            }
            Agreed::No => Ok(None),
            Agreed::Instead(word) => {
                self.console.write_line("The game is not given up.")?;
                Ok(Some(word))
            }
        }
    }

    /// Another person is asked; a computer cannot know better than to play on.
    fn offer_draw(&mut self, round: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let side = round.session.game_state().side();
        let (who, other) = (
            round.session.participant(side),
            round.session.participant(side.other()),
        );
        let question = match other {
            name @ (Participant::Player(_) | Participant::Guest) => {
                format!("{who} offers a draw. {name}, do you agree? (y or n)")
            }
            Participant::Bot(kind) => {
                let said = format!(
                    "{kind} agrees to no draws: it plays every game to its end. To end it now, \
                     resign."
                );
                self.console.write_line(&said)?;
                return Ok(None);
            }
        };
        match self.agreed(round, &question, TextCommand::Draw)? {
            Agreed::Yes => {
                self.step(round, GameAction::AgreeDraw)?;
                Ok(None)
            }
            Agreed::No => {
                self.console.write_line("No draw; the game goes on.")?;
                Ok(None)
            }
            Agreed::Instead(word) => {
                self.console.write_line("The offer of a draw is dropped.")?;
                Ok(Some(word))
            }
        }
    }

    /// Yes or no in a running game, where other words may be said instead of the one
    /// that led to the question.
    fn agreed(
        &mut self,
        round: &ActiveGame,
        question: &str,
        led: TextCommand,
    ) -> Result<Agreed, ExitReason> {
        loop {
            match self.ask(question, Some(&round.session))? {
                Answer::Command(word) if word == led => {}
                Answer::Command(word) => return Ok(Agreed::Instead(word)),
                Answer::Text(text) => match text_commands::parse_yes_no(&text) {
                    Some(true) => return Ok(Agreed::Yes),
                    Some(false) => return Ok(Agreed::No),
                    None => self.refuse(text_commands::EXPECTED_YES_NO)?,
                },
            }
        }
    }
}

enum Agreed {
    Yes,
    No,
    Instead(TextCommand),
}

/// The moves that the later one of two moments of a game has more.
fn moves_between(earlier: &Session, later: &Session) -> String {
    let moves = later.game_state().moves();
    moves[earlier.move_times().len().min(moves.len())..].join(", ")
}
