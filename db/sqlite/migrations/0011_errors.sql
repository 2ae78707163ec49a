-- `error` is what failed, and no longer each step that was drawn in red: see lib/session/slim.ts.
UPDATE `events` SET `error` = 0 WHERE `error` = 1 AND (
  `type` IN ('call.retried', 'call.blocked', 'manager.alerted')
  OR (`type` = 'call.failed' AND `payload` ->> '$.handled')
  OR (`type` = 'delegate.finished' AND `payload` ->> '$.error.code' IN ('escalated', 'cancelled'))
);
--> statement-breakpoint
-- A prompt for a call's result is a step of that call.
UPDATE `events` SET `call_id` = `payload` ->> '$.call_id', `instance` = `payload` ->> '$.instance',
  `iteration` = `payload` ->> '$.iteration'
WHERE `type` = 'prompt.rendered' AND `payload` ->> '$.call_id' IS NOT NULL;
