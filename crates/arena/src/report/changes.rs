//! Encodes a game as the changes each move makes on the board, so that the page's script needs no rules: what is in a
//! place is one of the sprites of the [`ReplayBoard`].
//!
//! A change is a letter and the number of a place, or a place and what is there now. A move is the mover's letter and
//! its changes: `x13=0>4` puts sprite 0 on place 13 and sends to place 4.
//!
//! | change | means |
//! |---|---|
//! | `12=3` | place 12 shows sprite 3 |
//! | `-12` | place 12 becomes empty |
//! | `~12` | the last move went to place 12 |
//! | `@12` | the frame is centered on place 12 |
//! | `>3` | the next move must go to place 3, a board |
//! | `!12` | place 12 is part of the line that ended the game |
//!
//! Places are numbered level by level from the outermost boards to the cells, each level in the order of its indices.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use noughts_rules::{AnyGameState, BoardShape, BoardView, Place};
use noughts_view::{ReplayBoard, last_move_place, target_board};

/// On boards with more places only those that a move says it changes are compared.
const MAX_COMPARED_PLACES: u32 = 300;

/// A game as changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameChanges {
    /// What is on the board before the first move.
    pub(super) start: String,
    /// What each move changes.
    pub(super) plies: Vec<String>,
}

/// Encodes a game; adds what it needs to the sprites of the board.
pub(super) fn game_changes(state: &AnyGameState, replay: &mut ReplayBoard) -> GameChanges {
    let variant = state.variant();
    let is_standard = state.has_standard_start();
    let mut game = AnyGameState::new(variant);
    if !is_standard && let Ok(start) = AnyGameState::from_text(variant, &state.start_text()) {
        game = start;
    }
    let shape = game.view().shape();
    let mut encoder = Encoder {
        is_small: (1..=shape.depth())
            .map(|level| shape.count_places(level))
            .sum::<u32>()
            <= MAX_COMPARED_PLACES,
        shape,
        replay,
        shown: BTreeMap::new(),
        frame: None,
    };
    let start = encoder.start(game.view(), is_standard);
    let moves = state.moves();
    let mut plies: Vec<String> = moves.iter().map(|mv| encoder.ply(&mut game, mv)).collect();
    // Other endings have no line, and without a move there is nowhere to put it.
    if state.ending().is_some()
        && let Some(last) = plies.last_mut()
    {
        for place in state
            .view()
            .winning_lines()
            .concat()
            .into_iter()
            .collect::<BTreeSet<_>>()
        {
            let _ = write!(last, "!{}", encoder.number(place));
        }
    }
    GameChanges { start, plies }
}

struct Encoder<'a> {
    shape: BoardShape,
    replay: &'a mut ReplayBoard,
    is_small: bool,
    /// The sprites on the board.
    shown: BTreeMap<Place, usize>,
    /// The center of the frame.
    frame: Option<Place>,
}

impl Encoder<'_> {
    /// The number of a place.
    fn number(&self, place: Place) -> u32 {
        let before: u32 = (1..place.level)
            .map(|level| self.shape.count_places(level))
            .sum();
        before + place.index
    }

    /// Every place below the whole board.
    fn all_places(&self) -> Vec<Place> {
        let levels = 1..=self.shape.depth();
        let places =
            |level| (0..self.shape.count_places(level)).map(move |index| Place::new(level, index));
        levels.flat_map(places).collect()
    }

    /// What is on the board before the first move.
    fn start(&mut self, view: &dyn BoardView, is_standard: bool) -> String {
        let mut text = String::new();
        // The standard start of a deep board is empty and isn't visited.
        if self.is_small || !is_standard {
            self.write_places(view, self.all_places(), &mut text);
        }
        self.write_frame(view, &mut text);
        self.write_target(view, &mut text);
        text
    }

    /// Plays a move and encodes what it changes.
    fn ply(&mut self, game: &mut AnyGameState, mv: &str) -> String {
        let mut text = game.side().letter().to_string();
        let _ = game.play(mv);
        let view = game.view();
        let mut places = BTreeSet::new();
        if self.is_small {
            places.extend(self.all_places());
        }
        // The cells that the move changed and the boards around them.
        for mut place in view.last_places() {
            while place.level > 0 && places.insert(place) {
                place = self.shape.parent(place).unwrap_or(Place::BOARD);
            }
        }
        self.write_places(view, places, &mut text);
        if let Some(place) = last_move_place(game) {
            let _ = write!(text, "~{}", self.number(place));
        }
        self.write_frame(view, &mut text);
        self.write_target(view, &mut text);
        text
    }

    /// Appends what is in these places where it isn't shown yet.
    fn write_places(
        &mut self,
        view: &dyn BoardView,
        places: impl IntoIterator<Item = Place>,
        text: &mut String,
    ) {
        for place in places {
            let number = self.number(place);
            let sprite = self.replay.sprite(&view.cell(place));
            let _ = match sprite {
                _ if self.shown.get(&place).copied() == sprite => Ok(()),
                // Separates two numbers.
                Some(sprite) if text.ends_with(|c: char| c.is_ascii_digit()) => {
                    write!(text, ",{number}={sprite}")
                }
                Some(sprite) => write!(text, "{number}={sprite}"),
                None => write!(text, "-{number}"),
            };
            match sprite {
                Some(sprite) => self.shown.insert(place, sprite),
                None => self.shown.remove(&place),
            };
        }
    }

    /// Appends the center of the frame if it has moved.
    fn write_frame(&mut self, view: &dyn BoardView, text: &mut String) {
        let center = view.frame().map(|frame| frame.center);
        if let Some(place) = center.filter(|_| center != self.frame) {
            let _ = write!(text, "@{}", self.number(place));
        }
        self.frame = center;
    }

    /// Appends the board that the next move must go to.
    fn write_target(&self, view: &dyn BoardView, text: &mut String) {
        if let Some(board) = target_board(view) {
            let _ = write!(text, ">{}", self.number(board));
        }
    }
}
