//! A human's turn: a move, or a command that changes the game.

use noughts_rules::{Assistance, Side, Variant};
use noughts_text::assistance_notice;

use super::console::ExitReason;
use super::messages::move_syntax;
use super::text_commands::{self, TextCommand};
use super::{ActiveGame, Answer, PlainMode};
use noughts_session::{GameAction, Participant, Session, player_input};

impl PlainMode<'_> {
    /// Alternates turns until the game is over.
    pub(super) fn play_to_end(&mut self, game: &mut ActiveGame) -> Result<(), ExitReason> {
        let [x, o] = game.session.seats();
        let text = format!("{x} plays X and {o} plays O.");
        self.console.write_line(&text)?;
        self.show_board(&game.session)?;
        loop {
            if std::mem::take(&mut self.hint_given) {
                game.session.set_assistance(Assistance::Hint);
            }
            let side = game.session.game_state().side();
            match game.session.to_move() {
                None => return Ok(()),
                Some(Participant::Bot(_)) => self.play_bot_turn(game, side)?,
                Some(Participant::Player(_) | Participant::Guest) => self.human_turn(game, side)?,
            }
        }
    }

    /// Asks once for a move. Afterwards it may still be this player's turn.
    fn human_turn(&mut self, game: &mut ActiveGame, side: Side) -> Result<(), ExitReason> {
        let answer = match self.variant {
            Variant::TicTacTwo(_) => self.ask_tic_tac_two_turn(game)?,
            Variant::Mnk(_) | Variant::Nested(_) => self.ask_move(game)?,
        };
        match answer {
            Some(Answer::Text(mv)) => {
                if self.apply_action(game, GameAction::Move(mv))? {
                    self.show_move(&game.session, side)?;
                }
                Ok(())
            }
            Some(Answer::Command(command)) => self.run_game_command(game, command),
            None => Ok(()),
        }
    }

    /// A move in the project's notation, or `None` if the answer was refused.
    fn ask_move(&mut self, game: &mut ActiveGame) -> Result<Option<Answer>, ExitReason> {
        let question = if game.is_syntax_explained {
            "Your move?".to_owned()
        } else {
            format!("Your move? ({})", move_syntax(self.variant))
        };
        game.is_syntax_explained = true;
        match self.ask(&question, Some(&game.session))? {
            Answer::Text(text) if text.is_empty() => {
                self.refuse(text_commands::EMPTY_ANSWER)?;
                Ok(None)
            }
            Answer::Text(text) => {
                match player_input::parse_move(&text, game.session.game_state()) {
                    Ok(mv) => Ok(Some(Answer::Text(mv))),
                    Err(reason) => {
                        self.refuse(&reason)?;
                        Ok(None)
                    }
                }
            }
            command => Ok(Some(command)),
        }
    }

    /// Applies an action to the game, or prints why it can't. Returns whether it was applied.
    fn apply_action(
        &mut self,
        game: &mut ActiveGame,
        action: GameAction,
    ) -> Result<bool, ExitReason> {
        let applied = game.session.apply(self.store_handle.store(), action);
        match self.store_handle.block_on(applied) {
            Ok(next) => {
                game.session = next;
                Ok(true)
            }
            Err(error) => {
                self.refuse(&error.to_string())?;
                Ok(false)
            }
        }
    }

    /// Runs a command. If the command asks a question, the answer may be another command.
    fn run_game_command(
        &mut self,
        game: &mut ActiveGame,
        command: TextCommand,
    ) -> Result<(), ExitReason> {
        let mut next = Some(command);
        while let Some(command) = next {
            next = match command {
                TextCommand::Undo => self.take_back(game)?,
                TextCommand::Redo => self.redo(game)?,
                TextCommand::Resign => self.resign(game)?,
                TextCommand::Draw => self.offer_draw(game)?,
                command => {
                    self.run_info_command(command, Some(&game.session))?;
                    None
                }
            };
        }
        Ok(())
    }

    fn take_back(&mut self, game: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let before = game.session.clone();
        if self.apply_action(game, GameAction::TakeBack)? {
            let taken = moves_between(&game.session, &before);
            self.console.write_line(&format!("Taken back: {taken}."))?;
            if before.assistance().is_none() && !self.hint_given {
                self.console
                    .write_line(&assistance_notice(Assistance::Takeback))?;
            }
            self.show_board(&game.session)?;
        }
        Ok(None)
    }

    fn redo(&mut self, game: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let before = game.session.clone();
        if self.apply_action(game, GameAction::Redo)? {
            let made = moves_between(&before, &game.session);
            self.console.write_line(&format!("Redone: {made}."))?;
            self.show_board(&game.session)?;
        }
        Ok(None)
    }

    fn resign(&mut self, game: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let side = game.session.game_state().side();
        let player = game.session.participant(side);
        let question = format!("{player}, do you resign? (y or n)");
        match self.ask_agreement(game, &question, TextCommand::Resign)? {
            DrawAnswer::Yes => {
                self.apply_action(game, GameAction::Resign(side))?;
                Ok(None)
            }
            DrawAnswer::No => Ok(None),
            DrawAnswer::Instead(command) => {
                self.console.write_line("Resignation canceled.")?;
                Ok(Some(command))
            }
        }
    }

    /// A human opponent is asked; bots never agree to a draw.
    fn offer_draw(&mut self, game: &mut ActiveGame) -> Result<Option<TextCommand>, ExitReason> {
        let side = game.session.game_state().side();
        let (player, opponent) = (
            game.session.participant(side),
            game.session.participant(side.other()),
        );
        let question = match opponent {
            name @ (Participant::Player(_) | Participant::Guest) => {
                format!("{player} offers a draw. {name}, do you accept? (y or n)")
            }
            Participant::Bot(kind) => {
                let text = format!("{kind} declines the draw. To end the game now, resign.");
                self.console.write_line(&text)?;
                return Ok(None);
            }
        };
        match self.ask_agreement(game, &question, TextCommand::Draw)? {
            DrawAnswer::Yes => {
                self.apply_action(game, GameAction::AgreeDraw)?;
                Ok(None)
            }
            DrawAnswer::No => {
                self.console
                    .write_line("The draw is declined; the game continues.")?;
                Ok(None)
            }
            DrawAnswer::Instead(command) => {
                self.console.write_line("The draw offer is withdrawn.")?;
                Ok(Some(command))
            }
        }
    }

    /// Asks for yes or no in a running game. A command other than the one that led to the question
    /// replaces the answer.
    fn ask_agreement(
        &mut self,
        game: &ActiveGame,
        question: &str,
        trigger: TextCommand,
    ) -> Result<DrawAnswer, ExitReason> {
        loop {
            match self.ask(question, Some(&game.session))? {
                Answer::Command(command) if command == trigger => {}
                Answer::Command(command) => return Ok(DrawAnswer::Instead(command)),
                Answer::Text(text) => match text_commands::parse_yes_no(&text) {
                    Some(true) => return Ok(DrawAnswer::Yes),
                    Some(false) => return Ok(DrawAnswer::No),
                    None => self.refuse(text_commands::EXPECTED_YES_NO)?,
                },
            }
        }
    }
}

enum DrawAnswer {
    Yes,
    No,
    Instead(TextCommand),
}

/// The moves made between two moments of a game.
fn moves_between(earlier: &Session, later: &Session) -> String {
    let moves = later.game_state().moves();
    moves[earlier.move_times().len().min(moves.len())..].join(", ")
}
