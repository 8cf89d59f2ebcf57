//! Who plays a side, as given on the command line.

use noughts_engine::BotKind;
use noughts_session::player_input;
use noughts_session::policy::RequestedPlayer;
use noughts_store::Name;

/// Parses `human`, `human:NAME` or a bot's name, ignoring case.
pub(crate) fn parse_participant(text: &str) -> Result<RequestedPlayer, String> {
    let (word, name) = match text.split_once(':') {
        Some((word, name)) => (word, Some(name)),
        None => (text, None),
    };
    if word.eq_ignore_ascii_case("human") {
        let name = name.map(Name::new).transpose();
        let name = name.map_err(|error| error.to_string())?;
        return Ok(RequestedPlayer::Human(name));
    }
    let bot = player_input::parse_bot(text);
    bot.map(RequestedPlayer::Bot).map_err(|_| {
        let names = BotKind::ALL.map(BotKind::name).join(", ");
        format!("must be `human`, `human:NAME` or a bot: {names}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_matters_only_in_names() {
        assert_eq!(
            parse_participant("Best"),
            Ok(RequestedPlayer::Bot(BotKind::Best))
        );
        assert_eq!(parse_participant("Human"), Ok(RequestedPlayer::Human(None)));
        let ada = Name::new("Ada").ok();
        assert_eq!(
            parse_participant("HUMAN:Ada"),
            Ok(RequestedPlayer::Human(ada))
        );
        assert!(parse_participant("bestt").is_err());
    }
}
