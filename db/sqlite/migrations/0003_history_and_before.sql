CREATE TABLE `agent_state_versions` (
	`agent_id` text NOT NULL,
	`key` text NOT NULL,
	`version` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `key`, `version`)
);
--> statement-breakpoint
ALTER TABLE `confirmations` ADD `before` text;--> statement-breakpoint
CREATE INDEX `confirmations_by_decision` ON `confirmations` (`status`,`decided_at`);