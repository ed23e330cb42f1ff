-- What changes and is no row of the log: learners with their groups and PINs, printed sheets, fitted parameters. The
-- newest change of each has a number, so that a second log knows what it lacks. Numbers only grow, and are about ms since
-- 1970, so that the numbers of two stores that were once one can be compared.
CREATE TABLE changed(
  change INTEGER PRIMARY KEY,
  what TEXT NOT NULL CHECK(what IN ('learner', 'sheet', 'parameters')),
  id ANY NOT NULL,                     -- learner_id, or sheet.printed
  UNIQUE(what, id)
) STRICT;
INSERT INTO changed(what, id) SELECT 'learner', learner_id FROM learner;
INSERT INTO changed(what, id) SELECT 'sheet', printed FROM sheet;
INSERT INTO changed(what, id) SELECT 'parameters', learner_id FROM parameters;

-- What is put in here is changed now. (A trigger takes over the conflict clause of what set it off: there is none here.)
CREATE VIEW change_of AS SELECT what, id FROM changed;
CREATE TRIGGER change_new INSTEAD OF INSERT ON change_of BEGIN
  UPDATE changed SET change = (SELECT max(max(change) + 1, 1000 * strftime('%s', 'now')) FROM changed)
    WHERE what = NEW.what AND id = NEW.id;
  INSERT INTO changed(change, what, id)
    SELECT max(coalesce(max(change), 0) + 1, 1000 * strftime('%s', 'now')), NEW.what, NEW.id FROM changed
    HAVING NOT EXISTS(SELECT 1 FROM changed WHERE what = NEW.what AND id = NEW.id);
END;
CREATE TRIGGER learner_added AFTER INSERT ON learner
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER learner_changed AFTER UPDATE ON learner
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER member_added AFTER INSERT ON member
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER member_changed AFTER UPDATE ON member
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER member_gone AFTER DELETE ON member
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', OLD.learner_id); END;
CREATE TRIGGER pin_added AFTER INSERT ON pin
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER pin_changed AFTER UPDATE ON pin
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', NEW.learner_id); END;
CREATE TRIGGER pin_gone AFTER DELETE ON pin
  BEGIN INSERT INTO change_of(what, id) VALUES('learner', OLD.learner_id); END;
CREATE TRIGGER sheet_added AFTER INSERT ON sheet
  BEGIN INSERT INTO change_of(what, id) VALUES('sheet', NEW.printed); END;
CREATE TRIGGER sheet_changed AFTER UPDATE ON sheet
  BEGIN INSERT INTO change_of(what, id) VALUES('sheet', NEW.printed); END;
CREATE TRIGGER parameters_added AFTER INSERT ON parameters
  BEGIN INSERT INTO change_of(what, id) VALUES('parameters', NEW.learner_id); END;
CREATE TRIGGER parameters_changed AFTER UPDATE ON parameters
  BEGIN INSERT INTO change_of(what, id) VALUES('parameters', NEW.learner_id); END;
CREATE TRIGGER parameters_gone AFTER DELETE ON parameters
  BEGIN INSERT INTO change_of(what, id) VALUES('parameters', OLD.learner_id); END;
-- Whoever is erased leaves nothing here.
CREATE TRIGGER learner_gone AFTER DELETE ON learner
  BEGIN DELETE FROM changed WHERE what <> 'sheet' AND id = OLD.learner_id; END;
CREATE TRIGGER sheet_gone AFTER DELETE ON sheet
  BEGIN DELETE FROM changed WHERE what = 'sheet' AND id = OLD.printed; END;
