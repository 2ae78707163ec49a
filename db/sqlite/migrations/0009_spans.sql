CREATE TABLE `spans` (
	`trace_id` text NOT NULL,
	`span_id` text NOT NULL,
	`parent_span_id` text,
	`received_at` integer NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`trace_id`, `span_id`)
);
