//! What is said when a game is over: to the winner, to the loser, to both.

use noughts_rules::{Outcome, Player};
use noughts_store::{Assistance, End, Tally};
use ratatui::text::{Line, Span};

use crate::tui::look::Look;
use crate::tui::widgets::short;
use noughts_session::Who;

/// A game that is over, as far as words need to know it.
pub(super) struct Ended<'a> {
    pub(super) result: Option<Outcome>,
    pub(super) end: End,
    /// How it ended, in words.
    pub(super) how: String,
    pub(super) seats: &'a [Who; 2],
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

impl Ended<'_> {
    pub(super) fn title(&self) -> String {
        let Some(result) = self.result else {
            return "The game is given up".into();
        };
        let Some(winner) = result.winner() else {
            return "A draw".into();
        };
        let loser = winner.other();
        match (self.who(winner), self.who(loser)) {
            (name @ (Who::Person(_) | Who::Guest), _) => format!("Congratulations, {name}!"),
            (Who::Bot(_), name @ (Who::Person(_) | Who::Guest)) => format!("Not this time, {name}"),
            (Who::Bot(kind), Who::Bot(_)) => format!("{kind} ({winner}) wins"),
        }
    }

    /// What is told below the title.
    pub(super) fn lines(&self, look: &Look) -> Vec<Line<'static>> {
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

    fn who(&self, side: Player) -> &Who {
        &self.seats[side as usize]
    }

    fn name(&self, side: Player, look: &Look) -> String {
        short(&self.who(side).to_string(), LONGEST_NAME, look.more())
    }

    /// Who did what to whom.
    fn sentence(&self, look: &Look) -> String {
        let seat = |side: Player| format!("{} ({side})", self.name(side, look));
        match self.result {
            None => "It has no winner and counts for nobody.".into(),
            Some(Outcome::Draw) => format!(
                "{} and {} share the honours.",
                seat(Player::X),
                seat(Player::O)
            ),
            Some(Outcome::Win(winner)) => {
                format!("{} beat {}.", seat(winner), seat(winner.other()))
            }
        }
    }

    /// How it ended, as the beginning of a sentence.
    fn way(&self) -> String {
        let mut letters = self.how.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        }
    }

    /// Praise and comfort are for games that were fought to their end.
    fn kind_word(&self) -> Option<String> {
        if !self.end.is_by_rules() {
            let person = self.seats.iter().any(Who::is_person);
            return self.result.filter(|_| person).map(|_| NEUTRAL.into());
        }
        let console = CONSOLATIONS[self.moves % CONSOLATIONS.len()];
        match self.result? {
            Outcome::Win(winner) => match (self.who(winner), self.who(winner.other())) {
                (Who::Person(_) | Who::Guest, loser @ (Who::Person(_) | Who::Guest)) => {
                    Some(format!("{loser}: {}", lower(console)))
                }
                (Who::Person(_) | Who::Guest, Who::Bot(kind)) => {
                    Some(format!("{kind} has met its match."))
                }
                (Who::Bot(_), Who::Person(_) | Who::Guest) => Some(console.into()),
                (Who::Bot(_), Who::Bot(_)) => None,
            },
            Outcome::Draw => match (self.who(Player::X), self.who(Player::O)) {
                (Who::Person(_) | Who::Guest, Who::Person(_) | Who::Guest) => {
                    Some("Nobody gave an inch.".into())
                }
                (name @ (Who::Person(_) | Who::Guest), Who::Bot(kind))
                | (Who::Bot(kind), name @ (Who::Person(_) | Who::Guest)) => {
                    Some(format!("Well held, {name}: {kind} found no way through."))
                }
                (Who::Bot(_), Who::Bot(_)) => None,
            },
        }
    }

    fn scores(&self, look: &Look) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for side in Player::BOTH {
            if let (true, Some(tally)) = (self.who(side).is_person(), self.tallies[side as usize]) {
                let Tally { wins, losses, ties } = tally;
                lines.push(Line::from(vec![
                    Span::styled(self.name(side, look), look.player(side)),
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

    fn person(name: &str) -> Who {
        Who::Person(Name::new(name).expect("a name"))
    }

    fn said(result: Option<Outcome>, end: End, seats: &[Who; 2], handed: bool) -> String {
        let tallies = [0, 1].map(|seat| {
            let tally = result.map(|result| Tally::of(result, Player::BOTH[seat]));
            tally.filter(|_| seats[seat].is_person())
        });
        let ended = Ended {
            result,
            end,
            how: end.to_string(),
            seats,
            tallies,
            handed,
            assisted: None,
            moves: 9,
        };
        let lines = ended.lines(&testing::look());
        let lines = lines.iter().map(ToString::to_string);
        let lines: Vec<String> = [ended.title()].into_iter().chain(lines).collect();
        lines.join("\n")
    }

    /// Whoever wins is congratulated by name, whoever loses gets a kind word, and how
    /// it came is always told.
    #[test]
    fn everybody_is_told_what_happened() {
        let (x, o) = (Outcome::Win(Player::X), Outcome::Win(Player::O));
        let bot = || Who::Bot(BotKind::Hard);
        let (anna, bob) = (|| person("Anna"), || person("Bob"));
        let cases: [(Option<Outcome>, [Who; 2], &[&str]); 8] = [
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
            let text = said(result, End::Line, &seats, false);
            assert!(text.contains("A line is complete."), "{text}");
            for word in words {
                assert!(text.contains(word), "no {word:?} in\n{text}");
            }
            assert!(!text.contains("changed hands"), "{text}");
            let handed = said(result, End::Line, &seats, true);
            assert!(handed.contains("counts in nobody's record"), "{handed}");
        }
    }

    /// Nobody is praised for what was not fought out.
    #[test]
    fn kind_words_fit_how_it_ended() {
        let seats = [person("Anna"), person("Bob")];
        let against = [person("Anna"), Who::Bot(BotKind::Hard)];
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
            (Outcome::Win(Player::O), End::Resigned, false),
            (Outcome::Win(Player::X), End::Resigned, false),
            (Outcome::Draw, End::AgreedDraw, false),
            (Outcome::Draw, End::NoMove, true),
            (Outcome::Win(Player::O), End::Line, true),
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
        let text = said(Some(Outcome::Win(Player::X)), End::Line, &seats, false);
        let scores = text.lines().skip(4).take(2);
        for line in scores {
            assert!(line.contains(" won, "), "{text}");
            assert!(line.chars().count() <= 42, "{line}");
        }
    }
}
