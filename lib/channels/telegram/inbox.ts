import type { TelegramStore } from "../../../db/repositories.ts";
import type { Json } from "../../session/json/json.ts";
import { pause, waitAfter } from "./backoff.ts";
import { createLanes } from "./lanes.ts";

/** After this many failures an update waits for the next start, so that it does not block later ones. */
const MOST_TRIES = 5;

/** Stored updates that are being handled. */
export interface Inbox {
  /** Continues with updates of an earlier process. Resolves when that has started. */
  start(): Promise<void>;
  /** Must be called when this conversation has a new update. */
  wake(conversationId: string): void;
  /** The number of conversations with updates that are being handled or retried. */
  behind(): number;
  idle(): Promise<void>;
}

interface Needs {
  store: TelegramStore;
  /** Handles an update; idempotent. */
  handle: (update: Json) => Promise<void>;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Handles updates in the order of their ids, conversations concurrently (D10). */
export function createInbox({ store, handle, logger, stopping }: Needs): Inbox {
  const failures = new Map<number, number>();

  async function work(conversationId: string): Promise<void> {
    for (const { update_id, update } of await store.unhandled(conversationId)) {
      stopping.throwIfAborted();
      if ((failures.get(update_id) ?? 0) >= MOST_TRIES) continue;
      try {
        await handle(update);
      } catch (error) {
        if (!isRefusal(error)) throw count(update_id, error);
        logger.warn({ update_id, reason: error.message }, "Rejected a Telegram update");
      }
      await store.handled(update_id);
      failures.delete(update_id);
    }
  }

  function count(updateId: number, error: unknown): unknown {
    failures.set(updateId, (failures.get(updateId) ?? 0) + 1);
    return error;
  }

  const lanes = createLanes({
    work,
    rest: (failed) => pause(waitAfter(failed, Math.random()), stopping),
    onFailure: (error, conversation_id) =>
      logger.error({ err: error, conversation_id }, "Could not handle a Telegram update; retrying"),
    stopping,
  });

  return {
    async start() {
      for (const conversationId of await store.waiting()) lanes.wake(conversationId);
    },
    wake: lanes.wake,
    behind: lanes.count,
    idle: lanes.idle,
  };
}

/** Errors that a retry would not change, by code: for example, the message belongs to another conversation. */
const REFUSALS = new Set(["conflict", "invalid_input", "not_found", "taken_over"]);

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && REFUSALS.has(error.code);
}
