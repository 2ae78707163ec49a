CREATE TABLE `rollup_due` (
	`conversation` integer PRIMARY KEY NOT NULL,
	`change` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `rollup_series_by_name`;--> statement-breakpoint
ALTER TABLE `rollup_series` ADD `score` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `rollup_series_by_name` ON `rollup_series` (`kind`,`cut`,`agent`,`version`,`model`,`channel`,`stage`,`tool`,`score`);--> statement-breakpoint
ALTER TABLE `rollup_cells` ADD `score_sum` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rollup_parts` ADD `score_sum` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `rollup_due` (`conversation`, `change`) SELECT DISTINCT `position`, 1 FROM `conversations` JOIN `scores` ON `scores`.`conversation_id` = `conversations`.`id`;