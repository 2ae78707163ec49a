CREATE TABLE "run_owners" (
	"run_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"fence" bigint NOT NULL,
	"decided" bigint NOT NULL,
	"ready" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "closed_conversations" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"closed_for" text NOT NULL,
	CONSTRAINT "closed_conversations_conversation_id_closed_for_pk" PRIMARY KEY("conversation_id","closed_for")
);
--> statement-breakpoint
CREATE TABLE "erased_conversations" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"epoch" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasure_epoch" (
	"id" bigint PRIMARY KEY NOT NULL,
	"epoch" bigint NOT NULL,
	"floor" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "span_claims" (
	"trace_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" bigint NOT NULL,
	"claimed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ready_runs" ON "run_owners" USING btree ("key") WHERE "run_owners"."ready" = 1;