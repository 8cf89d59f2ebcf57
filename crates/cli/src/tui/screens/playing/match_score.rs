//! The match score of two players over the games of this sitting.

use noughts_rules::{Outcome, Side};

use noughts_session::{Participant, Session};

/// Points of two players: one for a win, half for a draw.
#[derive(Clone, Debug)]
pub(super) struct MatchScore {
    players: [Participant; 2],
    half_points: [u32; 2],
}

impl MatchScore {
    pub(super) fn new(players: &[Participant; 2]) -> MatchScore {
        MatchScore {
            players: players.clone(),
            half_points: [0; 2],
        }
    }

    /// Adds a game that is over. One that others played, or that changed hands, doesn't
    /// belong to the match.
    pub(super) fn add(&mut self, session: &Session) {
        let Some((Some(result), _)) = session.result() else {
            return;
        };
        let places = Side::BOTH.map(|side| self.place(session.participant(side)));
        let [Some(x), Some(o)] = places else {
            return;
        };
        if session.has_changed_hands() || x == o {
            return;
        }
        let [for_x, for_o] = match result {
            Outcome::Win(Side::X) => [2, 0],
            Outcome::Win(Side::O) => [0, 2],
            Outcome::Draw => [1, 1],
        };
        self.half_points[x] += for_x;
        self.half_points[o] += for_o;
    }

    /// `2 – 1½`, this player's points first; nothing before the first game has ended.
    pub(super) fn text(&self, first: &Participant, ascii: bool) -> Option<String> {
        let place = self.place(first)?;
        if self.half_points == [0; 2] {
            return None;
        }
        let points = |place: usize| {
            let (whole, half) = (self.half_points[place] / 2, self.half_points[place] % 2);
            match (whole, half, ascii) {
                (_, 0, _) => whole.to_string(),
                (_, _, true) => format!("{whole}.5"),
                (0, _, false) => "½".into(),
                (_, _, false) => format!("{whole}½"),
            }
        };
        let dash = if ascii { "-" } else { "–" };
        Some(format!("{} {dash} {}", points(place), points(1 - place)))
    }

    fn place(&self, who: &Participant) -> Option<usize> {
        self.players.iter().position(|player| player == who)
    }
}
