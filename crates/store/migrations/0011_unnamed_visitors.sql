-- When a game is deleted, the one that it follows is found by this.
CREATE INDEX games_next ON games (next) WHERE next IS NOT NULL;

-- Earlier servers called visitors without a name "Player 1" and "Player 2", so that all of them shared two records. They
-- are guests now. Games without a visitor come from a terminal or from a record, where somebody may have these names.
UPDATE games SET x_person = NULL, x_guest = TRUE
WHERE x_person IN (SELECT id FROM people WHERE key IN ('player 1', 'player 2'))
AND EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id);
UPDATE games SET o_person = NULL, o_guest = TRUE
WHERE o_person IN (SELECT id FROM people WHERE key IN ('player 1', 'player 2'))
AND EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id);

DELETE FROM people
WHERE key IN ('player 1', 'player 2')
AND NOT EXISTS (SELECT 1 FROM games WHERE x_person = people.id)
AND NOT EXISTS (SELECT 1 FROM games WHERE o_person = people.id);

-- Those who are left have been here since the first of their own games, and played last in the newest of them.
UPDATE people SET
    since = (SELECT MIN(began)
             FROM (SELECT began FROM games WHERE x_person = people.id
                   UNION ALL SELECT began FROM games WHERE o_person = people.id) AS played),
    last = (SELECT MAX(began)
            FROM (SELECT began FROM games WHERE x_person = people.id
                  UNION ALL SELECT began FROM games WHERE o_person = people.id) AS played),
    last_game = (SELECT MAX(id)
                 FROM (SELECT id FROM games WHERE x_person = people.id
                       UNION ALL SELECT id FROM games WHERE o_person = people.id) AS played)
WHERE key IN ('player 1', 'player 2');
