CREATE TABLE "run_owners" (
	"run_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"fence" bigint NOT NULL,
	"decided" bigint NOT NULL,
	"ready" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ready_runs" ON "run_owners" USING btree ("key") WHERE "run_owners"."ready" = 1;