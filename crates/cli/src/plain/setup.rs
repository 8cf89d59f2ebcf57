//! Who plays: names, kinds, levels and the order, as far as the command line leaves
//! them open.

use noughts_engine::BotKind;
use noughts_rules::Side;
use noughts_store::Name;

use super::PlainMode;
use super::console::ExitReason;
use super::messages::tally_text;
use crate::participant_arg::ParticipantArg;
use noughts_session::Participant;

/// The three levels, by their numbers.
const LEVELS: [BotKind; 3] = [BotKind::Easy, BotKind::Medium, BotKind::Hard];

impl PlainMode<'_> {
    /// X's and O's player.
    pub(super) fn choose_players(&mut self) -> Result<[Participant; 2], ExitReason> {
        self.announce_game()?;
        if let Some(from) = &self.start {
            let said = format!(
                "It starts from a given position, with {} to move.",
                from.side()
            );
            self.console.write_line(&said)?;
        }
        match self.options.seats.clone() {
            [None, None] => self.ask_for_both(),
            [Some(x), Some(o)] => {
                let x = self.take_seat(x, None)?;
                let o = self.take_seat(o, Some(&x))?;
                Ok([x, o])
            }
            [Some(x), None] => {
                let x = self.take_seat(x, None)?;
                let o = self.opponent_of(&x)?;
                Ok([x, o])
            }
            [None, Some(o)] => {
                let o = self.take_seat(o, None)?;
                let x = self.opponent_of(&o)?;
                Ok([x, o])
            }
        }
    }

    fn ask_for_both(&mut self) -> Result<[Participant; 2], ExitReason> {
        let one = self.person(None)?;
        let two = self.opponent_of(&one)?;
        let side = self.start_state().side();
        let first = self.ask_yes_no(&format!("Does {one} begin, as {side}? (y or n)"), None)?;
        let one_is_x = first == (side == Side::X);
        Ok(if one_is_x { [one, two] } else { [two, one] })
    }

    /// Somebody whom the command line names, at least in part.
    fn take_seat(
        &mut self,
        wanted: ParticipantArg,
        other: Option<&Participant>,
    ) -> Result<Participant, ExitReason> {
        match wanted {
            ParticipantArg::Bot(kind) => self.introduce(kind),
            ParticipantArg::Human(None) => self.person(other),
            ParticipantArg::Human(Some(name)) => self.greet(name),
        }
    }

    /// Whoever plays against a computer is a person; a person may play either.
    fn opponent_of(&mut self, one: &Participant) -> Result<Participant, ExitReason> {
        match one {
            Participant::Bot(_) => self.person(Some(one)),
            Participant::Player(_) | Participant::Guest => self.kind(one),
        }
    }

    /// Asks for a name until it is one.
    fn person(&mut self, other: Option<&Participant>) -> Result<Participant, ExitReason> {
        let number = self.humans.len() + 1;
        let usual = format!("Player {number}");
        let whose = match (other, number) {
            (Some(Participant::Bot(_)), _) => "What is your name?",
            (_, 1) => "What is the name of the first player?",
            _ => "What is the name of the second player?",
        };
        let question = format!("{whose} (an empty line: {usual})");
        loop {
            let text = self.ask_text(&question, None)?;
            let text = if text.is_empty() { &usual } else { &text };
            match Name::new(text) {
                Err(error) => self.refuse(&error.to_string())?,
                Ok(name) if other.and_then(Participant::player_name) == Some(&name) => self
                    .refuse(&format!(
                        "{name} cannot play both sides; the second player needs another name"
                    ))?,
                Ok(name) => return self.greet(name),
            }
        }
    }

    /// Shows a person's record, or says that they are new.
    fn greet(&mut self, name: Name) -> Result<Participant, ExitReason> {
        let known = self
            .store_handle
            .block_on(self.store_handle.store().player_record(&name));
        // Somebody who is known is called as they first wrote it.
        let name = match &known {
            Ok(Some(record)) => record.name.clone(),
            _ => name,
        };
        let said = match known {
            Ok(Some(record)) => format!("Welcome back, {name}: {}.", tally_text(record.total)),
            Ok(None) => format!("Welcome, {name}. You are new here."),
            Err(error) => format!("Welcome, {name}. Your record cannot be read: {error}."),
        };
        self.console.write_line(&said)?;
        self.humans.push(name.clone());
        Ok(Participant::Player(name))
    }

    /// Says what a bot is, without making it stronger or weaker than it is.
    fn introduce(&mut self, kind: BotKind) -> Result<Participant, ExitReason> {
        let sentence = kind.description(Some(self.variant));
        self.console
            .write_line(&format!("The computer plays as {kind}. {sentence}"))?;
        Ok(Participant::Bot(kind))
    }

    /// Is the second player a person or a computer, and which?
    fn kind(&mut self, one: &Participant) -> Result<Participant, ExitReason> {
        let question =
            "Is the second player a human or a computer? (h or c, or a bot's name at once)";
        loop {
            let text = self.ask_text(question, None)?;
            match text.to_lowercase().as_str() {
                "h" | "human" | "person" => return self.person(Some(one)),
                "c" | "computer" | "bot" => return self.level(),
                name => match self.bot(name) {
                    Ok(kind) => return self.introduce(kind),
                    Err(Some(reason)) => self.refuse(&reason)?,
                    Err(None) => {
                        let bots = self.names();
                        self.refuse(&format!(
                            "the answer is h for a human, c for a computer, or a bot: {bots}"
                        ))?;
                    }
                },
            }
        }
    }

    fn level(&mut self) -> Result<Participant, ExitReason> {
        self.console.write_line("The levels:")?;
        for (number, kind) in LEVELS.into_iter().enumerate() {
            let sentence = kind.description(Some(self.variant));
            self.console
                .write_line(&format!("{number} or {kind}: {sentence}"))?;
        }
        let bots = self.names();
        self.console
            .write_line(&format!("All bots, the weakest first: {bots}."))?;
        loop {
            let text = self.ask_text("Which level? (0, 1, 2, or a bot's name)", None)?;
            let level = text
                .parse()
                .ok()
                .and_then(|number: usize| LEVELS.get(number));
            match level.map_or_else(|| self.bot(&text.to_lowercase()), |&kind| Ok(kind)) {
                Ok(kind) => return self.introduce(kind),
                Err(reason) => self.refuse(
                    &reason.unwrap_or_else(|| format!("the answer is 0, 1 or 2, or a bot: {bots}")),
                )?,
            }
        }
    }

    /// A bot that plays this game, by its name; the reason why it does not, if there
    /// is such a bot.
    fn bot(&self, name: &str) -> Result<BotKind, Option<String>> {
        let kind: BotKind = name.parse().map_err(|_| None)?;
        match kind.check_supports(self.variant) {
            Ok(()) => Ok(kind),
            Err(reason) => {
                let variant = self.variant;
                Err(Some(format!("{kind} does not play {variant}: {reason}")))
            }
        }
    }

    /// The bots that play this game.
    fn names(&self) -> String {
        let plays = |kind: &BotKind| kind.check_supports(self.variant).is_ok();
        let names: Vec<&str> = BotKind::ALL
            .into_iter()
            .filter(plays)
            .map(BotKind::name)
            .collect();
        names.join(", ")
    }
}
