DROP INDEX "rollup_series_by_name";--> statement-breakpoint
CREATE INDEX "rollup_series_by_hash" ON "rollup_series" USING btree ((md5(kind || cut || agent || version || model || channel || stage || tool || score) COLLATE "C"));--> statement-breakpoint
CREATE INDEX "rollup_series_by_agent" ON "rollup_series" USING btree ("kind","cut","agent","version");