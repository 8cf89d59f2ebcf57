//! Variant names: parsing any valid spelling and printing the canonical one.
//!
//! A name is a family, or a family, a colon, and options separated by commas.

/// The rules of one game.
pub(crate) enum Variant {
    Flat(FlatRules),
    TicTacTwo(TicTacTwoRules),
    Nested(NestedRules),
}

/// Classic, misère and m,n,k.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlatRules {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) in_a_row: usize,
    pub(crate) misere: bool,
}

/// Tic-Tac-Two.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TicTacTwoRules {
    pub(crate) board: usize,
    pub(crate) grid: usize,
    pub(crate) pieces: usize,
    pub(crate) after: usize,
}

/// Nested boards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NestedRules {
    /// 4b: both players can own a board.
    pub(crate) shared: bool,
    /// The letter of 5a, 5b, 5c or 5d.
    pub(crate) won_board_rule: char,
    /// `free=open`, only possible with 4a and 5b: won boards are closed.
    pub(crate) open_only: bool,
    pub(crate) depth: usize,
    /// `trail=history` instead of `trail=suffix`.
    pub(crate) history: bool,
    /// `end=most` instead of `end=draw`.
    pub(crate) most_boards_win: bool,
}

/// Parses a variant's name.
pub(crate) fn parse(name: &str) -> Result<Variant, String> {
    let (family, mut options) = match name.split_once(':') {
        Some((family, options)) => (family, options.split(',').collect()),
        None => (name, Vec::new()),
    };
    let variant = match family {
        "classic" => Variant::Flat(three_by_three(false)),
        "misere" => Variant::Flat(three_by_three(true)),
        "ultimate" => Variant::Nested(parse_nested(&mut Vec::new())?),
        "mnk" => Variant::Flat(parse_mnk(&mut options)?),
        "tic-tac-two" => Variant::TicTacTwo(parse_tic_tac_two(&mut options)?),
        "ception" => Variant::Nested(parse_nested(&mut options)?),
        _ => return Err(format!("no family is called {family:?}")),
    };
    // Each family has removed the options it knows.
    match options.first() {
        Some(unknown) => Err(format!("{family} has no option {unknown:?}")),
        None => Ok(variant),
    }
}

fn three_by_three(misere: bool) -> FlatRules {
    FlatRules {
        columns: 3,
        rows: 3,
        in_a_row: 3,
        misere,
    }
}

// `mnk:M,N,K` or `mnk:M,N,K,misere`: the order of the numbers is fixed.
fn parse_mnk(options: &mut Vec<&str>) -> Result<FlatRules, String> {
    if options.len() < 3 {
        return Err(String::from("mnk needs M,N,K"));
    }
    let rules = FlatRules {
        columns: size(options.remove(0))?,
        rows: size(options.remove(0))?,
        in_a_row: size(options.remove(0))?,
        misere: take(options, &[(String::from("misere"), true)])?.unwrap_or(false),
    };
    if rules.in_a_row > rules.columns.max(rules.rows) {
        return Err(String::from("K must be at most the larger of M and N"));
    }
    Ok(rules)
}

// M, N and K are each from 1 to 16, without leading zeros.
fn size(text: &str) -> Result<usize, String> {
    (1..=16)
        .find(|number| number.to_string() == text)
        .ok_or(format!("{text:?} is not a number from 1 to 16"))
}

fn parse_tic_tac_two(options: &mut Vec<&str>) -> Result<TicTacTwoRules, String> {
    let rules = TicTacTwoRules {
        board: take(options, &numbered("board", &[3, 5, 7]))?.unwrap_or(5),
        grid: take(options, &numbered("grid", &[3, 5, 7]))?.unwrap_or(3),
        pieces: take(options, &numbered("pieces", &[3, 4, 5, 6, 7, 8, 9]))?.unwrap_or(4),
        after: take(options, &numbered("after", &[2, 3, 4, 5, 6, 7, 8, 9]))?.unwrap_or(2),
    };
    if rules.grid > rules.board {
        return Err(String::from("grid must be at most board"));
    }
    if rules.after > rules.pieces {
        return Err(String::from("after must be at most pieces"));
    }
    Ok(rules)
}

fn parse_nested(options: &mut Vec<&str>) -> Result<NestedRules, String> {
    let shared = take(options, &spelled(&[("4a", false), ("4b", true)]))?.unwrap_or(false);
    let won_board_rules = spelled(&[("5a", 'a'), ("5b", 'b'), ("5c", 'c'), ("5d", 'd')]);
    let won_board_rule = take(options, &won_board_rules)?.unwrap_or('b');
    let open_only = take(
        options,
        &spelled(&[("free=open", true), ("free=any", false)]),
    )?;
    let depth = take(options, &numbered("depth", &[1, 2, 3, 4, 5, 6]))?.unwrap_or(2);
    let trails = spelled(&[("trail=suffix", false), ("trail=history", true)]);
    let history = take(options, &trails)?.unwrap_or(false);
    let ends = spelled(&[("end=draw", false), ("end=most", true)]);
    let most_boards_win = take(options, &ends)?.unwrap_or(false);

    // `free` is only an option with 4a,5b; otherwise it is always `any` and must not be given.
    let has_free = !shared && won_board_rule == 'b';
    if open_only.is_some() && !has_free {
        return Err(String::from("free is an option only with 4a,5b"));
    }
    // At depth 1 all options except `depth` are dropped.
    if depth == 1 {
        return Ok(NestedRules {
            shared: false,
            won_board_rule: 'b',
            open_only: true,
            depth,
            history: false,
            most_boards_win: false,
        });
    }
    Ok(NestedRules {
        shared,
        won_board_rule,
        open_only: has_free && open_only.unwrap_or(true),
        depth,
        // At depth 2 `trail` is dropped.
        history: history && depth > 2,
        most_boards_win,
    })
}

// The spellings of an option whose values are words.
fn spelled<T: Copy>(choices: &[(&str, T)]) -> Vec<(String, T)> {
    let with_owned_text = |&(spelling, value): &(&str, T)| (String::from(spelling), value);
    choices.iter().map(with_owned_text).collect()
}

// The spellings of an option whose values are numbers; none has a leading zero.
fn numbered(key: &str, numbers: &[usize]) -> Vec<(String, usize)> {
    let with_key = |&number: &usize| (format!("{key}={number}"), number);
    numbers.iter().map(with_key).collect()
}

// Removes the option with one of these spellings from the list; two of them are an error.
fn take<T: Copy>(options: &mut Vec<&str>, choices: &[(String, T)]) -> Result<Option<T>, String> {
    let mut found = None;
    for (spelling, value) in choices {
        while let Some(place) = options.iter().position(|option| option == spelling) {
            if found.is_some() {
                return Err(format!("{spelling} gives an option a second time"));
            }
            found = Some(*value);
            options.remove(place);
        }
    }
    Ok(found)
}

impl Variant {
    /// The canonical name.
    pub(crate) fn canonical(&self) -> String {
        match self {
            Variant::Flat(rules) => rules.canonical(),
            Variant::TicTacTwo(rules) => rules.canonical(),
            Variant::Nested(rules) => rules.canonical(),
        }
    }
}

impl FlatRules {
    fn canonical(&self) -> String {
        let (m, n, k) = (self.columns, self.rows, self.in_a_row);
        match ((m, n, k), self.misere) {
            ((3, 3, 3), false) => String::from("classic"),
            ((3, 3, 3), true) => String::from("misere"),
            (_, false) => format!("mnk:{m},{n},{k}"),
            (_, true) => format!("mnk:{m},{n},{k},misere"),
        }
    }
}

impl TicTacTwoRules {
    fn canonical(&self) -> String {
        let mut options = Vec::new();
        if self.board != 5 {
            options.push(format!("board={}", self.board));
        }
        if self.grid != 3 {
            options.push(format!("grid={}", self.grid));
        }
        if self.pieces != 4 {
            options.push(format!("pieces={}", self.pieces));
        }
        if self.after != 2 {
            options.push(format!("after={}", self.after));
        }
        if options.is_empty() {
            return String::from("tic-tac-two");
        }
        format!("tic-tac-two:{}", options.join(","))
    }
}

impl NestedRules {
    fn canonical(&self) -> String {
        let mut options = Vec::new();
        if self.shared {
            options.push(String::from("4b"));
        }
        if self.won_board_rule != 'b' {
            options.push(format!("5{}", self.won_board_rule));
        }
        if !self.shared && self.won_board_rule == 'b' && !self.open_only {
            options.push(String::from("free=any"));
        }
        if self.depth != 2 {
            options.push(format!("depth={}", self.depth));
        }
        if self.history {
            options.push(String::from("trail=history"));
        }
        if self.most_boards_win {
            options.push(String::from("end=most"));
        }
        if options.is_empty() {
            return String::from("ultimate");
        }
        format!("ception:{}", options.join(","))
    }
}
