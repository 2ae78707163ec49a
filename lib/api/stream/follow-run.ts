import type { LiveDraft } from "../../server/drafts.ts";
import type { Services } from "../../server/services.ts";
import type { SessionEvent } from "../../session/event.ts";
import { PulledStream } from "./pulled-stream.ts";

/** Events per page; an event may be 5 MB, so pages are bounded by bytes as well. */
const PAGE = 200;

/** Writes one run of an agent in another protocol. It depends only on what it is given. */
export interface RunWriter {
  /** What an event of the conversation is on the wire; "" for nothing. */
  event(event: SessionEvent): string;
  /** What is new of an answer that is being streamed, before its event. */
  draft(draft: Pick<LiveDraft, "text">): string;
  /** The run has ended, or waits for somebody: nothing follows but `end`. */
  readonly isOver: boolean;
  end(): string;
}

type Needs = Pick<Services, "events" | "bus" | "drafts">;

interface Followed {
  conversationId: string;
  runId: string;
  /** Begins after this step. */
  after: number;
  signal: AbortSignal;
}

/** Streams a run as server-sent events, until it ends or waits. A client that leaves does not end the run. */
export function streamRun(
  needs: Needs,
  followed: Followed,
  writer: RunWriter,
  first: string,
): ReadableStream<Uint8Array> {
  const reader = new RunReader(needs, followed, writer);
  return new PulledStream({
    first,
    signal: followed.signal,
    isBehind: () => reader.isBehind,
    next: () => reader.next(),
    subscribe: (wake) => reader.subscribe(wake),
  });
}

/** Reads a run until it ends or waits, and writes nothing. Throws the signal's reason. */
export async function awaitRun(needs: Needs, followed: Followed, writer: RunWriter): Promise<void> {
  const { signal } = followed;
  const reader = new RunReader(needs, followed, writer);
  let wake: () => void = () => undefined;
  const leave = reader.subscribe(() => wake());
  const end = () => wake();
  signal.addEventListener("abort", end);
  try {
    for (;;) {
      signal.throwIfAborted();
      await reader.next();
      if (reader.isEnded) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (!reader.isBehind && !signal.aborted) await promise;
    }
  } finally {
    signal.removeEventListener("abort", end);
    leave();
  }
}

/** Reads events and drafts in an order in which a draft comes before its event. */
class RunReader {
  readonly #needs: Needs;
  readonly #followed: Followed;
  readonly #writer: RunWriter;
  #at: number;
  /** Everything of the conversation up to this position of the log was read; 0 until the stored events were. */
  #position = 0;
  #head = 0;
  #hasNews = true;
  /** There may be more than was read. */
  isBehind = true;
  isEnded = false;

  constructor(needs: Needs, followed: Followed, writer: RunWriter) {
    this.#needs = needs;
    this.#followed = followed;
    this.#writer = writer;
    this.#at = followed.after;
  }

  subscribe(wake: () => void): () => void {
    const { bus, drafts } = this.#needs;
    const more = () => {
      this.isBehind = true;
      wake();
    };
    const ends = [
      bus.subscribe((newest) => {
        this.#head = newest;
        this.#hasNews = true;
        more();
      }),
      drafts.subscribe(more),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /** The next bytes; empty if there are none yet, null at the end. */
  async next(): Promise<Uint8Array | null> {
    if (this.isEnded) return null;
    this.isBehind = false;
    const page = this.#hasNews ? await this.#read() : [];
    let written = "";
    for (const event of page) {
      written += this.#writer.event(event);
      this.#at = event.seq;
    }
    if (!this.#hasNews && this.#writer.isOver) {
      this.isEnded = true;
      return Buffer.from(written + this.#writer.end());
    }
    for (const draft of this.#needs.drafts.list())
      if (draft.run_id === this.#followed.runId && draft.since <= this.#position) written += this.#writer.draft(draft);
    return Buffer.from(written);
  }

  /** The next events: from memory, as they are with most commits none of this conversation; else as they are stored. */
  async #read(): Promise<readonly SessionEvent[]> {
    const { events } = this.#needs;
    const { conversationId } = this.#followed;
    this.#hasNews = false;
    const head = this.#position === 0 ? await events.head() : this.#head;
    const recent = this.#position === 0 ? null : events.recent(this.#position, { conversationId, limit: PAGE });
    const page = recent ?? (await events.list(conversationId, { after: this.#at, limit: PAGE }));
    const hasMore = recent ? recent.length === PAGE : page.length > 0;
    this.#position = hasMore ? (page.at(-1)?.position ?? this.#position) : Math.max(head, this.#position);
    this.#hasNews ||= hasMore;
    this.isBehind ||= hasMore;
    return page;
  }
}
