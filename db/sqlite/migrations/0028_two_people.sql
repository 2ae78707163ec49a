CREATE TABLE `absences` (
	`name` text PRIMARY KEY NOT NULL,
	`deputy` text NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `confirmations` ADD `approvals` text;