//! A new game: two player panels, who starts, the rule options, and how to begin.
//! Without a script the form comes back filled in; beginning is the API's.

use maud::{Markup, html};
use noughts_engine::{BotKind, Tables};
use noughts_pictures as pictures;
use noughts_rules::Variant;
use noughts_session::options::{Values, Wish};
use noughts_session::titles;

use crate::view::layout::Page;
use crate::view::{icons, words};

/// What the form says.
pub(crate) struct Setup {
    /// The options as they were asked for.
    pub(crate) wish: Wish,
    /// The game that they make, or the last that they made.
    pub(crate) variant: Variant,
    /// Why they make none.
    pub(crate) problem: Option<String>,
    /// The field of the option that is to blame.
    pub(crate) wrong: Option<&'static str>,
    pub(crate) players: [Panel; 2],
    /// `first`, `second` or `random`.
    pub(crate) starts: String,
}

/// A player panel.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Panel {
    pub(crate) computer: bool,
    pub(crate) name: String,
    pub(crate) bot: String,
}

impl Setup {
    /// Reads the form's fields. What makes no sense is as if it were not there, but
    /// for the game's options: these get an answer.
    pub(crate) fn read(fields: &[(String, String)]) -> Setup {
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(field, _)| field == name);
            found.map(|(_, value)| value.as_str())
        };
        let named = field("variant").map_or(Ok(Variant::CLASSIC), str::parse);
        let mut problem = named.as_ref().err().map(ToString::to_string);
        let before = named.unwrap_or(Variant::CLASSIC);
        let mut wish = Wish::open(before);
        let mut wrong = None;
        for option in wish.choosables() {
            match field(option.field).map(|text| wish.filled(option.field, text)) {
                Some(Ok(filled)) => wish = filled,
                Some(Err(reason)) => {
                    problem = Some(reason);
                    wrong = Some(option.field);
                }
                None => {}
            }
        }
        let built = wish.built();
        if let Err(error) = &built {
            let reason = wish.in_menu_words(error.reason());
            let named = wish.choosables().iter();
            let mut named = named.filter(|option| reason.starts_with(option.label));
            wrong = named.next().map(|option| option.field);
            problem = Some(reason);
        }
        let panel = |panel: &str, computer: bool| {
            let of = |what: &str| field(&format!("{panel}-{what}"));
            let bot = of("bot").filter(|bot| bot.parse::<BotKind>().is_ok());
            Panel {
                computer: of("kind").map_or(computer, |kind| kind == "computer"),
                name: of("name").unwrap_or_default().chars().take(40).collect(),
                bot: bot.unwrap_or("medium").into(),
            }
        };
        let starts = field("starts").filter(|s| ["first", "second", "random"].contains(s));
        Setup {
            variant: built.unwrap_or(before),
            players: [panel("p1", false), panel("p2", true)],
            starts: starts.unwrap_or("first").into(),
            problem,
            wrong,
            wish,
        }
    }

    /// The same players with another game.
    fn address(&self, variant: Variant) -> String {
        let mut address = format!("/new?variant={}", words::encoded(&variant.to_string()));
        for (panel, player) in ["p1", "p2"].into_iter().zip(&self.players) {
            let kind = if player.computer {
                "computer"
            } else {
                "person"
            };
            address += &format!(
                "&{panel}-kind={kind}&{panel}-bot={}",
                words::encoded(&player.bot)
            );
            if !player.name.is_empty() {
                address += &format!("&{panel}-name={}", words::encoded(&player.name));
            }
        }
        address + "&starts=" + self.starts.as_str()
    }
}

/// `tables` are those that the server has: with one, a bot may be perfect.
pub(crate) fn new(setup: &Setup, tables: &Tables) -> Markup {
    let title = words::title(setup.variant);
    let main = html! {
        div.headline { h1 { "New game" } }
        form.setup id="setup" method="get" action="/new" {
            input type="hidden" name="variant" id="variant" value=(setup.variant.to_string());
            (chosen(setup))
            div.players {
                (panel(setup, 0, tables))
                (panel(setup, 1, tables))
            }
            (starts(setup))
            (options(setup))
            p.problem role="alert" { @if let Some(problem) = &setup.problem { (words::sentence(problem)) } }
            (begin())
        }
        (games(setup))
    };
    let page = Page {
        name: "new",
        title: &format!("New game: {title}"),
        about: "Set up a game: who plays, who starts, and by which rules.",
        state: None,
        main,
    };
    page.markup()
}

/// The game that is about to be played.
fn chosen(setup: &Setup) -> Markup {
    let variant = setup.variant;
    html! {
        div.chosen {
            span.thumb { (pictures::thumbnail(variant)) }
            div {
                h2 { (words::title(variant)) }
                p { (titles::sentence(variant)) }
                p.soft {
                    code { (variant.to_string()) } " · "
                    a href=(format!("/rules/{}", words::segment(&variant.to_string()))) { "rules" }
                }
            }
        }
    }
}

fn panel(setup: &Setup, which: usize, tables: &Tables) -> Markup {
    let player = &setup.players[which];
    let id = ["p1", "p2"][which];
    let number = which + 1;
    let class = ["panel x", "panel o"][which];
    let bot = format!("{id}-bot");
    html! {
        fieldset class=(class) id=(format!("{id}-panel")) {
            legend { "Player " (number) }
            div.choice.switch {
                @for (kind, word, computer) in [("person", "Person", false), ("computer", "Computer", true)] {
                    @let field = format!("{id}-{kind}");
                    input type="radio" name=(format!("{id}-kind")) id=(field) value=(kind) checked[player.computer == computer];
                    label for=(field) { (word) }
                }
            }
            div.field.for-person {
                label for=(format!("{id}-name")) { "Name" }
                input type="text" id=(format!("{id}-name")) name=(format!("{id}-name")) value=(player.name)
                    maxlength="40" placeholder="Guest" autocomplete="off" spellcheck="false";
            }
            div.field.for-computer {
                label for=(bot) { "Level" }
                (levels(setup.variant, tables, (&bot, &bot), &player.bot))
            }
        }
    }
}

/// The bots that play a game, with the honest sentence of the chosen one below.
pub(super) fn levels(
    variant: Variant,
    tables: &Tables,
    (id, name): (&str, &str),
    chosen: &str,
) -> Markup {
    let plays = BotKind::ALL
        .into_iter()
        .filter(|kind| kind.plays(variant).is_ok());
    let plays: Vec<BotKind> = plays.collect();
    let now = plays.iter().find(|kind| kind.name() == chosen);
    let now = now.copied().unwrap_or(BotKind::Medium);
    let about = |kind: BotKind| {
        let perfect = match kind.is_perfect(variant, tables) {
            true => " Never makes a mistake here.",
            false => "",
        };
        format!("{}{perfect}", kind.sentence(Some(variant)))
    };
    let says = format!("{id}-says");
    html! {
        select id=(id) name=(name) aria-describedby=(says) {
            @for kind in &plays {
                option value=(kind.name()) selected[*kind == now] data-sentence=(about(*kind)) { (kind.name()) }
            }
        }
        p.honest id=(says) { (about(now)) }
    }
}

fn starts(setup: &Setup) -> Markup {
    let ways = [
        ("first", "Player 1"),
        ("second", "Player 2"),
        ("random", "Draw lots"),
    ];
    html! {
        fieldset.choice.starts {
            legend { "Who starts, as X" }
            @for (value, word) in ways {
                @let id = format!("starts-{value}");
                input type="radio" name="starts" id=(id) value=(value) checked[setup.starts == value];
                label for=(id) { (word) }
            }
        }
    }
}

/// The rule options of the game's family, each value explained.
fn options(setup: &Setup) -> Markup {
    let fixed = matches!(
        setup.variant,
        Variant::CLASSIC | Variant::MISERE | Variant::ULTIMATE | Variant::TIC_TAC_TWO
    );
    html! {
        details.options open[!fixed || setup.problem.is_some()] {
            summary { "Change the rules" }
            div.fields {
                @for (i, option) in setup.wish.choosables().iter().enumerate() {
                    @let (id, idle) = (format!("option-{}", option.field), setup.wish.is_idle(i));
                    @match option.values {
                        Values::Number(step, (from, to), sentence) => {
                            div.field {
                                label for=(id) { (option.label) }
                                input type="number" id=(id) name=(option.field) min=(from) max=(to) step=(step)
                                    required
                                    value=(setup.wish.text(i)) aria-describedby=(format!("{id}-about"))
                                    aria-invalid=[(setup.wrong == Some(option.field)).then_some("true")];
                                p.soft id=(format!("{id}-about")) { (sentence) " From " (from) " to " (to) "." }
                            }
                        }
                        Values::Words(words) => {
                            fieldset.field.words id=(id) disabled[idle] {
                                legend { (option.label) }
                                @for (word, sentence) in words {
                                    @let id = format!("{id}-{word}");
                                    div.word {
                                        input type="radio" id=(id) name=(option.field) value=(word)
                                            checked[setup.wish.text(i) == *word];
                                        label for=(id) { b { (word) } " " span.soft { (sentence) } }
                                    }
                                }
                                p.soft.idle hidden[!idle] { "This makes no difference with the other options as they are." }
                            }
                        }
                    }
                }
            }
            noscript { button type="submit" { "Take these rules" } }
        }
    }
}

fn begin() -> Markup {
    html! {
        div.buttons.begin {
            button.primary.large type="button" id="make-here" data-do="make" value="here" { (icons::sign("go")) "Play here" }
            button.large type="button" id="make-invite" data-do="make" value="invite" { (icons::sign("link")) "Invite a friend" }
            button.large type="button" id="make-watch" data-do="make" value="watch" { (icons::sign("analyse")) "Watch computers" }
        }
        p.begin-says role="status" {}
        noscript { p.soft { "To play, the page needs its script." } }
    }
}

/// The other games, with these players.
fn games(setup: &Setup) -> Markup {
    html! {
        section.choose aria-labelledby="choose-title" {
            h2 id="choose-title" { "Another game" }
            ul.chips {
                @for variant in words::offered() {
                    li {
                        a.chip href=(setup.address(variant)) aria-current=[(variant == setup.variant).then_some("true")] {
                            span.thumb { (pictures::thumbnail(variant)) }
                            (words::title(variant))
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Setup {
        let fields: Vec<_> = fields.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        Setup::read(&fields)
    }

    #[test]
    fn fields_make_a_variant() {
        for (fields, expected) in [
            (&[][..], "classic"),
            (&[("variant", "mnk:3,3,3"), ("rows", "5")], "mnk:3,5,3"),
            (&[("variant", "classic"), ("lines", "loses")], "misere"),
            (
                &[("variant", "tic-tac-two"), ("board", "7")],
                "tic-tac-two:board=7",
            ),
            (
                &[("variant", "ultimate"), ("sent", "5a"), ("free", "open")],
                "ception:5a",
            ),
            (
                &[
                    ("variant", "ultimate"),
                    ("depth", "3"),
                    ("trail", "history"),
                ],
                "ception:depth=3,trail=history",
            ),
        ] {
            let setup = read(fields);
            assert_eq!(setup.variant.to_string(), expected);
            assert_eq!(setup.problem, None, "{expected}");
        }
    }

    #[test]
    fn what_makes_no_game_says_why_and_keeps_the_last_one() {
        for (fields, variant, reason) in [
            (&[("variant", "chess")][..], "classic", "chess"),
            (
                &[("variant", "classic"), ("line", "4")],
                "classic",
                "In a row is 4",
            ),
            (
                &[("variant", "classic"), ("line", "many")],
                "classic",
                "In a row must be a whole number",
            ),
            (
                &[("variant", "classic"), ("line", "")],
                "classic",
                "In a row must be a whole number",
            ),
            (
                &[("variant", "classic"), ("line", "2.5")],
                "classic",
                "In a row must be a whole number",
            ),
            (
                &[("variant", "ultimate"), ("sent", "6")],
                "ultimate",
                "Sent to won must be one of 5a",
            ),
        ] {
            let setup = read(fields);
            assert_eq!(setup.variant.to_string(), variant);
            // The field that is to blame is marked, so that one can be led to it.
            let wrong = fields.get(1).map(|(field, _)| *field);
            assert_eq!(setup.wrong, wrong);
            let page = new(&setup, &Tables::default()).0;
            assert_eq!(
                page.contains("aria-invalid"),
                wrong.is_some_and(|field| field == "line")
            );
            let problem = setup.problem.unwrap_or_default();
            assert!(problem.contains(reason), "{problem}");
        }
    }

    /// Seed 002: the first is a person and the second a computer, at first.
    #[test]
    fn panels_are_as_they_were_left() {
        let [first, second] = read(&[]).players;
        assert!(!first.computer && second.computer);
        assert_eq!(second.bot, "medium");
        let long = "x".repeat(500);
        let setup = read(&[
            ("p1-kind", "computer"),
            ("p1-bot", "hard"),
            ("p2-name", &long),
            ("p2-bot", "deep"),
        ]);
        assert_eq!(setup.players[0].bot, "hard");
        assert!(setup.players[0].computer);
        assert_eq!(setup.players[1].name.len(), 40);
        assert_eq!(setup.players[1].bot, "medium");
    }

    #[test]
    fn nothing_from_the_address_is_markup() {
        let evil = "\"><script>alert(1)</script>";
        let setup = read(&[("p1-name", evil), ("variant", evil)]);
        let page = new(&setup, &Tables::default()).0;
        assert!(!page.contains("<script>alert"), "escaped everywhere");
    }
}
