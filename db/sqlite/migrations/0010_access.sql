CREATE TABLE `agent_usage` (
	`day` text NOT NULL,
	`agent_id` text NOT NULL,
	`model` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`day`, `agent_id`, `model`)
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`shown` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` integer,
	`used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_name_unique` ON `api_keys` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_token_hash_unique` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`address` text NOT NULL,
	`request_id` text NOT NULL,
	`target` text,
	`before` text,
	`after` text,
	`salt` text,
	`digest` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit` (`action`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit` (`actor`);--> statement-breakpoint
CREATE INDEX `audit_by_target` ON `audit` (`target`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target` text,
	`reason` text,
	`scope` text,
	`receipt` text NOT NULL,
	`phase` text NOT NULL,
	`conversations` integer DEFAULT 0 NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	`requested_at` integer NOT NULL,
	`requested_by` text NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `notice_places` (
	`channel` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`subject` text NOT NULL,
	`channel` text NOT NULL,
	`number` integer NOT NULL,
	`due_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`message` text,
	`sent_at` integer,
	`error` text,
	PRIMARY KEY(`subject`, `channel`, `number`)
);
--> statement-breakpoint
CREATE INDEX `unsent_notices` ON `notices` (`due_at`) WHERE sent_at IS NULL;--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`address` text NOT NULL,
	`user_agent` text
);
--> statement-breakpoint
CREATE INDEX `sign_ins_by_user` ON `sign_ins` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text,
	`subject` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject_unique` ON `users` (`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_name` ON `users` (lower("name"));--> statement-breakpoint
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN
	SELECT RAISE(ABORT, 'The audit is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit
WHEN NOT (
	NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.action IS OLD.action AND NEW.actor IS OLD.actor
	AND NEW.address IS OLD.address AND NEW.request_id IS OLD.request_id AND NEW.digest IS OLD.digest
	AND NEW.hash IS OLD.hash AND NEW.target IS NULL AND NEW.before IS NULL AND NEW.after IS NULL AND NEW.salt IS NULL
)
BEGIN
	SELECT RAISE(ABORT, 'The audit is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN
	SELECT RAISE(ABORT, 'The audit is append-only');
END;
