//! A game that isn't in this repository, whose boards have other sizes and names than the nested ones.

use std::ops::ControlFlow;

use noughts_rules::{
    AnyGameState, BoardShape, CellView, DynGame, Game, GameInfo, Outcome, Piece, Place, Preset,
    SetupError, Side, Target, Variant, games,
};

use super::super::{board, board_at, breadcrumbs, minimap, path_of};
use super::{buttons, parse};

/// Twelve boards in a row, each of 2×2 boards of 3×3 cells: the n-th move goes to the n-th of the small boards.
#[derive(Clone, Debug)]
struct Tour(Variant);

static INFO: GameInfo = GameInfo {
    presets: &[Preset {
        name: "tour",
        aliases: &[],
        values: [0; 8],
        title: "Tour",
        summary: "Visit all boards.",
        sample: &["1a1"],
    }],
    ..GameInfo::new("tour", "Tour", "Visit all boards.", &|variant| {
        DynGame::start_of(Tour(variant))
    })
};

impl Game for Tour {
    /// The cells in the order in which they were taken.
    type Position = Vec<u32>;
    type Move = u32;

    fn variant(&self) -> Variant {
        self.0
    }

    fn start(&self) -> Vec<u32> {
        Vec::new()
    }

    fn side(&self, taken: &Vec<u32>) -> Side {
        match taken.len() % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    fn outcome(&self, taken: &Vec<u32>) -> Option<Outcome> {
        (taken.len() == 48).then_some(Outcome::Draw)
    }

    fn visit_moves<B>(
        &self,
        taken: &Vec<u32>,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome(taken).is_none() {
            let board = Place::new(2, taken.len() as u32);
            for cell in self.board().cells_of(board) {
                visit(cell)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, taken: &mut Vec<u32>, cell: u32) {
        taken.push(cell);
    }

    fn text(&self, taken: &Vec<u32>) -> String {
        let cells: Vec<String> = taken.iter().map(u32::to_string).collect();
        cells.join(" ")
    }

    fn parse(&self, text: &str) -> Result<Vec<u32>, SetupError> {
        let cells = text.split_whitespace().map(str::parse);
        cells
            .collect::<Result<_, _>>()
            .map_err(|_| SetupError::default())
    }

    fn actions(&self) -> Vec<u32> {
        (0..self.board().count_cells()).collect()
    }

    fn move_text(&self, cell: u32) -> String {
        self.place_name(self.board().cell(cell))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(12, 1), (2, 2), (3, 3)])
    }

    fn cell(&self, taken: &Vec<u32>, place: Place) -> CellView {
        let mut sides = Side::BOTH.into_iter().cycle().zip(taken);
        let taker = sides.find(|(_, cell)| self.board().cell(**cell) == place);
        CellView::with_piece(taker.map(|(side, _)| Piece::of(side)))
    }

    fn taps(&self, cell: u32) -> Vec<Target> {
        vec![Target::Place(self.board().cell(cell))]
    }
}

/// Guards against places that are found by names: here `1` names two boards and begins the names of others.
#[test]
fn views_of_any_board_follow_its_play() {
    games::register(&INFO).unwrap();
    let mut state = AnyGameState::new("tour".parse().unwrap());
    for turn in 0..48 {
        let shape = state.view().shape();
        let path = path_of(&shape, Place::new(1, turn / 4));
        let markup = board(&state, &path).into_string();
        let document = parse(&markup);
        let attribute = |name: &str| document.root_element().attribute(name).unwrap();
        assert_eq!(attribute("data-levels"), "12x1 2x2 3x3");
        assert_eq!(
            [attribute("data-path"), attribute("data-follow")],
            [&*path; 2]
        );
        let legal = buttons(&document).into_iter();
        let legal = legal.filter(|button| button.has_attribute("data-legal"));
        let places = legal.map(|button| button.parent().unwrap().attribute("data-place").unwrap());
        let target = path_of(&shape, Place::new(2, turn));
        let expected: Vec<String> = (0..9).map(|cell| format!("{target}.{cell}")).collect();
        assert_eq!(places.collect::<Vec<_>>(), expected);
        let name = format!("{}b2", turn + 1);
        state.play(&name).unwrap();
    }
}

#[test]
fn every_board_has_a_path_of_its_own() {
    games::register(&INFO).unwrap();
    let state = AnyGameState::new("tour".parse().unwrap());
    let shape = state.view().shape();
    for level in 0..=2 {
        for index in 0..shape.count_places(level) {
            let place = Place::new(level, index);
            let path = path_of(&shape, place);
            assert_eq!(board_at(&shape, &path), place, "{path}");
            // A cell stands for the board around it, and what doesn't exist for as much as does.
            let inside = format!("{path}.0.0.0.0.0");
            assert_eq!(board_at(&shape, inside.trim_start_matches('.')).level, 2);
            assert_eq!(board_at(&shape, &format!("{path}.99")), place, "{path}");
        }
    }
    let around = |path: &str| {
        let markup = format!("<g>{}</g>", breadcrumbs(&state, path).into_string());
        let document = parse(&markup);
        let nodes = document.descendants();
        let paths = nodes.filter_map(|node| node.attribute("data-path"));
        paths.map(str::to_owned).collect::<Vec<_>>()
    };
    // The button to where to play comes last.
    assert_eq!(around("10"), ["", "10", "0"]);
    assert_eq!(around("0"), ["", "0"]);
    let markup = minimap(&state, "10").into_string();
    let document = parse(&markup);
    let jumps = document
        .descendants()
        .filter_map(|node| node.attribute("data-path"));
    assert_eq!(jumps.count(), 12);
}
