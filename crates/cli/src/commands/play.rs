//! `noughts play`: starts a game right away, in the terminal or in plain mode.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::thread;
use std::time::Duration;

use clap::Args;
use noughts_engine::{SearchLimits, Tablebases, tablebase};
use noughts_rules::{AnyGameState, Variant};

use crate::data::DataArgs;
use crate::error::CliError;
use crate::participant_arg::{ParticipantArg, parse_participant};
use crate::plain::{self, PlainOptions};
use crate::position::StartPositionArgs;
use crate::store_handle::StoreHandle;
use crate::{position, search_args, tui};

/// Start a game
///
/// In a terminal, you play X against medium at classic unless you choose otherwise. With
/// --plain, the program asks who plays. Plain mode is also used if standard input or output
/// isn't a terminal, or if TERM=dumb.
///
/// With --position or --moves, the game starts there, and in a terminal you play the side to
/// move unless you choose otherwise. Moves given with --moves can be taken back.
#[derive(Args)]
#[command(after_help = "Example: noughts play tic-tac-two --x human:Ada --o hard
Example: noughts play classic --position 'xo./.x./... o' --x perfect --o human:Ada")]
pub(crate) struct PlayArgs {
    /// Game: classic, misere, mnk:M,N,K, tic-tac-two, ultimate, or ception with options [default: classic]
    #[arg(value_parser = position::parse_variant)]
    variant: Option<Variant>,

    #[command(flatten)]
    from: StartPositionArgs,

    /// Player of X, who moves first: human, human:NAME or a bot (`noughts bots` lists them)
    #[arg(long, value_name = "WHO", value_parser = parse_participant)]
    pub(crate) x: Option<ParticipantArg>,

    /// Player of O
    #[arg(long, value_name = "WHO", value_parser = parse_participant)]
    pub(crate) o: Option<ParticipantArg>,

    /// Play line by line, for pipes and screen readers
    #[arg(long)]
    pub(crate) plain: bool,

    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// Don't save games and records
    #[arg(long)]
    pub(crate) unsaved: bool,

    /// Seed for the bots' random choices [default: different each time]
    #[arg(long, value_name = "SEED", value_parser = search_args::parse_seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Time per bot move in milliseconds [default: the bot's usual time]
    #[arg(long, value_name = "MS", value_parser = search_args::parse_milliseconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
}

impl PlayArgs {
    /// Classic in plain mode; the program asks who plays.
    pub(crate) fn classic_plain(data: DataArgs, unsaved: bool, ascii: bool) -> PlayArgs {
        PlayArgs {
            variant: None,
            from: StartPositionArgs::default(),
            x: None,
            o: None,
            plain: true,
            data,
            unsaved,
            seed: None,
            time: None,
            ascii,
        }
    }

    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.check()?;
        let start = self.start_state()?;
        if self.is_plain() {
            return self.run_plain(start);
        }
        let variant = self.variant.unwrap_or(Variant::CLASSIC);
        let seats = [self.x.clone(), self.o.clone()];
        tui::run_game(variant, start, seats, self.launch_options())
    }

    /// The state to start from, if one was given.
    fn start_state(&self) -> Result<Option<AnyGameState>, CliError> {
        let Some((flag, from_input)) = self.from.given_flag() else {
            return Ok(None);
        };
        let Some(variant) = self.variant else {
            let reason = format!("add the game: noughts play VARIANT {flag} ...");
            return Err(CliError::argument(flag, reason));
        };
        let both_bots = matches!(
            (&self.x, &self.o),
            (Some(ParticipantArg::Bot(_)), Some(ParticipantArg::Bot(_)))
        );
        if from_input && !both_bots {
            let reason = "`-` only works if two bots play, because players type their moves on \
                          standard input; give the text itself";
            return Err(CliError::argument(flag, reason));
        }
        self.from.unfinished_game_state(variant).map(Some)
    }

    /// Checks that the given players can play the game and each other.
    fn check(&self) -> Result<(), CliError> {
        let variant = self.variant.unwrap_or(Variant::CLASSIC);
        for (flag, player) in [("--x", &self.x), ("--o", &self.o)] {
            if let Some(ParticipantArg::Bot(kind)) = player {
                kind.check_supports(variant)
                    .map_err(|error| CliError::argument(flag, error))?;
            }
        }
        match (&self.x, &self.o) {
            (Some(ParticipantArg::Human(Some(x))), Some(ParticipantArg::Human(Some(o))))
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

    /// Is the game played in plain mode?
    fn is_plain(&self) -> bool {
        self.plain || !tui::can_run()
    }

    fn launch_options(&self) -> tui::LaunchOptions {
        tui::LaunchOptions {
            data_dir: self.data.dir(),
            in_memory: self.unsaved,
            seed: self.seed,
            ascii: self.ascii,
            bot_time: self.time,
        }
    }

    fn run_plain(&self, start: Option<AnyGameState>) -> Result<(), CliError> {
        let handle = self.open_store()?;
        let options = PlainOptions {
            variant: self.variant,
            start,
            seats: [self.x.clone(), self.o.clone()],
            limits: self.limits(),
            seed: self.seed(),
            threads: self.threads(),
            ascii: self.ascii,
        };
        let prompt = if io::stdin().is_terminal() { "> " } else { "" };
        let tablebases = |variant| self.tablebases(variant);
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

    /// The limits of bots for each move; without `--time`, their defaults.
    pub(crate) fn limits(&self) -> SearchLimits {
        self.time.map_or(SearchLimits::NONE, SearchLimits::time)
    }

    /// The given seed, or a random one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0))
    }

    /// A single thread if a seed is given: with several threads, bots don't reproduce their moves.
    pub(crate) fn threads(&self) -> usize {
        match self.seed {
            Some(_) => 1,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        }
    }

    /// Opening a tablebase takes a moment: only if the variant has one.
    pub(crate) fn tablebases(&self, variant: Variant) -> Tablebases {
        if tablebase::SUPPORTED_VARIANTS.contains(&variant) {
            self.data.open_tablebases()
        } else {
            Tablebases::default()
        }
    }
}
