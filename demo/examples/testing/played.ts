import type { NewEvent } from "../../../db/repositories.ts";
import { createPrompts } from "../../../lib/dialog/prompts/prompts.ts";
import type { Model, ModelRequest } from "../../../lib/engine/model.ts";
import type { Clock } from "../../../lib/engine/ports.ts";
import { folded } from "../../../lib/intake/testing/stored.ts";
import { createModel } from "../../../lib/model/model-client.ts";
import { startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/session/json/json.ts";
import type { Call, Run, Session } from "../../../lib/session/session.ts";
import type { Example, Reaction } from "../example.ts";
import { shippedStage } from "../examples.ts";
import { play, type Stage } from "../play.ts";
import { scriptedModel } from "../scripted-model.ts";
import { tell } from "../tell.ts";

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };
const END = Date.parse("2026-11-21T15:12:20.000Z");
/** The shipped delegates, and prompts without a logger. */
export const stage = await shippedStage(createPrompts({ logger: SILENT, debug: false }));

/** An example after its run. */
export interface Played {
  events: NewEvent[];
  session: Session;
  /** The model's requests, in order. */
  requests: ModelRequest[];
}

export async function played(example: Example, modelFor: Stage["modelFor"] = scriptedModel): Promise<Played> {
  const requests: ModelRequest[] = [];
  const listening: Stage["modelFor"] = (sayings, clock) => listenedTo(modelFor(sayings, clock), requests);
  const { events } = tell(example, await play(example, { ...stage, modelFor: listening }), END);
  return { events, session: folded(events), requests };
}

function listenedTo(model: Model, requests: ModelRequest[]): Model {
  return {
    ...model,
    respond(request, signal) {
      requests.push(request);
      return model.respond(request, signal);
    },
  };
}

const sessions = new Map<Example, Promise<Played>>();

/** The same, run once for all read-only tests. */
export function once(example: Example): Promise<Played> {
  const known = sessions.get(example) ?? played(example);
  sessions.set(example, known);
  return known;
}

/** The run that is not a delegate's. */
export function topRun({ session }: Played): Run {
  const [run] = [...session.runs.values()].filter(({ parent_run_id }) => parent_run_id === null);
  if (!run) throw new Error("There is no top-level run");
  return run;
}

export function calls(one: Played, { instance = "", iteration = 1 } = {}): Map<string, Call> {
  const { id: run } = topRun(one);
  const own = [...one.session.calls.values()].filter(
    (call) => call.run_id === run && call.instance === instance && call.iteration === iteration,
  );
  return new Map(own.map((call) => [call.id, call]));
}

export function call(one: Played, id: string, place: { instance?: string; iteration?: number } = {}): Call {
  const found = calls(one, place).get(id);
  if (!found) throw new Error(`There is no call ${id}`);
  return found;
}

export function statuses(one: Played, place: { instance?: string; iteration?: number } = {}): Record<string, string> {
  return Object.fromEntries([...calls(one, place)].map(([id, { status }]) => [id, status]));
}

/** When a call ran, in epoch ms. */
function span({ started_at, ended_at }: { started_at: string | null; ended_at: string | null }): [number, number] {
  return [Date.parse(started_at ?? ""), Date.parse(ended_at ?? "")];
}

export function overlap(a: Parameters<typeof span>[0], b: Parameters<typeof span>[0]): boolean {
  const [startOfA, endOfA] = span(a);
  const [startOfB, endOfB] = span(b);
  return startOfA < endOfB && startOfB < endOfA;
}

export function follows(later: Call, earlier: Call): boolean {
  return span(later)[0] >= span(earlier)[1];
}

export function stateOf(one: Played, instance = ""): JsonObject {
  const state = topRun(one).state[instance];
  return isJsonObject(state) ? state : {};
}

/** The same example with another simulation. */
export function withOutside(example: Example, tool: string, react: () => Reaction): Example {
  return { ...example, outside: { ...example.outside, [tool]: { idempotent: true, react } } };
}

/** Runs an example with a model behind the Responses API, which gives the example's responses. */
export async function overTheWire(
  example: Example,
): Promise<{ one: Played; bodies: (JsonObject & { input: Json })[] }> {
  const server = await startResponsesServer();
  try {
    server.queue(...example.said.map(({ answer }) => ({ items: [{ text: JSON.stringify(answer) }], delta: 40 })));
    const endpoint = { baseUrl: server.baseUrl, apiKey: "key", model: "stand-in", folder: null };
    const one = await played(example, (_said, clock) => {
      flow(clock);
      return createModel(endpoint);
    });
    return { one, bodies: server.requests.map(({ body }) => ({ ...body, input: body.input ?? null })) };
  } finally {
    await server.close();
  }
}

/** Advances virtual time by the millisecond, whatever the network does. */
function flow(clock: Clock): void {
  clock.later(1, () => flow(clock));
}
