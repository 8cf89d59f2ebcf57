//! The match score of two players in this session of the program.

use noughts_rules::{Outcome, Side};

use noughts_session::{Participant, Session};

/// One point for a win, half a point for a draw.
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

    /// Adds a finished game. A game of other players, or one that was handed over, doesn't count.
    pub(super) fn add(&mut self, session: &Session) {
        let Some((Some(result), _)) = session.result() else {
            return;
        };
        let indices = Side::BOTH.map(|side| self.index_of(session.participant(side)));
        let [Some(x), Some(o)] = indices else {
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

    /// `2 – 1½`, this player's points first; `None` before the first game has ended.
    pub(super) fn text(&self, first: &Participant, ascii: bool) -> Option<String> {
        let index = self.index_of(first)?;
        if self.half_points == [0; 2] {
            return None;
        }
        let points = |index: usize| {
            let (whole, half) = (self.half_points[index] / 2, self.half_points[index] % 2);
            match (whole, half, ascii) {
                (_, 0, _) => whole.to_string(),
                (_, _, true) => format!("{whole}.5"),
                (0, _, false) => "½".into(),
                (_, _, false) => format!("{whole}½"),
            }
        };
        let dash = if ascii { "-" } else { "–" };
        Some(format!("{} {dash} {}", points(index), points(1 - index)))
    }

    fn index_of(&self, participant: &Participant) -> Option<usize> {
        self.players.iter().position(|player| player == participant)
    }
}
