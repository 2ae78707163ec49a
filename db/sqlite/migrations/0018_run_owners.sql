CREATE TABLE `run_owners` (
	`run_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`fence` integer NOT NULL,
	`decided` integer NOT NULL,
	`ready` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ready_runs` ON `run_owners` (`key`) WHERE "run_owners"."ready" = 1;