LOCK TABLE "conversations", "rollup_parts", "scores" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
-- What lists and pages of tools read is in the indexes: the slowest of 200,000 calls are found in 0.2 s instead of 0.9, a tenth of the
-- scores of a name in 0.01 s instead of 0.2.
DROP INDEX "conversations_by_activity";
--> statement-breakpoint
CREATE INDEX "conversations_by_activity" ON "conversations" ("updated_at" DESC, "id") INCLUDE ("position", "status", "channel", "stage", "agent_id");
--> statement-breakpoint
DROP INDEX "conversations_by_facet";
--> statement-breakpoint
CREATE INDEX "conversations_by_facet" ON "conversations" ("status", "channel", "stage", "agent_id") INCLUDE ("id", "updated_at", "position");
--> statement-breakpoint
CREATE UNIQUE INDEX "parts_by_place" ON "rollup_parts" ("series", "hour", "conversation") INCLUDE ("count", "longest", "longest_seq");
--> statement-breakpoint
ALTER TABLE "rollup_parts" DROP CONSTRAINT "rollup_parts_series_hour_conversation_pk", ADD CONSTRAINT "rollup_parts_series_hour_conversation_pk" PRIMARY KEY USING INDEX "parts_by_place";
--> statement-breakpoint
-- Postgres reads an index on an expression alone only if it has the columns of the expression, too.
DROP INDEX "scores_by_number";
--> statement-breakpoint
CREATE INDEX "scores_by_number" ON "scores" ("name", (CASE WHEN kind = 'category' THEN NULL ELSE CAST(value AS double precision) END), "conversation_id") INCLUDE ("kind", "value");
