-- "nght": tells this program's files from other programs'.
PRAGMA application_id = 1852270708;

CREATE TABLE people (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    name  TEXT   NOT NULL,
    -- The name without case: what makes two names the same.
    key   TEXT   NOT NULL UNIQUE,
    -- All times are milliseconds since 1970.
    since BIGINT NOT NULL
);

CREATE TABLE games (
    -- Numbers are not given twice: people write them down.
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    uid      TEXT   NOT NULL UNIQUE,
    variant  TEXT   NOT NULL,
    start    TEXT,
    -- A seat is a person's, a bot's, or (neither) a deleted player's.
    x_person BIGINT REFERENCES people (id),
    x_bot    TEXT,
    o_person BIGINT REFERENCES people (id),
    o_bot    TEXT,
    began    BIGINT NOT NULL,
    ended    BIGINT,
    result   TEXT,
    how      TEXT,
    handed   BOOLEAN NOT NULL DEFAULT FALSE,
    -- The program that plays it; nobody's if it was left on purpose.
    holder   TEXT,
    CHECK (x_person IS NULL OR x_bot IS NULL),
    CHECK (o_person IS NULL OR o_bot IS NULL),
    CHECK (x_person <> o_person),
    CHECK (result IN ('x', 'o', 'draw')),
    CHECK (result IS NULL OR ended IS NOT NULL),
    CHECK ((ended IS NULL) = (how IS NULL)),
    CHECK (how <> 'abandoned' OR result IS NULL)
);

CREATE INDEX games_of_x ON games (x_person);
CREATE INDEX games_of_o ON games (o_person);
CREATE INDEX games_by_time ON games (began, id);
CREATE INDEX open_games ON games (began, id) WHERE ended IS NULL;

CREATE TABLE moves (
    game    BIGINT  NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply     INTEGER NOT NULL,
    text    TEXT    NOT NULL,
    took_ms BIGINT  NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;

-- What front ends remember from one time to the next.
CREATE TABLE choices (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Games without their moves, with the names of those who play.
CREATE VIEW heads AS
SELECT games.id, uid, variant, start, x_person, x.name AS x_name, x_bot, o_person, o.name AS o_name, o_bot,
       began, ended, result, how, handed, holder,
       (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id) AS moves
FROM games
LEFT JOIN people AS x ON x.id = x_person
LEFT JOIN people AS o ON o.id = o_person;

-- What statistics are made of: finished games that were not handed over, once for each person.
CREATE VIEW counted AS
SELECT x_person AS person, o_person AS other_person, o_bot AS other_bot, variant,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END AS won,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END AS lost,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END AS tied
FROM games
WHERE x_person IS NOT NULL AND result IS NOT NULL AND NOT handed
UNION ALL
SELECT o_person, x_person, x_bot, variant,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END
FROM games
WHERE o_person IS NOT NULL AND result IS NOT NULL AND NOT handed;
