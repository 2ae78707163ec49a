import type { Drafts } from "../engine/turn.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import type { Bus } from "./bus.ts";

/** An answer that is being streamed. Each model request has its own; it only grows. */
export interface LiveDraft {
  readonly conversation_id: string;
  readonly run_id: string;
  readonly agent_id: string | null;
  readonly text: string;
  /** The end of the log when it started: its request is before that. */
  readonly since: number;
}

/** Answers that are being streamed: the engine writes them, streams read them. Lost on restart. */
export interface LiveDrafts extends Drafts {
  list(): Iterable<LiveDraft>;
  /** Calls `listener` when some have grown, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Readers are notified at most once in this time, ms: faster is not visible. */
const PACE_MS = 50;

/** Characters of a draft at most. A longer answer arrives whole, with its message. */
const LONGEST = 500_000;

/** Keeps drafts in memory. The bus tells where the log ends; `markers` are words that are never shown. */
export function createDrafts(bus: Bus, markers: readonly string[]): LiveDrafts {
  const drafts = new Map<string, LiveDraft & { text: string }>();
  const growth = createNotifier<void>(() => PACE_MS);
  let head = 0;
  bus.subscribe((position) => {
    head = position;
  });

  return {
    markers,
    write({ text, ...draft }) {
      const shown = text.slice(0, LONGEST);
      const known = drafts.get(draft.run_id);
      if (known) known.text = shown;
      else drafts.set(draft.run_id, { ...draft, text: shown, since: head });
      growth.publish();
    },
    end: (runId) => void drafts.delete(runId),
    list: () => drafts.values(),
    subscribe: growth.subscribe,
  };
}
