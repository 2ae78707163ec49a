CREATE TABLE "agent_promotions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"version" text NOT NULL,
	"before" text NOT NULL,
	"run_id" text,
	"promoted_at" bigint NOT NULL,
	"promoted_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_versions" (
	"agent_id" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"definition" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "agent_versions_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
CREATE TABLE "suite_cases" (
	"suite" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"title" text NOT NULL,
	"tags" text NOT NULL,
	"calls" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"tools" text NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "suite_cases_suite_id_pk" PRIMARY KEY("suite","id")
);
--> statement-breakpoint
CREATE TABLE "suite_runs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"suite" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"version" text NOT NULL,
	"model" text NOT NULL,
	"rule" text NOT NULL,
	"tries" bigint NOT NULL,
	"cases" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"done" bigint NOT NULL,
	"total" bigint NOT NULL,
	"worker" text NOT NULL,
	"started_at" bigint NOT NULL,
	"started_by" text NOT NULL,
	"seen_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "suite_tries" (
	"run_id" text COLLATE "C" NOT NULL,
	"case_id" text COLLATE "C" NOT NULL,
	"number" bigint NOT NULL,
	"outcome" text NOT NULL,
	"brief" text NOT NULL,
	"result" text NOT NULL,
	CONSTRAINT "suite_tries_run_id_case_id_number_pk" PRIMARY KEY("run_id","case_id","number")
);
--> statement-breakpoint
CREATE TABLE "suites" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "agent_promotions_by_agent" ON "agent_promotions" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "suite_cases_by_conversation" ON "suite_cases" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "suite_runs_by_suite" ON "suite_runs" USING btree ("suite","id");--> statement-breakpoint
CREATE INDEX "suite_runs_open" ON "suite_runs" USING btree ("seen_at") WHERE finished_at IS NULL;