//! Variants: their rules and options.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::BotInfo;

/// A variant in a list.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct VariantSummary {
    /// The variant's name.
    pub variant: String,
    /// The display name.
    pub title: String,
    /// A one-sentence summary.
    pub about: String,
}

/// A variant: its rules, options and bots.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct VariantDetails {
    /// The variant, with its name in canonical spelling.
    #[serde(flatten)]
    pub summary: VariantSummary,
    /// What is known about its value with best play.
    pub known: Option<String>,
    /// The rules in words.
    pub rules: Vec<RulesParagraph>,
    /// The options of its game, with their values in this variant.
    pub options: Vec<OptionInfo>,
    /// The bots that can play it.
    pub bots: Vec<BotInfo>,
}

/// A paragraph of the rules.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct RulesParagraph {
    /// Its heading; may be empty.
    pub heading: String,
    /// Its text.
    pub text: String,
}

/// A rule option.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct OptionInfo {
    /// The label.
    pub label: String,
    /// The value in this variant.
    pub value: String,
    /// What the value means.
    pub about: String,
    /// Whether it has an effect with the other options as they are.
    pub applies: bool,
    /// The possible values; null for numbers.
    pub values: Option<Vec<OptionValue>>,
}

/// A value of an option.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct OptionValue {
    /// The value.
    pub value: String,
    /// What it means.
    pub about: String,
}
