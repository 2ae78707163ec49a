CREATE TABLE "notes" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"seq" bigint,
	"run_id" text COLLATE "C",
	"call_id" text COLLATE "C",
	"path" text,
	"text" text NOT NULL,
	"mentions" text NOT NULL,
	"by" text,
	"at" bigint NOT NULL,
	CONSTRAINT "notes_conversation_id_id_pk" PRIMARY KEY("conversation_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "notes_by_id" ON "notes" USING btree ("id");