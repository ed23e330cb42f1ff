-- What a learner took back, for reports that read no log: by learner, and of few events.
CREATE INDEX event_undone_learner ON event(learner_id, attempt_id) WHERE kind = 'undone';
