//! Creates players from bot descriptions.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use noughts_engine::{StopFlag, Tablebases};
use noughts_rules::Variant;

use crate::builtin_player::BuiltinPlayer;
use crate::player::Player;
use crate::protocol_log::ProtocolLog;
use crate::spec::{BotSource, BotSpec, SpecError};
#[cfg(unix)]
use crate::{codingame::CodingamePlayer, process::BotCommand, spec::Protocol, ugi::UgiPlayer};

/// Creates players, and holds what they are created with.
#[derive(Clone, Debug)]
pub struct PlayerFactory {
    /// Tablebases for built-in bots.
    pub tablebases: Tablebases,
    /// How long to wait for an external bot to be ready.
    pub patience: Duration,
    /// The folder for log files of standard error, one per bot; `None` disables them.
    pub log_dir: Option<PathBuf>,
    /// The log of the communication with external bots, if any.
    pub protocol_log: Option<ProtocolLog>,
    /// Identifies the external programs of this tournament for as long as they live, so that those
    /// of a killed arena can be [killed](crate::kill_tagged_processes).
    pub tag: String,
    /// When raised, built-in bots stop searching immediately. External programs have to be killed
    /// by their tag.
    pub stop: StopFlag,
}

impl PlayerFactory {
    /// A factory without tablebases and logs, with a tag unique to this process.
    #[must_use]
    pub fn new(patience: Duration) -> PlayerFactory {
        PlayerFactory {
            tablebases: Tablebases::default(),
            patience,
            log_dir: None,
            protocol_log: None,
            tag: process_tag().to_owned(),
            stop: StopFlag::new(),
        }
    }

    /// Creates a player for a variant. No program is started yet.
    ///
    /// # Errors
    /// The bot can't play the variant, or there is no such bot.
    pub fn make_player(
        &self,
        spec: &BotSpec,
        variant: Variant,
    ) -> Result<Box<dyn Player>, SpecError> {
        spec.check_variant(variant)?;
        Ok(match &spec.source {
            BotSource::Builtin(bot) => Box::new(BuiltinPlayer::new(
                bot.kind()?,
                bot,
                &self.tablebases,
                &self.stop,
            )),
            #[cfg(unix)]
            BotSource::Program(program) => {
                let command = self.command(&spec.name, program);
                match program.protocol {
                    Protocol::Ugi => Box::new(UgiPlayer::new(command, variant, self.patience)),
                    Protocol::Codingame => Box::new(CodingamePlayer::new(command)),
                }
            }
            #[cfg(not(unix))]
            BotSource::Program(_) => return Err(SpecError(crate::no_process::UNSUPPORTED.into())),
            BotSource::Custom => {
                return Err(SpecError(format!(
                    "{name} was provided by the program that planned this tournament and isn't available here",
                    name = spec.name
                )));
            }
        })
    }

    /// The command of an external bot, with this factory's tag and logs.
    #[cfg(unix)]
    pub(crate) fn command(&self, name: &str, program: &crate::spec::Program) -> BotCommand {
        let log_dir = self.log_dir.as_deref();
        BotCommand {
            name: name.to_owned(),
            program: program.clone(),
            tag: self.tag.clone(),
            stderr_log: log_dir.map(|log_dir| log_path(log_dir, name)),
            protocol_log: self.protocol_log.clone(),
        }
    }
}

/// A tag unique to this process.
fn process_tag() -> &'static str {
    static OWN: OnceLock<String> = OnceLock::new();
    OWN.get_or_init(|| {
        let random = RandomState::new().hash_one(std::process::id());
        format!("{random:016x}")
    })
}

/// The log file of a bot's standard error. Bot names may contain any character; file names are
/// restricted to a safe set.
#[must_use]
pub fn log_path(log_dir: &Path, name: &str) -> PathBuf {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let safe = name.chars().map(|c| if is_safe(c) { c } else { '_' });
    let mut file: String = safe.take(80).collect();
    if file != name || file.is_empty() || file.starts_with('.') {
        // Distinct names get distinct files even if they look the same after the replacement.
        let sum = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        file = format!("{}-{sum:016x}", file.trim_start_matches('.'));
    }
    log_dir.join(file + ".log")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_name_has_its_own_log_file() {
        let log_dir = Path::new("logs");
        assert_eq!(log_path(log_dir, "mcts"), Path::new("logs/mcts.log"));
        let names = [
            "../../x", "a b", "a/b", "a_b", ".", "..", "", "ä", "a\0b", "\n",
        ];
        let files: std::collections::BTreeSet<PathBuf> =
            names.iter().map(|name| log_path(log_dir, name)).collect();
        assert_eq!(files.len(), names.len());
        for file in files {
            assert_eq!(file.parent(), Some(log_dir), "{file:?}");
            let name = file
                .file_name()
                .and_then(|name| name.to_str())
                .expect("a name");
            assert!(!name.starts_with('.') && name.is_ascii(), "{name}");
        }
    }
}
