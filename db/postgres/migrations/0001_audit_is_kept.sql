CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	IF TG_OP = 'UPDATE' THEN
		IF NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.action = OLD.action AND NEW.actor = OLD.actor
			AND NEW.address = OLD.address AND NEW.request_id = OLD.request_id AND NEW.digest = OLD.digest
			AND NEW.hash = OLD.hash AND NEW.target IS NULL AND NEW.before IS NULL AND NEW.after IS NULL AND NEW.salt IS NULL
		THEN RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'The audit is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_is_kept BEFORE DELETE OR UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_kept();
--> statement-breakpoint
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_is_kept();
