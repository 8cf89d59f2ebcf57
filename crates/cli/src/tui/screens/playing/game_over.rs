//! The text of the game-over dialog.

use noughts_rules::{Outcome, Side};
use noughts_store::{Assistance, Tally, Termination};
use ratatui::text::{Line, Span};

use crate::tui::theme::Theme;
use crate::tui::widgets::truncate;
use noughts_session::Participant;

/// What the text depends on.
pub(super) struct GameOverText<'a> {
    pub(super) result: Option<Outcome>,
    pub(super) end: Termination,
    /// How it ended, as a phrase.
    pub(super) reason: String,
    pub(super) seats: &'a [Participant; 2],
    pub(super) tallies: [Option<Tally>; 2],
    pub(super) changed_hands: bool,
    pub(super) assisted: Option<Assistance>,
    pub(super) moves: usize,
}

/// For a player who lost. The number of moves picks one, so that they vary but are the same in
/// every snapshot.
const CONSOLATIONS: [&str; 4] = [
    "It was a close one. The next game is open.",
    "Well fought. A review shows where it turned.",
    "Bad luck this time. Another try?",
    "Every lost game teaches something. On to the next.",
];

const NEUTRAL: &str = "The next game is open.";

/// In columns: longer names would push the scores out of the dialog.
const MAX_NAME_COLUMNS: u16 = 18;

impl GameOverText<'_> {
    pub(super) fn title(&self) -> String {
        let Some(result) = self.result else {
            return "The game is given up".into();
        };
        let Some(winner) = result.winner() else {
            return "A draw".into();
        };
        let loser = winner.other();
        match (self.participant(winner), self.participant(loser)) {
            (name @ (Participant::Player(_) | Participant::Guest), _) => {
                format!("Congratulations, {name}!")
            }
            (Participant::Bot(_), name @ (Participant::Player(_) | Participant::Guest)) => {
                format!("Not this time, {name}")
            }
            (Participant::Bot(kind), Participant::Bot(_)) => format!("{kind} ({winner}) wins"),
        }
    }

    /// The text below the title.
    pub(super) fn lines(&self, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = vec![
            Line::from(self.summary(theme)),
            Line::styled(format!("{}.", self.capitalized_reason()), theme.dim()),
        ];
        let scores = self.scores(theme);
        if !scores.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(scores);
        // Last, because the end is cut off if there isn't enough room.
        if let Some(comment) = self.comment() {
            lines.push(Line::default());
            lines.push(Line::from(comment));
        }
        lines
    }

    fn participant(&self, side: Side) -> &Participant {
        &self.seats[side as usize]
    }

    fn name(&self, side: Side, theme: &Theme) -> String {
        truncate(
            &self.participant(side).to_string(),
            MAX_NAME_COLUMNS,
            theme.ellipsis(),
        )
    }

    fn summary(&self, theme: &Theme) -> String {
        let seat = |side: Side| format!("{} ({side})", self.name(side, theme));
        match self.result {
            None => "It has no winner and counts for nobody.".into(),
            Some(Outcome::Draw) => {
                format!("{} and {} share the honours.", seat(Side::X), seat(Side::O))
            }
            Some(Outcome::Win(winner)) => {
                format!("{} beat {}.", seat(winner), seat(winner.other()))
            }
        }
    }

    /// How it ended, as the start of a sentence.
    fn capitalized_reason(&self) -> String {
        let mut letters = self.reason.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        }
    }

    /// Congratulations and consolations are only for games that were played to the end.
    fn comment(&self) -> Option<String> {
        if !self.end.is_by_rules() {
            let human = self.seats.iter().any(Participant::is_human);
            return self.result.filter(|_| human).map(|_| NEUTRAL.into());
        }
        let consolation = CONSOLATIONS[self.moves % CONSOLATIONS.len()];
        match self.result? {
            Outcome::Win(winner) => {
                match (self.participant(winner), self.participant(winner.other())) {
                    (
                        Participant::Player(_) | Participant::Guest,
                        loser @ (Participant::Player(_) | Participant::Guest),
                    ) => Some(format!("{loser}: {}", lowercase_first(consolation))),
                    (Participant::Player(_) | Participant::Guest, Participant::Bot(kind)) => {
                        Some(format!("{kind} has met its match."))
                    }
                    (Participant::Bot(_), Participant::Player(_) | Participant::Guest) => {
                        Some(consolation.into())
                    }
                    (Participant::Bot(_), Participant::Bot(_)) => None,
                }
            }
            Outcome::Draw => match (self.participant(Side::X), self.participant(Side::O)) {
                (
                    Participant::Player(_) | Participant::Guest,
                    Participant::Player(_) | Participant::Guest,
                ) => Some("Nobody gave an inch.".into()),
                (name @ (Participant::Player(_) | Participant::Guest), Participant::Bot(kind))
                | (Participant::Bot(kind), name @ (Participant::Player(_) | Participant::Guest)) => {
                    Some(format!("Well held, {name}: {kind} found no way through."))
                }
                (Participant::Bot(_), Participant::Bot(_)) => None,
            },
        }
    }

    fn scores(&self, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for side in Side::BOTH {
            if let (true, Some(tally)) = (
                self.participant(side).is_human(),
                self.tallies[side as usize],
            ) {
                let Tally {
                    wins,
                    losses,
                    draws: ties,
                } = tally;
                lines.push(Line::from(vec![
                    Span::styled(self.name(side, theme), theme.side(side)),
                    Span::raw(format!(": {wins} won, {losses} lost, {ties} tied")),
                ]));
            }
        }
        if self.changed_hands {
            let why = "A side changed hands, so the game counts in nobody's record.";
            lines.push(Line::styled(why, theme.dim()));
        } else if let Some(how) = self.assisted.filter(|_| !lines.is_empty()) {
            let why = format!("This game isn't rated: {how}.");
            lines.push(Line::styled(why, theme.dim()));
        }
        lines
    }
}

fn lowercase_first(summary: &str) -> String {
    let mut letters = summary.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::BotKind;
    use noughts_store::Name;

    use super::*;
    use crate::tui::testing;

    fn human(name: &str) -> Participant {
        Participant::Player(Name::new(name).expect("a name"))
    }

    fn full_text(
        result: Option<Outcome>,
        end: Termination,
        seats: &[Participant; 2],
        changed_hands: bool,
    ) -> String {
        let tallies = [0, 1].map(|seat| {
            let tally = result.map(|result| Tally::from_outcome(result, Side::BOTH[seat]));
            tally.filter(|_| seats[seat].is_human())
        });
        let game_over = GameOverText {
            result,
            end,
            reason: end.to_string(),
            seats,
            tallies,
            changed_hands,
            assisted: None,
            moves: 9,
        };
        let lines = game_over.lines(&testing::theme());
        let lines = lines.iter().map(ToString::to_string);
        let lines: Vec<String> = [game_over.title()].into_iter().chain(lines).collect();
        lines.join("\n")
    }

    /// The winner is congratulated by name, the loser is consoled, and the ending is always given.
    #[test]
    fn the_text_covers_every_result() {
        let (x, o) = (Outcome::Win(Side::X), Outcome::Win(Side::O));
        let bot = || Participant::Bot(BotKind::Hard);
        let (anna, bob) = (|| human("Anna"), || human("Bob"));
        let cases: [(Option<Outcome>, [Participant; 2], &[&str]); 8] = [
            (
                Some(x),
                [anna(), bot()],
                &["Congratulations, Anna!", "1 won"],
            ),
            (Some(o), [anna(), bot()], &["Not this time, Anna", "1 lost"]),
            (
                Some(o),
                [bot(), anna()],
                &["Congratulations, Anna!", "met its match"],
            ),
            (
                Some(o),
                [anna(), bob()],
                &["Congratulations, Bob!", "Anna: ", "Bob: 1 won"],
            ),
            (
                Some(x),
                [bot(), bot()],
                &["hard (X) wins", "hard (X) beat hard (O)"],
            ),
            (
                Some(Outcome::Draw),
                [bot(), bob()],
                &["A draw", "Well held, Bob", "1 tied"],
            ),
            (
                Some(Outcome::Draw),
                [anna(), bob()],
                &["A draw", "share the honours"],
            ),
            (None, [anna(), bob()], &["given up", "counts for nobody"]),
        ];
        for (result, seats, words) in cases {
            let text = full_text(result, Termination::Line, &seats, false);
            assert!(text.contains("A line is complete."), "{text}");
            for word in words {
                assert!(text.contains(word), "no {word:?} in\n{text}");
            }
            assert!(!text.contains("changed hands"), "{text}");
            let changed_hands = full_text(result, Termination::Line, &seats, true);
            assert!(
                changed_hands.contains("counts in nobody's record"),
                "{changed_hands}"
            );
        }
    }

    /// Games that ended early get neutral words.
    #[test]
    fn kind_words_match_the_ending() {
        let seats = [human("Anna"), human("Bob")];
        let against = [human("Anna"), Participant::Bot(BotKind::Hard)];
        let warm_words = [
            "close",
            "fought",
            "luck",
            "lost game",
            "inch",
            "held",
            "match",
        ];
        for (result, end, played_out) in [
            (Outcome::Win(Side::O), Termination::Resigned, false),
            (Outcome::Win(Side::X), Termination::Resigned, false),
            (Outcome::Draw, Termination::AgreedDraw, false),
            (Outcome::Draw, Termination::NoMove, true),
            (Outcome::Win(Side::O), Termination::Line, true),
        ] {
            for seats in [&seats, &against] {
                let text = full_text(Some(result), end, seats, false);
                let praised = warm_words.iter().any(|word| text.contains(word));
                assert_eq!(praised, played_out, "{text}");
            }
        }
    }

    /// Long names don't push the scores out of the first lines.
    #[test]
    fn long_names_leave_room_for_the_scores() {
        let long = "W".repeat(40);
        let seats = [human(&long), human(&long.to_lowercase().replace('w', "m"))];
        let text = full_text(
            Some(Outcome::Win(Side::X)),
            Termination::Line,
            &seats,
            false,
        );
        let scores = text.lines().skip(4).take(2);
        for line in scores {
            assert!(line.contains(" won, "), "{text}");
            assert!(line.chars().count() <= 42, "{line}");
        }
    }
}
