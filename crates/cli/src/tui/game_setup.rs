//! What a game is begun with: the game, the two players, who starts. Kept in the
//! store as JSON, so that the next start begins where this one left off.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_store::Name;
use serde::{Deserialize, Serialize};

use noughts_session::Participant;

/// A game about to begin.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameSetup {
    pub(crate) variant: Variant,
    /// Player one and player two; who of them is X is said by `first`.
    pub(crate) players: [Participant; 2],
    pub(crate) starting_player: StartingPlayer,
}

/// Who starts, and so is X.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StartingPlayer {
    One,
    Two,
    /// A coin decides.
    Random,
}

impl GameSetup {
    /// Where the store keeps the last one.
    pub(crate) const SETTING_KEY: &str = "setup";

    /// X and O. The coin, true for player one, is looked at only where chance decides.
    pub(crate) fn seats(&self, coin: bool) -> [Participant; 2] {
        let [one, two] = self.players.clone();
        let one_starts = match self.starting_player {
            StartingPlayer::One => true,
            StartingPlayer::Two => false,
            StartingPlayer::Random => coin,
        };
        if one_starts { [one, two] } else { [two, one] }
    }

    /// The same players with the other one starting, for another game.
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

    /// Why no game can begin like this.
    pub(crate) fn invalid_reason(&self) -> Option<String> {
        if let [Participant::Player(one), Participant::Player(two)] = &self.players
            && one == two
        {
            return Some(format!(
                "{one} cannot play both sides; the other player needs another name"
            ));
        }
        self.players.iter().find_map(|player| match player {
            Participant::Player(_) | Participant::Guest => None,
            Participant::Bot(kind) => {
                let reason = kind.check_supports(self.variant).err()?;
                Some(format!("{kind} does not play {}: {reason}", self.variant))
            }
        })
    }

    /// As the store keeps it.
    pub(crate) fn to_json(&self) -> String {
        let kept = Kept {
            variant: self.variant.to_string(),
            players: self.players.clone().map(KeptPlayer::from),
            first: self.starting_player,
        };
        // Text and names alone: nothing that JSON could not say.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// What was kept, if a game can still begin like that.
    pub(crate) fn from_json(text: &str) -> Option<GameSetup> {
        let kept: Kept = serde_json::from_str(text).ok()?;
        let [one, two] = kept.players;
        let setup = GameSetup {
            variant: kept.variant.parse().ok()?,
            players: [one.who()?, two.who()?],
            starting_player: kept.first,
        };
        setup.invalid_reason().is_none().then_some(setup)
    }
}

/// The form in the store.
#[derive(Serialize, Deserialize)]
struct Kept {
    variant: String,
    players: [KeptPlayer; 2],
    first: StartingPlayer,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeptPlayer {
    Person(String),
    Bot(String),
}

impl From<Participant> for KeptPlayer {
    fn from(who: Participant) -> KeptPlayer {
        match who {
            Participant::Player(name) => KeptPlayer::Person(name.as_str().into()),
            // Asked for a name the next time.
            Participant::Guest => KeptPlayer::Person(String::new()),
            Participant::Bot(kind) => KeptPlayer::Bot(kind.name().into()),
        }
    }
}

impl KeptPlayer {
    fn who(self) -> Option<Participant> {
        match self {
            KeptPlayer::Person(name) => Name::new(&name).ok().map(Participant::Player),
            KeptPlayer::Bot(name) => name.parse::<BotKind>().ok().map(Participant::Bot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Participant {
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
    fn what_is_kept_comes_back() {
        let ann = || person("Ann \"∞\" 李");
        for setup in [
            setup(
                "classic",
                [ann(), Participant::Bot(BotKind::Medium)],
                StartingPlayer::One,
            ),
            setup(
                "ception:4b,5c,depth=3",
                [ann(), person("Bo")],
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

    /// A store from elsewhere, or from another version: forgotten, not followed.
    #[test]
    fn what_cannot_be_played_is_forgotten() {
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
    fn who_starts_is_x() {
        let (one, two) = (person("One"), person("Two"));
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
