//! `noughts play`: starts a game right away, in the terminal or in plain mode.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;
use noughts_engine::SearchLimits;
use noughts_rules::{AnyGameState, Variant};
use noughts_session::player_input;
use noughts_session::policy::{GameRequest, RequestedPlayer};

use crate::data::DataArgs;
use crate::error::CliError;
use crate::participant_arg::parse_participant;
use crate::plain::{self, PlainOptions};
use crate::position::{StartPositionArgs, game_help};
use crate::store_handle::StoreHandle;
use crate::{search_args, tui};

/// Start a game
///
/// In a terminal, you play X against medium by default. With
/// --plain, the program asks who plays. Plain mode is also used if standard input or output
/// isn't a terminal, or if TERM=dumb.
///
/// With --position or --moves, the game starts there and isn't rated, and in a terminal you play
/// the side to move unless you choose otherwise. Moves given with --moves can be taken back.
#[derive(Args, Default)]
#[command(after_help = "Example: noughts play tic-tac-two --x human:Ada --o hard
Example: noughts play classic --position 'xo./.x./... o' --x perfect --o human:Ada")]
pub(crate) struct PlayArgs {
    #[arg(value_parser = player_input::parse_variant, help = format!("{} [default: {}]", game_help(), Variant::default()))]
    variant: Option<Variant>,

    #[command(flatten)]
    from: StartPositionArgs,

    /// Who plays X: human, human:NAME or a bot (`noughts bots` lists them)
    #[arg(long, value_name = "WHO", value_parser = parse_participant)]
    x: Option<RequestedPlayer>,

    /// Who plays O
    #[arg(long, value_name = "WHO", value_parser = parse_participant)]
    o: Option<RequestedPlayer>,

    /// Play line by line, for pipes and screen readers
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// Don't save games and records
    #[arg(long)]
    pub(crate) unsaved: bool,

    /// Seed for the bots' random choices [default: different each time]
    #[arg(long, value_name = "SEED", value_parser = search_args::number(0, u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Time per bot move in milliseconds [default: the bot's usual time]
    #[arg(long, value_name = "MS", value_parser = search_args::parse_milliseconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
}

impl PlayArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.check()?;
        let request = GameRequest {
            variant: self.variant,
            seats: [self.x.clone(), self.o.clone()],
            start: self.start_state()?,
        };
        match self.plain || !tui::can_run() {
            true => self.run_plain(request),
            false => tui::run_game(request, self.launch_options()),
        }
    }

    /// The state to start from, if one was given.
    fn start_state(&self) -> Result<Option<AnyGameState>, CliError> {
        let Some((flag, from_input)) = self.from.given_flag() else {
            return Ok(None);
        };
        let Some(variant) = self.variant else {
            let reason = format!("add the game: noughts play VARIANT {flag} …");
            return Err(CliError::argument(flag, reason));
        };
        let is_bot = |player: &Option<_>| matches!(player, Some(RequestedPlayer::Bot(_)));
        if from_input && !(is_bot(&self.x) && is_bot(&self.o)) {
            let reason = "`-` only works if two bots play, because players type their moves on \
                          standard input; give the text itself";
            return Err(CliError::argument(flag, reason));
        }
        self.from.unfinished_game_state(variant).map(Some)
    }

    /// Checks that the given players can play the game and each other.
    fn check(&self) -> Result<(), CliError> {
        let variant = self.variant.unwrap_or_default();
        for (flag, player) in [("--x", &self.x), ("--o", &self.o)] {
            if let Some(RequestedPlayer::Bot(kind)) = player {
                kind.check_supports(variant)
                    .map_err(|error| CliError::argument(flag, error))?;
            }
        }
        match (&self.x, &self.o) {
            (Some(RequestedPlayer::Human(Some(x))), Some(RequestedPlayer::Human(Some(o))))
                if x == o =>
            {
                Err(CliError::argument(
                    "--o",
                    noughts_text::same_player(x.as_str()),
                ))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn launch_options(&self) -> tui::LaunchOptions {
        tui::LaunchOptions {
            data_dir: self.data.dir(),
            in_memory: self.unsaved,
            seed: self.seed,
            ascii: self.ascii,
            bot_time: self.time,
        }
    }

    fn run_plain(&self, request: GameRequest) -> Result<(), CliError> {
        let handle = self.open_store()?;
        let options = PlainOptions {
            request,
            limits: self.time.map_or(SearchLimits::NONE, SearchLimits::time),
            seed: self.seed.unwrap_or_else(|| RandomState::new().hash_one(0)),
            // With several threads, bots don't reproduce their moves.
            threads: self.seed.map_or_else(search_args::core_count, |_| 1),
            ascii: self.ascii,
        };
        let prompt = if io::stdin().is_terminal() { "> " } else { "" };
        let tablebases = |variant| self.data.open_tablebases_for(variant);
        let mut input = io::stdin().lock();
        let mut output = anstream::stdout().lock();
        plain::run(
            options,
            &handle,
            &tablebases,
            &mut input,
            &mut output,
            prompt,
        )
    }

    /// Opens the store that games are saved in.
    fn open_store(&self) -> Result<StoreHandle, CliError> {
        if self.unsaved {
            return StoreHandle::in_memory();
        }
        StoreHandle::open(&self.data.dir()?).map_err(|error| match error {
            CliError::Failure(reason) => {
                CliError::Failure(format!("{reason}; use --unsaved to play without saving"))
            }
            error => error,
        })
    }
}
