CREATE TABLE `confirmations` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`own` integer NOT NULL,
	`status` text NOT NULL,
	`run_id` text,
	`call_id` text,
	`iteration` integer,
	`instance` text NOT NULL,
	`key` text NOT NULL,
	`cause` text NOT NULL,
	`action_key` text NOT NULL,
	`requested_seq` integer NOT NULL,
	`requested_at` integer NOT NULL,
	`decided_seq` integer,
	`decided_at` integer,
	`decided_by` text,
	`used` integer,
	`reason` text,
	`description` text,
	`action` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `confirmations_id_unique` ON `confirmations` (`id`);--> statement-breakpoint
CREATE INDEX `confirmations_by_status` ON `confirmations` (`status`);--> statement-breakpoint
CREATE INDEX `confirmations_by_conversation` ON `confirmations` (`conversation_id`);--> statement-breakpoint
CREATE INDEX `unused_approvals` ON `confirmations` (`conversation_id`,`action_key`) WHERE own = 1 AND status = 'approved' AND used IS NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `origin` text;--> statement-breakpoint
CREATE INDEX `own_runs` ON `events` (`run_id`) WHERE type = 'run.started' AND origin = 'engine';--> statement-breakpoint
CREATE INDEX `own_runs_by_parent` ON `events` (`parent_run_id`) WHERE type = 'run.started' AND origin = 'engine';--> statement-breakpoint
CREATE INDEX `own_events_by_run` ON `events` (`run_id`) WHERE origin = 'engine';