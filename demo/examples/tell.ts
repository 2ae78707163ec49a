import type { NewEvent } from "../../db/repositories.ts";
import type { Json } from "../../lib/session/json/json.ts";
import type { Example } from "./example.ts";

/** A conversation with its events, for import. */
export interface ExampleConversation {
  conversation_id: string;
  events: NewEvent[];
}

/** How long before the run the conversation starts and the user writes, in ms. */
const CREATED_BEFORE = 100;
const ASKED_BEFORE = 60;

const ENDS = new Set(["run.finished", "run.failed"]);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The conversation of a run: the question, the events of the runs, and the answer; it ends at `end` (epoch ms). Ids are
 * derived from the example's, so they are stable.
 */
export function tell(example: Example, played: readonly NewEvent[], end: number): ExampleConversation {
  const start = timeOf(played.at(0));
  const told = [created(example, start - CREATED_BEFORE), question(example, start - ASKED_BEFORE)];
  for (const event of played) {
    const isOfTop = event.parent_run_id === null;
    if (isOfTop && event.type === "run.started") told.push({ ...event, caused_by: QUESTION });
    else if (isOfTop && ENDS.has(event.type))
      told.push(answer(example, event, told.at(-1)?.id ?? null), { ...event, caused_by: ANSWER });
    else told.push(event);
  }
  const moved = end - timeOf(played.at(-1));
  return {
    conversation_id: example.id,
    events: withStableIds(example.id, told).map((event) => {
      const time = new Date(timeOf(event) + moved).toISOString();
      return { ...event, occurred_at: time, recorded_at: time };
    }),
  };
}

/** Placeholders of the surrounding events until ids are assigned. */
const QUESTION = "question";
const ANSWER = "answer";

function created({ id, title, channel, user, agent }: Example, at: number): NewEvent {
  const payload = { title, channel, user_id: user, agent_id: agent };
  return eventOf(id, "created", "conversation.created", "system", at, payload);
}

function question({ id, user, question: content }: Example, at: number): NewEvent {
  const payload = { message_id: `${id}:m1`, role: "user", content, name: user };
  return eventOf(id, QUESTION, "message.created", `user:${user}`, at, payload);
}

/** Sent in the run, just before its end. */
function answer({ id, agent, answer: content }: Example, end: NewEvent, caused_by: string | null): NewEvent {
  const payload = { message_id: `${id}:m2`, role: "assistant", content, name: agent };
  const said = eventOf(id, ANSWER, "message.created", `agent:${agent}`, timeOf(end), payload);
  return { ...said, agent_id: agent, run_id: end.run_id, caused_by };
}

function eventOf(
  conversation_id: string,
  id: string,
  type: string,
  actor: string,
  at: number,
  payload: Json,
): NewEvent {
  return {
    id,
    conversation_id,
    type,
    actor,
    agent_id: null,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    payload,
    occurred_at: new Date(at).toISOString(),
  };
}

/** Replaces each engine id by a stable one, wherever it is referenced. */
function withStableIds(name: string, events: readonly NewEvent[]): NewEvent[] {
  const names = new Map(events.map(({ id }, index) => [id, `${name}:${index + 1}`]));
  const runs = new Set(events.flatMap(({ run_id }) => run_id ?? []));
  for (const [index, id] of [...runs].entries()) names.set(id, `${name}:run-${index + 1}`);
  const stable = (id: string) => names.get(id) ?? id;
  const stableOrNull = (id: string | null) => (id === null ? null : stable(id));
  return events.map((event) => ({
    ...event,
    id: stable(event.id),
    run_id: stableOrNull(event.run_id),
    parent_run_id: stableOrNull(event.parent_run_id),
    caused_by: stableOrNull(event.caused_by),
    payload: JSON.parse(JSON.stringify(event.payload).replace(UUID, stable)),
  }));
}

function timeOf(event: NewEvent | undefined): number {
  return Date.parse(event?.occurred_at ?? "");
}
