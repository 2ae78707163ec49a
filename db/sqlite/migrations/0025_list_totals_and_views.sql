CREATE TABLE `conversation_totals` (
	`conversation` integer PRIMARY KEY NOT NULL,
	`started` integer NOT NULL,
	`duration` integer NOT NULL,
	`failures` integer NOT NULL,
	`tokens` integer NOT NULL,
	`cost` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `totals_by_start` ON `conversation_totals` (`started`,`conversation`);--> statement-breakpoint
CREATE INDEX `totals_by_duration` ON `conversation_totals` (`duration`,`conversation`);--> statement-breakpoint
CREATE INDEX `totals_by_failures` ON `conversation_totals` (`failures`,`conversation`);--> statement-breakpoint
CREATE INDEX `totals_by_tokens` ON `conversation_totals` (`tokens`,`conversation`);--> statement-breakpoint
CREATE INDEX `totals_by_cost` ON `conversation_totals` (`cost`,`conversation`);--> statement-breakpoint
CREATE TABLE `counted_prices` (
	`id` integer PRIMARY KEY NOT NULL,
	`prices` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `list_views` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`shared` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `list_views_by_name` ON `list_views` (`owner`,`name`);--> statement-breakpoint
CREATE INDEX `scores_by_name` ON `scores` (`name`,`conversation_id`,`kind`,`value`);
--> statement-breakpoint
INSERT INTO `conversation_totals` (`conversation`, `started`, `duration`, `failures`, `tokens`, `cost`)
SELECT `position`, `began`, `updated_at` - `began`, `failed`, coalesce((SELECT sum(`input_tokens` + `output_tokens`) FROM `rollup_parts` JOIN `rollup_series` ON `rollup_series`.`id` = `rollup_parts`.`series` WHERE `rollup_parts`.`conversation` = `position` AND `kind` = 'model'), 0), 0
FROM (SELECT `position`, `updated_at`, CAST(round(unixepoch(`summary` ->> '$.created_at', 'subsec') * 1000) AS integer) AS `began`, coalesce(`summary` ->> '$.failures.count', 0) AS `failed` FROM `conversations`)
WHERE `position` IN (SELECT `conversation` FROM `rollup_states`);
