CREATE TABLE `notes` (
	`conversation_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer,
	`run_id` text,
	`call_id` text,
	`path` text,
	`text` text NOT NULL,
	`mentions` text NOT NULL,
	`by` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`conversation_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notes_by_id` ON `notes` (`id`);