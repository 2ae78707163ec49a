CREATE TABLE "rollup_cells" (
	"id" bigint PRIMARY KEY NOT NULL,
	"began" bigint NOT NULL,
	"count" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"escalated" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"unreported" bigint NOT NULL,
	"durations" "bytea" NOT NULL,
	"waits" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_parts" (
	"conversation" bigint NOT NULL,
	"hour" bigint NOT NULL,
	"series" bigint NOT NULL,
	"began" bigint NOT NULL,
	"count" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"escalated" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"unreported" bigint NOT NULL,
	"durations" "bytea" NOT NULL,
	"waits" "bytea" NOT NULL,
	"longest" bigint NOT NULL,
	"longest_seq" bigint NOT NULL,
	CONSTRAINT "rollup_parts_series_hour_conversation_pk" PRIMARY KEY("series","hour","conversation")
);
--> statement-breakpoint
CREATE TABLE "rollup_progress" (
	"id" bigint PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_series" (
	"id" bigint PRIMARY KEY NOT NULL,
	"cut" text NOT NULL,
	"kind" text NOT NULL,
	"agent" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"stage" text COLLATE "C" NOT NULL,
	"tool" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_states" (
	"conversation" bigint PRIMARY KEY NOT NULL,
	"state" text
);
--> statement-breakpoint
CREATE INDEX "rollup_parts_by_conversation" ON "rollup_parts" USING btree ("conversation");--> statement-breakpoint
CREATE UNIQUE INDEX "rollup_series_by_name" ON "rollup_series" USING btree ("kind","cut","agent","version","model","channel","stage","tool");--> statement-breakpoint
CREATE INDEX "rollup_again" ON "rollup_states" USING btree ("conversation") WHERE state IS NULL;