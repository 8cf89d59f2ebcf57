-- Positions go when there are too many of them, those first that nobody has asked for in
-- longest: `since` is when somebody last did. Long texts are packed.
ALTER TABLE positions ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE positions SET bytes = LENGTH(position) + LENGTH(moves) + 200;
CREATE INDEX positions_by_use ON positions (since, bytes);
