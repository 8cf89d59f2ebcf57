-- A seat can be a guest's: somebody without a name, who has no record.
ALTER TABLE games ADD COLUMN x_guest BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE games ADD COLUMN o_guest BOOLEAN NOT NULL DEFAULT FALSE;

DROP VIEW heads;

-- Games without their moves, with the names of those who play.
CREATE VIEW heads AS
SELECT games.id, uid, variant, start, x_person, x.name AS x_name, x_bot, x_guest,
       o_person, o.name AS o_name, o_bot, o_guest,
       began, ended, result, how, handed, holder, changes, next, imported,
       EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id) AS claimed,
       (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id) AS moves
FROM games
LEFT JOIN people AS x ON x.id = x_person
LEFT JOIN people AS o ON o.id = o_person;

DROP VIEW counted;

-- What statistics are made of: finished games that were not handed over, once for each person.
CREATE VIEW counted AS
SELECT x_person AS person, o_person AS other_person, o_bot AS other_bot, o_guest AS other_guest, variant,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END AS won,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END AS lost,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END AS tied
FROM games
WHERE x_person IS NOT NULL AND result IS NOT NULL AND NOT handed
UNION ALL
SELECT o_person, x_person, x_bot, x_guest, variant,
       CASE WHEN result = 'o' THEN 1 ELSE 0 END,
       CASE WHEN result = 'x' THEN 1 ELSE 0 END,
       CASE WHEN result = 'draw' THEN 1 ELSE 0 END
FROM games
WHERE o_person IS NOT NULL AND result IS NOT NULL AND NOT handed;
