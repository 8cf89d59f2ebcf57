//! Games of two players, with their state in the store and as the API shows it.

use noughts_store::{GameId, SeatClaims, StoredGame};
use serde_json::{Value, json};

use super::generator::Generator;
use crate::tests::test_server::{TestClient, TestServer, game_id, human_seat, invite_seat};

/// Everything observable about a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Observation {
    stored: StoredGame,
    claims: SeatClaims,
    /// The view of the player who created it.
    pub(super) view: Value,
}

pub(super) struct TrackedGame {
    pub(super) id: String,
    number: GameId,
    /// The invite code.
    pub(super) code: String,
    pub(super) observed: Observation,
}

pub(super) struct GameTracker {
    pub(super) server: TestServer,
    /// Ada and Bob, who play, and Eve, who doesn't.
    pub(super) clients: [TestClient; 3],
    pub(super) games: Vec<TrackedGame>,
    /// Games that change by themselves, since a bot plays in them.
    pub(super) bot_games: Vec<String>,
}

impl GameTracker {
    pub(super) async fn new(generator: &mut Generator) -> GameTracker {
        let server = TestServer::new().await;
        let clients = [1, 2, 3].map(|number| server.client(number));
        let mut tracker = GameTracker {
            server,
            clients,
            games: Vec::new(),
            bot_games: Vec::new(),
        };
        for _ in 0..6 {
            let game = tracker.start_game(generator).await;
            tracker.games.push(game);
        }
        tracker
    }

    /// Starts a game: between two visitors, with one visitor on both sides, or with an open
    /// invitation.
    async fn start_game(&self, generator: &mut Generator) -> TrackedGame {
        let [ada, bob, _] = &self.clients;
        let variant = generator.preset();
        let kind = generator.below(4);
        let o = if kind == 0 {
            human_seat("Bob")
        } else {
            invite_seat()
        };
        let created = ada.create_game(variant, human_seat("Ada"), o).await;
        if kind > 1 {
            assert_eq!(bob.join(&created, "Bob").await.0, 200);
        }
        let number = GameId(created["game"]["number"].as_i64().unwrap());
        let code = created["invite"].as_str().unwrap_or_default();
        let id = game_id(&created);
        TrackedGame {
            code: code.rsplit('/').next().unwrap().into(),
            observed: self.observe(&id, number).await,
            id,
            number,
        }
    }

    async fn observe(&self, id: &str, number: GameId) -> Observation {
        let store = self.server.store();
        let mut view = self.clients[0].game(id).await;
        for side in ["x", "o"] {
            // These depend on other games, and on who has a stream open.
            let seat = &mut view["game"][side];
            seat["tally"] = json!(null);
            seat["connected"] = json!(null);
        }
        Observation {
            stored: store.game(number).await.unwrap().unwrap(),
            claims: store.seat_claims(number).await.unwrap().unwrap(),
            view,
        }
    }

    /// The request changed nothing.
    pub(super) async fn assert_unchanged(&self, index: usize, context: &str) {
        let game = &self.games[index];
        let observed = self.observe(&game.id, game.number).await;
        assert_eq!(observed, game.observed, "{context}");
    }

    /// The request may have changed something.
    pub(super) async fn refresh(&mut self, index: usize, generator: &mut Generator) {
        let game = &self.games[index];
        let observed = self.observe(&game.id, game.number).await;
        let is_over = observed.view["game"]["ending"].is_string();
        let view = &observed.view["game"];
        let has_bot = ["x", "o"].iter().any(|side| view[side]["kind"] == "bot");
        let is_replaced = has_bot || (is_over && generator.one_in(6));
        if !is_replaced {
            self.games[index].observed = observed;
            return;
        }
        if has_bot && self.bot_games.len() < 20 {
            self.bot_games.push(game.id.clone());
        }
        self.games[index] = self.start_game(generator).await;
    }
}
