//! Who plays a side, as given on the command line.

use noughts_engine::BotKind;
use noughts_store::Name;

use crate::search_args;

/// Who plays a side. A human without a name is asked for one later.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ParticipantArg {
    Human(Option<Name>),
    Bot(BotKind),
}

/// Parses `human`, `human:NAME` or a bot's name.
pub(crate) fn parse_participant(text: &str) -> Result<ParticipantArg, String> {
    if text == "human" {
        return Ok(ParticipantArg::Human(None));
    }
    if let Some(name) = text.strip_prefix("human:") {
        let name = Name::new(name).map_err(|error| error.to_string())?;
        return Ok(ParticipantArg::Human(Some(name)));
    }
    match search_args::parse_bot(text) {
        Ok(kind) => Ok(ParticipantArg::Bot(kind)),
        Err(_) => {
            let names = BotKind::ALL.map(BotKind::name).join(", ");
            Err(format!("must be `human`, `human:NAME` or a bot: {names}"))
        }
    }
}
