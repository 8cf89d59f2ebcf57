-- Visitors are offered the games that they have not finished.
CREATE INDEX games_of_a_sitter ON sitters (token_hash);
