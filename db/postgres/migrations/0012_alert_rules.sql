CREATE TABLE "alert_firings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	"window_from" bigint NOT NULL,
	"value" text NOT NULL,
	"peak" text NOT NULL,
	"count" bigint NOT NULL,
	"told_at" bigint
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"condition" text NOT NULL,
	"enabled" bigint NOT NULL,
	"muted_until" bigint,
	"state" text NOT NULL,
	"since" bigint NOT NULL,
	"told_at" bigint,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "alert_rules_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "alert_firings_by_rule" ON "alert_firings" USING btree ("rule_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_firings_open" ON "alert_firings" USING btree ("rule_id") WHERE ended_at IS NULL;