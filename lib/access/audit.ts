/** The entries of the audit log: who did what, when and from where. */
export const AUDIT_ACTIONS = [
  "signed_in",
  "sign_in_refused",
  "signed_out",
  "password.changed",
  "user.added",
  "user.changed",
  "user.removed",
  "key.made",
  "key.revoked",
  "confirmation.decided",
  "confirmation.partially_approved",
  "conversation.taken_over",
  "conversation.handed_back",
  "conversation.forked",
  "conversation.exported",
  "conversations.exported",
  "conversations.imported",
  "bookmark.set",
  "bookmark.removed",
  "score.set",
  "score.removed",
  "queue.changed",
  "absence.set",
  "absence.ended",
  "view.saved",
  "view.changed",
  "view.deleted",
  "note.written",
  "note.removed",
  "fork.run",
  "fork.mode_changed",
  "plan.run",
  "run.cancelled",
  "run.resumed",
  "agent_state.written",
  "agent_state.deleted",
  "memory.written",
  "agent.written",
  "agent.promoted",
  "judge.written",
  "judge.removed",
  "suite.created",
  "suite.deleted",
  "suite_case.saved",
  "suite_case.changed",
  "suite_case.deleted",
  "suite_run.started",
  "suite_run.cancelled",
  "alert_rule.created",
  "alert_rule.changed",
  "alert_rule.muted",
  "alert_rule.deleted",
  "tool.registered",
  "delegate.registered",
  "audit.exported",
  "erasure.requested",
  "erasure.finished",
  "retention.removed",
  "backup.made",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * An audit entry. `before` and `after` are the fields that changed, small, and never content: values of agent state and
 * memory are recorded by version.
 */
export interface AuditedAction {
  action: AuditAction;
  /** The kind and name of what changed: `conversation:c-1`, `user:anna`, `agent_state:crm/memory`. */
  target: string | null;
  before?: AuditValues;
  after?: AuditValues;
}

export type AuditValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
