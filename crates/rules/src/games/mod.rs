//! The games, one file each, and their registry. Nothing outside a game's file names it, except its line here.

pub mod common;
pub mod cube;
mod dyn_game;
pub mod gobblers;
pub mod gravity;
pub mod mnk;
mod morris;
pub mod nested;
mod notakto;
mod numerical;
pub mod order_and_chaos;
pub mod tic_tac_two;
mod vanishing;
mod wild;

use std::sync::{PoisonError, RwLock};

pub use common::Cell9;
pub use dyn_game::{DynGame, DynMove, DynPosition};

use crate::info::{GameInfo, Preset};
use crate::variant::Variant;

/// Lists the games, one line each, in the order of menus and lists: the module with its rules.
///
/// In parentheses: the types for which search and other generic code are compiled, each with the name of its case in
/// [`AnyGameState`](crate::AnyGameState); the engine has knowledge of them in `engine/src/knowledge`. Games without a type
/// here share the case `Other`, type-erased, which is smaller and slower.
macro_rules! registry {
    (($d:tt) $($module:ident $(($($case:ident: $game:ident),*))?;)*) => {
        static BUILT_IN: &[&GameInfo] = &[$(&$module::INFO),*];

        /// Calls a macro with every type that has a case of its own in [`AnyGameState`](crate::AnyGameState), each as
        /// `Case: Type,`, after what is passed in addition.
        ///
        /// ```
        /// macro_rules! count_types {
        ///     ([$what:literal] $($case:ident: $game:ty,)*) => { [$(stringify!($case)),*].len() };
        /// }
        /// assert!(noughts_rules::for_each_game_type!(count_types ["types"]) > 9);
        /// ```
        #[macro_export]
        macro_rules! for_each_game_type {
            ($d callback:ident $d passed:tt) => {
                $d callback! {
                    $d passed
                    $($($($case: $d crate::games::$module::$game,)*)?)*
                    Other: $d crate::games::DynGame,
                }
            };
        }
    };
}

registry! { ($)
    mnk(Mnk: SmallMnk, LargeMnk: LargeMnk);
    tic_tac_two(TicTacTwo: TicTacTwo);
    nested(Ultimate: UltimateGame, Rule5a: Rule5aGame, Nested1: Depth1Game, Nested2: Depth2Game, Nested3: Depth3Game, NestedDeep: DeepGame);
    gravity(SmallGravity: SmallGravity, LargeGravity: LargeGravity);
    cube(Cube: Cube);
    notakto;
    wild;
    order_and_chaos(OrderAndChaos: OrderAndChaos);
    numerical;
    morris;
    gobblers(Gobblers: Gobblers);
    vanishing;
}

/// Games registered at run time.
static REGISTERED: RwLock<Vec<&'static GameInfo>> = RwLock::new(Vec::new());

/// All games: the built-in ones, then those registered at run time.
#[must_use]
pub fn all() -> Vec<&'static GameInfo> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// The presets of all games: the variants that menus and lists offer, each with its variant.
///
/// ```
/// use noughts_rules::games;
/// let names: Vec<&str> = games::presets().iter().map(|(_, preset)| preset.name).collect();
/// assert!(names.contains(&"classic") && names.contains(&"ultimate"));
/// ```
#[must_use]
pub fn presets() -> Vec<(Variant, &'static Preset)> {
    presets_of(all()).collect()
}

/// The same without those of games registered at run time, which may fail when they are started.
pub(crate) fn built_in_presets() -> impl Iterator<Item = (Variant, &'static Preset)> {
    presets_of(BUILT_IN.to_vec())
}

fn presets_of(games: Vec<&'static GameInfo>) -> impl Iterator<Item = (Variant, &'static Preset)> {
    games.into_iter().flat_map(|info| {
        let variant = |preset: &Preset| Variant::from_checked(info, preset.values);
        info.presets
            .iter()
            .map(move |preset| (variant(preset), preset))
    })
}

/// The first preset of the first game.
impl Default for Variant {
    fn default() -> Variant {
        let values = |info: &GameInfo| info.presets.first().map(|preset| preset.values);
        let info = BUILT_IN[0];
        Variant::from_checked(info, values(info).unwrap_or_default())
    }
}

/// The names that choose a game, as help and error messages list them: those without options, then the game's own with the
/// options that it needs.
///
/// ```
/// use noughts_rules::games;
/// let names = games::names();
/// assert!(names.contains(&"classic") && names.contains(&"mnk:M,N,K"));
/// ```
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for info in all() {
        let words = info.presets.iter().map(|preset| preset.name);
        names.extend(words.filter(|name| !name.contains(':') && *name != info.name));
        names.push(info.syntax);
    }
    names
}

/// Adds a game from outside this crate, which can then be named and played like the built-in ones.
///
/// # Errors
/// The game has no presets, or another game already has its name or the name of one of its presets or aliases.
pub fn register(info: &'static GameInfo) -> Result<(), RegisterError> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    add(&mut registered, info)
}

/// The same, but a game from outside that already has this name is forgotten: the name means the new one from now on.
/// Variants and positions of the old one still work.
///
/// # Errors
/// The game has no presets, a built-in game has the name, or another game has the name of one of its presets or aliases.
pub fn replace(info: &'static GameInfo) -> Result<(), RegisterError> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let mut others = registered.clone();
    others.retain(|known| known.name != info.name);
    add(&mut others, info)?;
    *registered = others;
    Ok(())
}

fn add(
    registered: &mut Vec<&'static GameInfo>,
    info: &'static GameInfo,
) -> Result<(), RegisterError> {
    if registered.iter().any(|known| std::ptr::eq(*known, info)) {
        return Ok(());
    }
    if info.presets.is_empty() {
        return Err(RegisterError::NoPresets(info.name));
    }
    let names = |info: &'static GameInfo| {
        let presets = info.presets.iter();
        let names = presets.flat_map(|preset| preset.aliases.iter().chain([&preset.name]));
        names.copied().chain([info.name])
    };
    let taken = |name: &&str| {
        let mut known = BUILT_IN.iter().chain(registered.iter());
        known.any(|known| names(known).any(|other| other == *name))
    };
    if let Some(name) = names(info).find(taken) {
        return Err(RegisterError::NameTaken(name));
    }
    registered.push(info);
    Ok(())
}

/// Why a game can't be registered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegisterError {
    /// The name of a game, a preset or an alias is already taken.
    #[error("there already is a game called {0}; choose another name")]
    NameTaken(&'static str),
    /// Menus and lists offer presets, so the game with this name would be in none of them.
    #[error("the game {0} has no presets; add at least one, so that menus can offer it")]
    NoPresets(&'static str),
}
