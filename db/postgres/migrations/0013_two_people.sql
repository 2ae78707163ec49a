CREATE TABLE "absences" (
	"name" text PRIMARY KEY NOT NULL,
	"deputy" text NOT NULL,
	"from_at" bigint NOT NULL,
	"until_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "confirmations" ADD COLUMN "approvals" text;