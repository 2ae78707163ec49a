import type { JsonObject } from "../../lib/session/json/json.ts";
import { Random } from "./random.ts";
import { type Choice, type SeedEvent, type Seeding, SessionRecorder } from "./seeding.ts";

const AGENT = "logistics";
const MODEL = { model: "gpt-4.1", provider: "openai" };
const STEP_MS = 190;
const PAUSE_MS = 4_000;
/** The average time per event, including pauses between turns. */
const PACE_MS = 320;

const CARRIERS = ["Nordpost", "BlueFreight", "Kama Cargo", "Hansa Line"];
const CITIES = ["Rotterdam", "Kazan", "Gdańsk", "Almaty", "Lyon", "Izmir", "Porto", "Riga"];
const GOODS = ["pump housing", "server rack", "ceramic tile", "bearing set", "control unit", "glass panel"];

const INSTRUCTIONS =
  `You are the logistics desk of a distributor. For each order you look up what was promised, where its
parcels are, and what the carrier says; you tell the customer the truth, in two sentences, and you warn the warehouse of
anything later than a day. You never promise a date that the carrier has not confirmed. `.repeat(6);

type PlannedCall = { _tool: string; _id: string; _outputPath: string } & JsonObject;

const PLAN: PlannedCall[] = [
  { _tool: "orders.get", _id: "order", number: "†input.order", _outputPath: "†state.order" },
  { _tool: "parcels.list", _id: "parcels", order: "†state.order.number", _outputPath: "†state.parcels" },
  { _tool: "carrier.track", _id: "track", parcels: "†state.parcels.items", _outputPath: "†state.tracking" },
  { _tool: "warehouse.stock", _id: "stock", lines: "†state.order.lines", _outputPath: "†state.stock" },
  {
    _tool: "composeText",
    _id: "answer",
    about: "†state.tracking && †state.stock",
    _outputPath: "†state.answer",
  },
];

/** A session with very many turns, with documents as outputs and whole prompts: about 1.5 kB per event. */
export function longSession({ seed, size, now }: Choice): Seeding {
  const id = `seed-long-session-${seed}`;
  return {
    total: size,
    events: upTo(size, session(new SessionRecorder(id, now - size * PACE_MS), new Random(seed))),
    open: [{ path: `/conversations/${id}`, shows: `a session of ${size.toLocaleString("en")} events` }],
  };
}

function* upTo(count: number, events: Iterable<SeedEvent>): Generator<SeedEvent> {
  let left = count;
  for (const event of events) {
    if (left === 0) return;
    left -= 1;
    yield event;
  }
}

function* session(recorder: SessionRecorder, random: Random): Generator<SeedEvent> {
  const created = { title: "Logistics desk, standing order 4471", channel: "api", user_id: "svc-orders" };
  yield recorder.tell("conversation.created", created, { actor: "system" });
  for (let turn = 1; ; turn += 1) yield* takeTurn(recorder, random, turn);
}

function* takeTurn(recorder: SessionRecorder, random: Random, turn: number): Generator<SeedEvent> {
  const order = 40_000 + turn;
  const from = { actor: `agent:${AGENT}`, agent: AGENT, run: `${recorder.conversation}:run-${turn}` };
  const question = `Where is order ${order}? The buyer in ${random.pick(CITIES)} asks for the third time.`;
  yield recorder.say("user", question, "svc-orders", { actor: "user:svc-orders" }, random.between(500, PAUSE_MS));
  yield recorder.tell("run.started", { input: { order } }, from, 12);
  yield recorder.tell("run.iteration", { iteration: 1 }, from, 4);
  const prompt = `${INSTRUCTIONS}\n\nThe customer wrote: ${question}`;
  yield recorder.tell("prompt.rendered", { iteration: 1, prompt, tokens: Math.ceil(prompt.length / 4) }, from, 6);
  yield recorder.tell("model.requested", { ...MODEL, iteration: 1 }, from, 8);
  const tokens = { input_tokens: random.between(900, 1_600), output_tokens: random.between(120, 320) };
  const asked = { ...MODEL, iteration: 1, finish_reason: "tool_calls", ...tokens };
  yield recorder.tell("model.responded", asked, { ...from, actor: "model" }, random.between(700, 2_400));
  yield recorder.tell("plan.proposed", { iteration: 1, calls: PLAN }, from, 10);
  yield recorder.tell("plan.validated", { iteration: 1, problems: [] }, from, 5);
  for (const call of PLAN) yield* carryOut(recorder, random, call, order, from);
  const late = random.between(1, 4);
  const answer = `Order **${order}** is with ${random.pick(CARRIERS)}, ${late} days late. I have told the warehouse.`;
  yield recorder.say("assistant", answer, AGENT, from, 40);
  yield recorder.tell("run.finished", {}, from, 8);
}

function* carryOut(
  recorder: SessionRecorder,
  random: Random,
  { _id, _tool, _outputPath }: PlannedCall,
  order: number,
  from: { actor: string; agent: string; run: string },
): Generator<SeedEvent> {
  const call = { call_id: _id, iteration: 1, tool: _tool };
  const params = { order, verbose: true, fields: ["lines", "address", "history", "documents"] };
  yield recorder.tell("call.started", { ...call, params, attempt: 1 }, from, 7);
  if (random.chance(0.05)) {
    const error = { code: "TIMEOUT", message: "The carrier has not answered in 5 s" };
    yield recorder.tell("call.retried", { ...call, attempt: 1, error, delay_ms: 500 }, from, 5_000);
    yield recorder.tell("call.started", { ...call, params, attempt: 2 }, from, 500);
  }
  const tool = { ...from, actor: `tool:${_tool}` };
  if (random.chance(0.01)) {
    const error = { code: "GONE", message: `Order ${order} was archived` };
    yield recorder.tell("call.failed", { ...call, error, handled: true }, tool, STEP_MS);
    return;
  }
  const output = documentOf(random, order);
  yield recorder.tell("call.succeeded", { ...call, output }, tool, random.between(STEP_MS, 4 * STEP_MS));
  const written = { path: _outputPath, value: output, call_id: _id, iteration: 1 };
  yield recorder.tell("state.written", written, from, 2);
}

/** A response of a business system: 1 to 3 kB, rarely ten times as much. */
function documentOf(random: Random, order: number): JsonObject {
  const lines = random.chance(0.02) ? random.between(80, 160) : random.between(6, 16);
  return {
    number: order,
    status: random.pick(["packed", "in transit", "customs", "delivered"]),
    carrier: random.pick(CARRIERS),
    lines: Array.from({ length: lines }, (_, line) => ({
      line: line + 1,
      sku: `SKU-${random.between(10_000, 99_999)}`,
      title: random.pick(GOODS),
      quantity: random.between(1, 48),
      price: random.between(900, 90_000) / 100,
      from: random.pick(CITIES),
      parcel: `NP-${order}-${random.between(100_000, 999_999)}`,
    })),
  };
}
