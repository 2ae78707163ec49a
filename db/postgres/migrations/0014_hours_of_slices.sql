-- Hours of calls, requests and scores by model, channel and stage: see `isPlain` in `lib/rollup/counts.ts`.
INSERT INTO rollup_series (id, kind, cut, agent, version, model, channel, stage, tool, score)
SELECT (SELECT coalesce(max(id), 0) FROM rollup_series) + row_number() OVER (), kind, cut, agent, version, model, channel, stage, tool, score FROM (
  SELECT kind, 'model' AS cut, '' AS agent, '' AS version, model, '' AS channel, '' AS stage, '' AS tool, score FROM rollup_series WHERE cut = 'full' AND kind <> 'turn'
  UNION SELECT kind, 'channel' AS cut, '' AS agent, '' AS version, CASE kind WHEN 'model' THEN model ELSE '' END AS model, channel, '' AS stage, '' AS tool, score FROM rollup_series WHERE cut = 'full' AND kind <> 'turn'
  UNION SELECT kind, 'stage' AS cut, '' AS agent, '' AS version, CASE kind WHEN 'model' THEN model ELSE '' END AS model, '' AS channel, stage, '' AS tool, score FROM rollup_series WHERE cut = 'full' AND kind <> 'turn'
) AS slices
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO rollup_cells (id, began, count, failed, escalated, input_tokens, output_tokens, unreported, score_sum, durations, waits)
SELECT (4194304 + rollup_parts.hour) * 16777216 + slice.id, CAST(sum(rollup_parts.began) AS bigint), CAST(sum(rollup_parts.count) AS bigint), CAST(sum(rollup_parts.failed) AS bigint), CAST(sum(rollup_parts.escalated) AS bigint), CAST(sum(rollup_parts.input_tokens) AS bigint), CAST(sum(rollup_parts.output_tokens) AS bigint), CAST(sum(rollup_parts.unreported) AS bigint), CAST(sum(rollup_parts.score_sum) AS bigint), ''::bytea, ''::bytea
FROM rollup_parts
  JOIN rollup_series AS whole ON whole.id = rollup_parts.series
  JOIN rollup_series AS slice ON slice.kind = whole.kind AND slice.cut IN ('model', 'channel', 'stage') AND slice.score = whole.score
    AND slice.agent = '' AND slice.version = '' AND slice.tool = ''
    AND slice.model = CASE WHEN whole.kind = 'model' OR slice.cut = 'model' THEN whole.model ELSE '' END
    AND slice.channel = CASE slice.cut WHEN 'channel' THEN whole.channel ELSE '' END
    AND slice.stage = CASE slice.cut WHEN 'stage' THEN whole.stage ELSE '' END
WHERE whole.kind <> 'turn'
GROUP BY rollup_parts.hour, slice.id
HAVING sum(rollup_parts.began) <> 0 OR sum(rollup_parts.count) <> 0 OR sum(rollup_parts.failed) <> 0 OR sum(rollup_parts.escalated) <> 0 OR sum(rollup_parts.input_tokens) <> 0 OR sum(rollup_parts.output_tokens) <> 0 OR sum(rollup_parts.unreported) <> 0 OR sum(rollup_parts.score_sum) <> 0
ON CONFLICT (id) DO NOTHING;
