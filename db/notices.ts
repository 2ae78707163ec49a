/** A message tells so many one by one, and the rest as a number. */
export const MOST_TOLD = 50;

/** What was sent is forgotten after so long, ms, once nobody waits for it. */
export const REMEMBERED_NOTICES_MS = 30 * 24 * 3_600_000;

/** What is asked of a person, and is told to them where they are. */
export interface Notice {
  kind: "confirmation" | "alert";
  /** The confirmation's or the alert's. */
  id: string;
  /** 0 is the first time, then its reminders. */
  number: number;
  conversation_id: string;
  title: string | null;
  /** The agent that asks. */
  agent_id: string | null;
  /** Since when it waits, ISO 8601. */
  since: string;
  /** What is asked to be done; null for an alert. */
  method: string | null;
  /** What was said of it. */
  text: string | null;
}

/** What goes out together. */
export interface NoticeMessage {
  /** The same at each try, also after a crash. */
  id: string;
  /** How often it was tried in vain. */
  tries: number;
  /** The oldest of them. */
  notices: Notice[];
  /** Of each kind in all. */
  counts: Record<Notice["kind"], number>;
}

/** When something that has begun to wait is told: under which number, and from when on, epoch ms. */
export interface FirstNotice {
  number: number;
  dueAt: number;
}

/** Messages to people about what awaits them: what is to be sent by which channel, and what was. */
export interface NoticeStore {
  /** Begins to tell by a channel what comes from here on; one that is known goes on. */
  follow(channel: string): Promise<void>;
  /** Notes what has begun to wait since, and still does; `first` gets its kind and since when, epoch ms. Null leaves it out. */
  gather(channel: string, first: (kind: Notice["kind"], since: number) => FirstNotice | null): Promise<void>;
  /**
   * What is to be sent by a channel now: the message that was begun before, or all that is due, under the id given. What nobody
   * waits for any more is forgotten. Null: nothing.
   */
  take(channel: string, now: number, id: string): Promise<NoticeMessage | null>;
  /** The message was sent; what it told is due again at `again`, unless it has had `most` reminders. Null: never. */
  sent(channel: string, id: string, sent: { at: number; again: number | null; most: number }): Promise<void>;
  /** The message could not be sent. */
  failed(channel: string, id: string, error: string): Promise<void>;
  /** When the next one is due, epoch ms; null where none is. */
  nextDue(channel: string): Promise<number | null>;
}
