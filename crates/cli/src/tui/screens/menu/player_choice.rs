//! The menu's choice for each player: a human by name, or a bot by level.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_store::{Name, Tally};

use noughts_session::Participant;
use noughts_text::{LEVELS, numbered_player};

/// The choice for a player. Keeps both the name and the level, so that switching back and forth
/// loses nothing.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlayerChoice {
    pub(super) is_human: bool,
    /// As typed; empty means the default name.
    pub(super) name: String,
    /// The level of a bot, in any game.
    pub(super) level: BotKind,
}

impl PlayerChoice {
    pub(super) fn human() -> PlayerChoice {
        PlayerChoice {
            is_human: true,
            name: String::new(),
            level: BotKind::Medium,
        }
    }

    pub(super) fn bot() -> PlayerChoice {
        PlayerChoice {
            is_human: false,
            ..PlayerChoice::human()
        }
    }

    /// The name and the level, for saving.
    pub(super) fn to_saved(&self) -> (String, String) {
        (self.name.clone(), self.level.name().into())
    }

    pub(super) fn restore(&mut self, (name, level): &(String, String)) {
        if Name::new(name).is_ok() {
            self.name.clone_from(name);
        }
        if let Ok(level) = level.parse() {
            self.level = level;
        }
    }

    /// Sets the choice from a participant.
    pub(super) fn assign(&mut self, participant: &Participant) {
        self.is_human = participant.is_human();
        match participant {
            Participant::Player(name) => self.name = name.as_str().into(),
            Participant::Guest => self.name.clear(),
            Participant::Bot(kind) => self.level = *kind,
        }
    }

    /// The level, or the next stronger one that plays this game.
    pub(super) fn level(&self, variant: Variant) -> BotKind {
        let stronger = BotKind::ALL
            .into_iter()
            .skip_while(|&bot| bot != self.level);
        let mut playing = stronger.filter(|kind| kind.check_supports(variant).is_ok());
        playing.next().unwrap_or(BotKind::Best)
    }

    /// Switches to the next or previous level.
    pub(super) fn next_level(&mut self, variant: Variant, forward: bool) {
        self.level = cycle(&levels(variant), &self.level(variant), forward);
    }

    /// Switches to the next or previous known player; the default name is one of the choices.
    pub(super) fn next_known_player(
        &mut self,
        player: usize,
        known_players: &[(Name, Tally)],
        forward: bool,
    ) {
        let default = default_name(player);
        let mut names = vec![default.clone()];
        names.extend(known_players.iter().map(|(name, _)| name.clone()));
        names.dedup();
        let next = match self.display_name(player) {
            Ok(current) if names.contains(&current) => cycle(&names, &current, forward),
            _ => default.clone(),
        };
        self.name = match next == default {
            true => String::new(),
            false => next.to_string(),
        };
    }

    /// The name, or why it is invalid.
    pub(super) fn display_name(&self, player: usize) -> Result<Name, String> {
        if self.name.trim().is_empty() {
            return Ok(default_name(player));
        }
        Name::new(&self.name).map_err(|error| error.to_string())
    }

    pub(super) fn participant(
        &self,
        player: usize,
        variant: Variant,
    ) -> Result<Participant, String> {
        if self.is_human {
            self.display_name(player).map(Participant::Player)
        } else {
            Ok(Participant::Bot(self.level(variant)))
        }
    }
}

/// The bots that play this game: the levels, weakest first, then the bots for experiments.
pub(crate) fn levels(variant: Variant) -> Vec<BotKind> {
    let others = BotKind::ALL.into_iter().filter(|bot| !LEVELS.contains(bot));
    let bots = LEVELS.into_iter().chain(others);
    bots.filter(|bot| bot.check_supports(variant).is_ok())
        .collect()
}

/// The name of a human who didn't enter one.
pub(super) fn default_name(player: usize) -> Name {
    let name = Name::new(&numbered_player(player + 1));
    // This is always a valid name.
    name.unwrap_or_else(|error| unreachable!("{error}"))
}

/// The value after or before the current one, wrapping around.
pub(super) fn cycle<T: PartialEq + Clone>(values: &[T], current: &T, forward: bool) -> T {
    let index = values.iter().position(|value| value == current);
    let step = if forward { 1 } else { values.len() - 1 };
    values[(index.unwrap_or(0) + step) % values.len()].clone()
}

pub(super) fn record_text(tally: Tally) -> String {
    noughts_text::short_tally(tally.wins, tally.losses, tally.draws)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::new(text).expect("a name")
    }

    #[test]
    fn an_empty_name_becomes_the_default_name() {
        let mut player = PlayerChoice::human();
        assert_eq!(player.display_name(0), Ok(name("Player 1")));
        assert_eq!(player.display_name(1), Ok(name("Player 2")));
        player.name = "  ".into();
        assert_eq!(player.display_name(1), Ok(name("Player 2")));
        player.name = " Ann ".into();
        assert_eq!(player.display_name(1), Ok(name("Ann")));
        player.name = "\u{200b}".into();
        assert!(player.display_name(1).is_err(), "no visible characters");
    }

    #[test]
    fn known_players_cycle() {
        let known_players = ["Ann", "Bo"].map(|text| (name(text), Tally::default()));
        let mut player = PlayerChoice::human();
        for expected in ["Ann", "Bo", "", "Ann"] {
            player.next_known_player(0, &known_players, true);
            assert_eq!(player.name, expected);
        }
        player.next_known_player(0, &known_players, false);
        assert_eq!(player.name, "");
        player.name = "somebody new".into();
        player.next_known_player(0, &known_players, true);
        assert_eq!(player.name, "");
    }

    #[test]
    fn an_unavailable_level_falls_back_to_a_stronger_one() {
        let mut player = PlayerChoice::bot();
        player.level = BotKind::Negamax;
        assert_eq!(player.level(Variant::CLASSIC), BotKind::Negamax);
        let other = player.level(Variant::ULTIMATE);
        assert!(other > BotKind::Negamax && other.check_supports(Variant::ULTIMATE).is_ok());
        let count = levels(Variant::ULTIMATE).len();
        assert_eq!(count, BotKind::ALL.len() - 1);
        for _ in 0..count {
            player.next_level(Variant::ULTIMATE, true);
            assert!(
                player
                    .level(Variant::ULTIMATE)
                    .check_supports(Variant::ULTIMATE)
                    .is_ok()
            );
        }
        assert_eq!(player.level(Variant::ULTIMATE), other, "wraps around");
    }
}
