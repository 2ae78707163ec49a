CREATE TABLE `unfinished_forks` (
	`conversation_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `conversations` ADD `forked_from` text;--> statement-breakpoint
CREATE INDEX `forks` ON `conversations` (`forked_from`,"updated_at" desc,`id`) WHERE forked_from IS NOT NULL;