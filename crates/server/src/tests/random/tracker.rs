//! Games with two people in them, and how each stands: in the store, and as it is shown.

use noughts_store::{GameId, SeatClaims, StoredGame};
use serde_json::{Value, json};

use super::generator::Generator;
use crate::tests::test_server::{TestClient, TestServer, game_id, human_seat, invite_seat};

/// All that is known of a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Observation {
    stored: StoredGame,
    claims: SeatClaims,
    /// As it is shown to who made it.
    pub(super) view: Value,
}

pub(super) struct TrackedGame {
    pub(super) id: String,
    number: GameId,
    /// The way in, for whoever has it.
    pub(super) code: String,
    pub(super) observed: Observation,
}

pub(super) struct GameTracker {
    pub(super) server: TestServer,
    /// Ada and Bob, who play; Eve, who does not.
    pub(super) clients: [TestClient; 3],
    pub(super) games: Vec<TrackedGame>,
    /// Games that go on by themselves, since a bot plays in them.
    pub(super) bot_games: Vec<String>,
}

const PLAYED: [&str; 5] = [
    "classic",
    "ultimate",
    "tic-tac-two",
    "misere",
    "ception:5d,depth=3",
];

impl GameTracker {
    pub(super) async fn new(dice: &mut Generator) -> GameTracker {
        let house = TestServer::new().await;
        let people = [1, 2, 3].map(|number| house.client(number));
        let mut ledger = GameTracker {
            server: house,
            clients: people,
            games: Vec::new(),
            bot_games: Vec::new(),
        };
        for _ in 0..6 {
            let game = ledger.begin(dice).await;
            ledger.games.push(game);
        }
        ledger
    }

    /// A new game: of two people apart, of one person at both sides, or one to which
    /// somebody is awaited.
    async fn begin(&self, dice: &mut Generator) -> TrackedGame {
        let [ada, bob, _] = &self.clients;
        let variant = dice.pick(&PLAYED);
        let kind = dice.below(4);
        let o = if kind == 0 {
            human_seat("Bob")
        } else {
            invite_seat()
        };
        let made = ada.create_game(variant, human_seat("Ada"), o).await;
        if kind > 1 {
            assert_eq!(bob.join(&made, "Bob").await.0, 200);
        }
        let number = GameId(made["game"]["number"].as_i64().unwrap());
        let code = made["invite"].as_str().unwrap_or_default();
        let id = game_id(&made);
        TrackedGame {
            code: code.rsplit('/').next().unwrap().into(),
            observed: self.look(&id, number).await,
            id,
            number,
        }
    }

    async fn look(&self, id: &str, number: GameId) -> Observation {
        let store = self.server.store();
        let mut seen = self.clients[0].game(id).await;
        for seat in seen["game"]["seats"].as_array_mut().unwrap() {
            // These depend on other games, and on who has a stream open.
            seat["tally"] = json!(null);
            seat["connected"] = json!(null);
        }
        Observation {
            stored: store.game(number).await.unwrap().unwrap(),
            claims: store.seat_claims(number).await.unwrap().unwrap(),
            view: seen,
        }
    }

    /// Nothing has come of this.
    pub(super) async fn assert_unchanged(&self, at: usize, what: &str) {
        let game = &self.games[at];
        let now = self.look(&game.id, game.number).await;
        assert_eq!(now, game.observed, "{what}");
    }

    /// Something may have come of it.
    pub(super) async fn refresh(&mut self, at: usize, dice: &mut Generator) {
        let game = &self.games[at];
        let now = self.look(&game.id, game.number).await;
        let over = now.view["game"]["over"].is_object();
        let seats = now.view["game"]["seats"].as_array().unwrap();
        let bots = seats.iter().any(|seat| seat["kind"] == "bot");
        let left = bots || (over && dice.one_in(6));
        if !left {
            self.games[at].observed = now;
            return;
        }
        if bots && self.bot_games.len() < 20 {
            self.bot_games.push(game.id.clone());
        }
        self.games[at] = self.begin(dice).await;
    }
}
