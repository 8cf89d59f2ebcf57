-- Reviews of finished games, each with the version of what made it: another version makes it again.
CREATE TABLE reviews (
    game    INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    version TEXT NOT NULL,
    review  BLOB NOT NULL
);
