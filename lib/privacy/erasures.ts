import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AuditStore } from "../../db/access.ts";
import type { Erasure, ErasureKind, ErasureStore } from "../../db/erasures.ts";
import type { Replicas } from "../../db/replicas.ts";
import { actorOf, type Requester } from "../access/caller.ts";

/** A requested erasure. */
export interface ErasureRequest {
  kind: ErasureKind;
  /** The user's or the conversation's id. */
  id: string;
  reason: string | null;
}

/** Erases personal data in the background, one request at a time. */
export interface Erasures {
  /** Stores a request durably and starts it. */
  request(asked: ErasureRequest, requester: Requester): Promise<Erasure>;
  get(id: string): Promise<Erasure | null>;
  /** Newest first. */
  list(): Promise<Erasure[]>;
  /** Continues with those of an earlier process, and of other replicas, until it is stopped; may be started again. */
  start(): void;
  stop(): Promise<void>;
}

export interface ErasureParts {
  erasures: ErasureStore;
  audit: Pick<AuditStore, "append">;
  engine: { cancel(runId: string, actor: string): Promise<void> };
  /** A keyed digest of what is erased. */
  receiptOf(kind: ErasureKind, id: string): string;
  /** One of them does the erasing. */
  replicas: Pick<Replicas, "tell" | "hear">;
  logger: { error(details: object, message: string): void };
}

/** The wait before a retry, ms: for the end of an import, and after a failure such as a full disk. */
const PATIENCE = { import: 500, failure: 60_000 } as const;

/** Bounds the number of rounds when writes never pause. */
const MOST_ROUNDS = 10;

/** Another replica's request is found after this time even if its notice was lost, ms. */
const LOOK_MS = 5_000;

/** How many of the newest erasures are listed. */
const LISTED = 100;

/** The erasures of this server. */
export function createErasures({ erasures, audit, engine, receiptOf, replicas, logger }: ErasureParts): Erasures {
  /** Null: another replica does it, or none yet. */
  let running: { stop: AbortController; timer: NodeJS.Timeout } | null = null;
  let working: Promise<void> | null = null;
  replicas.hear("erasures", work);

  function work(): void {
    if (!running) return;
    const { signal } = running.stop;
    working ??= workAll(signal).finally(() => {
      working = null;
    });
  }

  async function workAll(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        const [next] = await erasures.unfinished();
        if (!next) return;
        await round(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error }, "An erasure failed; retrying in a minute");
        await delay(PATIENCE.failure, undefined, { signal, ref: false }).catch(() => undefined);
      }
      if (signal.aborted) return;
    }
  }

  /** Processes all pending requests together, so that the file is compacted once. */
  async function round(signal: AbortSignal): Promise<void> {
    for (const { id, phase } of await erasures.unfinished()) {
      if (phase === "compacting") continue;
      await eraseAll(id, signal);
      await erasures.forget(id);
    }
    for (const { id, kind, receipt, conversations, events } of await erasures.compact(signal))
      await audit.append(
        { action: "erasure.finished", target: `erasure:${id}`, after: { kind, receipt, conversations, events } },
        null,
      );
  }

  /** Repeated, as content may be added during the erasure. */
  async function eraseAll(id: string, signal: AbortSignal): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      signal.throwIfAborted();
      let found = await erasures.find(id);
      for (; found === "later"; found = await erasures.find(id)) await delay(PATIENCE.import, undefined, { signal });
      if (found === "nothing") return;
      await close(id);
      await erasures.erase(id);
    }
  }

  /** Cancels this server's runs until none is open; others may start meanwhile. */
  async function close(id: string): Promise<void> {
    let runs = await erasures.close(id);
    for (let round = 0; runs.length > 0; round += 1) {
      if (round === MOST_ROUNDS) throw new Error(`The runs ${runs.join(", ")} cannot be cancelled`);
      // One that has just ended counts as cancelled.
      for (const run of runs) await engine.cancel(run, "system").catch(() => undefined);
      runs = await erasures.close(id);
    }
  }

  return {
    async request({ kind, id: target, reason }, requester) {
      const [id, receipt] = [randomUUIDv7(), receiptOf(kind, target)];
      const requested_by = actorOf(requester.caller);
      const erasure = await erasures.add({ id, kind, target, reason, receipt, requested_by });
      await audit.append({ action: "erasure.requested", target: `erasure:${id}`, after: { kind, receipt } }, requester);
      work();
      if (!running) replicas.tell("erasures", "");
      return erasure;
    },
    get: (id) => erasures.get(id),
    list: () => erasures.list(LISTED),
    start() {
      running ??= { stop: new AbortController(), timer: setInterval(work, LOOK_MS).unref() };
      work();
    },
    async stop() {
      clearInterval(running?.timer);
      running?.stop.abort(new Error("The server is stopping"));
      running = null;
      await working;
    },
  };
}
