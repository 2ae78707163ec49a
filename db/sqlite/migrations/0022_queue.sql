CREATE TABLE `queue` (
	`conversation_id` text PRIMARY KEY NOT NULL,
	`assignee` text,
	`due_at` integer,
	`snoozed_until` integer,
	`resolved_at` integer,
	`tags` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `queue_by_assignee` ON `queue` (`assignee`) WHERE assignee IS NOT NULL;