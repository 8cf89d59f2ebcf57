//! Messages that don't ask for a decision: the welcome, the board, whose turn it is, records, help,
//! the goodbye.

use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{Name, PlayerFilter, Tally};
use noughts_text::{Action, is_or_are, plural};

use super::PlainMode;
use super::console::PlainResult;
use crate::output;
use noughts_session::Session;
use noughts_session::rulebook;

/// The width of wrapped text.
const COLUMNS: usize = 76;

/// How many legal moves are listed at most.
const MAX_MOVES: usize = 250;

/// How many records are shown at most while it isn't known who plays.
const MAX_RECORDS: u32 = 9;

impl PlainMode<'_> {
    pub(super) fn welcome(&mut self) -> PlainResult {
        self.write_line("Welcome to noughts.")?;
        if !self.store_handle.is_persistent() {
            self.write_line("Nothing is saved: games and records are lost when you quit.")?;
        }
        self.write_line("At any prompt, type help for commands, rules for the rules, or q to quit.")
    }

    /// Prints which game this is.
    pub(super) fn announce_game(&mut self) -> PlainResult {
        let (variant, sentence) = (self.variant, self.variant.summary());
        self.write_line(self.ascii_if_requested(&format!("The game is {variant}. {sentence}")))
    }

    /// Runs a command that doesn't change the game.
    pub(super) fn run_info_command(
        &mut self,
        command: Action,
        session: Option<&Session>,
    ) -> PlainResult {
        match (command, session) {
            (Action::Records, _) if self.humans.is_empty() => self.show_recent_records(),
            (Action::Records, _) => self.show_records(session),
            (command, None) if self.offered_game.is_some() => {
                self.run_command_on_offered_game(command)
            }
            (Action::Help, _) => self.show_help(self.variant, session),
            (Action::Rules, _) => self.show_rules(self.variant),
            (_, None) => self.write_line("There's no game yet."),
            (Action::Board, Some(session)) => self.show_board(session),
            (Action::Read, Some(session)) => self.describe_board(session.game_state()),
            (_, Some(session)) if session.result().is_some() => {
                self.write_line("The game is over.")
            }
            (Action::Moves, Some(session)) => self.list_moves(session.game_state()),
            (Action::Hint, Some(session)) => self.give_hint(session),
            // The others change the game, and are run by the caller.
            _ => Ok(()),
        }
    }

    /// Gives a hint in a game that had assistance before.
    pub(super) fn give_hint(&mut self, session: &Session) -> PlainResult {
        let report = self.ask_advisor(session.game_state(), "Finding a hint.".into())?;
        self.write_line(match &report.best {
            Some(mv) => format!("Hint: {hint}.", hint = noughts_text::hint(mv, report.value)),
            None => "No hint: there are no legal moves.".into(),
        })
    }

    pub(super) fn show_rules(&mut self, variant: Variant) -> PlainResult {
        for line in rulebook::rules_lines(variant, COLUMNS) {
            self.write_line(self.ascii_if_requested(&line))?;
        }
        Ok(())
    }

    /// Describes the board in words.
    pub(super) fn describe_board(&mut self, state: &AnyGameState) -> PlainResult {
        self.write_lines(noughts_text::describe_board(state.view()))
    }

    pub(super) fn show_help(&mut self, variant: Variant, session: Option<&Session>) -> PlainResult {
        let state = session.map_or_else(
            || AnyGameState::new(variant),
            |session| session.game_state().clone(),
        );
        let forms = noughts_text::move_forms(&state);
        if !forms.is_empty() {
            self.write_line(format!("To make a move, type {}.", forms.join("; or ")))?;
        }
        self.write_line("You can type these commands at any prompt:")?;
        self.write_lines(noughts_text::plain_help())?;
        self.write_line("If your name is one of these words, start noughts with --x human:NAME.")
    }

    fn list_moves(&mut self, state: &AnyGameState) -> PlainResult {
        let moves = state.legal_moves();
        let listed = moves[..moves.len().min(MAX_MOVES)].join(" ");
        let (are, count) = (is_or_are(moves.len()), plural(moves.len(), "legal move"));
        self.write_line(match moves.len() <= MAX_MOVES {
            true => format!("There {are} {count}:"),
            false => format!("There {are} {count}; the first {MAX_MOVES} are:"),
        })?;
        self.write_lines(noughts_text::wrap(&listed, COLUMNS))
    }

    /// Draws the board and says whose turn it is.
    pub(super) fn show_board(&mut self, session: &Session) -> PlainResult {
        self.draw_board(session.game_state(), session.result().is_some())?;
        let state = session.game_state();
        match session.to_move().filter(|player| player.is_human()) {
            Some(name) => {
                let (side, task) = (state.side(), state.instruction());
                self.write_line(format!("{name}, you're {side} and it's your turn: {task}."))
            }
            None => Ok(()),
        }
    }

    pub(super) fn draw_board(&mut self, state: &AnyGameState, is_over: bool) -> PlainResult {
        self.console
            .write_text(&output::draw(state, is_over, self.options.ascii))
    }

    /// Prints the move that was just made, and the board after it.
    pub(super) fn show_move(&mut self, session: &Session, side: Side) -> PlainResult {
        let mv = session.game_state().last_move().unwrap_or_default();
        let [player, other] = [side, side.other()].map(|side| session.participant(side));
        self.write_line("")?;
        self.write_line(match player.is_human() && !other.is_human() {
            true => format!("You played {mv}."),
            false => format!("{player} played {mv}."),
        })?;
        self.show_board(session)
    }

    /// Shows the records of the human players.
    pub(super) fn show_records(&mut self, session: Option<&Session>) -> PlainResult {
        for name in self.humans.clone() {
            self.show_record(&name)?;
            if let Some(session) = session {
                self.show_record_in_game(&name, session)?;
            }
        }
        Ok(())
    }

    /// Shows the records of the stored players who were active last, while it isn't known who plays.
    fn show_recent_records(&mut self) -> PlainResult {
        let filter = PlayerFilter {
            limit: Some(MAX_RECORDS),
            ..PlayerFilter::default()
        };
        match self.store_handle.query(|store| store.players(&filter)) {
            Ok(page) if page.players.is_empty() => self.write_line("There are no players yet."),
            Ok(page) => {
                for (name, tally) in page.players {
                    self.write_line(format!("{name}: {}.", tally_text(tally)))?;
                }
                match page.next {
                    None => Ok(()),
                    Some(_) => self.write_line("`noughts players` lists the others, too."),
                }
            }
            Err(error) => self.refuse(&format!("the players can't be read: {error}")),
        }
    }

    /// Shows how many games a player has won, lost and drawn. A record that can't be read doesn't
    /// stop the game.
    fn show_record(&mut self, name: &Name) -> PlainResult {
        self.write_line(
            match self.store_handle.query(|store| store.player_tally(name)) {
                Ok(tally) => format!("{name}: {}.", tally_text(tally.unwrap_or_default())),
                Err(error) => format!("Sorry, {name}'s record can't be read: {error}."),
            },
        )
    }

    /// Shows the player's record in this variant and against this opponent.
    fn show_record_in_game(&mut self, name: &Name, session: &Session) -> PlainResult {
        let Ok(Some(record)) = self.store_handle.query(|store| store.player_record(name)) else {
            return Ok(());
        };
        let variant = session.game_state().variant();
        let mut games = record.by_variant.iter();
        if let Some((game, tally)) = games.find(|(game, _)| *game == variant) {
            self.write_line(format!("{name} in {game}: {}.", tally_text(*tally)))?;
        }
        let seats = session.seats().iter();
        for opponent in seats.filter(|player| player.player_name() != Some(name)) {
            let seat = opponent.to_seat();
            let mut opponents = record.by_opponent.iter();
            if let Some((_, tally)) = opponents.find(|(other, _)| *other == seat) {
                self.write_line(format!(
                    "{name} against {opponent}: {}.",
                    tally_text(*tally)
                ))?;
            }
        }
        Ok(())
    }

    pub(super) fn goodbye(&mut self) -> PlainResult {
        let names: Vec<&str> = self.humans.iter().map(Name::as_str).collect();
        self.write_line(match names.as_slice() {
            [] => "Goodbye.".to_owned(),
            names => format!("Goodbye, {names}.", names = noughts_text::join_and(names)),
        })?;
        self.console.flush()
    }
}

/// A player's record.
pub(super) fn tally_text(tally: Tally) -> String {
    noughts_text::tally(tally.wins, tally.losses, tally.draws)
}
