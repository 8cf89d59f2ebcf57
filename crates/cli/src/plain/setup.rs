//! Choosing the players: names, humans or bots, levels and the order, as far as the command line
//! leaves them open.

use noughts_engine::BotKind;
use noughts_rules::{Side, Variant};
use noughts_store::Name;

use super::PlainMode;
use super::console::PlainResult;
use super::messages::tally_text;
use noughts_session::Participant;
use noughts_session::player_input;
use noughts_session::policy::RequestedPlayer;
use noughts_text::{LEVELS, bot_name, numbered_player};

impl PlainMode<'_> {
    /// Asks for X's player and O's.
    pub(super) fn choose_players(&mut self) -> PlainResult<[Participant; 2]> {
        self.announce_game()?;
        if let Some(start) = &self.start {
            let side = start.side();
            self.write_line(format!(
                "It starts from a custom position, with {side} to move."
            ))?;
        }
        match self.options.request.seats.clone() {
            [None, None] => self.ask_both_players(),
            [Some(x), o] => {
                let x = self.resolve_player(x, None)?;
                let o = match o {
                    Some(o) => self.resolve_player(o, Some(&x))?,
                    None => self.ask_opponent(&x)?,
                };
                Ok([x, o])
            }
            [None, Some(o)] => {
                let o = self.resolve_player(o, None)?;
                let x = self.ask_opponent(&o)?;
                Ok([x, o])
            }
        }
    }

    fn ask_both_players(&mut self) -> PlainResult<[Participant; 2]> {
        let player = self.ask_human(None)?;
        let opponent = self.ask_opponent(&player)?;
        let side = self.start_state().side();
        let question = format!("Does {player} move first, as {side}? (y or n)");
        let is_first = self.ask_yes_no(&question, None)?;
        Ok(match is_first == (side == Side::X) {
            true => [player, opponent],
            false => [opponent, player],
        })
    }

    /// A player that the command line specifies, at least in part.
    fn resolve_player(
        &mut self,
        requested: RequestedPlayer,
        other: Option<&Participant>,
    ) -> PlainResult<Participant> {
        match requested {
            RequestedPlayer::Bot(kind) => self.introduce(kind),
            RequestedPlayer::Human(None) => self.ask_human(other),
            RequestedPlayer::Human(Some(name)) => self.greet(name),
        }
    }

    /// The opponent of a bot is a human; the opponent of a human may be either.
    fn ask_opponent(&mut self, player: &Participant) -> PlainResult<Participant> {
        match player {
            Participant::Bot(_) => self.ask_human(Some(player)),
            Participant::Player(_) | Participant::Guest => self.ask_human_or_bot(player),
        }
    }

    /// Asks for a name until it is valid.
    fn ask_human(&mut self, other: Option<&Participant>) -> PlainResult<Participant> {
        let number = self.humans.len() + 1;
        let default_name = numbered_player(number);
        let whose = match (other, number) {
            (Some(Participant::Bot(_)), _) => "What's your name?",
            (_, 1) => "What's the first player's name?",
            _ => "What's the second player's name?",
        };
        let question = format!("{whose} (empty for {default_name})");
        let taken = other.and_then(Participant::player_name);
        let name = self.ask_until(&question, None, |text| {
            let text = if text.is_empty() { &default_name } else { text };
            match Name::new(text).map_err(|error| error.to_string())? {
                name if taken == Some(&name) => Err(noughts_text::same_player(name.as_str())),
                name => Ok(name),
            }
        })?;
        self.greet(name)
    }

    /// Greets a player with their record, or as a new player.
    fn greet(&mut self, name: Name) -> PlainResult<Participant> {
        let record = self.store_handle.query(|store| store.player_record(&name));
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
        self.write_line(&text)?;
        self.humans.push(name.clone());
        Ok(Participant::Player(name))
    }

    /// Describes a bot.
    fn introduce(&mut self, kind: BotKind) -> PlainResult<Participant> {
        let description = kind.description(Some(self.variant));
        let name = bot_name(kind);
        self.write_line(format!("The computer plays as {name}. {description}"))?;
        Ok(Participant::Bot(kind))
    }

    /// Asks whether the second player is a human or a bot, and which.
    fn ask_human_or_bot(&mut self, player: &Participant) -> PlainResult<Participant> {
        let question = "Is the second player a human or a computer? (h or c, or a bot's name)";
        let variant = self.variant;
        let choice = self.ask_until(question, None, |text| match text.to_lowercase().as_str() {
            "h" | "human" | "person" => Ok(Some(RequestedPlayer::Human(None))),
            "c" | "computer" | "bot" => Ok(None),
            name => {
                let kind = parse_bot(name, variant, "h for a human, c for a computer,")?;
                Ok(Some(RequestedPlayer::Bot(kind)))
            }
        })?;
        match choice {
            Some(request) => self.resolve_player(request, Some(player)),
            None => self.ask_level(),
        }
    }

    fn ask_level(&mut self) -> PlainResult<Participant> {
        self.write_line("Levels:")?;
        for (number, kind) in LEVELS.into_iter().enumerate() {
            let description = kind.description(Some(self.variant));
            let name = bot_name(kind);
            self.write_line(format!("{number} or {name}: {description}"))?;
        }
        let variant = self.variant;
        let bots = bot_names(variant);
        self.write_line(format!("All bots, weakest first: {bots}."))?;
        let question = "Which level? (0 to 3, or a bot's name)";
        let kind = self.ask_until(question, None, |text| {
            let level = text.parse().ok();
            match level.and_then(|number: usize| LEVELS.get(number)) {
                Some(kind) => Ok(*kind),
                None => parse_bot(text, variant, "a number from 0 to 3"),
            }
        })?;
        self.introduce(kind)
    }
}

/// Parses the name of a bot that plays this game. The refusal lists what else can be answered.
fn parse_bot(name: &str, variant: Variant, others: &str) -> Result<BotKind, String> {
    let kind = player_input::parse_bot(name).map_err(|_| {
        let bots = bot_names(variant);
        format!("that isn't one of the choices; type {others} or the name of a bot: {bots}")
    })?;
    let supported = kind.check_supports(variant);
    supported.map_or_else(|error| Err(error.to_string()), |()| Ok(kind))
}

/// The names of the bots that play this game.
fn bot_names(variant: Variant) -> String {
    let playing = |kind: &BotKind| kind.check_supports(variant).is_ok();
    let bots = BotKind::ALL.into_iter().filter(playing);
    bots.map(BotKind::name).collect::<Vec<_>>().join(", ")
}
