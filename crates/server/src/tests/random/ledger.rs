//! Games with two people in them, and how each stands: in the store, and as it is shown.

use noughts_store::{Claims, GameId, StoredGame};
use serde_json::{Value, json};

use super::dice::Dice;
use crate::tests::house::{House, Visitor, id, invite, person};

/// All that is known of a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stand {
    stored: StoredGame,
    claims: Claims,
    /// As it is shown to who made it.
    pub(super) seen: Value,
}

pub(super) struct Followed {
    pub(super) id: String,
    number: GameId,
    /// The way in, for whoever has it.
    pub(super) code: String,
    pub(super) stand: Stand,
}

pub(super) struct Ledger {
    pub(super) house: House,
    /// Ada and Bob, who play; Eve, who does not.
    pub(super) people: [Visitor; 3],
    pub(super) games: Vec<Followed>,
    /// Games that go on by themselves, since a bot plays in them.
    pub(super) others: Vec<String>,
}

const PLAYED: [&str; 5] = [
    "classic",
    "ultimate",
    "tic-tac-two",
    "misere",
    "ception:5d,depth=3",
];

impl Ledger {
    pub(super) async fn new(dice: &mut Dice) -> Ledger {
        let house = House::new().await;
        let people = [1, 2, 3].map(|number| house.visitor(number));
        let mut ledger = Ledger {
            house,
            people,
            games: Vec::new(),
            others: Vec::new(),
        };
        for _ in 0..6 {
            let game = ledger.begin(dice).await;
            ledger.games.push(game);
        }
        ledger
    }

    /// A new game: of two people apart, of one person at both sides, or one to which
    /// somebody is awaited.
    async fn begin(&self, dice: &mut Dice) -> Followed {
        let [ada, bob, _] = &self.people;
        let variant = dice.pick(&PLAYED);
        let kind = dice.below(4);
        let o = if kind == 0 { person("Bob") } else { invite() };
        let made = ada.make(variant, person("Ada"), o).await;
        if kind > 1 {
            assert_eq!(bob.join(&made, "Bob").await.0, 200);
        }
        let number = GameId(made["game"]["number"].as_i64().unwrap());
        let code = made["invite"].as_str().unwrap_or_default();
        let id = id(&made);
        Followed {
            code: code.rsplit('/').next().unwrap().into(),
            stand: self.look(&id, number).await,
            id,
            number,
        }
    }

    async fn look(&self, id: &str, number: GameId) -> Stand {
        let store = self.house.store();
        let mut seen = self.people[0].read(id).await;
        for seat in seen["game"]["seats"].as_array_mut().unwrap() {
            // These depend on other games, and on who has a stream open.
            seat["tally"] = json!(null);
            seat["connected"] = json!(null);
        }
        Stand {
            stored: store.game(number).await.unwrap().unwrap(),
            claims: store.claims(number).await.unwrap().unwrap(),
            seen,
        }
    }

    /// Nothing has come of this.
    pub(super) async fn is_as_before(&self, at: usize, what: &str) {
        let game = &self.games[at];
        let now = self.look(&game.id, game.number).await;
        assert_eq!(now, game.stand, "{what}");
    }

    /// Something may have come of it.
    pub(super) async fn look_again(&mut self, at: usize, dice: &mut Dice) {
        let game = &self.games[at];
        let now = self.look(&game.id, game.number).await;
        let over = now.seen["game"]["over"].is_object();
        let seats = now.seen["game"]["seats"].as_array().unwrap();
        let bots = seats.iter().any(|seat| seat["kind"] == "bot");
        let left = bots || (over && dice.once_in(6));
        if !left {
            self.games[at].stand = now;
            return;
        }
        if bots && self.others.len() < 20 {
            self.others.push(game.id.clone());
        }
        self.games[at] = self.begin(dice).await;
    }
}
