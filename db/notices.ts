import type { Condition } from "../lib/alert-rules/rule.ts";

/** A message tells so many one by one, and the rest as a number. */
export const MOST_TOLD = 50;

/** What was sent is forgotten after so long, ms, once nobody waits for it. */
export const REMEMBERED_NOTICES_MS = 30 * 24 * 3_600_000;

/** The number of the notification that a rule does not fire any more. */
export const ENDED_NOTICE = -1;

/** What is asked of a person, and is told to them where they are. */
export interface Notice {
  kind: "confirmation" | "alert" | "mention" | "rule";
  /** The id of the confirmation, the alert, the note, or the firing of a rule. */
  id: string;
  /** 0 for the first notification, then the number of the reminder; `ENDED_NOTICE`: it is over. */
  number: number;
  /** Null for a rule: it is about many. */
  conversation_id: string | null;
  title: string | null;
  /** The agent that requests it, or that of the conversation. */
  agent_id: string | null;
  /** Pending since, ISO 8601. */
  since: string;
  /** The method to approve; otherwise null. */
  method: string | null;
  /** Its description. */
  text: string | null;
  /** Whom a note mentions, who wrote it, and about which step; only of a mention. */
  mention?: { names: string[]; by: string | null; seq: number | null };
  /** The alert rule that fires, with its value; only of a rule. Times in epoch ms. */
  rule?: {
    id: string;
    name: string;
    condition: Condition;
    value: number;
    count: number;
    from: number;
    at: number;
    /** When it ended; missing unless that is what is told. */
    ended?: number;
  };
}

/** Notifications that are sent as one message. */
export interface NoticeMessage {
  /** The same for each attempt, also after a crash. */
  id: string;
  /** The number of failed attempts. */
  tries: number;
  /** The oldest of them. */
  notices: Notice[];
  /** The total of each kind. */
  counts: Record<Notice["kind"], number>;
}

/** The first notification of something pending: its number, and when it is due, epoch ms. */
export interface FirstNotice {
  number: number;
  dueAt: number;
}

/** Notifications per channel: what is due, and what was sent. */
export interface NoticeStore {
  /** Subscribes a channel to what becomes pending from now on. Does nothing for a known channel. */
  follow(channel: string): Promise<void>;
  /**
   * Records what has become pending since and still is; `first` gets its kind and since when it is pending, epoch ms,
   * and returns null to leave it out.
   */
  gather(channel: string, first: (kind: Notice["kind"], since: number) => FirstNotice | null): Promise<void>;
  /**
   * The next message for a channel: the one that was begun before, or all that is due, under the id given.
   * Notifications that are no longer pending are dropped. Null: nothing.
   */
  take(channel: string, now: number, id: string): Promise<NoticeMessage | null>;
  /** The message was sent. Its notifications are due again at `again`, for at most `most` reminders. Null: never. */
  sent(channel: string, id: string, sent: { at: number; again: number | null; most: number }): Promise<void>;
  /** The message could not be sent. */
  failed(channel: string, id: string, error: string): Promise<void>;
  /** When the next one is due, epoch ms; null if there is none. */
  nextDue(channel: string): Promise<number | null>;
}
