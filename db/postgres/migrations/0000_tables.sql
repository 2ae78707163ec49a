CREATE TABLE "agent_state" (
	"agent_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text,
	"version" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "agent_state_agent_id_key_pk" PRIMARY KEY("agent_id","key")
);
--> statement-breakpoint
CREATE TABLE "agent_state_versions" (
	"agent_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"position" bigint NOT NULL,
	CONSTRAINT "agent_state_versions_agent_id_key_version_pk" PRIMARY KEY("agent_id","key","version")
);
--> statement-breakpoint
CREATE TABLE "agent_usage" (
	"day" text NOT NULL,
	"agent_id" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	CONSTRAINT "agent_usage_day_agent_id_model_pk" PRIMARY KEY("day","agent_id","model")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"position" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"run_id" text,
	"created_at" bigint NOT NULL,
	"closed_at" bigint,
	"closed_by" text,
	"reason" text,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bookmarks" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"note" text,
	"by" text,
	"at" bigint NOT NULL,
	"set_seq" bigint NOT NULL,
	CONSTRAINT "bookmarks_conversation_id_seq_pk" PRIMARY KEY("conversation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "confirmations" (
	"position" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"own" bigint NOT NULL,
	"status" text NOT NULL,
	"run_id" text COLLATE "C",
	"call_id" text,
	"iteration" bigint,
	"instance" text NOT NULL,
	"key" text NOT NULL,
	"cause" text NOT NULL,
	"action_key" text NOT NULL,
	"requested_seq" bigint NOT NULL,
	"requested_at" bigint NOT NULL,
	"decided_seq" bigint,
	"decided_at" bigint,
	"decided_by" text,
	"used" bigint,
	"reason" text,
	"description" text,
	"action" text NOT NULL,
	"before" text
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"position" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"title" text,
	"title_words" "tsvector" NOT NULL,
	"status" text NOT NULL,
	"channel" text,
	"stage" text,
	"agent_id" text,
	"updated_at" bigint NOT NULL,
	"summary" text NOT NULL,
	"forked_from" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "event_search" (
	"place" bigint PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"position" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C",
	"seq" bigint NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"actor" text,
	"agent_id" text,
	"run_id" text COLLATE "C",
	"parent_run_id" text COLLATE "C",
	"caused_by" text COLLATE "C",
	"call_id" text,
	"iteration" bigint,
	"instance" text,
	"tool" text,
	"error" bigint NOT NULL,
	"occurred_at" bigint,
	"recorded_at" bigint NOT NULL,
	"payload" text NOT NULL,
	"origin" text
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"position" bigint PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"role" text NOT NULL,
	"name" text,
	"tool_call_id" text,
	"run_id" text,
	"created_at" bigint,
	"metadata" text,
	"content" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_progress" (
	"id" bigint PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"history" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "snapshots" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"reducer_version" bigint NOT NULL,
	"session" "bytea" NOT NULL,
	CONSTRAINT "snapshots_conversation_id_seq_pk" PRIMARY KEY("conversation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "timeline_chunks" (
	"conversation_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"version" bigint NOT NULL,
	"holds" text NOT NULL,
	"buckets" text NOT NULL,
	"standing" "bytea" NOT NULL,
	CONSTRAINT "timeline_chunks_conversation_id_seq_pk" PRIMARY KEY("conversation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "unfinished_forks" (
	"conversation_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"owner" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"shown" text NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" bigint,
	"used_at" bigint,
	"revoked_at" bigint,
	CONSTRAINT "api_keys_name_unique" UNIQUE("name"),
	CONSTRAINT "api_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"address" text NOT NULL,
	"request_id" text NOT NULL,
	"target" text,
	"before" text,
	"after" text,
	"salt" text,
	"digest" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"reason" text,
	"scope" text,
	"receipt" text NOT NULL,
	"phase" text NOT NULL,
	"conversations" bigint DEFAULT 0 NOT NULL,
	"events" bigint DEFAULT 0 NOT NULL,
	"requested_at" bigint NOT NULL,
	"requested_by" text NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "notice_places" (
	"channel" text COLLATE "C" PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"subject" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"number" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"tries" bigint DEFAULT 0 NOT NULL,
	"message" text,
	"sent_at" bigint,
	"error" text,
	CONSTRAINT "notices_subject_channel_number_pk" PRIMARY KEY("subject","channel","number")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"address" text NOT NULL,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "spans" (
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "spans_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"trace_id" text COLLATE "C" NOT NULL,
	"span_id" text COLLATE "C" NOT NULL,
	"parent_span_id" text COLLATE "C",
	"received_at" bigint NOT NULL,
	"taken" bigint DEFAULT 0 NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "spans_trace_id_span_id_pk" PRIMARY KEY("trace_id","span_id")
);
--> statement-breakpoint
CREATE TABLE "telegram_progress" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"parts" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "telegram_updates" (
	"update_id" bigint PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"handled_at" bigint,
	"content" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"subject" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "users_subject_unique" UNIQUE("subject")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_by_id" ON "alerts" USING btree ("id");--> statement-breakpoint
CREATE INDEX "open_alerts" ON "alerts" USING btree ("conversation_id") WHERE closed_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "confirmations_by_id" ON "confirmations" USING btree ("id");--> statement-breakpoint
CREATE INDEX "confirmations_by_decision" ON "confirmations" USING btree ("status","decided_at");--> statement-breakpoint
CREATE INDEX "confirmations_by_conversation" ON "confirmations" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "unused_approvals" ON "confirmations" USING btree ("conversation_id","action_key") WHERE own = 1 AND status = 'approved' AND used IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_by_id" ON "conversations" USING btree ("id");--> statement-breakpoint
CREATE INDEX "conversations_by_activity" ON "conversations" USING btree ("updated_at" desc,"id");--> statement-breakpoint
CREATE INDEX "conversations_by_word" ON "conversations" USING gin ("title_words");--> statement-breakpoint
CREATE INDEX "forks" ON "conversations" USING btree ("forked_from","updated_at" desc,"id") WHERE forked_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX "events_by_word" ON "event_search" USING gin ("words");--> statement-breakpoint
CREATE UNIQUE INDEX "events_by_id" ON "events" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_by_conversation" ON "events" USING btree ("conversation_id","seq");--> statement-breakpoint
CREATE INDEX "own_runs" ON "events" USING btree ("run_id") WHERE type = 'run.started' AND origin = 'engine';--> statement-breakpoint
CREATE INDEX "own_runs_by_parent" ON "events" USING btree ("parent_run_id") WHERE type = 'run.started' AND origin = 'engine';--> statement-breakpoint
CREATE INDEX "own_events_by_run" ON "events" USING btree ("run_id","position") WHERE origin = 'engine';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_by_conversation" ON "messages" USING btree ("conversation_id","seq");--> statement-breakpoint
CREATE INDEX "audit_by_action" ON "audit" USING btree ("action");--> statement-breakpoint
CREATE INDEX "audit_by_actor" ON "audit" USING btree ("actor");--> statement-breakpoint
CREATE INDEX "audit_by_target" ON "audit" USING btree ("target");--> statement-breakpoint
CREATE INDEX "unsent_notices" ON "notices" USING btree ("due_at") WHERE sent_at IS NULL;--> statement-breakpoint
CREATE INDEX "sign_ins_by_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "spans_by_place" ON "spans" USING btree ("trace_id","place");--> statement-breakpoint
CREATE INDEX "unhandled_telegram_updates" ON "telegram_updates" USING btree ("conversation_id","update_id") WHERE handled_at IS NULL;--> statement-breakpoint
CREATE INDEX "telegram_updates_by_end" ON "telegram_updates" USING btree ("handled_at") WHERE handled_at IS NOT NULL;