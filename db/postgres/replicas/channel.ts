import { setTimeout as delay } from "node:timers/promises";
import { LONGEST_NOTICE } from "../../replicas.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Database, Session } from "../database.ts";

/** Notices are sent this often, ms: each batch is a commit of its own, of which Postgres does one at a time. */
const PACE_MS = 20;

/** The wait before a connection that was lost is made again, ms. */
const AGAIN_MS = 500;

/** Notices that wait to be sent; with more, the oldest are dropped. */
const MOST_WAITING = 2_000;

const CHANNEL = "obelus";

/**
 * Notices between replicas, by LISTEN and NOTIFY over a connection of its own. They are hints: one may be lost, and who needs
 * to know looks by itself now and then. They are never sent in the transaction that they are about, because Postgres commits
 * transactions with notices one at a time.
 */
export class Channel {
  readonly #database: Database;
  readonly #name: string;
  readonly #logger: StorageLogger;
  readonly #listeners = new Map<string, (text: string, from: string) => void>();
  readonly #onConnected: (() => void)[] = [];
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #session: Session | null = null;
  #connecting: Promise<void>;
  #stopped = false;

  /** `name`: that of this replica, without spaces. */
  constructor(database: Database, name: string, logger: StorageLogger) {
    this.#database = database;
    this.#name = name;
    this.#logger = logger;
    this.#connecting = this.#connect();
  }

  /** Whether it hears the others. */
  get isConnected(): boolean {
    return this.#session !== null;
  }

  /** Resolves when it hears the others for the first time. */
  async connected(): Promise<void> {
    await this.#connecting;
  }

  hear(topic: string, heard: (text: string, from: string) => void): void {
    this.#listeners.set(topic, heard);
  }

  /** Calls `listener` when it hears the others again: what was told before may be lost. */
  onConnected(listener: () => void): void {
    this.#onConnected.push(listener);
  }

  /** Tells the others, soon; equal notices of the same time are told once. Throws for one that is too long. */
  tell(topic: string, text: string): void {
    const notice = `${this.#name} ${topic} ${text}`;
    if (Buffer.byteLength(notice) > LONGEST_NOTICE + 200) throw new Error(`A notice of ${topic} is too long`);
    if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift();
    this.#waiting.push(notice);
    this.#timer ??= setTimeout(() => void this.#send(), PACE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#connecting;
    await this.#session?.close();
  }

  async #send(): Promise<void> {
    this.#timer = null;
    const notices = this.#waiting;
    this.#waiting = [];
    try {
      await this.#session?.rows("SELECT pg_notify($1, notice) FROM unnest($2::text[]) AS notice", [CHANNEL, notices]);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #connect(): Promise<void> {
    while (!this.#stopped) {
      try {
        const session = await this.#database.connect();
        session.onNotice((notice) => this.#heard(notice));
        // A notice is no data: its commit need not be on disk.
        await Promise.all([session.run("SET synchronous_commit = off"), session.run(`LISTEN ${CHANNEL}`)]);
        session.onLost((error) => this.#lost(session, error));
        this.#session = session;
        for (const listener of this.#onConnected) listener();
        return;
      } catch (error) {
        this.#failed(error);
        await delay(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  #lost(session: Session, error: Error): void {
    if (this.#session !== session) return;
    this.#session = null;
    if (this.#stopped) return;
    this.#failed(error);
    this.#connecting = this.#connect();
  }

  #heard(notice: string): void {
    const [from = "", topic = ""] = notice.split(" ", 2);
    if (from !== this.#name) this.#listeners.get(topic)?.(notice.slice(from.length + topic.length + 2), from);
  }

  #failed(error: unknown): void {
    if (!this.#stopped) this.#logger.warn({ err: error }, "The other replicas cannot be heard; trying again");
  }
}
