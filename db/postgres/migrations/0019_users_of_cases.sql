ALTER TABLE "suite_cases" ADD COLUMN "users" text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
-- As text where it has U+0000, which Postgres' own functions refuse.
UPDATE "suite_cases" SET "users" = coalesce((SELECT '[' || string_agg(DISTINCT "user", ',') || ']' FROM (
  SELECT to_json(substr("actor", 6))::text AS "user" FROM "events"
    WHERE "events"."conversation_id" = "suite_cases"."conversation_id" AND "actor" LIKE 'user:%'
  UNION SELECT CASE WHEN strpos("payload", '\u0000') > 0 THEN substring("payload" FROM '"user_id":("(?:[^"\\]|\\.)*")')
      ELSE to_json("payload"::json ->> 'user_id')::text END FROM "events"
    WHERE "events"."conversation_id" = "suite_cases"."conversation_id"
      AND "type" IN ('conversation.created', 'run.started', 'memory.updated')) AS "named"), '[]');
