//! How to fix what a check finds: the advice shown to the author of a bot.

pub(super) const START: &str = "make sure the command runs in your shell as written";

pub(super) const HANDSHAKE: &str = "when you read the line `ugi`, print `id name NAME` and `ugiok`, \
     each on its own line, and flush the output: many languages buffer output that goes to a \
     pipe";

pub(super) const CODINGAME: &str = "it answers like a CodinGame bot; try \
     \"codingame:COMMAND\" instead of \"ugi:COMMAND\", or --protocol codingame";

pub(super) const NAME: &str = "print `id name NAME` before `ugiok`";

pub(super) const OPTIONS: &str = "list every option that you want to set (`option name N type T …`), \
     and use a value that it accepts";

pub(super) const VARIANT: &str = "if the bot plays only one game, check it with --variant GAME; if it \
     plays several, list `option name Variant type string default classic`";

pub(super) const SET_OPTION: &str = "the bot reported this error after `setoption`; accept \
     every value that its option lines allow";

pub(super) const READY: &str =
    "answer each `isready` with the line `readyok`, and flush the output";

pub(super) const NEW_GAME: &str = "`uginewgame` needs no answer; the `isready` after it does";

pub(super) const ANSWER: &str = "answer every `go …` with exactly one line `bestmove MOVE`, and flush \
     the output";

pub(super) const CRASH: &str = "the program exited while it was thinking; look for the reason in \
     its standard error, or log every line with --log FILE";

pub(super) const CRASH_AT_START: &str = "the program exited on its own; run the command in your shell, \
     type `ugi` and see what it prints, or log every line with --log FILE";

pub(super) const FLOOD: &str = "write at most a few `info` lines per second";

pub(super) const LATE: &str = "stop thinking a few milliseconds earlier, since communication \
     counts too; in a match, this bot would lose on time";

pub(super) const IGNORED: &str = "the bot can play with --time or --tc, but not with this limit; \
     if the bot doesn't support a limit, it should answer quickly";

pub(super) const ONCE: &str = "write `bestmove` only once, when the bot has decided; use `info` \
     lines for everything before that";

pub(super) const LEGAL: &str = "the move must be legal and written as in docs/notation.md; \
     `noughts moves VARIANT --moves \"…\"` lists the legal moves; if the bot plays another game, \
     use --variant GAME";

pub(super) const SMALL_LETTERS: &str =
    "UGI moves are lowercase; in lowercase, this move would be legal";

pub(super) const FEN: &str = "the bot needs `position fen TEXT [moves …]` only for openings \
     given as positions, not for openings given as moves; docs/notation.md describes the text";

pub(super) const LISTEN: &str = "read input while the bot thinks, in a thread or from time to \
     time; the arena doesn't need this, but other match runners do";

pub(super) const QUIT: &str = "exit when the line `quit` arrives or the input ends";

pub(super) const END_OF_INPUT: &str = "exit when the input ends";

pub(super) const CHILDREN: &str = "before the bot exits, stop every process that it started";

pub(super) const REPLAY: &str =
    "`noughts show VARIANT --moves \"…\"` shows the position; --log FILE logs every line";

pub(super) const TURN: &str = "each turn, read `row col`, a number, and that many lines `row col`; \
     print one of them on its own line, and flush the output";

pub(super) const ONE_OF_THEM: &str = "print one of the lines that you were given (two numbers from \
     0 to 8) and nothing else; write comments to standard error";

pub(super) const SITE_TIMES: &str =
    "the site allows 1000 ms for the first turn and 100 ms for every other turn";
