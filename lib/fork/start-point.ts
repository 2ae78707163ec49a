import type { Conversations, Events } from "../../db/repositories.ts";
import { wholeValue } from "../dialog/whole-state.ts";
import { type ToolDefinition, toolDefinition } from "../engine/tools/tool-definition.ts";
import { printContext, readContext } from "../plan/context.ts";
import type { DataMessage } from "../plan/message.ts";
import { isKnown } from "../session/event.ts";
import type { Payload } from "../session/events/catalogue.ts";
import { isJsonObject, type JsonObject } from "../session/json/json.ts";
import { runInHand } from "../session/runs/choose-plan.ts";
import type { Run, Session, Summary } from "../session/session.ts";
import type { States } from "./edits.ts";

/** What a run needs that continues from a step. */
export interface StartPoint {
  /** The run of the current plan, whose state is continued; null for none. */
  run: Run | null;
  /** Its state by instance, with references resolved. */
  states: States;
  /** Its start; null if it is not recorded. */
  started: Payload<"run.started"> | null;
  /** Its tools, if this server's engine started it: these can be called. */
  tools: ToolDefinition[];
  /** Its tools as recorded by others. They only return recorded results, and are never called. */
  recordedTools: ToolDefinition[];
}

interface Needs {
  conversations: Pick<Conversations, "get">;
  events: Pick<Events, "list">;
}

/** Reads what a run needs that continues from here. */
export async function readStartPoint(
  session: Session,
  conversationId: string,
  { conversations, events }: Needs,
): Promise<StartPoint> {
  const run = runInHand(session);
  if (!run) return { run: null, states: {}, started: null, tools: [], recordedTools: [] };
  const states = Object.entries(run.state).map(
    async ([instance, state]) => [instance, await wholeValue(state, conversationId, events)] as const,
  );
  const first = await startAt(conversationId, run.started_seq, events);
  const own = await ownStart(conversationId, run.started_seq, { conversations, events });
  return {
    run,
    states: Object.fromEntries(await Promise.all(states)),
    started: first?.payload ?? null,
    tools: toolsOf(own),
    recordedTools: own ? [] : toolsOf(first?.payload ?? null).map(({ activity: _activity, ...shape }) => shape),
  };
}

async function startAt(conversationId: string, seq: number, events: Pick<Events, "list">) {
  const [event] = await events.list(conversationId, { after: seq - 1, limit: 1 });
  return event && isKnown(event) && event.type === "run.started" ? event : null;
}

/**
 * The start of a run as recorded by this server's engine: a fork has a copy, and an import may claim anything. Null for
 * other runs.
 */
async function ownStart(
  conversationId: string,
  seq: number,
  { conversations, events }: Needs,
): Promise<StartPoint["started"]> {
  // Imports may contain circular forks.
  const seen = new Set<string>();
  for (let id: string | null = conversationId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const event = await startAt(id, seq, events);
    if (event?.recorded_by === "engine") return event.payload;
    // Step k of a fork is step k of its source, up to the forked step.
    const from: Summary["forked_from"] = (await conversations.get(id))?.forked_from ?? null;
    id = from && seq <= from.seq ? from.conversation_id : null;
  }
  return null;
}

/** Its initial messages: those of the original run, with the current state. */
export function contextOf({ started }: StartPoint, states: States): JsonObject[] {
  const read = readContext(messagesOf(started));
  const { data, text } = read.ok ? read.context : { data: [], text: [] };
  const others = data.filter(({ kind }) => kind !== "state");
  const before = new Map(data.filter(({ kind }) => kind === "state").map((message) => [message.instance, message]));
  const instances = new Set([...before.keys(), ...Object.keys(states)]);
  const state = [...instances].map((instance): DataMessage => {
    const { data: _before, ...blueprint } = before.get(instance) ?? { kind: "state", instance };
    const now = Object.hasOwn(states, instance) ? states[instance] : undefined;
    return now === undefined ? blueprint : { ...blueprint, data: now };
  });
  return printContext({ data: [...others, ...inputsOf(started, instances), ...state], text });
}

/** The inputs of a run of an external agent, by instance if it has instances; it has no context. */
function inputsOf(started: StartPoint["started"], instances: ReadonlySet<string>): DataMessage[] {
  const input = started?.context === undefined ? started?.input : undefined;
  if (!isJsonObject(input)) return [];
  const given = Object.entries(input);
  const isByInstance = given.length > 0 && given.every(([name]) => name !== "" && instances.has(name));
  return (isByInstance ? given : [["", input] as const]).map(([instance, data]) => ({ kind: "input", instance, data }));
}

function toolsOf(started: StartPoint["started"]): ToolDefinition[] {
  // External agents may describe tools in other formats: these cannot be used.
  return (started?.tools ?? []).flatMap((tool) => toolDefinition.safeParse(tool).data ?? []);
}

function messagesOf(started: StartPoint["started"]): JsonObject[] {
  return Array.isArray(started?.context) ? started.context.filter(isJsonObject) : [];
}
