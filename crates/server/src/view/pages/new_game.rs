//! The new-game form: two player panels, who starts, the rule options, and the buttons that
//! start a game. Without scripts the form can only be validated: games are created through
//! the API.

use maud::{Markup, html};
use noughts_engine::{BotKind, Tablebases};
use noughts_rules::Variant;
use noughts_session::options::{OptionKind, VariantRequest};
use noughts_view::icons;

use crate::view::formatting;
use crate::view::layout::Page;

/// The form's fields, validated.
pub(crate) struct NewGameForm {
    /// The requested options.
    pub(crate) request: VariantRequest,
    /// The variant they give, or the last valid one.
    pub(crate) variant: Variant,
    /// Why the options are invalid.
    pub(crate) error: Option<String>,
    /// The field of the invalid option.
    pub(crate) invalid_field: Option<&'static str>,
    pub(crate) players: [PlayerForm; 2],
    /// `first`, `second` or `random`.
    pub(crate) who_starts: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayerForm {
    pub(crate) is_computer: bool,
    pub(crate) name: String,
    pub(crate) bot: String,
}

impl NewGameForm {
    /// Parses the form's fields. Invalid values are ignored, except for the game's options:
    /// those set `error`.
    pub(crate) fn from_fields(fields: &[(String, String)]) -> NewGameForm {
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(field, _)| field == name);
            found.map(|(_, value)| value.as_str())
        };
        let parsed = formatting::parse_variant(field("variant").unwrap_or_default());
        let mut error = parsed.as_ref().err().cloned();
        let base_variant = parsed.unwrap_or_default();
        let mut request = VariantRequest::with_all_options(base_variant);
        let mut invalid_field = None;
        for (i, option) in request.specs().iter().enumerate() {
            match field(option.field).map(|text| request.with_text(i, text)) {
                Some(Ok(updated)) => request = updated,
                Some(Err(reason)) => {
                    error = Some(reason.to_string());
                    invalid_field = Some(option.field);
                }
                None => {}
            }
        }
        let variant = request.build();
        if let Err(invalid) = &variant {
            invalid_field = invalid.option().map(|option| option.field);
            error = Some(invalid.to_string());
        }
        let panel = |panel: &str, default_is_computer: bool| {
            let panel_field = |suffix: &str| field(&format!("{panel}-{suffix}"));
            let bot = panel_field("bot").filter(|bot| bot.parse::<BotKind>().is_ok());
            PlayerForm {
                is_computer: panel_field("kind")
                    .map_or(default_is_computer, |kind| kind == "computer"),
                name: panel_field("name")
                    .unwrap_or_default()
                    .chars()
                    .take(40)
                    .collect(),
                bot: bot.unwrap_or("medium").into(),
            }
        };
        let who_starts = field("starts").filter(|s| ["first", "second", "random"].contains(s));
        NewGameForm {
            variant: variant.unwrap_or(base_variant),
            players: [panel("p1", false), panel("p2", true)],
            who_starts: who_starts.unwrap_or("first").into(),
            error,
            invalid_field,
            request,
        }
    }

    /// The URL of this form with the same players and another variant.
    fn url_for(&self, variant: Variant) -> String {
        let mut url = formatting::new_game_url(variant);
        for (panel, player) in ["p1", "p2"].into_iter().zip(&self.players) {
            let kind = ["human", "computer"][usize::from(player.is_computer)];
            url += &format!(
                "&{panel}-kind={kind}&{panel}-bot={}",
                formatting::encode_query(&player.bot)
            );
            if !player.name.is_empty() {
                url += &format!("&{panel}-name={}", formatting::encode_query(&player.name));
            }
        }
        url + "&starts=" + self.who_starts.as_str()
    }
}

/// `tablebases` are the server's tablebases: with one, a bot can be perfect.
pub(crate) fn new_game(form: &NewGameForm, tablebases: &Tablebases) -> Markup {
    let title = form.variant.title();
    let main = html! {
        div.headline { h1 { "New game" } }
        form.new-game-form id="new-game-form" method="get" action="/new" {
            input type="hidden" name="variant" id="variant" value=(form.variant.to_string());
            (chosen_variant(form))
            div.players {
                (player_panel(form, 0, tablebases))
                (player_panel(form, 1, tablebases))
            }
            (who_starts_field(form))
            (option_fields(form))
            p.form-error role="alert" { @if let Some(error) = &form.error { (formatting::sentence_markup(error)) } }
            (start_buttons())
        }
        (other_variants(form))
    };
    let title = format!("New game: {title}");
    let description = "Set up a game: choose the players, who moves first and the rules.";
    Page::new("new", &title, description).render(&main)
}

/// The chosen variant.
fn chosen_variant(form: &NewGameForm) -> Markup {
    let variant = form.variant;
    html! {
        div.selected-game {
            span.thumbnail { (noughts_view::thumbnail(variant)) }
            div {
                h2 { (variant.title()) }
                p { (variant.summary()) }
                p.muted {
                    code { (variant.to_string()) } " · "
                    a href=(formatting::rules_url(variant)) { "Rules" }
                }
            }
        }
    }
}

fn player_panel(form: &NewGameForm, index: usize, tablebases: &Tablebases) -> Markup {
    let player = &form.players[index];
    let id = ["p1", "p2"][index];
    let number = index + 1;
    let class = ["panel x", "panel o"][index];
    let bot = format!("{id}-bot");
    html! {
        fieldset class=(class) id=(format!("{id}-panel")) {
            legend { "Player " (number) }
            div.choice.switch {
                @for (kind, word, computer) in [("human", "Human", false), ("computer", "Computer", true)] {
                    @let field = format!("{id}-{kind}");
                    input type="radio" name=(format!("{id}-kind")) id=(field) value=(kind) checked[player.is_computer == computer];
                    label for=(field) { (word) }
                }
            }
            div.field.for-human {
                label for=(format!("{id}-name")) { "Name" }
                input type="text" id=(format!("{id}-name")) name=(format!("{id}-name")) value=(player.name)
                    maxlength="40" placeholder="Guest" autocomplete="off" spellcheck="false";
            }
            div.field.for-computer {
                label for=(bot) { "Level" }
                (level_select(form.variant, tablebases, (&bot, &bot), &player.bot))
            }
        }
    }
}

/// A list of the levels that play a variant, and the description of the chosen one. A bot for
/// experiments is listed only if it is chosen.
pub(super) fn level_select(
    variant: Variant,
    tablebases: &Tablebases,
    (id, name): (&str, &str),
    chosen: &str,
) -> Markup {
    let bots = BotKind::ALL.into_iter().filter(|kind| {
        let is_listed = noughts_text::LEVELS.contains(kind) || kind.name() == chosen;
        is_listed && kind.check_supports(variant).is_ok()
    });
    let bots: Vec<BotKind> = bots.collect();
    let selected = bots.iter().find(|kind| kind.name() == chosen);
    let selected = selected.copied().unwrap_or(BotKind::Medium);
    let description = |kind: BotKind| {
        let description = kind.description(Some(variant));
        match kind.is_perfect(variant, tablebases) {
            true => format!("{description} {}", noughts_text::perfection(true).1),
            false => description,
        }
    };
    let description_id = format!("{id}-description");
    html! {
        select id=(id) name=(name) aria-describedby=(description_id) {
            @for kind in &bots {
                option value=(kind.name()) selected[*kind == selected] data-description=(description(*kind)) { (noughts_text::bot_name(*kind)) }
            }
        }
        p.description id=(description_id) { (description(selected)) }
    }
}

fn who_starts_field(form: &NewGameForm) -> Markup {
    let choices = [
        ("first", "Player 1"),
        ("second", "Player 2"),
        ("random", "Random"),
    ];
    html! {
        fieldset.choice.starts {
            legend { "Who moves first (X)" }
            @for (value, word) in choices {
                @let id = format!("starts-{value}");
                input type="radio" name="starts" id=(id) value=(value) checked[form.who_starts == value];
                label for=(id) { (word) }
            }
        }
    }
}

/// The rule options of the variant's game, each value explained.
fn option_fields(form: &NewGameForm) -> Markup {
    if form.request.specs().is_empty() {
        return html! {};
    }
    let is_preset = form
        .variant
        .preset()
        .is_some_and(|preset| !preset.name.contains(':'));
    html! {
        details.options open[!is_preset || form.error.is_some()] {
            summary { "Change the rules" }
            div.option-fields {
                @for (i, option) in form.request.specs().iter().enumerate() {
                    @let (id, is_unused) = (format!("option-{}", option.field), form.request.has_no_effect(i));
                    @match option.kind {
                        OptionKind::Number(step, (from, to), sentence) => {
                            div.field {
                                label for=(id) { (option.label) }
                                input type="number" id=(id) name=(option.field) min=(from) max=(to) step=(step)
                                    required
                                    value=(form.request.value_text(i)) aria-describedby=(format!("{id}-help"))
                                    aria-invalid=[(form.invalid_field == Some(option.field)).then_some("true")];
                                p.muted id=(format!("{id}-help")) { (sentence) " Allowed: " (option.allowed_values()) "." }
                            }
                        }
                        OptionKind::Words(words) => {
                            fieldset.field.option-choices id=(id) disabled[is_unused] {
                                legend { (option.label) }
                                @for (value, (word, ..)) in (0..).zip(words) {
                                    @let id = format!("{id}-{word}");
                                    div.option {
                                        input type="radio" id=(id) name=(option.field) value=(word)
                                            checked[form.request.value_text(i) == *word];
                                        label for=(id) { b { (word) } " " span.muted { (option.description(value)) } }
                                    }
                                }
                                p.muted.unused-note hidden[!is_unused] { "This has no effect with the other options you chose." }
                            }
                        }
                    }
                }
            }
            noscript { button type="submit" { "Apply" } }
        }
    }
}

fn start_buttons() -> Markup {
    html! {
        div.buttons.start-buttons {
            button.primary.large type="button" id="create-here" data-action="create-game" value="here" { (icons::icon("go")) "Start game" }
            button.large type="button" id="create-invite" data-action="create-game" value="invite" { (icons::icon("link")) "Invite a friend" }
            button.large type="button" id="create-watch" data-action="create-game" value="watch" { (icons::icon("analyze")) "Watch computers play" }
        }
        p.start-message role="status" {}
        noscript { p.muted { "Turn on JavaScript to play." } }
    }
}

/// Links to the other variants with these players.
fn other_variants(form: &NewGameForm) -> Markup {
    html! {
        section.game-picker aria-labelledby="game-picker-title" {
            h2 id="game-picker-title" { "Other games" }
            ul.chips {
                @for variant in formatting::preset_variants() {
                    li {
                        a.chip href=(form.url_for(variant)) aria-current=[(variant == form.variant).then_some("true")] {
                            span.thumbnail { (noughts_view::thumbnail(variant)) }
                            (variant.title())
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

    fn form_from(fields: &[(&str, &str)]) -> NewGameForm {
        let fields: Vec<_> = fields.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        NewGameForm::from_fields(&fields)
    }

    #[test]
    fn fields_give_a_variant() {
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
            let form = form_from(fields);
            assert_eq!(form.variant.to_string(), expected);
            assert_eq!(form.error, None, "{expected}");
        }
    }

    #[test]
    fn invalid_options_are_explained_and_keep_the_last_variant() {
        for (fields, variant, reason) in [
            (&[("variant", "chess")][..], "classic", "chess"),
            (
                &[("variant", "ultimat")],
                "classic",
                "did you mean ultimate?",
            ),
            (
                &[("variant", "classic"), ("line", "4")],
                "classic",
                "“In a row” is 4",
            ),
            (
                &[("variant", "classic"), ("line", "many")],
                "classic",
                "“In a row” must be a whole number",
            ),
            (
                &[("variant", "classic"), ("line", "")],
                "classic",
                "“In a row” must be a whole number",
            ),
            (
                &[("variant", "classic"), ("line", "2.5")],
                "classic",
                "“In a row” must be a whole number",
            ),
            (
                &[("variant", "ultimate"), ("sent", "6")],
                "ultimate",
                "“Won boards” must be one of 5a",
            ),
        ] {
            let form = form_from(fields);
            assert_eq!(form.variant.to_string(), variant);
            // The invalid field is marked, so that scripts can focus it.
            let invalid_field = fields.get(1).map(|(field, _)| *field);
            assert_eq!(form.invalid_field, invalid_field);
            let page = new_game(&form, &Tablebases::default()).0;
            assert_eq!(
                page.contains("aria-invalid"),
                invalid_field.is_some_and(|field| field == "line")
            );
            let error = form.error.unwrap_or_default();
            assert!(error.contains(reason), "{error}");
        }
    }

    /// By default the first player is a human and the second a computer.
    #[test]
    fn panels_keep_their_fields() {
        let [first, second] = form_from(&[]).players;
        assert!(!first.is_computer && second.is_computer);
        assert_eq!(second.bot, "medium");
        let long = "x".repeat(500);
        let form = form_from(&[
            ("p1-kind", "computer"),
            ("p1-bot", "hard"),
            ("p2-name", &long),
            ("p2-bot", "deep"),
        ]);
        assert_eq!(form.players[0].bot, "hard");
        assert!(form.players[0].is_computer);
        assert_eq!(form.players[1].name.len(), 40);
        assert_eq!(form.players[1].bot, "medium");
    }

    #[test]
    fn bots_for_experiments_are_listed_only_if_chosen() {
        let levels = |fields: &[(&str, &str)]| -> Vec<String> {
            let page = new_game(&form_from(fields), &Tablebases::default()).0;
            let (_, list) = page.split_once("id=\"p2-bot\"").expect("a list");
            let (list, _) = list.split_once("</select>").expect("its end");
            let options = list.split("</option>").filter_map(|option| {
                let (_, label) = option.rsplit_once('>')?;
                (!label.trim().is_empty()).then(|| label.to_owned())
            });
            options.collect()
        };
        assert_eq!(levels(&[]), ["Easy", "Medium", "Hard", "Best"]);
        let chosen = levels(&[("p2-bot", "mcts")]);
        assert_eq!(chosen, ["Easy", "Medium", "Hard", "mcts", "Best"]);
    }

    #[test]
    fn query_parameters_are_escaped() {
        let unsafe_text = "\"><script>alert(1)</script>";
        let form = form_from(&[("p1-name", unsafe_text), ("variant", unsafe_text)]);
        let page = new_game(&form, &Tablebases::default()).0;
        assert!(!page.contains("<script>alert"), "escaped everywhere");
    }
}
