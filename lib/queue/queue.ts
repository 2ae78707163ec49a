/** What people do about a conversation: who cares for it, until when, and what it is about. It is not part of the log. */
export interface QueueItem {
  /** The name of a user. */
  assignee: string | null;
  /** ISO 8601, like the other times. */
  due_at: string | null;
  /** It is out of the queue until then. */
  snoozed_until: string | null;
  /** It is out of the queue until something happens in it after this time. */
  resolved_at: string | null;
  /** In the order of the alphabet. */
  tags: string[];
}

/** A change of some fields; what is undefined stays. */
export interface QueueChange {
  assignee?: string | null | undefined;
  due_at?: string | null | undefined;
  snoozed_until?: string | null | undefined;
  resolved?: boolean | undefined;
  add_tags?: readonly string[] | undefined;
  remove_tags?: readonly string[] | undefined;
}

/**
 * Views of the queue: those of the caller and of whom they stand in for, those that wait for somebody and are nobody's, all that wait or are somebody's, those
 * whose due time has passed, and those that were resolved and in which nothing happened since.
 */
export const QUEUE_VIEWS = ["mine", "nobody", "open", "overdue", "resolved"] as const;
export type QueueView = (typeof QUEUE_VIEWS)[number];

/** A view, of whom and when (epoch ms). */
export interface QueueFilter {
  view: QueueView;
  me: string;
  now: number;
}

export const LONGEST_TAG = 50;
/** Tags of a conversation. */
export const MOST_TAGS = 20;
/** Conversations that are changed at once. */
export const MOST_CHANGED = 200;

export const UNTOUCHED: QueueItem = {
  assignee: null,
  due_at: null,
  snoozed_until: null,
  resolved_at: null,
  tags: [],
};

/** The item after a change at a time (ISO 8601). Resolving ends a snooze; both end what the other began. */
export function changeItem(item: QueueItem, change: QueueChange, at: string): QueueItem {
  const { assignee, due_at, snoozed_until, resolved, add_tags = [], remove_tags = [] } = change;
  const tags = [...new Set([...item.tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag)).sort();
  return {
    assignee: assignee === undefined ? item.assignee : assignee,
    due_at: due_at === undefined ? item.due_at : due_at,
    snoozed_until: resolved ? null : snoozed_until === undefined ? item.snoozed_until : snoozed_until,
    resolved_at: resolved === undefined ? item.resolved_at : resolved ? at : null,
    tags,
  };
}

/** Whether nothing has happened since it was resolved. */
export function isResolved({ resolved_at }: Pick<QueueItem, "resolved_at">, updatedAt: string): boolean {
  return resolved_at !== null && resolved_at >= updatedAt;
}
