//! Seeded random input: names, moves and whole actions that may be valid, and corrupted texts.

use noughts_rules::games;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

pub(super) struct Generator(Xoshiro256PlusPlus);

/// Values of all types, to put where another one is expected.
const ODD: [&str; 16] = [
    "null",
    "true",
    "-1",
    "0",
    "1e400",
    "18446744073709551616",
    "0.5",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "\"\\ud83d\\ude00\"",
    "\"<script>alert(1)</script>\"",
    "[]",
    "[[[[[[[[]]]]]]]]",
    "{}",
    "{\"type\": \"move\"}",
];

const NAMES: [&str; 8] = [
    "Ada",
    "Bob",
    "Player 1",
    "hard",
    "",
    "  ",
    "a\u{202e}b",
    "<b>",
];

/// In addition to the presets.
const ODD_VARIANTS: [&str; 6] = [
    "mnk:4,4,3",
    "ception:5d,depth=3",
    "mnk:0,0,0",
    "mnk:99999999999,1,1",
    "chess",
    "",
];

const MOVES: [&str; 14] = [
    "a1",
    "b2",
    "c3",
    "aa",
    "ee",
    "d",
    "2b3",
    "b2=x",
    "l@b2",
    "z9",
    "",
    "a1-b2",
    "resign",
    "\u{1f600}",
];

const BOTS: [&str; 5] = ["random", "easy", "medium", "grandmaster", ""];

impl Generator {
    pub(super) fn new(seed: u64) -> Generator {
        Generator(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    /// True once in `n` times on average.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// The name of a variant, most often of one that exists.
    pub(super) fn variant(&mut self) -> &'static str {
        match self.one_in(3) {
            true => self.pick(&ODD_VARIANTS),
            false => self.preset(),
        }
    }

    /// The name of a preset.
    pub(super) fn preset(&mut self) -> &'static str {
        let presets = games::presets();
        presets[self.below(presets.len())].1.name
    }

    pub(super) fn seat(&mut self) -> Value {
        match self.below(8) {
            0..4 => json!({"kind": "human", "name": self.pick(&NAMES)}),
            4 => json!({"kind": "human"}),
            5 => json!({"kind": "invited"}),
            _ => json!({"kind": "bot", "name": self.pick(&BOTS)}),
        }
    }

    /// A random action in a game with this state: often about its revision, and often legal.
    pub(super) fn action(&mut self, game: &Value) -> Value {
        let mut action = match self.below(20) {
            0..9 => json!({"type": "move", "move": self.random_move(game)}),
            9 => json!({"type": "takeback"}),
            10 => json!({"type": "redo"}),
            11 if self.one_in(4) => {
                json!({"type": "accept", "offer": self.pick(&["takeback", "peace"])})
            }
            11 => json!({"type": "accept", "offer": game["offer"]["kind"]}),
            12 => json!({"type": "decline"}),
            13..16 => {
                let what = self.pick(&["draw", "takeback", "rematch", "war"]);
                json!({"type": "offer", "offer": what})
            }
            16 => json!({"type": "seat", "side": self.pick(&["x", "o"]), "seat": self.seat()}),
            17 => json!({"type": "pause", "paused": self.one_in(2)}),
            18 if self.one_in(3) => json!({"type": "speed", "speed": self.below(8)}),
            18 if self.one_in(4) => json!({"type": "abandon"}),
            18 => {
                json!({"type": "view", "path": self.pick(&["", "4", "4.0", "12.0.9", "z/z", "...."])})
            }
            _ if self.one_in(3) => json!({"type": "resign", "side": self.pick(&["x", "o"])}),
            _ => json!({"type": "resign", "side": self.pick(&["x", "z"])}),
        };
        if action["type"] != "look" {
            action["rev"] = match self.below(6) {
                0 => json!(format!("{}.{}", self.below(9), self.below(3))),
                1 => json!(self.pick(&["", ".", "1", "-1.0", "99999999999999999999.0", "0.0.0"])),
                _ => game["rev"].clone(),
            };
        }
        action
    }

    fn random_move(&mut self, game: &Value) -> Value {
        let legal = game["choices"]["moves"].as_array();
        match legal {
            Some(legal) if !legal.is_empty() && !self.one_in(4) => {
                legal[self.below(legal.len())]["move"].clone()
            }
            _ => json!(self.pick(&MOVES)),
        }
    }

    /// The body for an endpoint, before it's corrupted.
    pub(super) fn body(&mut self, endpoint: &str, game: &Value, code: &str) -> Value {
        let variant = self.variant();
        match endpoint {
            "actions" => self.action(game),
            "join" => {
                let zeros = "0".repeat(32);
                let code = self.pick(&[code, &zeros, ""]);
                json!({"code": code, "name": self.pick(&NAMES)})
            }
            "games" => json!({"variant": variant, "x": self.seat(), "o": self.seat()}),
            // Searches take time and aren't what is tested here.
            "analyses" => json!({"variant": "chess", "time_ms": self.below(3)}),
            "hints" => json!({"variant": "chess", "moves": [self.pick(&MOVES)]}),
            _ => {
                let moves: Vec<&str> = (0..self.below(4)).map(|_| self.pick(&MOVES)).collect();
                let position = self.pick(&["", ".../.../... x", "x.o/.x./... o", "xxx", "\u{0}"]);
                match self.below(2) {
                    0 => json!({"variant": variant, "moves": moves}),
                    _ => json!({"variant": variant, "position": position}),
                }
            }
        }
    }

    /// The body with something in it that doesn't belong there.
    pub(super) fn corrupt(&mut self, body: &Value) -> Vec<u8> {
        let odd_value = self.pick(&ODD);
        let mut text = match self.below(3) {
            0 => odd_value.to_owned().into_bytes(),
            1 => {
                let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
                let key = keys[self.below(keys.len())];
                // As text, since not all of these parse as values.
                let (was, is) = (body[key].to_string(), odd_value);
                body.to_string().replacen(&was, is, 1).into_bytes()
            }
            _ => {
                let text = body.to_string();
                let (start, key) = (&text[1..], self.pick(&["more", "do", "rev", "variant"]));
                format!("{{\"{key}\":{odd_value},{start}").into_bytes()
            }
        };
        for _ in 0..self.below(4) {
            let index = self.below(text.len().max(1));
            match self.below(4) {
                0 => text.truncate(index),
                1 => text.insert(index.min(text.len()), (self.0.next_u64() & 0xff) as u8),
                2 if !text.is_empty() => text[index] ^= 1 << self.below(8),
                _ => text.extend_from_slice(&text.clone()[index.min(text.len())..]),
            }
        }
        text
    }
}
