CREATE TABLE `telegram_progress` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`parts` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `telegram_updates` (
	`update_id` integer PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`handled_at` integer,
	`content` text
);
--> statement-breakpoint
CREATE INDEX `unhandled_telegram_updates` ON `telegram_updates` (`conversation_id`,`update_id`) WHERE handled_at IS NULL;--> statement-breakpoint
CREATE INDEX `telegram_updates_by_end` ON `telegram_updates` (`handled_at`) WHERE handled_at IS NOT NULL;