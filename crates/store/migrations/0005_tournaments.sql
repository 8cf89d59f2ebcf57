-- Bots against bots. What a plan says is not known here.
CREATE TABLE tournaments (
    -- Numbers are not given twice: people write them down.
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    uid    TEXT   NOT NULL UNIQUE,
    plan   TEXT   NOT NULL,
    -- `open` can go on; `complete` has all its games; `decided` needs no more of them.
    state  TEXT   NOT NULL CHECK (state IN ('open', 'complete', 'decided')),
    began  BIGINT NOT NULL,
    ended  BIGINT,
    -- The program that plays it; nobody's if it was left on purpose.
    holder TEXT,
    CHECK ((state = 'open') = (ended IS NULL))
);

CREATE TABLE arena_games (
    id         INTEGER PRIMARY KEY,
    tournament BIGINT  NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    -- Which game of the plan it is.
    round      BIGINT  NOT NULL,
    first      BIGINT  NOT NULL,
    second     BIGINT  NOT NULL,
    swapped    BOOLEAN NOT NULL,
    start      TEXT,
    -- So many of the moves nobody chose.
    opening    BIGINT  NOT NULL,
    -- With blanks between them.
    moves      TEXT    NOT NULL,
    -- For each move behind the opening: nanoseconds, value, depth, nodes, with commas
    -- between these and blanks between the moves.
    details    TEXT    NOT NULL,
    outcome    TEXT    NOT NULL CHECK (outcome IN ('x', 'o', 'draw')),
    reason     TEXT    NOT NULL,
    note       TEXT,
    ended      BIGINT  NOT NULL,
    UNIQUE (tournament, round, first, second, swapped)
);
