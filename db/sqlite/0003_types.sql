-- Question types that are typed. A response is right after its spelling was to be checked: that is Hard at most, so the
-- log must say so.
ALTER TABLE attempt ADD COLUMN retried INTEGER NOT NULL DEFAULT 0;
