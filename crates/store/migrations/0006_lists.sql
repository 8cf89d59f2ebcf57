-- When somebody last started a game, and which one: the order of the list of players.
ALTER TABLE people ADD COLUMN last BIGINT NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN last_game BIGINT NOT NULL DEFAULT 0;
UPDATE people SET
    last = (SELECT COALESCE(MAX(began), people.since)
            FROM (SELECT began FROM games WHERE x_person = people.id
                  UNION ALL SELECT began FROM games WHERE o_person = people.id) AS played),
    last_game = (SELECT COALESCE(MAX(id), 0)
                 FROM (SELECT id FROM games WHERE x_person = people.id
                       UNION ALL SELECT id FROM games WHERE o_person = people.id) AS played);
CREATE INDEX people_by_last ON people (last, last_game, id);

-- Imported games stay, even without a move. Before this column, an open game without a move that
-- neither a program nor a visitor held could only have been imported.
ALTER TABLE games ADD COLUMN imported BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE games SET imported = TRUE
WHERE ended IS NULL AND holder IS NULL
AND NOT EXISTS (SELECT 1 FROM moves WHERE moves.game = games.id)
AND NOT EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id);

-- One index for each order in which games are listed, newest first.
DROP INDEX games_of_x;
DROP INDEX games_of_o;
CREATE INDEX games_of_x ON games (x_person, began, id);
CREATE INDEX games_of_o ON games (o_person, began, id);
CREATE INDEX games_of_x_by_variant ON games (x_person, variant, began, id);
CREATE INDEX games_of_o_by_variant ON games (o_person, variant, began, id);
CREATE INDEX games_of_x_bot ON games (LOWER(x_bot), began, id) WHERE x_bot IS NOT NULL;
CREATE INDEX games_of_o_bot ON games (LOWER(o_bot), began, id) WHERE o_bot IS NOT NULL;
CREATE INDEX games_by_variant ON games (variant, began, id);
CREATE INDEX games_by_result ON games (result, began, id) WHERE result IS NOT NULL;

DROP VIEW heads;

-- Games without their moves, with the names of those who play.
CREATE VIEW heads AS
SELECT games.id, uid, variant, start, x_person, x.name AS x_name, x_bot, o_person, o.name AS o_name, o_bot,
       began, ended, result, how, handed, holder, changes, next, imported,
       EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id) AS claimed,
       (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id) AS moves
FROM games
LEFT JOIN people AS x ON x.id = x_person
LEFT JOIN people AS o ON o.id = o_person;
