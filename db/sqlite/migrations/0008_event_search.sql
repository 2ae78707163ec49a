CREATE TABLE `search_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`history` integer NOT NULL
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `event_search` USING fts5(`text`, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
DROP TRIGGER `message_said`;
--> statement-breakpoint
DROP TABLE `message_search`;
