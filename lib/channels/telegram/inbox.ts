import type { TelegramStore } from "../../../db/repositories.ts";
import type { Json } from "../../session/json/json.ts";
import { createLanes } from "./lanes.ts";
import { pause, waitAfter } from "./patience.ts";

/** After so many failures an update waits for the next start, so that it does not keep those behind it. */
const MOST_TRIES = 5;

/** Updates that are on disk, on their way to being handled. */
export interface Inbox {
  /** Handles what an earlier process left. Resolves when that has begun. */
  start(): Promise<void>;
  /** This conversation has an update that is not handled. */
  wake(conversationId: string): void;
  /** Conversations with updates that are being handled, or tried again. */
  behind(): number;
  idle(): Promise<void>;
}

interface Needs {
  store: TelegramStore;
  /** Handles one update; the same one again does nothing more. */
  handle: (update: Json) => Promise<void>;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Handles updates in the order of their ids, conversations beside each other (D10). */
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

/** What no second try would change, by its code: the message is another conversation's, say. */
const REFUSALS = new Set(["conflict", "invalid_input", "not_found", "taken_over"]);

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && REFUSALS.has(error.code);
}
