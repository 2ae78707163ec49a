import type { WaitingSpan } from "../../db/repositories.ts";
import { sizeOf } from "./received-spans.ts";

/** The newest traces that were dropped because nothing in them was of an agent: the agent's spans may come later. */
export interface DroppedTraces {
  add(traceId: string, spans: readonly WaitingSpan[]): void;
  /** The spans of a trace of which more has come; they are not kept any longer. */
  take(traceId: string): readonly WaitingSpan[];
}

/** In characters: some 5,000 requests of a server. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_OF_ONE = 64 * 1024;

/** Keeps them in memory: a program answers its request first, and its agent works on. */
export function createDroppedTraces(): DroppedTraces {
  const traces = new Map<string, { spans: readonly WaitingSpan[]; characters: number }>();
  let characters = 0;

  function take(traceId: string): readonly WaitingSpan[] {
    const trace = traces.get(traceId);
    if (!trace) return [];
    traces.delete(traceId);
    characters -= trace.characters;
    return trace.spans;
  }

  return {
    take,
    add(traceId, spans) {
      const size = spans.reduce((sum, span) => sum + sizeOf(span), 0);
      if (size > MOST_OF_ONE) return;
      traces.set(traceId, { spans: spans.map(alone), characters: size });
      characters += size;
      for (const [oldest] of traces) {
        if (characters <= MOST_CHARACTERS) break;
        take(oldest);
      }
    },
  };
}

/** Without the text of all that it came with, which would stay in memory with it. */
function alone({ trace_id, span_id, parent_span_id, content }: WaitingSpan): WaitingSpan {
  return { trace_id, span_id, parent_span_id, content };
}
