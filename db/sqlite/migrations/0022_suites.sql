CREATE TABLE `agent_promotions` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`version` text NOT NULL,
	`before` text NOT NULL,
	`run_id` text,
	`promoted_at` integer NOT NULL,
	`promoted_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `agent_promotions_by_agent` ON `agent_promotions` (`agent_id`,`id`);--> statement-breakpoint
CREATE TABLE `agent_versions` (
	`agent_id` text NOT NULL,
	`version` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	PRIMARY KEY(`agent_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `suite_cases` (
	`suite` text NOT NULL,
	`id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`title` text NOT NULL,
	`tags` text NOT NULL,
	`calls` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`tools` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`suite`, `id`)
);
--> statement-breakpoint
CREATE INDEX `suite_cases_by_conversation` ON `suite_cases` (`conversation_id`);--> statement-breakpoint
CREATE TABLE `suite_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`suite` text NOT NULL,
	`agent_id` text NOT NULL,
	`version` text NOT NULL,
	`model` text NOT NULL,
	`rule` text NOT NULL,
	`tries` integer NOT NULL,
	`cases` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`done` integer NOT NULL,
	`total` integer NOT NULL,
	`worker` text NOT NULL,
	`started_at` integer NOT NULL,
	`started_by` text NOT NULL,
	`seen_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `suite_runs_by_suite` ON `suite_runs` (`suite`,`id`);--> statement-breakpoint
CREATE INDEX `suite_runs_open` ON `suite_runs` (`seen_at`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `suite_tries` (
	`run_id` text NOT NULL,
	`case_id` text NOT NULL,
	`number` integer NOT NULL,
	`outcome` text NOT NULL,
	`brief` text NOT NULL,
	`result` text NOT NULL,
	PRIMARY KEY(`run_id`, `case_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `suites` (
	`name` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL
);
