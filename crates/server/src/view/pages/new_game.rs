//! A new game: two player panels, who starts, the rule options, and how to begin.
//! Without a script the form comes back filled in; beginning is the API's.

use maud::{Markup, html};
use noughts_engine::{BotKind, Tablebases};
use noughts_pictures as pictures;
use noughts_rules::Variant;
use noughts_session::options::{OptionKind, VariantRequest};
use noughts_session::titles;

use crate::view::layout::Page;
use crate::view::{formatting, icons};

/// What the form says.
pub(crate) struct NewGameForm {
    /// The options as they were asked for.
    pub(crate) request: VariantRequest,
    /// The game that they make, or the last that they made.
    pub(crate) variant: Variant,
    /// Why they make none.
    pub(crate) error: Option<String>,
    /// The field of the option that is to blame.
    pub(crate) invalid_field: Option<&'static str>,
    pub(crate) players: [PlayerForm; 2],
    /// `first`, `second` or `random`.
    pub(crate) who_starts: String,
}

/// A player panel.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayerForm {
    pub(crate) is_computer: bool,
    pub(crate) name: String,
    pub(crate) bot: String,
}

impl NewGameForm {
    /// Reads the form's fields. What makes no sense is as if it were not there, but
    /// for the game's options: these get an answer.
    pub(crate) fn from_fields(fields: &[(String, String)]) -> NewGameForm {
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(field, _)| field == name);
            found.map(|(_, value)| value.as_str())
        };
        let named = field("variant").map_or(Ok(Variant::CLASSIC), str::parse);
        let mut error = named.as_ref().err().map(ToString::to_string);
        let before = named.unwrap_or(Variant::CLASSIC);
        let mut request = VariantRequest::with_all_options(before);
        let mut invalid_field = None;
        for option in request.specs() {
            match field(option.field).map(|text| request.with_field(option.field, text)) {
                Some(Ok(filled)) => request = filled,
                Some(Err(reason)) => {
                    error = Some(reason);
                    invalid_field = Some(option.field);
                }
                None => {}
            }
        }
        let built = request.build();
        if let Err(invalid) = &built {
            let reason = request.with_menu_labels(invalid.reason());
            let named = request.specs().iter();
            let mut named = named.filter(|option| reason.starts_with(option.label));
            invalid_field = named.next().map(|option| option.field);
            error = Some(reason);
        }
        let panel = |panel: &str, computer: bool| {
            let of = |what: &str| field(&format!("{panel}-{what}"));
            let bot = of("bot").filter(|bot| bot.parse::<BotKind>().is_ok());
            PlayerForm {
                is_computer: of("kind").map_or(computer, |kind| kind == "computer"),
                name: of("name").unwrap_or_default().chars().take(40).collect(),
                bot: bot.unwrap_or("medium").into(),
            }
        };
        let starts = field("starts").filter(|s| ["first", "second", "random"].contains(s));
        NewGameForm {
            variant: built.unwrap_or(before),
            players: [panel("p1", false), panel("p2", true)],
            who_starts: starts.unwrap_or("first").into(),
            error,
            invalid_field,
            request,
        }
    }

    /// The same players with another game.
    fn address(&self, variant: Variant) -> String {
        let mut address = format!(
            "/new?variant={}",
            formatting::encode_query(&variant.to_string())
        );
        for (panel, player) in ["p1", "p2"].into_iter().zip(&self.players) {
            let kind = if player.is_computer {
                "computer"
            } else {
                "person"
            };
            address += &format!(
                "&{panel}-kind={kind}&{panel}-bot={}",
                formatting::encode_query(&player.bot)
            );
            if !player.name.is_empty() {
                address += &format!("&{panel}-name={}", formatting::encode_query(&player.name));
            }
        }
        address + "&starts=" + self.who_starts.as_str()
    }
}

/// `tables` are those that the server has: with one, a bot may be perfect.
pub(crate) fn new_game(setup: &NewGameForm, tables: &Tablebases) -> Markup {
    let title = formatting::variant_title(setup.variant);
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
            p.problem role="alert" { @if let Some(problem) = &setup.error { (formatting::sentence_markup(problem)) } }
            (begin())
        }
        (games(setup))
    };
    let page = Page {
        name: "new",
        title: &format!("New game: {title}"),
        description: "Set up a game: who plays, who starts, and by which rules.",
        initial_state: None,
        content: main,
    };
    page.render()
}

/// The game that is about to be played.
fn chosen(setup: &NewGameForm) -> Markup {
    let variant = setup.variant;
    html! {
        div.chosen {
            span.thumb { (pictures::thumbnail(variant)) }
            div {
                h2 { (formatting::variant_title(variant)) }
                p { (titles::summary(variant)) }
                p.soft {
                    code { (variant.to_string()) } " · "
                    a href=(format!("/rules/{}", formatting::encode_path_segment(&variant.to_string()))) { "rules" }
                }
            }
        }
    }
}

fn panel(setup: &NewGameForm, which: usize, tables: &Tablebases) -> Markup {
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
                    input type="radio" name=(format!("{id}-kind")) id=(field) value=(kind) checked[player.is_computer == computer];
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
                (level_select(setup.variant, tables, (&bot, &bot), &player.bot))
            }
        }
    }
}

/// The bots that play a game, with the honest sentence of the chosen one below.
pub(super) fn level_select(
    variant: Variant,
    tables: &Tablebases,
    (id, name): (&str, &str),
    chosen: &str,
) -> Markup {
    let plays = BotKind::ALL
        .into_iter()
        .filter(|kind| kind.check_supports(variant).is_ok());
    let plays: Vec<BotKind> = plays.collect();
    let now = plays.iter().find(|kind| kind.name() == chosen);
    let now = now.copied().unwrap_or(BotKind::Medium);
    let about = |kind: BotKind| {
        let perfect = match kind.is_perfect(variant, tables) {
            true => " Never makes a mistake here.",
            false => "",
        };
        format!("{}{perfect}", kind.description(Some(variant)))
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

fn starts(setup: &NewGameForm) -> Markup {
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
                input type="radio" name="starts" id=(id) value=(value) checked[setup.who_starts == value];
                label for=(id) { (word) }
            }
        }
    }
}

/// The rule options of the game's family, each value explained.
fn options(setup: &NewGameForm) -> Markup {
    let fixed = matches!(
        setup.variant,
        Variant::CLASSIC | Variant::MISERE | Variant::ULTIMATE | Variant::TIC_TAC_TWO
    );
    html! {
        details.options open[!fixed || setup.error.is_some()] {
            summary { "Change the rules" }
            div.fields {
                @for (i, option) in setup.request.specs().iter().enumerate() {
                    @let (id, idle) = (format!("option-{}", option.field), setup.request.has_no_effect(i));
                    @match option.kind {
                        OptionKind::Number(step, (from, to), sentence) => {
                            div.field {
                                label for=(id) { (option.label) }
                                input type="number" id=(id) name=(option.field) min=(from) max=(to) step=(step)
                                    required
                                    value=(setup.request.value_text(i)) aria-describedby=(format!("{id}-about"))
                                    aria-invalid=[(setup.invalid_field == Some(option.field)).then_some("true")];
                                p.soft id=(format!("{id}-about")) { (sentence) " From " (from) " to " (to) "." }
                            }
                        }
                        OptionKind::Words(words) => {
                            fieldset.field.words id=(id) disabled[idle] {
                                legend { (option.label) }
                                @for (word, sentence) in words {
                                    @let id = format!("{id}-{word}");
                                    div.word {
                                        input type="radio" id=(id) name=(option.field) value=(word)
                                            checked[setup.request.value_text(i) == *word];
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
            button.primary.large type="button" id="make-here" data-do="make" value="here" { (icons::icon("go")) "Play here" }
            button.large type="button" id="make-invite" data-do="make" value="invite" { (icons::icon("link")) "Invite a friend" }
            button.large type="button" id="make-watch" data-do="make" value="watch" { (icons::icon("analyse")) "Watch computers" }
        }
        p.begin-says role="status" {}
        noscript { p.soft { "To play, the page needs its script." } }
    }
}

/// The other games, with these players.
fn games(setup: &NewGameForm) -> Markup {
    html! {
        section.choose aria-labelledby="choose-title" {
            h2 id="choose-title" { "Another game" }
            ul.chips {
                @for variant in formatting::preset_variants() {
                    li {
                        a.chip href=(setup.address(variant)) aria-current=[(variant == setup.variant).then_some("true")] {
                            span.thumb { (pictures::thumbnail(variant)) }
                            (formatting::variant_title(variant))
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

    fn read(fields: &[(&str, &str)]) -> NewGameForm {
        let fields: Vec<_> = fields.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        NewGameForm::from_fields(&fields)
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
            assert_eq!(setup.error, None, "{expected}");
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
            assert_eq!(setup.invalid_field, wrong);
            let page = new_game(&setup, &Tablebases::default()).0;
            assert_eq!(
                page.contains("aria-invalid"),
                wrong.is_some_and(|field| field == "line")
            );
            let problem = setup.error.unwrap_or_default();
            assert!(problem.contains(reason), "{problem}");
        }
    }

    /// Seed 002: the first is a person and the second a computer, at first.
    #[test]
    fn panels_are_as_they_were_left() {
        let [first, second] = read(&[]).players;
        assert!(!first.is_computer && second.is_computer);
        assert_eq!(second.bot, "medium");
        let long = "x".repeat(500);
        let setup = read(&[
            ("p1-kind", "computer"),
            ("p1-bot", "hard"),
            ("p2-name", &long),
            ("p2-bot", "deep"),
        ]);
        assert_eq!(setup.players[0].bot, "hard");
        assert!(setup.players[0].is_computer);
        assert_eq!(setup.players[1].name.len(), 40);
        assert_eq!(setup.players[1].bot, "medium");
    }

    #[test]
    fn nothing_from_the_address_is_markup() {
        let evil = "\"><script>alert(1)</script>";
        let setup = read(&[("p1-name", evil), ("variant", evil)]);
        let page = new_game(&setup, &Tablebases::default()).0;
        assert!(!page.contains("<script>alert"), "escaped everywhere");
    }
}
