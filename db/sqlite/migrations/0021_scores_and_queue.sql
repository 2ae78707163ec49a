CREATE TABLE `queue` (
	`conversation_id` text PRIMARY KEY NOT NULL,
	`assignee` text,
	`due_at` integer,
	`snoozed_until` integer,
	`resolved_at` integer,
	`tags` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `queue_by_assignee` ON `queue` (`assignee`) WHERE assignee IS NOT NULL;--> statement-breakpoint
CREATE TABLE `scores` (
	`conversation_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer,
	`run_id` text,
	`call_id` text,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`source` text NOT NULL,
	`comment` text,
	`by` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`conversation_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `scores_by_time` ON `scores` (`at`);--> statement-breakpoint
CREATE TABLE `waiting_scores` (
	`id` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`received_at` integer NOT NULL,
	`content` text NOT NULL
);
