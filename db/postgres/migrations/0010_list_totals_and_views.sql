CREATE TABLE "conversation_totals" (
	"conversation" bigint PRIMARY KEY NOT NULL,
	"started" bigint NOT NULL,
	"duration" bigint NOT NULL,
	"failures" bigint NOT NULL,
	"tokens" bigint NOT NULL,
	"cost" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counted_prices" (
	"id" bigint PRIMARY KEY NOT NULL,
	"prices" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "list_views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"query" text NOT NULL,
	"shared" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "totals_by_start" ON "conversation_totals" USING btree ("started","conversation");--> statement-breakpoint
CREATE INDEX "totals_by_duration" ON "conversation_totals" USING btree ("duration","conversation");--> statement-breakpoint
CREATE INDEX "totals_by_failures" ON "conversation_totals" USING btree ("failures","conversation");--> statement-breakpoint
CREATE INDEX "totals_by_tokens" ON "conversation_totals" USING btree ("tokens","conversation");--> statement-breakpoint
CREATE INDEX "totals_by_cost" ON "conversation_totals" USING btree ("cost","conversation");--> statement-breakpoint
CREATE UNIQUE INDEX "list_views_by_name" ON "list_views" USING btree ("owner","name");--> statement-breakpoint
CREATE INDEX "scores_by_name" ON "scores" USING btree ("name","conversation_id","kind","value");
--> statement-breakpoint
INSERT INTO "conversation_totals" ("conversation", "started", "duration", "failures", "tokens", "cost")
SELECT "position", "began", "updated_at" - "began", "failed", coalesce((SELECT sum("input_tokens" + "output_tokens") FROM "rollup_parts" JOIN "rollup_series" ON "rollup_series"."id" = "rollup_parts"."series" WHERE "rollup_parts"."conversation" = "position" AND "kind" = 'model'), 0), 0
FROM (SELECT "position", "updated_at", CAST(round(extract(epoch from ((replace("summary", '\u0000', '\ufffd')::json ->> 'created_at')::timestamptz)) * 1000) AS bigint) AS "began", coalesce(CAST(replace("summary", '\u0000', '\ufffd')::json -> 'failures' ->> 'count' AS bigint), 0) AS "failed" FROM "conversations") AS "listed"
WHERE "position" IN (SELECT "conversation" FROM "rollup_states");
