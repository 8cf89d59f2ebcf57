//! What is said when a game is over: to the winner, to the loser, to both.

use noughts_rules::{Outcome, Side};
use noughts_store::{Assistance, Tally, Termination};
use ratatui::text::{Line, Span};

use crate::tui::theme::Theme;
use crate::tui::widgets::truncate;
use noughts_session::Participant;

/// A game that is over, as far as words need to know it.
pub(super) struct GameOverText<'a> {
    pub(super) result: Option<Outcome>,
    pub(super) end: Termination,
    /// How it ended, in words.
    pub(super) reason: String,
    pub(super) seats: &'a [Participant; 2],
    pub(super) tallies: [Option<Tally>; 2],
    pub(super) handed: bool,
    pub(super) assisted: Option<Assistance>,
    pub(super) moves: usize,
}

/// Kind words for whoever did not win. The game's length picks one, so that they
/// change and a picture of the screen does not.
const CONSOLATIONS: [&str; 4] = [
    "It was a close one. The next game is open.",
    "Well fought. A review shows where it turned.",
    "Bad luck this time. Another try?",
    "Every lost game teaches something. On to the next.",
];

const NEUTRAL: &str = "The next game is open.";

/// In columns: longer names would push the scores out of the dialog.
const LONGEST_NAME: u16 = 18;

impl GameOverText<'_> {
    pub(super) fn title(&self) -> String {
        let Some(result) = self.result else {
            return "The game is given up".into();
        };
        let Some(winner) = result.winner() else {
            return "A draw".into();
        };
        let loser = winner.other();
        match (self.who(winner), self.who(loser)) {
            (name @ (Participant::Player(_) | Participant::Guest), _) => {
                format!("Congratulations, {name}!")
            }
            (Participant::Bot(_), name @ (Participant::Player(_) | Participant::Guest)) => {
                format!("Not this time, {name}")
            }
            (Participant::Bot(kind), Participant::Bot(_)) => format!("{kind} ({winner}) wins"),
        }
    }

    /// What is told below the title.
    pub(super) fn lines(&self, look: &Theme) -> Vec<Line<'static>> {
        let mut lines = vec![
            Line::from(self.sentence(look)),
            Line::styled(format!("{}.", self.way()), look.dim()),
        ];
        let scores = self.scores(look);
        if !scores.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(scores);
        // The last, since it gives way where there is no room.
        if let Some(word) = self.kind_word() {
            lines.push(Line::default());
            lines.push(Line::from(word));
        }
        lines
    }

    fn who(&self, side: Side) -> &Participant {
        &self.seats[side as usize]
    }

    fn name(&self, side: Side, look: &Theme) -> String {
        truncate(&self.who(side).to_string(), LONGEST_NAME, look.ellipsis())
    }

    /// Who did what to whom.
    fn sentence(&self, look: &Theme) -> String {
        let seat = |side: Side| format!("{} ({side})", self.name(side, look));
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

    /// How it ended, as the beginning of a sentence.
    fn way(&self) -> String {
        let mut letters = self.reason.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        }
    }

    /// Praise and comfort are for games that were fought to their end.
    fn kind_word(&self) -> Option<String> {
        if !self.end.is_by_rules() {
            let person = self.seats.iter().any(Participant::is_human);
            return self.result.filter(|_| person).map(|_| NEUTRAL.into());
        }
        let console = CONSOLATIONS[self.moves % CONSOLATIONS.len()];
        match self.result? {
            Outcome::Win(winner) => match (self.who(winner), self.who(winner.other())) {
                (
                    Participant::Player(_) | Participant::Guest,
                    loser @ (Participant::Player(_) | Participant::Guest),
                ) => Some(format!("{loser}: {}", lower(console))),
                (Participant::Player(_) | Participant::Guest, Participant::Bot(kind)) => {
                    Some(format!("{kind} has met its match."))
                }
                (Participant::Bot(_), Participant::Player(_) | Participant::Guest) => {
                    Some(console.into())
                }
                (Participant::Bot(_), Participant::Bot(_)) => None,
            },
            Outcome::Draw => match (self.who(Side::X), self.who(Side::O)) {
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

    fn scores(&self, look: &Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for side in Side::BOTH {
            if let (true, Some(tally)) = (self.who(side).is_human(), self.tallies[side as usize]) {
                let Tally {
                    wins,
                    losses,
                    draws: ties,
                } = tally;
                lines.push(Line::from(vec![
                    Span::styled(self.name(side, look), look.side(side)),
                    Span::raw(format!(": {wins} won, {losses} lost, {ties} tied")),
                ]));
            }
        }
        if self.handed {
            let why = "A side changed hands, so the game counts in nobody's record.";
            lines.push(Line::styled(why, look.dim()));
        } else if let Some(how) = self.assisted.filter(|_| !lines.is_empty()) {
            let why = format!("This game isn't rated: {how}.");
            lines.push(Line::styled(why, look.dim()));
        }
        lines
    }
}

fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
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

    fn person(name: &str) -> Participant {
        Participant::Player(Name::new(name).expect("a name"))
    }

    fn said(
        result: Option<Outcome>,
        end: Termination,
        seats: &[Participant; 2],
        handed: bool,
    ) -> String {
        let tallies = [0, 1].map(|seat| {
            let tally = result.map(|result| Tally::from_outcome(result, Side::BOTH[seat]));
            tally.filter(|_| seats[seat].is_human())
        });
        let ended = GameOverText {
            result,
            end,
            reason: end.to_string(),
            seats,
            tallies,
            handed,
            assisted: None,
            moves: 9,
        };
        let lines = ended.lines(&testing::theme());
        let lines = lines.iter().map(ToString::to_string);
        let lines: Vec<String> = [ended.title()].into_iter().chain(lines).collect();
        lines.join("\n")
    }

    /// Whoever wins is congratulated by name, whoever loses gets a kind word, and how
    /// it came is always told.
    #[test]
    fn everybody_is_told_what_happened() {
        let (x, o) = (Outcome::Win(Side::X), Outcome::Win(Side::O));
        let bot = || Participant::Bot(BotKind::Hard);
        let (anna, bob) = (|| person("Anna"), || person("Bob"));
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
            let text = said(result, Termination::Line, &seats, false);
            assert!(text.contains("A line is complete."), "{text}");
            for word in words {
                assert!(text.contains(word), "no {word:?} in\n{text}");
            }
            assert!(!text.contains("changed hands"), "{text}");
            let handed = said(result, Termination::Line, &seats, true);
            assert!(handed.contains("counts in nobody's record"), "{handed}");
        }
    }

    /// Nobody is praised for what was not fought out.
    #[test]
    fn kind_words_fit_how_it_ended() {
        let seats = [person("Anna"), person("Bob")];
        let against = [person("Anna"), Participant::Bot(BotKind::Hard)];
        let warm = [
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
                let text = said(Some(result), end, seats, false);
                let praised = warm.iter().any(|word| text.contains(word));
                assert_eq!(praised, played_out, "{text}");
            }
        }
    }

    /// However long the names are, the scores are in the first lines.
    #[test]
    fn long_names_leave_room_for_the_scores() {
        let long = "W".repeat(40);
        let seats = [
            person(&long),
            person(&long.to_lowercase().replace('w', "m")),
        ];
        let text = said(
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
