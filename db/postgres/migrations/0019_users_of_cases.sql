ALTER TABLE "suite_cases" ADD COLUMN "users" text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
UPDATE "suite_cases" SET "users" = coalesce((SELECT '[' || substring("summary" FROM '"user_id":("[^"\\]*")') || ']'
  FROM "conversations" WHERE "conversations"."id" = "conversation_id"), '[]');
