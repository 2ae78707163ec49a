import type { Input } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import type { DialogEvent, Speaker } from "../turn.ts";
import { endOf, plain } from "./recorded-place.ts";
import type { Recorded, RecordedEvent, Replaying } from "./replaying.ts";

/** What the director answered; null if it is not asked. */
export function directionOf(replay: Replaying, run: Run): Input | null {
  const { asking } = run;
  if (!asking || !run.state.settings.directed || asking.requested !== null) return null;
  const events: DialogEvent[] = [];
  for (const event of replay.ahead(run)) {
    const told = event.actor === "system" ? dialogEvent(event) : null;
    if (told) events.push(told);
    else if (event.type === "run.iteration" && event.payload.speaker) {
      const direction = { kind: "ask", speaker: speakerOf(event.payload.speaker), events } as const;
      return { kind: "directed", ticket: asking.ticket, direction };
    } else break;
  }
  const end = endOf(replay, run);
  if (end?.type !== "run.finished") return null;
  const text = typeof end.payload.output === "string" ? end.payload.output : "";
  return { kind: "directed", ticket: asking.ticket, direction: { kind: "answer", text, events } };
}

function dialogEvent({ type, payload }: RecordedEvent): DialogEvent | null {
  switch (type) {
    case "stage.entered":
      return { type, payload: plain(payload) };
    case "stage.changed":
      return { type, payload: plain(payload) };
    case "agent_state.written":
      return { type, payload: plain(payload) };
    default:
      return null;
  }
}

function speakerOf(printed: NonNullable<Recorded<"run.iteration">["payload"]["speaker"]>): Speaker {
  const { timezone = null, allowed_tools: tools = null, prefix = "", silent = false, note = null } = printed;
  const { agent_id, agent_version = null, node, instructions, mode, max_iterations, configuration = null } = printed;
  const history = { max_tokens: null, max_chars: null, max_messages: null, ...printed.history };
  return {
    agent_id,
    agent_version,
    node,
    instructions,
    mode,
    max_iterations,
    configuration,
    history,
    timezone,
    tools,
    prefix,
    silent,
    note,
  };
}
