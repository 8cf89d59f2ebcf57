//! `/variants`: the variants, their rules, options and bots.

use axum::Json;
use axum::extract::{Path, State};
use noughts_engine::BotKind;
use noughts_rules::{OptionDefault, Variant};
use noughts_session::options::{OptionKind, VariantRequest};
use noughts_session::rulebook;
use noughts_wire::{
    BotInfo, OptionInfo, OptionNumbers, OptionValue, RulesParagraph, VariantDetails, VariantSummary,
};

use crate::app::App;
use crate::error::ApiError;
use crate::view::formatting;

/// Lists the suggested variants.
#[utoipa::path(get, path = "/variants", tag = "games",
    responses((status = 200, description = "The variants", body = Vec<VariantSummary>)))]
pub(super) async fn variants() -> Json<Vec<VariantSummary>> {
    Json(formatting::preset_variants().map(summary).collect())
}

fn summary(variant: Variant) -> VariantSummary {
    VariantSummary {
        variant: variant.to_string(),
        title: variant.title(),
        about: variant.summary(),
    }
}

/// Returns a variant's rules, options and bots.
///
/// Every variant has a name: that of a game or of one of its presets, or the name of a game, a colon and options.
#[utoipa::path(get, path = "/variants/{variant}", tag = "games",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100)),
    responses(
        (status = 200, description = "The variant", body = VariantDetails),
        (status = 422, description = "The variant is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn variant_details(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<VariantDetails>, ApiError> {
    let variant: Variant = name.parse()?;
    let tablebases = app.pool.tablebases.tablebases_for(variant);
    let bots = BotKind::ALL.into_iter();
    let bots = bots.filter(|bot| bot.check_supports(variant).is_ok());
    Ok(Json(VariantDetails {
        summary: summary(variant),
        game: variant.info().name.into(),
        known: variant.known_value().map(Into::into),
        rules: rulebook::rules_text(variant)
            .into_iter()
            .map(|paragraph| RulesParagraph {
                heading: paragraph.heading.unwrap_or_default(),
                text: paragraph.text,
            })
            .collect(),
        options: options(variant),
        bots: bots
            .map(|bot| BotInfo {
                name: bot.name().into(),
                about: bot.description(Some(variant)),
                perfect: Some(bot.is_perfect(variant, &tablebases)),
            })
            .collect(),
    }))
}

fn options(variant: Variant) -> Vec<OptionInfo> {
    let request = VariantRequest::with_all_options(variant);
    let shown = request.specs().iter().zip(request.option_views());
    let values = variant.option_values();
    let options = shown.map(|(option, rule)| OptionInfo {
        field: option.field.into(),
        label: rule.label.into(),
        value: rule.value,
        about: rule.description,
        default: match option.default {
            OptionDefault::Required => None,
            OptionDefault::Value(value) => Some(option.value_text(value)),
            OptionDefault::SameAs(other) => values.get(other).map(|&n| option.value_text(n)),
        },
        applies: !rule.has_no_effect,
        numbers: match option.kind {
            OptionKind::Number(step, (minimum, maximum), _) => Some(OptionNumbers {
                minimum,
                maximum,
                step,
                prefix: option.key.into(),
            }),
            OptionKind::Words(_) => None,
        },
        values: match option.kind {
            OptionKind::Number(..) => None,
            OptionKind::Words(words) => {
                let values = (0..words.len() as u8).map(|value| OptionValue {
                    value: option.value_text(value),
                    spelling: option.spell(value),
                    about: option.description(value),
                });
                Some(values.collect())
            }
        },
    });
    options.collect()
}
