//! Answers that players type: yes or no, and the directions of the grid.

/// Yes or no; otherwise the refusal.
pub(super) fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => Err("that's neither yes nor no; type y or n".into()),
    }
}

/// The refusal of an empty line.
pub(super) const EMPTY_ANSWER: &str = "the answer can't be empty";

/// The refusal if [`parse_direction`] returns `None`.
pub(super) const EXPECTED_DIRECTION: &str = "that isn't a direction; type up, down, left, right or two of these, such \
     as up left; n, ne, e, se, s, sw, w or nw; or a keypad digit, such as 8 for up";

/// Parses a direction: words, compass letters or the digits of a keypad. Returns the step in
/// columns to the right and rows down.
pub(super) fn parse_direction(text: &str) -> Option<(i8, i8)> {
    const DIRECTIONS: [((i8, i8), &[&str]); 8] = [
        ((0, -1), &["8", "n", "north", "up"]),
        ((1, -1), &["9", "ne", "northeast", "upright", "rightup"]),
        ((1, 0), &["6", "e", "east", "right"]),
        ((1, 1), &["3", "se", "southeast", "downright", "rightdown"]),
        ((0, 1), &["2", "s", "south", "down"]),
        ((-1, 1), &["1", "sw", "southwest", "downleft", "leftdown"]),
        ((-1, 0), &["4", "w", "west", "left"]),
        ((-1, -1), &["7", "nw", "northwest", "upleft", "leftup"]),
    ];
    let text = text.to_lowercase();
    let normalized: String = text
        .split(|c: char| c == '-' || c.is_whitespace())
        .collect();
    let is = |(_, names): &&((i8, i8), &[&str])| names.contains(&normalized.as_str());
    DIRECTIONS.iter().find(is).map(|(step, _)| *step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_direction_has_several_names() {
        for (step, names) in [
            ((0, -1), ["8", "n", "UP", "North"]),
            ((1, -1), ["9", "NE", "up right", "north-east"]),
            ((1, 0), ["6", "e", "right", "east"]),
            ((1, 1), ["3", "se", "down-right", "right down"]),
            ((0, 1), ["2", "s", "down", "south"]),
            ((-1, 1), ["1", "sw", "down left", "south west"]),
            ((-1, 0), ["4", "w", "left", "west"]),
            ((-1, -1), ["7", "nw", "up left", "northwest"]),
        ] {
            for name in names {
                assert_eq!(parse_direction(name), Some(step), "{name}");
            }
        }
        for name in ["", "5", "0", "north up", "x", "up up", "77"] {
            assert_eq!(parse_direction(name), None, "{name}");
        }
    }
}
