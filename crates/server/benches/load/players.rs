//! The two players of a bench game. They move in turn at a given rate, and start another game when
//! one is over.

use futures_util::SinkExt;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{self, Socket, Target, Token};

/// Slightly fewer moves than a game of `ultimate` lasts.
const WARM_UP: usize = 50;

/// What spectators need to know: the current game, and its last revision once the game is over.
#[derive(Clone)]
pub(crate) struct GameNews {
    pub(crate) uid: String,
    pub(crate) last_rev: Option<(u64, u64)>,
    /// No other game follows.
    pub(crate) is_last_game: bool,
}

/// Measurements of one bench game.
#[derive(Default)]
pub(crate) struct MoveStats {
    /// From sending a move to its acknowledgment, which comes after it's on disk.
    pub(crate) acknowledged: Vec<Duration>,
    /// From sending a move until the opponent sees it.
    pub(crate) broadcast: Vec<Duration>,
    /// How late a move was sent because the previous one took too long.
    pub(crate) late: Vec<Duration>,
    pub(crate) games: usize,
    /// Unexpected responses.
    pub(crate) errors: Vec<String>,
}

impl MoveStats {
    pub(crate) fn add(&mut self, other: MoveStats) {
        self.acknowledged.extend(other.acknowledged);
        self.broadcast.extend(other.broadcast);
        self.late.extend(other.late);
        self.games += other.games;
        self.errors.extend(other.errors);
    }
}

pub(crate) struct BenchGame {
    target: Target,
    number: usize,
    variant: String,
    tokens: [Token; 2],
    sockets: Vec<Socket>,
    /// The newest state, as JSON.
    state: String,
    news: watch::Sender<GameNews>,
    random: Xoshiro256PlusPlus,
    stats: MoveStats,
}

impl BenchGame {
    /// Creates two players and their first game, which the second player joins by invite link.
    pub(crate) async fn new(target: Target, number: usize, variant: &str) -> BenchGame {
        let news = GameNews {
            uid: String::new(),
            last_rev: None,
            is_last_game: false,
        };
        let mut game = BenchGame {
            target,
            number,
            variant: variant.to_owned(),
            tokens: [Token::new(target).await, Token::new(target).await],
            sockets: Vec::new(),
            state: String::new(),
            news: watch::Sender::new(news),
            random: Xoshiro256PlusPlus::seed_from_u64(number as u64),
            stats: MoveStats::default(),
        };
        game.start_game().await;
        game
    }

    async fn start_game(&mut self) {
        let (number, variant) = (self.number, &self.variant);
        let new = format!(
            r#"{{"variant":"{variant}","x":{{"kind":"human","name":"Ada {number}"}},"o":{{"kind":"invited"}}}}"#
        );
        let created = client::post(self.target, "/api/v1/games", &self.tokens[0], &new).await;
        let uid = client::field(&created, "id").expect("a name").to_owned();
        let link = client::field(&created, "invite").expect("a link");
        let code = link.rsplit('/').next().expect("a code");
        let request = format!(r#"{{"code":"{code}","name":"Bob {number}"}}"#);
        let path = format!("/api/v1/games/{uid}/join");
        client::post(self.target, &path, &self.tokens[1], &request).await;
        self.stats.games += 1;
        self.news.send_replace(GameNews {
            uid,
            last_rev: None,
            is_last_game: false,
        });
    }

    pub(crate) fn uid(&self) -> String {
        self.news.borrow().uid.clone()
    }

    pub(crate) fn news(&self) -> watch::Receiver<GameNews> {
        self.news.subscribe()
    }

    /// Opens the players' sockets and waits for the first state.
    pub(crate) async fn connect_players(&mut self) {
        let uid = self.uid();
        self.sockets.clear();
        for token in &self.tokens {
            let mut socket = client::watch(self.target, &uid, Some(token)).await;
            self.state = client::next(&mut socket).await.expect("a state");
            self.sockets.push(socket);
        }
    }

    /// Plays from `first` to `until`, one move per `every`.
    pub(crate) async fn play(
        mut self,
        first: Instant,
        every: Duration,
        until: Instant,
    ) -> BenchGame {
        let mut due = first;
        while due < until {
            sleep_until(due).await;
            self.stats.late.push(due.elapsed());
            if !self.play_turn().await {
                break;
            }
            due = Instant::now().max(due + every);
        }
        self
    }

    /// Takes the measurements made since the last call.
    pub(crate) fn take_stats(&mut self) -> MoveStats {
        std::mem::take(&mut self.stats)
    }

    /// Announces that no more games follow.
    pub(crate) fn end(mut self) {
        self.publish_end(true);
    }

    /// Plays a few moves without measuring them. Games that start together would otherwise all end
    /// together.
    pub(crate) async fn warm_up(mut self) -> BenchGame {
        for _ in 0..self.number % WARM_UP {
            if !self.play_turn().await {
                return self;
            }
        }
        self.stats = MoveStats {
            games: self.stats.games,
            ..MoveStats::default()
        };
        self
    }

    /// Makes one move, and starts another game if it was the last. Returns whether to continue.
    async fn play_turn(&mut self) -> bool {
        if !self.make_move().await {
            return false;
        }
        if client::is_over(&self.state) {
            self.publish_end(false);
            self.start_game().await;
            self.connect_players().await;
        }
        true
    }

    fn publish_end(&mut self, is_all: bool) {
        let last = client::rev(&self.state);
        self.news.send_modify(|news| {
            news.last_rev = last;
            news.is_last_game = is_all;
        });
    }

    /// Makes one move for the side to move. Returns whether to continue.
    async fn make_move(&mut self) -> bool {
        let choices = client::legal_moves(&self.state);
        let (Some(rev), false) = (client::rev(&self.state), choices.is_empty()) else {
            self.stats.errors.push(self.state.clone());
            return false;
        };
        let mv = choices[self.random.next_u64() as usize % choices.len()];
        let text = format!(
            r#"{{"type":"move","rev":"{}.{}","move":"{mv}","tag":7}}"#,
            rev.0, rev.1
        );
        let mover = (rev.0 % 2) as usize;
        let sent_at = Instant::now();
        let result = self.sockets[mover].send(Message::Text(text.into())).await;
        if result.is_err() {
            self.stats.errors.push("a player's socket failed".into());
            return false;
        }
        let response = loop {
            match client::next(&mut self.sockets[mover]).await {
                Some(text) if text.contains("\"tag\":7") => break text,
                Some(_) => {}
                None => break String::new(),
            }
        };
        self.stats.acknowledged.push(sent_at.elapsed());
        let after = (rev.0 + 1, rev.1);
        if client::rev(&response) != Some(after) || response.contains("\"type\":\"error\"") {
            self.stats.errors.push(response);
            return false;
        }
        while let Some(text) = client::next(&mut self.sockets[1 - mover]).await {
            if client::rev(&text) >= Some(after) {
                self.stats.broadcast.push(sent_at.elapsed());
                self.state = response;
                return true;
            }
        }
        let what = "the opponent's socket failed".to_owned();
        self.stats.errors.push(what);
        false
    }
}
