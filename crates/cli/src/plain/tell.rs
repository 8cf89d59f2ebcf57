//! What is said and shown without being asked for a decision: the welcome, the
//! board, whose turn it is, records, help, the goodbye.

use noughts_rules::{AnyPlay, Player, Variant};
use noughts_store::{Assistance, Name, Tally};

use super::Host;
use super::dialogue::Leave;
use super::spoken::spoken;
use super::words::Word;
use crate::output;
use noughts_session::rulebook;
use noughts_session::{Session, Who};

/// How wide long texts are.
const COLUMNS: usize = 76;

/// More moves than these nobody reads.
const MOST_MOVES: usize = 250;

impl Host<'_> {
    pub(super) fn welcome(&mut self) -> Result<(), Leave> {
        self.talk.say("Welcome to noughts.")?;
        if !self.keeper.is_kept() {
            self.talk
                .say("Nothing is kept: games and records are gone when the program ends.")?;
        }
        self.talk
            .say("At any question, help lists what you can say, rules tells the rules, q leaves.")
    }

    /// Which game this is.
    pub(super) fn name_game(&mut self) -> Result<(), Leave> {
        let (variant, sentence) = (self.variant, self.variant.sentence());
        let said = self.spelled(&format!("The game is {variant}. {sentence}"));
        self.talk.say(&said)
    }

    /// Sees to a word that changes nothing.
    pub(super) fn tell(&mut self, word: Word, at: Option<&Session>) -> Result<(), Leave> {
        match (word, at) {
            (Word::Record, _) => self.records(at),
            (word, None) if self.offered.is_some() => self.tell_offered(word),
            (Word::Help, _) => self.help(self.variant),
            (Word::Rules, _) => self.rules(self.variant),
            (_, None) => self.talk.say("There is no game yet."),
            (Word::Board, Some(session)) => self.board(session),
            (Word::Read, Some(session)) => self.read(session.play()),
            (_, Some(session)) if session.over().is_some() => {
                self.talk.say("The game is over, and stays as it is.")
            }
            (Word::Moves, Some(session)) => self.moves(session.play()),
            (Word::Hint, Some(session)) => self.give_hint(session),
            // The others are seen to where they are said.
            _ => Ok(()),
        }
    }

    /// A hint, once it is stored that the game had one.
    fn give_hint(&mut self, session: &Session) -> Result<(), Leave> {
        let first = session.assisted().is_none() && !self.hinted;
        if first {
            let (store, how) = (self.keeper.store(), Assistance::Hint);
            let marked = self.keeper.wait(store.mark_assisted(session.id(), how));
            if let Err(error) = marked {
                return self.refuse(&error.to_string());
            }
            self.hinted = true;
        }
        let hint = self.hint(session)?;
        self.talk.say(&hint)?;
        match first {
            true => self.talk.say(Assistance::Hint.notice()),
            false => Ok(()),
        }
    }

    pub(super) fn rules(&mut self, variant: Variant) -> Result<(), Leave> {
        for line in rulebook::lines(variant, COLUMNS) {
            let line = self.spelled(&line);
            self.talk.say(&line)?;
        }
        Ok(())
    }

    /// The board in words.
    pub(super) fn read(&mut self, play: &AnyPlay) -> Result<(), Leave> {
        for line in spoken(play) {
            self.talk.say(&line)?;
        }
        Ok(())
    }

    pub(super) fn help(&mut self, variant: Variant) -> Result<(), Leave> {
        self.talk
            .say(&format!("A move: {}.", how_to_move(variant)))?;
        self.talk.say("These words work at any question:")?;
        for line in Word::list() {
            self.talk.say(&line)?;
        }
        self.talk
            .say("Somebody who is called like one of these words sits down by --x human:NAME.")
    }

    fn moves(&mut self, play: &AnyPlay) -> Result<(), Leave> {
        let moves = play.legal_moves();
        let listed = moves[..moves.len().min(MOST_MOVES)].join(" ");
        self.talk.say(&match moves.len() {
            1 => "There is 1 legal move:".to_owned(),
            many if many <= MOST_MOVES => format!("There are {many} legal moves:"),
            many => format!("There are {many} legal moves; the first {MOST_MOVES} are:"),
        })?;
        let mut lines = Vec::new();
        rulebook::wrap(&listed, COLUMNS, &mut lines);
        for line in lines {
            self.talk.say(&line)?;
        }
        Ok(())
    }

    /// The board, and whose turn it is.
    pub(super) fn board(&mut self, session: &Session) -> Result<(), Leave> {
        self.draw(session.play())?;
        match session.to_move() {
            Some(name @ (Who::Person(_) | Who::Guest)) => {
                let (side, task) = (session.play().side(), session.play().task());
                let turn = format!("{name}, you are {side} and it is your turn: {task}.");
                self.talk.say(&turn)
            }
            Some(Who::Bot(_)) | None => Ok(()),
        }
    }

    pub(super) fn draw(&mut self, play: &AnyPlay) -> Result<(), Leave> {
        let drawing = play.draw();
        let ascii = self.wishes.ascii;
        self.talk.show(&output::coloured(&if ascii {
            drawing.ascii()
        } else {
            drawing
        }))
    }

    /// Tells the move that was just made, and shows what it did.
    pub(super) fn show_move(&mut self, session: &Session, side: Player) -> Result<(), Leave> {
        let mv = session.play().last_move().unwrap_or_default();
        let alone = session.seats().iter().filter(|who| who.is_person()).count() == 1;
        let said = match session.who(side) {
            Who::Person(_) | Who::Guest if alone => format!("You play {mv}."),
            who => format!("{who} plays {mv}."),
        };
        self.talk.say("")?;
        self.talk.say(&said)?;
        self.board(session)
    }

    /// The records of the people at the table.
    fn records(&mut self, at: Option<&Session>) -> Result<(), Leave> {
        if self.guests.is_empty() {
            return self.talk.say("Nobody has sat down yet.");
        }
        for name in self.guests.clone() {
            self.record(&name)?;
            if let Some(session) = at {
                self.record_against(&name, session)?;
            }
        }
        Ok(())
    }

    /// What one person has won, lost and tied. A record that cannot be read stops
    /// no game.
    pub(super) fn record(&mut self, name: &Name) -> Result<(), Leave> {
        let line = match self.keeper.wait(self.keeper.store().tally(name)) {
            Ok(tally) => format!("{name}: {}.", tallied(tally.unwrap_or_default())),
            Err(error) => format!("Sorry, the record of {name} cannot be read: {error}."),
        };
        self.talk.say(&line)
    }

    /// The same in this game, and against this opponent.
    fn record_against(&mut self, name: &Name, session: &Session) -> Result<(), Leave> {
        let Ok(Some(record)) = self.keeper.wait(self.keeper.store().record(name)) else {
            return Ok(());
        };
        let variant = session.play().variant();
        for (game, tally) in &record.by_game {
            if *game == variant {
                let line = format!("{name} in {game}: {}.", tallied(*tally));
                self.talk.say(&line)?;
            }
        }
        let opponents = session
            .seats()
            .iter()
            .filter(|who| who.person() != Some(name));
        for opponent in opponents {
            let seat = opponent.seat();
            for (against, tally) in &record.by_opponent {
                if *against == seat {
                    let line = format!("{name} against {opponent}: {}.", tallied(*tally));
                    self.talk.say(&line)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn goodbye(&mut self) -> Result<(), Leave> {
        let names: Vec<&str> = self.guests.iter().map(Name::as_str).collect();
        let said = match names.as_slice() {
            [] => "Goodbye.".to_owned(),
            names => format!("Goodbye, {}.", names.join(" and ")),
        };
        self.talk.say(&said)?;
        self.talk.flush()
    }
}

/// How a move is written.
pub(super) fn how_to_move(variant: Variant) -> String {
    match variant {
        Variant::Mnk(_) => {
            "row and column counted from 1, such as 1 1, or a cell such as a1".into()
        }
        Variant::TicTacTwo(_) => {
            "the number of one of the options, or at once a cell such as c3 (or 3 3) to place a \
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

/// `3 games: 1 won, 2 lost, 0 tied`.
pub(super) fn tallied(tally: Tally) -> String {
    let Tally { wins, losses, ties } = tally;
    match tally.games() {
        0 => "no rated games yet".into(),
        1 => format!("1 game: {wins} won, {losses} lost, {ties} tied"),
        games => format!("{games} games: {wins} won, {losses} lost, {ties} tied"),
    }
}
