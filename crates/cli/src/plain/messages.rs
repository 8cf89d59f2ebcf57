//! Messages that don't ask for a decision: the welcome, the board, whose turn it is, records, help,
//! the goodbye.

use noughts_rules::{AnyGameState, Assistance, Side, Variant};
use noughts_store::{Name, Tally};
use noughts_text::assistance_notice;

use super::PlainMode;
use super::console::ExitReason;
use super::description::describe_position;
use super::text_commands::TextCommand;
use crate::output;
use noughts_session::rulebook;
use noughts_session::{Participant, Session};

/// The width of wrapped text.
const COLUMNS: usize = 76;

/// How many legal moves are listed at most.
const MAX_MOVES: usize = 250;

impl PlainMode<'_> {
    pub(super) fn welcome(&mut self) -> Result<(), ExitReason> {
        self.console.write_line("Welcome to noughts.")?;
        if !self.store_handle.is_persistent() {
            self.console
                .write_line("Nothing is saved: games and records are lost when you quit.")?;
        }
        self.console.write_line(
            "At any question, type help for commands, rules for the rules, or q to quit.",
        )
    }

    /// Prints which game this is.
    pub(super) fn announce_game(&mut self) -> Result<(), ExitReason> {
        let (variant, sentence) = (self.variant, self.variant.summary());
        let text = self.ascii_if_requested(&format!("The game is {variant}. {sentence}"));
        self.console.write_line(&text)
    }

    /// Runs a command that doesn't change the game.
    pub(super) fn run_info_command(
        &mut self,
        command: TextCommand,
        session: Option<&Session>,
    ) -> Result<(), ExitReason> {
        match (command, session) {
            (TextCommand::Record, _) => self.show_records(session),
            (command, None) if self.offered_game.is_some() => {
                self.run_command_on_offered_game(command)
            }
            (TextCommand::Help, _) => self.show_help(self.variant),
            (TextCommand::Rules, _) => self.show_rules(self.variant),
            (_, None) => self.console.write_line("There's no game yet."),
            (TextCommand::Board, Some(session)) => self.show_board(session),
            (TextCommand::Read, Some(session)) => self.describe_board(session.game_state()),
            (_, Some(session)) if session.result().is_some() => {
                self.console.write_line("The game is over.")
            }
            (TextCommand::Moves, Some(session)) => self.list_moves(session.game_state()),
            (TextCommand::Hint, Some(session)) => self.give_hint(session),
            // The others change the game, and are run by the caller.
            _ => Ok(()),
        }
    }

    /// Gives a hint after storing that the game had one, so that no hint goes unrecorded.
    fn give_hint(&mut self, session: &Session) -> Result<(), ExitReason> {
        let is_first = session.assistance().is_none() && !self.hint_given;
        if is_first {
            let (store, assistance) = (self.store_handle.store(), Assistance::Hint);
            let marked = self
                .store_handle
                .block_on(store.mark_assisted(session.id(), assistance));
            if let Err(error) = marked {
                return self.refuse(&error.to_string());
            }
            self.hint_given = true;
        }
        let hint = self.hint_text(session)?;
        self.console.write_line(&hint)?;
        match is_first {
            true => self
                .console
                .write_line(&assistance_notice(Assistance::Hint)),
            false => Ok(()),
        }
    }

    pub(super) fn show_rules(&mut self, variant: Variant) -> Result<(), ExitReason> {
        for line in rulebook::rules_lines(variant, COLUMNS) {
            let line = self.ascii_if_requested(&line);
            self.console.write_line(&line)?;
        }
        Ok(())
    }

    /// Describes the board in words.
    pub(super) fn describe_board(&mut self, state: &AnyGameState) -> Result<(), ExitReason> {
        for line in describe_position(state) {
            self.console.write_line(&line)?;
        }
        Ok(())
    }

    pub(super) fn show_help(&mut self, variant: Variant) -> Result<(), ExitReason> {
        self.console
            .write_line(&format!("To make a move, type {}.", move_syntax(variant)))?;
        self.console
            .write_line("You can type these commands at any question:")?;
        for line in TextCommand::help_lines() {
            self.console.write_line(&line)?;
        }
        self.console
            .write_line("If your name is one of these words, start with --x human:NAME.")
    }

    fn list_moves(&mut self, state: &AnyGameState) -> Result<(), ExitReason> {
        let moves = state.legal_moves();
        let listed = moves[..moves.len().min(MAX_MOVES)].join(" ");
        self.console.write_line(&match moves.len() {
            1 => "There is 1 legal move:".to_owned(),
            count if count <= MAX_MOVES => format!("There are {count} legal moves:"),
            count => format!("There are {count} legal moves; the first {MAX_MOVES} are:"),
        })?;
        for line in noughts_text::wrap(&listed, COLUMNS) {
            self.console.write_line(&line)?;
        }
        Ok(())
    }

    /// Draws the board and says whose turn it is.
    pub(super) fn show_board(&mut self, session: &Session) -> Result<(), ExitReason> {
        self.draw_board(session.game_state())?;
        match session.to_move() {
            Some(name @ (Participant::Player(_) | Participant::Guest)) => {
                let (side, task) = (
                    session.game_state().side(),
                    session.game_state().instruction(),
                );
                let turn = format!("{name}, you're {side} and it's your turn: {task}.");
                self.console.write_line(&turn)
            }
            Some(Participant::Bot(_)) | None => Ok(()),
        }
    }

    pub(super) fn draw_board(&mut self, state: &AnyGameState) -> Result<(), ExitReason> {
        let drawing = state.render();
        let ascii = self.options.ascii;
        self.console.write_text(&output::render_colored(&if ascii {
            drawing.into_ascii()
        } else {
            drawing
        }))
    }

    /// Prints the move that was just made, and the board after it.
    pub(super) fn show_move(&mut self, session: &Session, side: Side) -> Result<(), ExitReason> {
        let mv = session.game_state().last_move().unwrap_or_default();
        let is_single_human = session
            .seats()
            .iter()
            .filter(|player| player.is_human())
            .count()
            == 1;
        let text = match session.participant(side) {
            Participant::Player(_) | Participant::Guest if is_single_human => {
                format!("You play {mv}.")
            }
            player => format!("{player} plays {mv}."),
        };
        self.console.write_line("")?;
        self.console.write_line(&text)?;
        self.show_board(session)
    }

    /// Shows the records of the human players.
    fn show_records(&mut self, session: Option<&Session>) -> Result<(), ExitReason> {
        if self.humans.is_empty() {
            return self.console.write_line("There are no players yet.");
        }
        for name in self.humans.clone() {
            self.show_record(&name)?;
            if let Some(session) = session {
                self.show_record_in_game(&name, session)?;
            }
        }
        Ok(())
    }

    /// Shows how many games a player has won, lost and tied. A record that can't be read doesn't
    /// stop the game.
    pub(super) fn show_record(&mut self, name: &Name) -> Result<(), ExitReason> {
        let line = match self
            .store_handle
            .block_on(self.store_handle.store().player_tally(name))
        {
            Ok(tally) => format!("{name}: {}.", tally_text(tally.unwrap_or_default())),
            Err(error) => format!("Sorry, {name}'s record can't be read: {error}."),
        };
        self.console.write_line(&line)
    }

    /// Shows the player's record in this variant and against this opponent.
    fn show_record_in_game(&mut self, name: &Name, session: &Session) -> Result<(), ExitReason> {
        let Ok(Some(record)) = self
            .store_handle
            .block_on(self.store_handle.store().player_record(name))
        else {
            return Ok(());
        };
        let variant = session.game_state().variant();
        for (game, tally) in &record.by_variant {
            if *game == variant {
                let line = format!("{name} in {game}: {}.", tally_text(*tally));
                self.console.write_line(&line)?;
            }
        }
        let opponents = session
            .seats()
            .iter()
            .filter(|player| player.player_name() != Some(name));
        for opponent in opponents {
            let seat = opponent.to_seat();
            for (recorded_seat, tally) in &record.by_opponent {
                if *recorded_seat == seat {
                    let line = format!("{name} against {opponent}: {}.", tally_text(*tally));
                    self.console.write_line(&line)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn goodbye(&mut self) -> Result<(), ExitReason> {
        let names: Vec<&str> = self.humans.iter().map(Name::as_str).collect();
        let text = match names.as_slice() {
            [] => "Goodbye.".to_owned(),
            names => format!("Goodbye, {}.", names.join(" and ")),
        };
        self.console.write_line(&text)?;
        self.console.flush()
    }
}

/// How to write a move.
pub(super) fn move_syntax(variant: Variant) -> String {
    match variant {
        Variant::Mnk(_) => {
            "row and column, counted from 1, such as 1 1, or a cell such as a1".into()
        }
        Variant::TicTacTwo(_) => {
            "the number of an option, or a whole move: a cell such as c3 (or 3 3) to place a \
             piece, @d3 to move the grid, b2-c4 to move a piece"
                .into()
        }
        Variant::Nested(options) => {
            let letters = options.depth().into();
            let example = "eaicgb".get(..letters).unwrap_or("e");
            format!("a cell, one letter from a to i for each level, such as {example}")
        }
    }
}

/// A player's record.
pub(super) fn tally_text(tally: Tally) -> String {
    noughts_text::tally(tally.wins, tally.losses, tally.draws)
}
