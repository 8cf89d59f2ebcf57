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
///
/// The options are what a form needs. The chosen values form a variant's name: that of the game and, after a colon and
/// separated by commas, how the values of all options that apply are spelled, without empty spellings.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct VariantDetails {
    /// The variant, with its name in canonical spelling.
    #[serde(flatten)]
    pub summary: VariantSummary,
    /// The name of its game, with which the names of all its variants can start.
    pub game: String,
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
    /// The name of its form field.
    pub field: String,
    /// The label.
    pub label: String,
    /// The value in this variant.
    pub value: String,
    /// What the value means.
    pub about: String,
    /// The value if none is given, with the other options as they are; null if one is required.
    pub default: Option<String>,
    /// Whether it has an effect with the other options as they are.
    pub applies: bool,
    /// The possible numbers; null for words.
    pub numbers: Option<OptionNumbers>,
    /// The possible words; null for numbers.
    pub values: Option<Vec<OptionValue>>,
}

/// The numbers that an option can be. Other options can restrict them further.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
pub struct OptionNumbers {
    /// The smallest.
    pub minimum: u8,
    /// The largest.
    pub maximum: u8,
    /// The difference between neighboring ones.
    pub step: u8,
    /// What precedes the number in a variant's name: `depth=`, for example.
    pub prefix: String,
}

/// A value of an option.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct OptionValue {
    /// The value.
    pub value: String,
    /// How a variant's name spells it; may be empty.
    pub spelling: String,
    /// What it means.
    pub about: String,
}
