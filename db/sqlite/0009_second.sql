-- How often rows of the log were changed or taken away (learners erased or merged): a second log beside the store that
-- is of another count is not this log's.
ALTER TABLE meta ADD COLUMN log_changes INTEGER NOT NULL DEFAULT 0;
-- What machines that stay up say of themselves, newest first.
CREATE INDEX event_kiosk ON event(seq) WHERE kind = 'kiosk';
