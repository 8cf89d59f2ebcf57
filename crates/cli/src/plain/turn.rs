//! A human's turn: a move, or a command that changes the game.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Assistance, Side, Variant};
use noughts_text::{Action, assistance_notice, draw_declined};

use super::answers;
use super::console::PlainResult;
use super::messages::move_syntax;
use super::{ActiveGame, Answer, PlainMode};
use noughts_session::policy::{self, RatingEvent};
use noughts_session::{GameAction, Participant, Session, player_input};

impl PlainMode<'_> {
    /// Alternates turns until the game is over.
    pub(super) fn play_to_end(&mut self, game: &mut ActiveGame) -> PlainResult {
        let [x, o] = game.session.seats();
        self.write_line(format!("{x} plays X and {o} plays O."))?;
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
    fn human_turn(&mut self, game: &mut ActiveGame, side: Side) -> PlainResult {
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
    fn ask_move(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Answer>> {
        let question = if game.is_syntax_explained {
            "Your move?".to_owned()
        } else {
            format!("Your move? ({})", move_syntax(self.variant))
        };
        game.is_syntax_explained = true;
        match self.ask(&question, Some(&game.session))? {
            Answer::Text(text) => self.parse_typed_move(&text, game.session.game_state()),
            command => Ok(Some(command)),
        }
    }

    /// Parses a typed move, or prints why it isn't one.
    pub(super) fn parse_typed_move(
        &mut self,
        text: &str,
        state: &AnyGameState,
    ) -> PlainResult<Option<Answer>> {
        let parsed = match text {
            "" => Err(answers::EMPTY_ANSWER.into()),
            text => player_input::parse_move(text, state),
        };
        match parsed {
            Ok(mv) => Ok(Some(Answer::Text(mv))),
            Err(reason) => self.refuse(&reason).map(|()| None),
        }
    }

    /// Applies an action to the game, or prints why it can't. Returns whether it was applied.
    fn apply_action(&mut self, game: &mut ActiveGame, action: GameAction) -> PlainResult<bool> {
        let session = &game.session;
        match self.apply(session, action) {
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
    fn run_game_command(&mut self, game: &mut ActiveGame, command: Action) -> PlainResult {
        let mut next = Some(command);
        while let Some(command) = next {
            next = match command {
                Action::Resign => self.resign(game)?,
                Action::OfferDraw => self.offer_draw(game)?,
                command => {
                    match command {
                        Action::TakeBack => self.take_back_or_redo(game, GameAction::TakeBack)?,
                        Action::Redo => self.take_back_or_redo(game, GameAction::Redo)?,
                        command => self.run_info_command(command, Some(&game.session))?,
                    }
                    None
                }
            };
        }
        Ok(())
    }

    fn take_back_or_redo(&mut self, game: &mut ActiveGame, action: GameAction) -> PlainResult {
        let before = game.session.clone();
        let is_takeback = matches!(action, GameAction::TakeBack);
        if !self.apply_action(game, action)? {
            return Ok(());
        }
        let event = RatingEvent::Assistance(Assistance::Takeback);
        if is_takeback && before.unrated_by(event).is_some() && !self.hint_given {
            self.write_line(assistance_notice(Assistance::Takeback))?;
        }
        self.write_line(match is_takeback {
            true => format!("Taken back: {}.", moves_between(&game.session, &before)),
            false => format!("Redone: {}.", moves_between(&before, &game.session)),
        })?;
        self.show_board(&game.session)
    }

    fn resign(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Action>> {
        let side = game.session.game_state().side();
        let player = game.session.participant(side);
        let question = format!("{player}, do you resign? (y or n)");
        let resignation = (Action::Resign, GameAction::Resign(side));
        self.ask_agreement(game, &question, resignation, None, "Resignation canceled.")
    }

    /// A human opponent is asked; for a bot, the policy decides.
    fn offer_draw(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Action>> {
        let side = game.session.game_state().side();
        let [player, opponent] = [side, side.other()].map(|side| game.session.participant(side));
        if let Participant::Bot(kind) = *opponent {
            return self.offer_draw_to_bot(game, kind).map(|()| None);
        }
        let question = format!("{player} offers a draw. {opponent}, do you accept? (y or n)");
        let draw = (Action::OfferDraw, GameAction::AgreeDraw);
        let declined = format!("{opponent} declines the draw; the game continues.");
        self.ask_agreement(
            game,
            &question,
            draw,
            Some(&declined),
            "The draw offer is withdrawn.",
        )
    }

    fn offer_draw_to_bot(&mut self, game: &mut ActiveGame, kind: BotKind) -> PlainResult {
        let state = game.session.game_state();
        let report = self.ask_advisor(state)?;
        match policy::answer_draw_offer(report.value, state, state.side().other()) {
            Ok(()) => self.apply_action(game, GameAction::AgreeDraw).map(|_| ()),
            Err(refusal) => {
                let declined = draw_declined(noughts_text::bot_name(kind), refusal);
                self.write_line(format!("{declined} To end the game now, resign."))
            }
        }
    }

    /// Asks for yes or no in a running game; yes leads to the action. A command other than the one that led to the
    /// question replaces the answer and is returned.
    fn ask_agreement(
        &mut self,
        game: &mut ActiveGame,
        question: &str,
        (trigger, action): (Action, GameAction),
        declined: Option<&str>,
        withdrawn: &str,
    ) -> PlainResult<Option<Action>> {
        loop {
            let text = match self.ask(question, Some(&game.session))? {
                Answer::Text(text) => text,
                Answer::Command(command) if command == trigger => continue,
                Answer::Command(command) => {
                    self.write_line(withdrawn)?;
                    return Ok(Some(command));
                }
            };
            match answers::parse_yes_no(&text) {
                Ok(true) => return self.apply_action(game, action).map(|_| None),
                Ok(false) => {
                    let lines = declined.map(str::to_owned);
                    return self.write_lines(lines).map(|()| None);
                }
                Err(reason) => self.refuse(&reason)?,
            }
        }
    }
}

/// The moves made between two moments of a game.
fn moves_between(earlier: &Session, later: &Session) -> String {
    let moves = later.game_state().moves();
    moves[earlier.move_times().len().min(moves.len())..].join(", ")
}
