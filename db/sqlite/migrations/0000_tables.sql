CREATE TABLE `agent_state` (
	`agent_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `conversations` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`title` text,
	`status` text NOT NULL,
	`channel` text,
	`stage` text,
	`agent_id` text,
	`updated_at` integer NOT NULL,
	`summary` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_id_unique` ON `conversations` (`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_activity` ON `conversations` ("updated_at" desc,`id`,`status`,`channel`,`stage`,`agent_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`conversation_id` text,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`actor` text,
	`agent_id` text,
	`run_id` text,
	`parent_run_id` text,
	`caused_by` text,
	`call_id` text,
	`iteration` integer,
	`instance` text,
	`tool` text,
	`error` integer NOT NULL,
	`occurred_at` integer,
	`recorded_at` integer NOT NULL,
	`payload` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id_unique` ON `events` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_conversation` ON `events` (`conversation_id`,`seq`);--> statement-breakpoint
CREATE TABLE `messages` (
	`position` integer PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`role` text NOT NULL,
	`name` text,
	`tool_call_id` text,
	`run_id` text,
	`created_at` integer,
	`metadata` text,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_by_conversation` ON `messages` (`conversation_id`,`seq`);--> statement-breakpoint
CREATE TABLE `snapshots` (
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`reducer_version` integer NOT NULL,
	`session` blob NOT NULL,
	PRIMARY KEY(`conversation_id`, `seq`)
);
