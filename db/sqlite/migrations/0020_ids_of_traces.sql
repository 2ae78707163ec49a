DROP INDEX `events_id_unique`;--> statement-breakpoint
ALTER TABLE `events` ADD `followers` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_id` ON `events` (`id`) WHERE followers IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_trace` ON `events` (`id`) WHERE followers > 0;