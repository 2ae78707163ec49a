import type { Drafts } from "../engine/turn.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import type { Bus } from "./bus.ts";

/** An answer that is coming. Each request has one of its own, which grows and is never changed otherwise. */
export interface LiveDraft {
  readonly conversation_id: string;
  readonly run_id: string;
  readonly agent_id: string | null;
  readonly text: string;
  /** Where the log ended when it began: its request is before that. */
  readonly since: number;
}

/** The answers that are coming, for the engine to write and for streams to read. After a restart there are none. */
export interface LiveDrafts extends Drafts {
  list(): Iterable<LiveDraft>;
  /** Calls back when some have grown, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Readers are woken at most once in this time, ms: more often than that nobody sees a text grow. */
const PACE_MS = 50;

/** Characters of a draft. What is longer than any answer that a person reads comes whole, with the message. */
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
