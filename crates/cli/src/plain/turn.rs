//! A human's turn: a move, or a command that changes the game.

use noughts_engine::BotKind;
use noughts_rules::{Assistance, Side};
use noughts_text::{
    Action, assistance_notice, assistance_question, bot_name, draw_considered, draw_declined,
    move_forms, next_part_question, unrated_warning,
};

use super::answers;
use super::console::PlainResult;
use super::{ActiveGame, Answer, PlainMode};
use noughts_session::player_input::{self, MovePart};
use noughts_session::policy::{self, RatingEvent};
use noughts_session::{GameAction, Participant, Session};

impl PlainMode<'_> {
    /// Alternates turns until the game is over.
    pub(super) fn play_to_end(&mut self, game: &mut ActiveGame) -> PlainResult {
        let [x, o] = game.session.seats();
        self.write_line(format!("{x} plays X and {o} plays O."))?;
        self.show_board(&game.session)?;
        loop {
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
        match self.ask_move(game)? {
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

    /// A legal move, all at once or part by part, or a command. `None` if the move was refused or canceled.
    fn ask_move(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Answer>> {
        let mut forms = move_forms(game.session.game_state());
        forms.retain(|form| !game.explained_forms.contains(form));
        let mut question = match forms.is_empty() {
            true => "Your move?".to_owned(),
            false => format!("Your move? ({})", forms.join("; or ")),
        };
        game.explained_forms.append(&mut forms);
        let mut taps = Vec::new();
        loop {
            let text = match self.ask(&question, Some(&game.session))? {
                Answer::Text(text) => text,
                command => return Ok(Some(command)),
            };
            let state = game.session.game_state();
            let parsed = match text.to_lowercase().as_str() {
                "" => Err(answers::EMPTY_ANSWER.into()),
                "cancel" if taps.is_empty() => Err("there's nothing to cancel".into()),
                "cancel" => return Ok(None),
                _ => player_input::parse_next_part(&text, state, &taps),
            };
            match parsed {
                Ok(MovePart::Move(mv)) => return Ok(Some(Answer::Text(mv))),
                Ok(MovePart::Start { taps: start, next }) => {
                    let (next_question, answers) = next_part_question(state.view(), &start, &next);
                    let answers = answers.map_or_else(String::new, |answers| answers + "; ");
                    question = format!("{next_question} ({answers}cancel to go back)");
                    taps = start;
                }
                // What was already chosen stays chosen.
                Err(reason) => {
                    self.refuse(&reason)?;
                    if taps.is_empty() {
                        return Ok(None);
                    }
                }
            }
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
                Action::TakeBack => self.take_back(game)?,
                Action::Redo => self
                    .take_back_or_redo(game, GameAction::Redo)
                    .map(|()| None)?,
                _ => self.give_first_hint(game)?,
            };
        }
        Ok(())
    }

    /// Asks before assistance that would end the rating of the game.
    fn confirm_assistance(
        &mut self,
        game: &ActiveGame,
        (command, assistance): (Action, Assistance),
        canceled: &str,
    ) -> PlainResult<Result<bool, Action>> {
        let event = RatingEvent::Assistance(assistance);
        let Some(reason) = game.session.unrated_by(event) else {
            return Ok(Ok(true));
        };
        let (warning, [question, ..]) = (unrated_warning(reason), assistance_question(assistance));
        let question = format!("{warning} {question} (y or n)");
        self.ask_agreement(game, &question, command, canceled)
    }

    /// Gives a hint after storing that the game had one, so that no hint goes unrecorded.
    fn give_first_hint(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Action>> {
        let hint = Assistance::Hint;
        let agreed = self.confirm_assistance(game, (Action::Hint, hint), "Hint canceled.")?;
        if agreed == Ok(true) {
            let session = &mut game.session;
            let marked = self
                .store_handle
                .query(|store| session.mark_assisted(store, hint));
            if let Err(error) = marked {
                return self.refuse(&error.cause()).map(|()| None);
            }
            self.write_line(assistance_notice(hint))?;
            self.give_hint(&game.session)?;
        }
        Ok(agreed.err())
    }

    fn take_back(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Action>> {
        let takeback = (Action::TakeBack, Assistance::Takeback);
        let agreed = match game.session.can_take_back() {
            true => self.confirm_assistance(game, takeback, "Takeback canceled.")?,
            // Refused with the reason.
            false => Ok(true),
        };
        if agreed == Ok(true) {
            self.take_back_or_redo(game, GameAction::TakeBack)?;
        }
        Ok(agreed.err())
    }

    fn take_back_or_redo(&mut self, game: &mut ActiveGame, action: GameAction) -> PlainResult {
        let before = game.session.clone();
        let is_takeback = matches!(action, GameAction::TakeBack);
        if !self.apply_action(game, action)? {
            return Ok(());
        }
        let event = RatingEvent::Assistance(Assistance::Takeback);
        if is_takeback && before.unrated_by(event).is_some() {
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
        let question = match game.session.is_unplayed() {
            true => "Nobody has moved yet. Abandon the game without a result? (y or n)".to_owned(),
            false => format!("{player}, do you resign? (y or n)"),
        };
        let canceled = "Resignation canceled.";
        let agreed = self.ask_agreement(game, &question, Action::Resign, canceled)?;
        if agreed == Ok(true) {
            self.apply_action(game, GameAction::Resign(side))?;
        }
        Ok(agreed.err())
    }

    /// A human opponent is asked; for a bot, the policy decides.
    fn offer_draw(&mut self, game: &mut ActiveGame) -> PlainResult<Option<Action>> {
        let side = game.session.game_state().side();
        let [player, opponent] = [side, side.other()].map(|side| game.session.participant(side));
        if let Participant::Bot(kind) = *opponent {
            return self.offer_draw_to_bot(game, kind).map(|()| None);
        }
        let question = format!("{player} offers a draw. {opponent}, do you accept? (y or n)");
        let declined = draw_declined(&opponent.to_string(), None);
        let withdrawn = "The draw offer is withdrawn.";
        let agreed = self.ask_agreement(game, &question, Action::OfferDraw, withdrawn)?;
        match agreed {
            Ok(true) => _ = self.apply_action(game, GameAction::AgreeDraw)?,
            Ok(false) => self.write_line(declined)?,
            Err(_) => {}
        }
        Ok(agreed.err())
    }

    fn offer_draw_to_bot(&mut self, game: &mut ActiveGame, kind: BotKind) -> PlainResult {
        let state = game.session.game_state();
        let report = self.ask_advisor(state, draw_considered(bot_name(kind)))?;
        match policy::answer_draw_offer(report.value, state, state.side().other()) {
            Ok(()) => self.apply_action(game, GameAction::AgreeDraw).map(|_| ()),
            Err(refusal) => {
                let declined = draw_declined(bot_name(kind), refusal);
                self.write_line(format!("{declined} To end the game now, resign."))
            }
        }
    }

    /// Asks for yes or no in a running game. A command other than the one that led to the question replaces the
    /// answer and is returned as an error.
    fn ask_agreement(
        &mut self,
        game: &ActiveGame,
        question: &str,
        trigger: Action,
        canceled: &str,
    ) -> PlainResult<Result<bool, Action>> {
        loop {
            let text = match self.ask(question, Some(&game.session))? {
                Answer::Text(text) => text,
                Answer::Command(command) if command == trigger => continue,
                Answer::Command(command) => {
                    self.write_line(canceled)?;
                    return Ok(Err(command));
                }
            };
            match answers::parse_yes_no(&text) {
                Ok(agreed) => return Ok(Ok(agreed)),
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
