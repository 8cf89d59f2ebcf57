//! The two players of a table, who take turns at a given pace, and begin another game
//! when one is over.

use futures_util::SinkExt;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{self, Socket, Target, Token};

/// Somewhat less than a game of `ultimate` lasts.
const WARM_UP: usize = 50;

/// What those who watch a table need to know: the game, and its last state once there
/// is one.
#[derive(Clone)]
pub(crate) struct GameNews {
    pub(crate) uid: String,
    pub(crate) last_rev: Option<(u64, u64)>,
    /// No other game follows.
    pub(crate) is_last_game: bool,
}

/// What came of a table.
#[derive(Default)]
pub(crate) struct MoveStats {
    /// From sent to acknowledged, which is after it is on the disk.
    pub(crate) acknowledged: Vec<Duration>,
    /// From sent to seen by the opponent.
    pub(crate) broadcast: Vec<Duration>,
    /// How late a move was sent, since the one before took so long.
    pub(crate) late: Vec<Duration>,
    pub(crate) games: usize,
    /// Answers that were no answer.
    pub(crate) errors: Vec<String>,
}

pub(crate) struct BenchGame {
    door: Target,
    number: usize,
    variant: String,
    tokens: [Token; 2],
    sockets: Vec<Socket>,
    /// The newest state, as it was told.
    state: String,
    news: watch::Sender<GameNews>,
    random: Xoshiro256PlusPlus,
    played: MoveStats,
}

impl BenchGame {
    /// Two people who have met by a link.
    pub(crate) async fn new(door: Target, number: usize, variant: &str) -> BenchGame {
        let news = GameNews {
            uid: String::new(),
            last_rev: None,
            is_last_game: false,
        };
        let mut table = BenchGame {
            door,
            number,
            variant: variant.to_owned(),
            tokens: [Token::new(door).await, Token::new(door).await],
            sockets: Vec::new(),
            state: String::new(),
            news: watch::Sender::new(news),
            random: Xoshiro256PlusPlus::seed_from_u64(number as u64),
            played: MoveStats::default(),
        };
        table.begin().await;
        table
    }

    async fn begin(&mut self) {
        let (number, variant) = (self.number, &self.variant);
        let new = format!(
            r#"{{"variant":"{variant}","x":{{"kind":"person","name":"Ada {number}"}},"o":{{"kind":"invite"}}}}"#
        );
        let made = client::post(self.door, "/api/v1/games", &self.tokens[0], &new).await;
        let uid = client::field(&made, "id").expect("a name").to_owned();
        let link = client::field(&made, "invite").expect("a link");
        let code = link.rsplit('/').next().expect("a code");
        let guest = format!(r#"{{"code":"{code}","name":"Bob {number}"}}"#);
        let path = format!("/api/v1/games/{uid}/join");
        client::post(self.door, &path, &self.tokens[1], &guest).await;
        self.played.games += 1;
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
            let mut socket = client::watch(self.door, &uid, Some(token)).await;
            self.state = client::next(&mut socket).await.expect("a state");
            self.sockets.push(socket);
        }
    }

    /// Plays from the first moment on, one move in each span of time.
    pub(crate) async fn play(
        mut self,
        first: Instant,
        every: Duration,
        until: Instant,
    ) -> BenchGame {
        let mut due = first;
        while due < until {
            sleep_until(due).await;
            self.played.late.push(due.elapsed());
            if !self.step().await {
                break;
            }
            due = Instant::now().max(due + every);
        }
        self
    }

    /// What came of the moves since this was last asked.
    pub(crate) fn take_stats(&mut self) -> MoveStats {
        std::mem::take(&mut self.played)
    }

    /// Nothing more is played here.
    pub(crate) fn end(mut self) {
        self.tell_last(true);
    }

    /// Plays some moves at once, of which nothing is told. Games that began together
    /// would all end together.
    pub(crate) async fn warm_up(mut self) -> BenchGame {
        for _ in 0..self.number % WARM_UP {
            if !self.step().await {
                return self;
            }
        }
        self.played = MoveStats {
            games: self.played.games,
            ..MoveStats::default()
        };
        self
    }

    /// One move, and another game where it was the last. Is there more to play?
    async fn step(&mut self) -> bool {
        if !self.make_move().await {
            return false;
        }
        if client::is_over(&self.state) {
            self.tell_last(false);
            self.begin().await;
            self.connect_players().await;
        }
        true
    }

    fn tell_last(&mut self, is_all: bool) {
        let last = client::rev(&self.state);
        self.news.send_modify(|news| {
            news.last_rev = last;
            news.is_last_game = is_all;
        });
    }

    /// One move by whose turn it is. Is there more to play?
    async fn make_move(&mut self) -> bool {
        let choices = client::legal_moves(&self.state);
        let (Some(rev), false) = (client::rev(&self.state), choices.is_empty()) else {
            self.played.errors.push(self.state.clone());
            return false;
        };
        let mv = choices[self.random.next_u64() as usize % choices.len()];
        let text = format!(
            r#"{{"do":"move","rev":"{}.{}","move":"{mv}","tag":7}}"#,
            rev.0, rev.1
        );
        let mover = (rev.0 % 2) as usize;
        let sent = Instant::now();
        let result = self.sockets[mover].send(Message::Text(text.into())).await;
        if result.is_err() {
            self.played.errors.push("a player's socket broke".into());
            return false;
        }
        let answered = loop {
            match client::next(&mut self.sockets[mover]).await {
                Some(text) if text.contains("\"tag\":7") => break text,
                Some(_) => {}
                None => break String::new(),
            }
        };
        self.played.acknowledged.push(sent.elapsed());
        let after = (rev.0 + 1, rev.1);
        if client::rev(&answered) != Some(after) || answered.contains("\"type\":\"error\"") {
            self.played.errors.push(answered);
            return false;
        }
        while let Some(text) = client::next(&mut self.sockets[1 - mover]).await {
            if client::rev(&text) >= Some(after) {
                self.played.broadcast.push(sent.elapsed());
                self.state = answered;
                return true;
            }
        }
        let what = "the opponent's socket broke".to_owned();
        self.played.errors.push(what);
        false
    }
}
