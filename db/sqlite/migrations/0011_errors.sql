-- `error` is what failed, and no longer each step that was drawn in red: see lib/session/slim.ts.
UPDATE `events` SET `error` = 0 WHERE `error` = 1 AND (
  `type` IN ('call.retried', 'call.blocked', 'manager.alerted')
  OR (`type` = 'call.failed' AND `payload` ->> '$.handled')
  OR (`type` = 'delegate.finished' AND `payload` ->> '$.error.code' IN ('escalated', 'cancelled'))
);
