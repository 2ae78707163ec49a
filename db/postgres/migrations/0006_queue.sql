CREATE TABLE "queue" (
	"conversation_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"assignee" text COLLATE "C",
	"due_at" bigint,
	"snoozed_until" bigint,
	"resolved_at" bigint,
	"tags" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "queue_by_assignee" ON "queue" USING btree ("assignee") WHERE assignee IS NOT NULL;