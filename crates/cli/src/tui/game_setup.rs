//! The setup of a new game: the variant, the two players and who starts. Saved in the store as JSON
//! for the next run.

use noughts_rules::Variant;
use noughts_store::Name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use noughts_session::Participant;

/// The setup of a new game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameSetup {
    pub(crate) variant: Variant,
    /// Player 1 and player 2; `starting_player` decides which of them is X.
    pub(crate) players: [Participant; 2],
    pub(crate) starting_player: StartingPlayer,
}

/// Who starts and therefore is X.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StartingPlayer {
    One,
    Two,
    Random,
}

impl GameSetup {
    /// The key of this setting in the store.
    pub(crate) const SETTING_KEY: &str = "setup";

    /// The players of X and O. `coin`, true for player 1, is used only if chance decides.
    pub(crate) fn seats(&self, coin: bool) -> [Participant; 2] {
        let mut seats = self.players.clone();
        match self.starting_player {
            StartingPlayer::One => {}
            StartingPlayer::Random if coin => {}
            StartingPlayer::Two | StartingPlayer::Random => seats.swap(0, 1),
        }
        seats
    }

    /// The same players with the other one starting, for a rematch.
    pub(crate) fn swapped(&self) -> GameSetup {
        let first = match self.starting_player {
            StartingPlayer::One => StartingPlayer::Two,
            StartingPlayer::Two => StartingPlayer::One,
            StartingPlayer::Random => StartingPlayer::Random,
        };
        GameSetup {
            starting_player: first,
            ..self.clone()
        }
    }

    /// Why no game can start with this setup, if so.
    pub(crate) fn invalid_reason(&self) -> Option<String> {
        if let [Participant::Player(one), Participant::Player(two)] = &self.players
            && one == two
        {
            return Some(noughts_text::same_player(one.as_str()));
        }
        self.players.iter().find_map(|player| match player {
            Participant::Player(_) | Participant::Guest => None,
            Participant::Bot(kind) => {
                let error = kind.check_supports(self.variant).err()?;
                Some(error.to_string())
            }
        })
    }

    pub(crate) fn to_json(&self) -> String {
        let players = self.players.each_ref().map(|player| match player {
            Participant::Player(name) => json!({"person": name.as_str()}),
            // They enter a name the next time.
            Participant::Guest => json!({"person": ""}),
            Participant::Bot(kind) => json!({"bot": kind.name()}),
        });
        let variant = self.variant.to_string();
        json!({"variant": variant, "players": players, "first": self.starting_player}).to_string()
    }

    /// Reads a saved setup, if a game can still start with it.
    pub(crate) fn from_json(text: &str) -> Option<GameSetup> {
        let stored: Value = serde_json::from_str(text).ok()?;
        let player = |stored: &Value| match (stored["person"].as_str(), stored["bot"].as_str()) {
            (Some(name), _) => Name::new(name).ok().map(Participant::Player),
            (None, bot) => bot?.parse().ok().map(Participant::Bot),
        };
        let [one, two] = [0, 1].map(|index| player(&stored["players"][index]));
        let setup = GameSetup {
            variant: stored["variant"].as_str()?.parse().ok()?,
            players: [one?, two?],
            starting_player: StartingPlayer::deserialize(&stored["first"]).ok()?,
        };
        setup.invalid_reason().is_none().then_some(setup)
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::BotKind;

    use super::*;

    fn human(name: &str) -> Participant {
        Participant::Player(Name::new(name).expect("a name"))
    }

    fn setup(variant: &str, players: [Participant; 2], first: StartingPlayer) -> GameSetup {
        GameSetup {
            variant: variant.parse().expect("a variant"),
            players,
            starting_player: first,
        }
    }

    #[test]
    fn json_round_trips() {
        let ann = || human("Ann \"∞\" 李");
        for setup in [
            setup(
                "classic",
                [ann(), Participant::Bot(BotKind::Medium)],
                StartingPlayer::One,
            ),
            setup(
                "ception:4b,5c,depth=3",
                [ann(), human("Bo")],
                StartingPlayer::Two,
            ),
            setup(
                "tic-tac-two",
                [
                    Participant::Bot(BotKind::Best),
                    Participant::Bot(BotKind::Random),
                ],
                StartingPlayer::Random,
            ),
        ] {
            assert_eq!(GameSetup::from_json(&setup.to_json()), Some(setup));
        }
    }

    /// An invalid setup, from another version for example, is ignored.
    #[test]
    fn invalid_json_is_ignored() {
        for text in [
            "",
            "{}",
            r#"{"variant":"chess","players":[{"person":"A"},{"bot":"easy"}],"first":"one"}"#,
            r#"{"variant":"classic","players":[{"person":""},{"bot":"easy"}],"first":"one"}"#,
            r#"{"variant":"classic","players":[{"person":"A"},{"bot":"nobody"}],"first":"one"}"#,
            r#"{"variant":"classic","players":[{"person":"A"},{"person":"a"}],"first":"one"}"#,
            r#"{"variant":"ultimate","players":[{"person":"A"},{"bot":"negamax"}],"first":"one"}"#,
            r#"{"variant":"classic","players":[{"person":"A"},{"bot":"easy"}],"first":"three"}"#,
        ] {
            assert_eq!(GameSetup::from_json(text), None, "{text}");
        }
    }

    #[test]
    fn the_starting_player_is_x() {
        let (one, two) = (human("One"), human("Two"));
        for (first, coin, x) in [
            (StartingPlayer::One, false, &one),
            (StartingPlayer::Two, true, &two),
            (StartingPlayer::Random, true, &one),
            (StartingPlayer::Random, false, &two),
        ] {
            let setup = setup("classic", [one.clone(), two.clone()], first);
            assert_eq!(&setup.seats(coin)[0], x, "{first:?} {coin}");
        }
    }
}
