//! `/variants`: the games, their rules, options and bots.

use axum::Json;
use axum::extract::{Path, State};
use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_session::options::{OptionKind, VariantRequest};
use noughts_session::{rulebook, titles};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::parse_variant;
use crate::app::App;
use crate::error::ApiError;
use crate::view::formatting;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(variants))
        .routes(routes!(variant_details))
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct VariantItem {
    /// The variant's name.
    variant: String,
    /// The display name.
    title: String,
    /// A one-sentence summary.
    sentence: String,
}

/// A game: its rules, options and bots.
#[derive(Serialize, ToSchema)]
pub(crate) struct VariantView {
    /// The variant's name in canonical spelling.
    variant: String,
    /// The display name.
    title: String,
    /// A one-sentence summary.
    sentence: String,
    /// What is known about its value with best play.
    known: Option<&'static str>,
    /// The rules in words.
    rules: Vec<Paragraph>,
    /// The options of its family, with their values in this variant.
    options: Vec<OptionView>,
    /// The bots that can play it.
    bots: Vec<BotView>,
}

/// A paragraph of the rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct Paragraph {
    /// Its heading; may be empty.
    heading: String,
    /// Its text.
    text: String,
}

/// A rule option.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionView {
    /// The label.
    label: &'static str,
    /// The value in this variant.
    value: String,
    /// What the value means.
    sentence: String,
    /// Does it have no effect with the other options as they are?
    idle: bool,
    /// The possible values; null for numbers.
    values: Option<Vec<OptionValue>>,
}

/// A value of an option.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionValue {
    /// The value.
    value: &'static str,
    /// What it means.
    sentence: &'static str,
}

/// A bot in a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct BotView {
    /// Its name.
    bot: &'static str,
    /// A description of how it plays this game.
    sentence: String,
    /// Does it always play a best move, which is proved?
    perfect: bool,
}

/// Lists the games.
#[utoipa::path(get, path = "/variants", tag = "games",
    responses((status = 200, description = "The games", body = Vec<VariantItem>)))]
async fn variants() -> Json<Vec<VariantItem>> {
    let all = formatting::preset_variants().map(|variant| VariantItem {
        variant: variant.to_string(),
        title: formatting::variant_title(variant),
        sentence: titles::summary(variant),
    });
    Json(all.collect())
}

/// Returns a game's rules, options and bots.
///
/// Every variant has a name, such as `mnk:7,6,4`, `tic-tac-two:pieces=3` or `ception:5a,depth=3`.
#[utoipa::path(get, path = "/variants/{variant}", tag = "games",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100, example = "ultimate")),
    responses(
        (status = 200, description = "The game", body = VariantView),
        (status = 422, description = "The variant is invalid", body = super::ErrorBody),
    ))]
async fn variant_details(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<VariantView>, ApiError> {
    let variant = parse_variant(&name)?;
    let tablebases = app.pool.tablebases().tablebases_for(variant);
    let bots = BotKind::ALL
        .into_iter()
        .filter(|bot| bot.check_supports(variant).is_ok());
    Ok(Json(VariantView {
        variant: variant.to_string(),
        title: formatting::variant_title(variant),
        sentence: titles::summary(variant),
        known: titles::known_value(variant),
        rules: rulebook::rules_text(variant)
            .iter()
            .map(|text| paragraph(text))
            .collect(),
        options: options(variant),
        bots: bots
            .map(|bot| BotView {
                bot: bot.name(),
                sentence: bot.description(Some(variant)),
                perfect: bot.is_perfect(variant, &tablebases),
            })
            .collect(),
    }))
}

fn paragraph(text: &str) -> Paragraph {
    let (heading, text) = match text.strip_prefix("# ") {
        Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
        None => ("", text),
    };
    Paragraph {
        heading: heading.into(),
        text: text.into(),
    }
}

fn options(variant: Variant) -> Vec<OptionView> {
    let request = VariantRequest::with_all_options(variant);
    let shown = request.specs().iter().zip(request.option_views());
    let options = shown.map(|(option, rule)| OptionView {
        label: rule.label,
        value: rule.value,
        sentence: rule.description,
        idle: rule.has_no_effect,
        values: match option.kind {
            OptionKind::Number(..) => None,
            OptionKind::Words(words) => Some(
                words
                    .iter()
                    .map(|&(value, sentence)| OptionValue { value, sentence })
                    .collect(),
            ),
        },
    });
    options.collect()
}
