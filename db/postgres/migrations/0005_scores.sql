CREATE TABLE "scores" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"seq" bigint,
	"run_id" text COLLATE "C",
	"call_id" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"value" text NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"comment" text,
	"by" text,
	"at" bigint NOT NULL,
	CONSTRAINT "scores_conversation_id_id_pk" PRIMARY KEY("conversation_id","id")
);
--> statement-breakpoint
CREATE TABLE "waiting_scores" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"target" text NOT NULL,
	"received_at" bigint NOT NULL,
	"content" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "scores_by_time" ON "scores" USING btree ("at");