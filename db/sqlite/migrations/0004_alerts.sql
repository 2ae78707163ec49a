CREATE TABLE `alerts` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`run_id` text,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`reason` text,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_id_unique` ON `alerts` (`id`);--> statement-breakpoint
CREATE INDEX `open_alerts` ON `alerts` (`conversation_id`) WHERE closed_at IS NULL;