-- Keys of the server, by what they are for: tokens are signed with one. 64 hexadecimal digits.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    key  TEXT NOT NULL
) WITHOUT ROWID;

-- Sessions that were ended, by visitor: the first 16 digits of what the token hashes to. Rows are only added, so that
-- a running server reads what is new by its number.
CREATE TABLE ended_sessions (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    visitor TEXT   NOT NULL UNIQUE,
    ended   BIGINT NOT NULL
);

-- Visitors and networks that a server turns away. The number of rows and the largest number tell a running server
-- whether anything has changed.
CREATE TABLE bans (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT   NOT NULL UNIQUE,
    reason TEXT,
    since  BIGINT NOT NULL
);

-- Games that the operator has deleted or changed: a running server drops what it has of them in memory.
CREATE TABLE stale_games (
    id  INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT   NOT NULL,
    at  BIGINT NOT NULL
);

-- The code of an invitation, encrypted so that only the visitor who made the game can be shown it again.
ALTER TABLE invites ADD COLUMN sealed TEXT;
