//! How to fix what a check finds: the advice shown to the author of a bot.

pub(super) const RUN_UGI: &str = "the command line after `ugi:` must run in your shell as it is";

pub(super) const RUN_CODINGAME: &str =
    "the command line after `codingame:` must run in your shell as it is";

pub(super) const HANDSHAKE: &str = "read a line; if it is `ugi`, print `id name NAME` and `ugiok`, \
     each on a line of its own, and flush the output: many languages hold it back when it goes to \
     a pipe";

pub(super) const CODINGAME: &str = "it answers like a CodinGame bot: try it as \
     \"codingame:COMMAND\" instead of \"ugi:COMMAND\", or with --protocol codingame";

pub(super) const NAME: &str = "print `id name NAME` before `ugiok`";

pub(super) const OPTIONS: &str = "an option that is to be set must be listed (`option name N type \
     T …`), and the value must be one that it accepts";

pub(super) const VARIANT: &str = "a bot that plays one game only doesn't need it, and is tried \
     with --variant GAME; one that plays several lists `option name Variant type string default \
     classic`";

pub(super) const SET_OPTION: &str = "this line came in answer to `setoption`";

pub(super) const READY: &str = "answer each `isready` with a line `readyok`, and flush the output";

pub(super) const NEW_GAME: &str = "`uginewgame` needs no answer; the `isready` after it does";

pub(super) const ANSWER: &str = "answer every `go …` with one line `bestmove MOVE`, and flush the \
     output";

pub(super) const CRASH: &str = "the program ended while it was thinking: look for the reason in \
     what it wrote to standard error; --log FILE keeps every line up to there";

pub(super) const CRASH_AT_START: &str = "the program ended by itself: run the command in your \
     shell, type `ugi`, and see what it writes; --log FILE keeps every line up to there";

pub(super) const FLOOD: &str = "write a few `info` lines a second at most";

pub(super) const LATE: &str = "stop thinking a few milliseconds earlier: the way between the \
     programs counts, too; in a match this bot loses on time";

pub(super) const IGNORED: &str = "the bot can play with --time or --tc, but not with this limit; \
     answer soon when a limit means nothing to it";

pub(super) const ONCE: &str = "write `bestmove` in one place only, when the bot has decided; what \
     it thinks until then goes into `info` lines";

pub(super) const LEGAL: &str = "the move must be legal and written as in docs/notation.md; \
     `noughts moves VARIANT --moves \"…\"` lists the legal ones; try a bot for another game with \
     --variant GAME";

pub(super) const SMALL_LETTERS: &str =
    "UGI writes moves in small letters; this one would be legal then";

pub(super) const FEN: &str = "`position fen TEXT [moves …]` is needed for openings that are \
     positions; everything that starts with moves works without it; docs/notation.md describes \
     the text";

pub(super) const LISTEN: &str = "read the input while the bot thinks (in a thread, or now and \
     then); the arena doesn't need it, other match runners do";

pub(super) const QUIT: &str = "end the program when a line is `quit`, and when the input ends";

pub(super) const END_OF_INPUT: &str = "end the program when its input ends";

pub(super) const CHILDREN: &str =
    "end the processes that the bot has started before it ends itself";

pub(super) const REPLAY: &str =
    "`noughts show VARIANT --moves \"…\"` shows the position; --log FILE keeps every line";

pub(super) const TURN: &str = "each turn read `row col`, a number, and that many lines `row col`; \
     print one of them as a line, and flush the output";

pub(super) const ONE_OF_THEM: &str = "print one of the lines that were given, two numbers from 0 \
     to 8, and nothing else; remarks go to standard error";

pub(super) const SITE_TIMES: &str =
    "the site gives 1000 ms for the first turn and 100 ms for each other one";
