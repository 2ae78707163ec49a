CREATE TABLE `rollup_cells` (
	`id` integer PRIMARY KEY NOT NULL,
	`began` integer NOT NULL,
	`count` integer NOT NULL,
	`failed` integer NOT NULL,
	`escalated` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`unreported` integer NOT NULL,
	`durations` blob NOT NULL,
	`waits` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rollup_parts` (
	`conversation` integer NOT NULL,
	`hour` integer NOT NULL,
	`series` integer NOT NULL,
	`began` integer NOT NULL,
	`count` integer NOT NULL,
	`failed` integer NOT NULL,
	`escalated` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`unreported` integer NOT NULL,
	`durations` blob NOT NULL,
	`waits` blob NOT NULL,
	`longest` integer NOT NULL,
	`longest_seq` integer NOT NULL,
	PRIMARY KEY(`series`, `hour`, `conversation`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rollup_parts_by_conversation` ON `rollup_parts` (`conversation`);--> statement-breakpoint
CREATE TABLE `rollup_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rollup_series` (
	`id` integer PRIMARY KEY NOT NULL,
	`cut` text NOT NULL,
	`kind` text NOT NULL,
	`agent` text NOT NULL,
	`version` text NOT NULL,
	`model` text NOT NULL,
	`channel` text NOT NULL,
	`stage` text NOT NULL,
	`tool` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rollup_series_by_name` ON `rollup_series` (`kind`,`cut`,`agent`,`version`,`model`,`channel`,`stage`,`tool`);--> statement-breakpoint
CREATE TABLE `rollup_states` (
	`conversation` integer PRIMARY KEY NOT NULL,
	`state` text
);
--> statement-breakpoint
CREATE INDEX `rollup_again` ON `rollup_states` (`conversation`) WHERE state IS NULL;