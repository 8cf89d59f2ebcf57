//! Values of positions in 16 bits.
//!
//! ```text
//! 0               draw; while solving, not known yet
//! 1 + 2·plies     the side to move wins in this many plies
//! 2 + 2·plies     the side to move loses in this many plies
//! 65535           not a position
//! ```

use crate::value::{ExactValue, GameValue};

pub(crate) type Code = u16;

/// A draw; while solving, a position whose value isn't known yet.
pub(crate) const DRAW: Code = 0;

/// A number that isn't a position: a symmetric image of another one, for example.
pub(crate) const UNUSED: Code = Code::MAX;

/// The longest distance that has a code.
pub(crate) const MAX_PLIES: u32 = 32_765;

/// The code of a win or a loss in this many plies.
#[inline]
pub(crate) const fn decided(is_win: bool, plies: u32) -> Code {
    debug_assert!(plies <= MAX_PLIES);
    1 + 2 * plies as Code + !is_win as Code
}

/// Whether the side to move wins; the code is that of a win or a loss.
#[inline]
pub(crate) const fn is_win(code: Code) -> bool {
    code % 2 == 1
}

/// The distance of a win or a loss.
#[inline]
pub(crate) const fn plies(code: Code) -> u32 {
    (code.saturating_sub(1) / 2) as u32
}

/// The code of a value.
pub(crate) fn encode(value: ExactValue) -> Code {
    match value.plies() {
        Some(plies) => decided(value.game_value() == GameValue::Win, plies.min(MAX_PLIES)),
        None => DRAW,
    }
}

/// The value; `None` if the number isn't a position.
pub(crate) fn decode(code: Code) -> Option<ExactValue> {
    match code {
        DRAW => Some(ExactValue::DRAW),
        UNUSED => None,
        code if is_win(code) => Some(ExactValue::win(plies(code))),
        code => Some(ExactValue::loss(plies(code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_code_of_its_own() {
        let mut seen = std::collections::HashSet::from([UNUSED]);
        let decided = (0..=MAX_PLIES).flat_map(|n| [ExactValue::win(n), ExactValue::loss(n)]);
        for value in decided.chain([ExactValue::DRAW]) {
            let code = encode(value);
            assert_eq!(decode(code), Some(value));
            assert!(seen.insert(code), "{value}");
        }
        assert_eq!(decode(UNUSED), None);
    }
}
