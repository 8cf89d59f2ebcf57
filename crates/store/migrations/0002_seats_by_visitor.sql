-- How many times something else than a move has changed a game: with the number of
-- moves it names one state of the game, over restarts too.
ALTER TABLE games ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- The game that the same players began after this one.
ALTER TABLE games ADD COLUMN next TEXT;

-- Who may act for a seat: what a visitor's secret hashes to, in hexadecimal digits.
CREATE TABLE sitters (
    game       BIGINT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    side       TEXT   NOT NULL CHECK (side IN ('x', 'o')),
    token_hash TEXT   NOT NULL,
    PRIMARY KEY (game, side)
) WITHOUT ROWID;

-- Seats that wait for whoever has the code.
CREATE TABLE invites (
    game      BIGINT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    side      TEXT   NOT NULL CHECK (side IN ('x', 'o')),
    code_hash TEXT   NOT NULL,
    PRIMARY KEY (game, side)
) WITHOUT ROWID;

-- Positions that are too long for an address.
CREATE TABLE positions (
    id       TEXT   PRIMARY KEY,
    variant  TEXT   NOT NULL,
    position TEXT   NOT NULL,
    -- With blanks between them.
    moves    TEXT   NOT NULL,
    since    BIGINT NOT NULL
) WITHOUT ROWID;

DROP VIEW heads;

-- Games without their moves, with the names of those who play.
CREATE VIEW heads AS
SELECT games.id, uid, variant, start, x_person, x.name AS x_name, x_bot, o_person, o.name AS o_name, o_bot,
       began, ended, result, how, handed, holder, changes, next,
       EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id) AS claimed,
       (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id) AS moves
FROM games
LEFT JOIN people AS x ON x.id = x_person
LEFT JOIN people AS o ON o.id = o_person;
