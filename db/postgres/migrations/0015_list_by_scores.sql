CREATE TABLE "rollup_averages" (
	"conversation" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "rollup_averages_conversation_name_pk" PRIMARY KEY("conversation","name")
);
--> statement-breakpoint
CREATE INDEX "rollup_averages_by_value" ON "rollup_averages" USING btree ("name","value","conversation");
--> statement-breakpoint
INSERT INTO "rollup_averages" ("conversation", "name", "value")
SELECT "position", "name", CAST(round(avg(CASE WHEN CAST("value" AS double precision) > 1e9 THEN 1e9 WHEN CAST("value" AS double precision) < -1e9 THEN -1e9 ELSE CAST("value" AS double precision) END) * 1000000) AS bigint)
FROM "conversations" JOIN "scores" ON "scores"."conversation_id" = "conversations"."id"
WHERE "kind" <> 'category' GROUP BY "position", "name";