//! From a description to a bot at the board.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use noughts_engine::{StopFlag, Tablebases};
use noughts_rules::Variant;

use crate::builtin_player::BuiltinPlayer;
use crate::codingame::CodingamePlayer;
use crate::player::Player;
use crate::protocol_log::ProtocolLog;
use crate::spec::{BotSource, BotSpec, Protocol, SpecError};
use crate::ugi::UgiPlayer;

/// What players are made with.
#[derive(Clone, Debug)]
pub struct PlayerFactory {
    /// Exact tables for our bots.
    pub tablebases: Tablebases,
    /// How long one waits for an outside bot to be ready.
    pub patience: Duration,
    /// The folder of the logs, one file for each bot; none are kept: nothing.
    pub log_dir: Option<PathBuf>,
    /// Where the dialogue with outside bots is written down, if anywhere.
    pub protocol_log: Option<ProtocolLog>,
    /// What outside programs are known by as long as they live: the tournament's own
    /// word, so that those of an arena that was killed can be [swept](crate::sweep()) away.
    pub tag: String,
    /// Raised, it ends at once what our bots think. (Outside programs that are in the way
    /// then are swept.)
    pub stop: StopFlag,
}

impl PlayerFactory {
    /// Without tables and logs, under a tag that only this process has.
    #[must_use]
    pub fn new(patience: Duration) -> PlayerFactory {
        PlayerFactory {
            tablebases: Tablebases::default(),
            patience,
            log_dir: None,
            protocol_log: None,
            tag: own_tag().to_owned(),
            stop: StopFlag::new(),
        }
    }

    /// A player for a variant. Nothing is started yet.
    ///
    /// # Errors
    /// The bot does not play the variant, or there is no such bot.
    pub fn make_player(
        &self,
        spec: &BotSpec,
        variant: Variant,
    ) -> Result<Box<dyn Player>, SpecError> {
        let log = self
            .log_dir
            .as_deref()
            .map(|logs| log_path(logs, &spec.name));
        spec.check_variant(variant)?;
        Ok(match &spec.who {
            BotSource::Ours(ours) => Box::new(BuiltinPlayer::new(
                ours.kind()?,
                ours,
                &self.tablebases,
                &self.stop,
            )),
            BotSource::Program(program) => match program.protocol {
                Protocol::Ugi => {
                    let tag = self.tag.clone();
                    let bot = UgiPlayer::new(program.clone(), variant, self.patience, tag, log);
                    Box::new(bot.with_protocol_log(&spec.name, self.protocol_log.clone()))
                }
                Protocol::Codingame => {
                    let bot = CodingamePlayer::new(program.clone(), self.tag.clone(), log);
                    Box::new(bot.with_protocol_log(&spec.name, self.protocol_log.clone()))
                }
            },
            BotSource::Guest => {
                return Err(SpecError(format!(
                    "{}: it was brought along by the program that planned this, and is not here",
                    spec.name
                )));
            }
        })
    }
}

/// A player for a variant, its programs known by a tag of this process alone.
///
/// # Errors
/// The bot does not play the variant, or there is no such bot.
pub fn make_player(
    spec: &BotSpec,
    variant: Variant,
    tables: &Tablebases,
    patience: Duration,
    logs: Option<&Path>,
) -> Result<Box<dyn Player>, SpecError> {
    let making = PlayerFactory {
        tablebases: tables.clone(),
        log_dir: logs.map(Path::to_owned),
        ..PlayerFactory::new(patience)
    };
    making.make_player(spec, variant)
}

/// A tag that no other process has.
fn own_tag() -> &'static str {
    static OWN: OnceLock<String> = OnceLock::new();
    OWN.get_or_init(|| {
        let random = RandomState::new().hash_one(std::process::id());
        format!("{random:016x}")
    })
}

/// Where a bot's standard error is kept in the folder of the logs. Names may hold
/// anything; file names here do not.
#[must_use]
pub fn log_path(logs: &Path, name: &str) -> PathBuf {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut file: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(80)
        .collect();
    if file != name || file.is_empty() || file.starts_with('.') {
        // Two names that look alike now stay two.
        let sum = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        file = format!("{}-{sum:016x}", file.trim_start_matches('.'));
    }
    logs.join(file + ".log")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_have_files_of_their_own_whatever_the_name() {
        let logs = Path::new("logs");
        assert_eq!(log_path(logs, "mcts"), Path::new("logs/mcts.log"));
        let odd = [
            "../../x", "a b", "a/b", "a_b", ".", "..", "", "ä", "a\0b", "\n",
        ];
        let files: std::collections::BTreeSet<PathBuf> =
            odd.iter().map(|name| log_path(logs, name)).collect();
        assert_eq!(files.len(), odd.len());
        for file in files {
            assert_eq!(file.parent(), Some(logs), "{file:?}");
            let name = file
                .file_name()
                .and_then(|name| name.to_str())
                .expect("a name");
            assert!(!name.starts_with('.') && name.is_ascii(), "{name}");
        }
    }
}
