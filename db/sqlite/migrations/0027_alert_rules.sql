CREATE TABLE `alert_firings` (
	`id` text PRIMARY KEY NOT NULL,
	`rule_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`window_from` integer NOT NULL,
	`value` text NOT NULL,
	`peak` text NOT NULL,
	`count` integer NOT NULL,
	`told_at` integer
);
--> statement-breakpoint
CREATE INDEX `alert_firings_by_rule` ON `alert_firings` (`rule_id`,`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_firings_open` ON `alert_firings` (`rule_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `alert_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`condition` text NOT NULL,
	`enabled` integer NOT NULL,
	`muted_until` integer,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`told_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alert_rules_name_unique` ON `alert_rules` (`name`);