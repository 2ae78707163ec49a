CREATE TABLE `timeline_chunks` (
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`version` integer NOT NULL,
	`holds` text NOT NULL,
	`buckets` text NOT NULL,
	`standing` blob NOT NULL,
	PRIMARY KEY(`conversation_id`, `seq`)
);
