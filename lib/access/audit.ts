/** What is written into the audit: who did what, when and from where. */
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
  "conversation.taken_over",
  "conversation.handed_back",
  "conversation.forked",
  "conversation.exported",
  "conversations.exported",
  "conversations.imported",
  "bookmark.set",
  "bookmark.removed",
  "fork.run",
  "fork.mode_changed",
  "plan.run",
  "run.cancelled",
  "run.resumed",
  "agent_state.written",
  "agent_state.deleted",
  "memory.written",
  "agent.written",
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
 * What somebody did. `before` and `after` are what changed, small, and never what people said: values of agents' state and
 * memory are told by their versions, which the log has.
 */
export interface Deed {
  action: AuditAction;
  /** What it was done to, by its kind and name: `conversation:c-1`, `user:anna`, `agent_state:crm/memory`. */
  target: string | null;
  before?: AuditValues;
  after?: AuditValues;
}

export type AuditValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
