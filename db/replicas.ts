import type { SessionEvent } from "../lib/session/event.ts";

/** What replicas tell each other about. */
export type Topic = "alert-rules" | "drafts" | "erasures" | "rates" | "sign-ins" | "telegram";

/** What the leader does: one replica at a time. Both may be called several times, in turn. */
export interface LeaderTask {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The replicas that share a database. In SQLite there is one. */
export interface Replicas {
  /** The name of this replica, unique among those that run; null in SQLite. */
  readonly name: string | null;
  /** Tells the others something of up to `LONGEST_NOTICE` bytes. It may be lost. */
  tell(topic: Topic, text: string): void;
  /** Calls `heard` with what others tell, and the name of who tells it. */
  hear(topic: Topic, heard: (text: string, from: string) => void): void;
  /**
   * Calls `listener` with the events of these types that others append, in the order of the log. There may be events of other types
   * among them, and this replica's own. `types` is asked each time before the log is read.
   */
  follow(types: () => Iterable<string>, listener: (events: readonly SessionEvent[]) => void): void;
  /**
   * Does a task while this replica is the leader, and resolves when it is known who is. A leader that ends is succeeded by another
   * replica. The result ends the task here.
   */
  asLeader(task: LeaderTask): Promise<() => Promise<void>>;
  /**
   * Whether this replica certainly is the leader, and no other. To be asked before something is done that cannot be done twice: a
   * process that was frozen goes on where it was, and another one may lead by then.
   */
  isLeader(): boolean;
  /** Throws `StorageUnreachable` if this replica could not answer requests now, or does not follow the log. */
  ready(): Promise<void>;
}

/** The longest notice, in bytes: Postgres has a limit of 8,000. */
export const LONGEST_NOTICE = 7_500;

/** A replica without others. */
export const ALONE: Replicas = {
  name: null,
  tell: () => undefined,
  hear: () => undefined,
  follow: () => undefined,
  async asLeader(task) {
    await task.start();
    return task.stop;
  },
  isLeader: () => true,
  ready: async () => undefined,
};
