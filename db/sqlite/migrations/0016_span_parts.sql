CREATE TABLE `span_parts` (
	`id` integer PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL,
	`content` text NOT NULL
);
