//! What a game is begun with: the game, the two players, who starts. Kept in the
//! store as JSON, so that the next start begins where this one left off.

use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_store::Name;
use serde::{Deserialize, Serialize};

use noughts_session::Who;

/// A game about to begin.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Setup {
    pub(crate) variant: Variant,
    /// Player one and player two; who of them is X is said by `first`.
    pub(crate) players: [Who; 2],
    pub(crate) first: First,
}

/// Who starts, and so is X.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum First {
    One,
    Two,
    /// A coin decides.
    Random,
}

impl Setup {
    /// Where the store keeps the last one.
    pub(crate) const CHOICE: &str = "setup";

    /// X and O. The coin, true for player one, is looked at only where chance decides.
    pub(crate) fn seats(&self, coin: bool) -> [Who; 2] {
        let [one, two] = self.players.clone();
        let one_starts = match self.first {
            First::One => true,
            First::Two => false,
            First::Random => coin,
        };
        if one_starts { [one, two] } else { [two, one] }
    }

    /// The same players with the other one starting, for another game.
    pub(crate) fn swapped(&self) -> Setup {
        let first = match self.first {
            First::One => First::Two,
            First::Two => First::One,
            First::Random => First::Random,
        };
        Setup {
            first,
            ..self.clone()
        }
    }

    /// Why no game can begin like this.
    pub(crate) fn fault(&self) -> Option<String> {
        if let [Who::Person(one), Who::Person(two)] = &self.players
            && one == two
        {
            return Some(format!(
                "{one} cannot play both sides; the other player needs another name"
            ));
        }
        self.players.iter().find_map(|player| match player {
            Who::Person(_) | Who::Guest => None,
            Who::Bot(kind) => {
                let reason = kind.plays(self.variant).err()?;
                Some(format!("{kind} does not play {}: {reason}", self.variant))
            }
        })
    }

    /// As the store keeps it.
    pub(crate) fn to_json(&self) -> String {
        let kept = Kept {
            variant: self.variant.to_string(),
            players: self.players.clone().map(KeptPlayer::from),
            first: self.first,
        };
        // Text and names alone: nothing that JSON could not say.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// What was kept, if a game can still begin like that.
    pub(crate) fn from_json(text: &str) -> Option<Setup> {
        let kept: Kept = serde_json::from_str(text).ok()?;
        let [one, two] = kept.players;
        let setup = Setup {
            variant: kept.variant.parse().ok()?,
            players: [one.who()?, two.who()?],
            first: kept.first,
        };
        setup.fault().is_none().then_some(setup)
    }
}

/// The form in the store.
#[derive(Serialize, Deserialize)]
struct Kept {
    variant: String,
    players: [KeptPlayer; 2],
    first: First,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeptPlayer {
    Person(String),
    Bot(String),
}

impl From<Who> for KeptPlayer {
    fn from(who: Who) -> KeptPlayer {
        match who {
            Who::Person(name) => KeptPlayer::Person(name.as_str().into()),
            // Asked for a name the next time.
            Who::Guest => KeptPlayer::Person(String::new()),
            Who::Bot(kind) => KeptPlayer::Bot(kind.name().into()),
        }
    }
}

impl KeptPlayer {
    fn who(self) -> Option<Who> {
        match self {
            KeptPlayer::Person(name) => Name::new(&name).ok().map(Who::Person),
            KeptPlayer::Bot(name) => name.parse::<BotKind>().ok().map(Who::Bot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Who {
        Who::Person(Name::new(name).expect("a name"))
    }

    fn setup(variant: &str, players: [Who; 2], first: First) -> Setup {
        Setup {
            variant: variant.parse().expect("a variant"),
            players,
            first,
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let ann = || person("Ann \"∞\" 李");
        for setup in [
            setup("classic", [ann(), Who::Bot(BotKind::Medium)], First::One),
            setup("ception:4b,5c,depth=3", [ann(), person("Bo")], First::Two),
            setup(
                "tic-tac-two",
                [Who::Bot(BotKind::Best), Who::Bot(BotKind::Random)],
                First::Random,
            ),
        ] {
            assert_eq!(Setup::from_json(&setup.to_json()), Some(setup));
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
            assert_eq!(Setup::from_json(text), None, "{text}");
        }
    }

    #[test]
    fn who_starts_is_x() {
        let (one, two) = (person("One"), person("Two"));
        for (first, coin, x) in [
            (First::One, false, &one),
            (First::Two, true, &two),
            (First::Random, true, &one),
            (First::Random, false, &two),
        ] {
            let setup = setup("classic", [one.clone(), two.clone()], first);
            assert_eq!(&setup.seats(coin)[0], x, "{first:?} {coin}");
        }
    }
}
