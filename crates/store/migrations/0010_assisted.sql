-- The first help that a player had in a game: hint, takeback or analysis. Such a game isn't rated.
ALTER TABLE games ADD COLUMN assisted TEXT;

DROP VIEW heads;

-- Games without their moves, with the names of those who play.
CREATE VIEW heads AS
SELECT games.id, uid, variant, start, x_person, x.name AS x_name, x_bot, x_guest,
       o_person, o.name AS o_name, o_bot, o_guest,
       began, ended, result, how, handed, assisted, holder, changes, next, imported,
       EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id) AS claimed,
       (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id) AS moves
FROM games
LEFT JOIN people AS x ON x.id = x_person
LEFT JOIN people AS o ON o.id = o_person;

DROP VIEW counted;

-- Rated games for statistics, once for each person: finished, played without help, no side handed over.
CREATE VIEW counted AS
SELECT x_person AS person, o_person AS other_person, o_bot AS other_bot, o_guest AS other_guest, variant,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END AS won,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END AS lost,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END AS tied
FROM games
WHERE x_person IS NOT NULL AND result IS NOT NULL AND NOT handed AND assisted IS NULL
UNION ALL
SELECT o_person, x_person, x_bot, x_guest, variant,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END
FROM games
WHERE o_person IS NOT NULL AND result IS NOT NULL AND NOT handed AND assisted IS NULL;
