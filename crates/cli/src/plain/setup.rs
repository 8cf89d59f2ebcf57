//! Choosing the players: names, humans or bots, levels and the order, as far as the command line
//! leaves them open.

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
    /// Asks for X's player and O's.
    pub(super) fn choose_players(&mut self) -> Result<[Participant; 2], ExitReason> {
        self.announce_game()?;
        if let Some(start) = &self.start {
            let text = format!(
                "It starts from a chosen position, with {side} to move.",
                side = start.side()
            );
            self.console.write_line(&text)?;
        }
        match self.options.seats.clone() {
            [None, None] => self.ask_both_players(),
            [Some(x), Some(o)] => {
                let x = self.resolve_player(x, None)?;
                let o = self.resolve_player(o, Some(&x))?;
                Ok([x, o])
            }
            [Some(x), None] => {
                let x = self.resolve_player(x, None)?;
                let o = self.ask_opponent(&x)?;
                Ok([x, o])
            }
            [None, Some(o)] => {
                let o = self.resolve_player(o, None)?;
                let x = self.ask_opponent(&o)?;
                Ok([x, o])
            }
        }
    }

    fn ask_both_players(&mut self) -> Result<[Participant; 2], ExitReason> {
        let player = self.ask_human(None)?;
        let opponent = self.ask_opponent(&player)?;
        let side = self.start_state().side();
        let first = self.ask_yes_no(
            &format!("Does {player} go first, as {side}? (y or n)"),
            None,
        )?;
        let player_is_x = first == (side == Side::X);
        Ok(if player_is_x {
            [player, opponent]
        } else {
            [opponent, player]
        })
    }

    /// A player that the command line specifies, at least in part.
    fn resolve_player(
        &mut self,
        requested: ParticipantArg,
        other: Option<&Participant>,
    ) -> Result<Participant, ExitReason> {
        match requested {
            ParticipantArg::Bot(kind) => self.introduce(kind),
            ParticipantArg::Human(None) => self.ask_human(other),
            ParticipantArg::Human(Some(name)) => self.greet(name),
        }
    }

    /// The opponent of a bot is a human; the opponent of a human may be either.
    fn ask_opponent(&mut self, player: &Participant) -> Result<Participant, ExitReason> {
        match player {
            Participant::Bot(_) => self.ask_human(Some(player)),
            Participant::Player(_) | Participant::Guest => self.ask_human_or_bot(player),
        }
    }

    /// Asks for a name until it is valid.
    fn ask_human(&mut self, other: Option<&Participant>) -> Result<Participant, ExitReason> {
        let number = self.humans.len() + 1;
        let default_name = format!("Player {number}");
        let whose = match (other, number) {
            (Some(Participant::Bot(_)), _) => "What's your name?",
            (_, 1) => "What's the first player's name?",
            _ => "What's the second player's name?",
        };
        let question = format!("{whose} (empty for {default_name})");
        loop {
            let text = self.ask_text(&question, None)?;
            let text = if text.is_empty() {
                &default_name
            } else {
                &text
            };
            match Name::new(text) {
                Err(error) => self.refuse(&error.to_string())?,
                Ok(name) if other.and_then(Participant::player_name) == Some(&name) => {
                    self.refuse(&noughts_text::same_player(name.as_str()))?;
                }
                Ok(name) => return self.greet(name),
            }
        }
    }

    /// Greets a player with their record, or as a new player.
    fn greet(&mut self, name: Name) -> Result<Participant, ExitReason> {
        let record = self
            .store_handle
            .block_on(self.store_handle.store().player_record(&name));
        // A known player's name keeps its first spelling.
        let name = match &record {
            Ok(Some(record)) => record.name.clone(),
            _ => name,
        };
        let text = match record {
            Ok(Some(record)) => format!("Welcome back, {name} ({}).", tally_text(record.total)),
            Ok(None) => format!("Welcome, {name}. You're new here."),
            Err(error) => format!("Welcome, {name}. Your record can't be read: {error}."),
        };
        self.console.write_line(&text)?;
        self.humans.push(name.clone());
        Ok(Participant::Player(name))
    }

    /// Describes a bot.
    fn introduce(&mut self, kind: BotKind) -> Result<Participant, ExitReason> {
        let description = kind.description(Some(self.variant));
        self.console
            .write_line(&format!("The computer plays as {kind}. {description}"))?;
        Ok(Participant::Bot(kind))
    }

    /// Asks whether the second player is a human or a bot, and which.
    fn ask_human_or_bot(&mut self, player: &Participant) -> Result<Participant, ExitReason> {
        let question = "Is the second player a human or a computer? (h or c, or a bot's name)";
        loop {
            let text = self.ask_text(question, None)?;
            match text.to_lowercase().as_str() {
                "h" | "human" | "person" => return self.ask_human(Some(player)),
                "c" | "computer" | "bot" => return self.ask_level(),
                name => match self.parse_bot(name) {
                    Ok(kind) => return self.introduce(kind),
                    Err(Some(reason)) => self.refuse(&reason)?,
                    Err(None) => {
                        let bots = self.bot_names();
                        self.refuse(&format!(
                            "please answer h for a human, c for a computer, or a bot: {bots}"
                        ))?;
                    }
                },
            }
        }
    }

    fn ask_level(&mut self) -> Result<Participant, ExitReason> {
        self.console.write_line("Levels:")?;
        for (number, kind) in LEVELS.into_iter().enumerate() {
            let description = kind.description(Some(self.variant));
            self.console
                .write_line(&format!("{number} or {kind}: {description}"))?;
        }
        let bots = self.bot_names();
        self.console
            .write_line(&format!("All bots, weakest first: {bots}."))?;
        loop {
            let text = self.ask_text("Which level? (0, 1, 2, or a bot's name)", None)?;
            let level = text
                .parse()
                .ok()
                .and_then(|number: usize| LEVELS.get(number));
            match level.map_or_else(|| self.parse_bot(&text.to_lowercase()), |&kind| Ok(kind)) {
                Ok(kind) => return self.introduce(kind),
                Err(reason) => self.refuse(
                    &reason.unwrap_or_else(|| format!("please answer 0, 1 or 2, or a bot: {bots}")),
                )?,
            }
        }
    }

    /// Parses the name of a bot that plays this game. The error has a reason if the bot exists.
    fn parse_bot(&self, name: &str) -> Result<BotKind, Option<String>> {
        let kind: BotKind = name.parse().map_err(|_| None)?;
        match kind.check_supports(self.variant) {
            Ok(()) => Ok(kind),
            Err(error) => Err(Some(error.to_string())),
        }
    }

    /// The names of the bots that play this game.
    fn bot_names(&self) -> String {
        let is_supported = |kind: &BotKind| kind.check_supports(self.variant).is_ok();
        let names: Vec<&str> = BotKind::ALL
            .into_iter()
            .filter(is_supported)
            .map(BotKind::name)
            .collect();
        names.join(", ")
    }
}
