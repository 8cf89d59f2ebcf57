//! Bots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A bot.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct BotInfo {
    /// Its name.
    pub name: String,
    /// A description of how it plays.
    pub about: String,
    /// Whether it always plays a move that is proved to be best. Null if no variant is given.
    pub perfect: Option<bool>,
}

/// The bots that play a variant.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct BotList {
    /// The variant's name, if one is given.
    pub variant: Option<String>,
    /// The bots, weakest first.
    pub bots: Vec<BotInfo>,
}
