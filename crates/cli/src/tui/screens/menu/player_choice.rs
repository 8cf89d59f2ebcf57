//! The two players of the menu: a person by name, or a computer by level.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_store::{Name, Tally};

use noughts_session::Participant;

/// What is chosen for a player. Both kinds are kept, so that going from one to the
/// other and back loses nothing.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlayerChoice {
    pub(super) is_human: bool,
    /// As typed; nothing stands for the player's number.
    pub(super) name: String,
    level: BotKind,
}

impl PlayerChoice {
    pub(super) fn human() -> PlayerChoice {
        PlayerChoice {
            is_human: true,
            name: String::new(),
            level: BotKind::Medium,
        }
    }

    pub(super) fn computer() -> PlayerChoice {
        PlayerChoice {
            is_human: false,
            ..PlayerChoice::human()
        }
    }

    /// The name and the level, for the next time.
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

    /// Puts somebody there.
    pub(super) fn assign(&mut self, who: &Participant) {
        match who {
            Participant::Player(name) => {
                self.is_human = true;
                self.name = name.as_str().into();
            }
            Participant::Guest => {
                self.is_human = true;
                self.name = String::new();
            }
            Participant::Bot(kind) => {
                self.is_human = false;
                self.level = *kind;
            }
        }
    }

    pub(super) fn set_level(&mut self, level: BotKind) {
        self.level = level;
    }

    /// The level, or the next stronger one that plays this game.
    pub(super) fn level(&self, variant: Variant) -> BotKind {
        let stronger = BotKind::ALL
            .into_iter()
            .skip_while(|&kind| kind != self.level);
        let mut playing = stronger.filter(|kind| kind.check_supports(variant).is_ok());
        playing.next().unwrap_or(BotKind::Best)
    }

    /// Goes to the next level, or the one before.
    pub(super) fn next_level(&mut self, variant: Variant, on: bool) {
        let levels = levels(variant);
        let now = self.level(variant);
        let at = levels.iter().position(|&kind| kind == now).unwrap_or(0);
        self.level = levels[cycle(at, levels.len(), on)];
    }

    /// Goes to the next person who is known, or the one before; the number of the
    /// player counts as one of them.
    pub(super) fn next_person(&mut self, number: usize, people: &[(Name, Tally)], on: bool) {
        let anonymous = stand_in(number);
        let mut names = vec![anonymous.clone()];
        names.extend(people.iter().map(|(name, _)| name.clone()));
        names.dedup();
        let now = self.known_as(number).ok();
        let at = names.iter().position(|name| Some(name) == now.as_ref());
        let next = &names[at.map_or(0, |at| cycle(at, names.len(), on))];
        self.name = if *next == anonymous {
            String::new()
        } else {
            next.to_string()
        };
    }

    /// The name, and why it cannot be one.
    pub(super) fn known_as(&self, number: usize) -> Result<Name, String> {
        if self.name.trim().is_empty() {
            return Ok(stand_in(number));
        }
        Name::new(&self.name).map_err(|error| error.to_string())
    }

    /// Who that is.
    pub(super) fn participant(
        &self,
        number: usize,
        variant: Variant,
    ) -> Result<Participant, String> {
        if self.is_human {
            self.known_as(number).map(Participant::Player)
        } else {
            Ok(Participant::Bot(self.level(variant)))
        }
    }
}

/// The levels that play this game, weakest first.
pub(super) fn levels(variant: Variant) -> Vec<BotKind> {
    let levels = BotKind::ALL.into_iter();
    levels
        .filter(|kind| kind.check_supports(variant).is_ok())
        .collect()
}

/// What somebody without a name is called.
pub(super) fn stand_in(number: usize) -> Name {
    let name = Name::new(&format!("Player {}", number + 1));
    // Such a name is always one.
    name.unwrap_or_else(|error| unreachable!("{error}"))
}

/// The next of so many, around the end.
pub(super) fn cycle(at: usize, many: usize, on: bool) -> usize {
    let many = many.max(1);
    (at + if on { 1 } else { many - 1 }) % many
}

/// A record in words.
pub(super) fn record_text(tally: Tally) -> String {
    let count = |many: u64, one: &str, more: &str| match many {
        1 => format!("1 {one}"),
        many => format!("{many} {more}"),
    };
    format!(
        "{}, {}, {}",
        count(tally.wins, "win", "wins"),
        count(tally.losses, "loss", "losses"),
        count(tally.draws, "tie", "ties"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::new(text).expect("a name")
    }

    #[test]
    fn an_empty_name_is_the_players_number() {
        let mut player = PlayerChoice::human();
        assert_eq!(player.known_as(0), Ok(name("Player 1")));
        assert_eq!(player.known_as(1), Ok(name("Player 2")));
        player.name = "  ".into();
        assert_eq!(player.known_as(1), Ok(name("Player 2")));
        player.name = " Ann ".into();
        assert_eq!(player.known_as(1), Ok(name("Ann")));
        player.name = "\u{200b}".into();
        assert!(player.known_as(1).is_err(), "nothing that can be seen");
    }

    #[test]
    fn people_come_round() {
        let people = ["Ann", "Bo"].map(|text| (name(text), Tally::default()));
        let mut player = PlayerChoice::human();
        for expected in ["Ann", "Bo", "", "Ann"] {
            player.next_person(0, &people, true);
            assert_eq!(player.name, expected);
        }
        player.next_person(0, &people, false);
        assert_eq!(player.name, "");
        player.name = "somebody new".into();
        player.next_person(0, &people, true);
        assert_eq!(player.name, "");
    }

    #[test]
    fn a_level_that_does_not_play_gives_way() {
        let mut player = PlayerChoice::computer();
        player.set_level(BotKind::Negamax);
        assert_eq!(player.level(Variant::CLASSIC), BotKind::Negamax);
        let other = player.level(Variant::ULTIMATE);
        assert!(other > BotKind::Negamax && other.check_supports(Variant::ULTIMATE).is_ok());
        let many = levels(Variant::ULTIMATE).len();
        assert_eq!(many, BotKind::ALL.len() - 1);
        for _ in 0..many {
            player.next_level(Variant::ULTIMATE, true);
            assert!(
                player
                    .level(Variant::ULTIMATE)
                    .check_supports(Variant::ULTIMATE)
                    .is_ok()
            );
        }
        assert_eq!(player.level(Variant::ULTIMATE), other, "all the way round");
    }
}
