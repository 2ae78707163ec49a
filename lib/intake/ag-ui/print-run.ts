import { type AGUIEvent, EventType, type Interrupt } from "@ag-ui/core";
import type { JsonObject } from "../../session/json/json.ts";

/** The run of a stream. */
export interface OpenRun {
  id: string;
  /** Its AG-UI id: a run that continues after waiting is another one there. */
  name: string;
  /** Runs that are emitted as its subagents, in the order in which they started. */
  subagents: Set<string>;
  steps: Set<string>;
  state: JsonObject;
  hasState: boolean;
  asked: Map<string, Interrupt>;
}

/** The outcome of a run in AG-UI. */
export type Outcome = NonNullable<Extract<AGUIEvent, { type: EventType.RUN_FINISHED }>["outcome"]>;

/** Reasoning as one text. */
export function reasoningOf(messageId: string, delta: string, by: { subagentRunId?: string }): AGUIEvent[] {
  return [
    { type: EventType.REASONING_START, messageId, ...by },
    { type: EventType.REASONING_MESSAGE_START, messageId, role: "reasoning", ...by },
    { type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta, ...by },
    { type: EventType.REASONING_MESSAGE_END, messageId, ...by },
    { type: EventType.REASONING_END, messageId, ...by },
  ];
}

/**
 * Whether a recorded AG-UI event can be emitted again: if it is self-contained; a step can only end after it started.
 */
export function fits(event: AGUIEvent, steps: Set<string>): boolean {
  switch (event.type) {
    case EventType.STEP_STARTED: {
      const isNew = !steps.has(event.stepName);
      steps.add(event.stepName);
      return isNew;
    }
    case EventType.STEP_FINISHED:
      return steps.delete(event.stepName);
    case EventType.CUSTOM:
    case EventType.RAW:
    case EventType.ACTIVITY_SNAPSHOT:
    case EventType.ACTIVITY_DELTA:
    case EventType.REASONING_ENCRYPTED_VALUE:
      return true;
    default:
      return false;
  }
}
