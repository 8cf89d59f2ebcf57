//! Who is to play, as the command line says it.

use noughts_engine::BotKind;
use noughts_store::Name;

use crate::thinking;

/// Who is to play a side, as the command line says it: a person may still be asked
/// for a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ParticipantArg {
    Human(Option<Name>),
    Bot(BotKind),
}

/// Reads `human`, `human:NAME` or a bot's name.
pub(crate) fn who(text: &str) -> Result<ParticipantArg, String> {
    if text == "human" {
        return Ok(ParticipantArg::Human(None));
    }
    if let Some(name) = text.strip_prefix("human:") {
        let name = Name::new(name).map_err(|error| error.to_string())?;
        return Ok(ParticipantArg::Human(Some(name)));
    }
    match thinking::bot(text) {
        Ok(kind) => Ok(ParticipantArg::Bot(kind)),
        Err(_) => {
            let names = BotKind::ALL.map(BotKind::name).join(", ");
            Err(format!("needs `human`, `human:NAME` or a bot: {names}"))
        }
    }
}
