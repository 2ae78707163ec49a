import { isKnown, type SessionEvent } from "@/lib/session/event.ts";
import { readTrace, type Trace } from "./read-trace.ts";

/** A reasoning trace that an agent wrote in the session. */
export interface SessionTrace {
  agent: string;
  key: string;
  /** The step of the write. */
  step: number;
  trace: Trace;
}

/** The newest value of each agent and key that is a trace; newest first. */
export function newestTraces(events: readonly SessionEvent[]): SessionTrace[] {
  const newest = new Map<string, SessionTrace | null>();
  for (const event of events) {
    if (!isKnown(event) || event.type !== "agent_state.written") continue;
    const { agent_id: agent, key, value } = event.payload;
    const trace = readTrace(value);
    newest.set(`${agent}\u0000${key}`, trace && { agent, key, step: event.seq, trace });
  }
  return [...newest.values()].filter((found) => found !== null).sort((a, b) => b.step - a.step);
}
