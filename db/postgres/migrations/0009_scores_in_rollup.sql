CREATE TABLE "rollup_due" (
	"conversation" bigint PRIMARY KEY NOT NULL,
	"change" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "rollup_series_by_name";--> statement-breakpoint
ALTER TABLE "rollup_cells" ADD COLUMN "score_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rollup_parts" ADD COLUMN "score_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rollup_series" ADD COLUMN "score" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "rollup_series_by_name" ON "rollup_series" USING btree ("kind","cut","agent","version","model","channel","stage","tool","score");--> statement-breakpoint
INSERT INTO "rollup_due" ("conversation", "change") SELECT DISTINCT "position", 1 FROM "conversations" JOIN "scores" ON "scores"."conversation_id" = "conversations"."id";