-- What was printed: each sheet with its ID, how it looked and whose it was, and once the file of the pack it was made
-- from, so that a pack that was edited since is printed and marked as it was.
CREATE TABLE sheet_content(
  content BLOB PRIMARY KEY CHECK(length(content) = 32),  -- SHA-256 of `pack`
  name TEXT NOT NULL,                  -- of the file, for messages
  pack BLOB NOT NULL                   -- its bytes
) STRICT;

CREATE TABLE sheet(
  printed INTEGER PRIMARY KEY,
  id TEXT NOT NULL,                    -- W1-Q9W1DFWF077YMJ-s17
  body TEXT NOT NULL,                  -- Q9W1DFWF077YM: of all seeds of the same content
  content BLOB NOT NULL REFERENCES sheet_content,
  learner_id BLOB REFERENCES learner,  -- whose name is on it, NULL: nobody's
  size TEXT NOT NULL,                  -- a4, letter
  boxes INTEGER NOT NULL,
  large INTEGER NOT NULL,
  no_key INTEGER NOT NULL,
  key_only INTEGER NOT NULL,
  tag TEXT,                            -- only questions that bear it, NULL: all
  printed_at INTEGER NOT NULL          -- last, ms since 1970 UTC
) STRICT;
-- The same, printed again, is the same row.
CREATE UNIQUE INDEX sheet_once ON sheet(id, content, ifnull(learner_id, x''), size, boxes, large, no_key, key_only,
  ifnull(tag, ''));
CREATE INDEX sheet_body ON sheet(body);
CREATE INDEX sheet_of_content ON sheet(content);
CREATE INDEX sheet_learner ON sheet(learner_id) WHERE learner_id IS NOT NULL;
