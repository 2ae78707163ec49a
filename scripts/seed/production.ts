import { DAY, HOUR, MINUTE } from "../../demo/sessions/times.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { Random } from "./random.ts";
import { type Choice, type SeedEvent, type Seeding, SessionRecorder } from "./seeding.ts";

const YEAR = 365 * DAY;
/** How much more conversations there are at the end of the year than at its beginning. */
const GROWTH = 20;

/** How many conversations begin in each hour of a day, UTC, in shares. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 13, 13, 12, 12, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3];

const CHANNELS = [
  ["web", 40],
  ["telegram", 30],
  ["email", 18],
  ["api", 12],
] as const;

const MODELS = [
  ["sonnet-4.5", 55],
  ["haiku-4.5", 30],
  ["gpt-5-mini", 15],
] as const;

interface Agent {
  name: string;
  weight: number;
  stage: string | null;
  asks: readonly string[];
  /** With how often each is called, and how long half of the calls take, ms. */
  tools: readonly { name: string; weight: number; took: number }[];
  /** Newest last; `from` is how long before the end of the year it came. */
  versions: readonly { name: string; from: number }[];
}

/** Support 2.8.0, the bad release: it asks for refunds without the currency. */
const BAD = "2.8.0";
const BAD_SINCE = 40 * HOUR;

const AGENTS: readonly Agent[] = [
  {
    ...{ name: "support", weight: 34, stage: null },
    asks: ["I was charged twice for order #", "Please refund order #", "The seat on order # is wrong"],
    tools: [
      { name: "crm.order.get", weight: 50, took: 180 },
      { name: "payments.refund", weight: 32, took: 420 },
      { name: "notify.customer", weight: 18, took: 90 },
    ],
    versions: [
      { name: "2.6.1", from: YEAR },
      { name: "2.7.4", from: 90 * DAY },
      { name: BAD, from: BAD_SINCE },
    ],
  },
  {
    ...{ name: "booking", weight: 26, stage: null },
    asks: ["Two seats to Lisbon on the #th", "Change booking # to a later flight", "Is there a flight before #:00?"],
    tools: [
      { name: "search_flights", weight: 60, took: 900 },
      { name: "book_reservation", weight: 40, took: 1_400 },
    ],
    versions: [
      { name: "1.18.0", from: YEAR },
      { name: "1.19.2", from: 60 * DAY },
    ],
  },
  {
    ...{ name: "billing", weight: 14, stage: null },
    asks: ["Send me invoice #", "Why is invoice # higher than last month?"],
    tools: [
      { name: "ledger.find", weight: 70, took: 240 },
      { name: "payments.refund", weight: 12, took: 420 },
      { name: "ledger.post", weight: 18, took: 300 },
    ],
    versions: [{ name: "3.4.1", from: YEAR }],
  },
  {
    ...{ name: "crm", weight: 12, stage: "admin" },
    asks: ["Raise the amount of deal #", "Which deals close this week?", "Add a task to deal #"],
    tools: [
      { name: "crm.deal.update", weight: 40, took: 350 },
      { name: "crm.contact.get", weight: 40, took: 160 },
      { name: "tasks.task.add", weight: 20, took: 210 },
    ],
    versions: [
      { name: "5.2.2", from: YEAR },
      { name: "5.3.0", from: 93 * HOUR },
    ],
  },
  {
    ...{ name: "admin", weight: 9, stage: "admin" },
    asks: ["Give # access to the reports", "Who changed price list #?"],
    tools: [
      { name: "users.find", weight: 60, took: 120 },
      { name: "users.grant", weight: 40, took: 260 },
    ],
    versions: [{ name: "4.0.6", from: YEAR }],
  },
  {
    ...{ name: "demo", weight: 5, stage: "demo" },
    asks: ["Show me what you can do with order #"],
    tools: [{ name: "search_flights", weight: 100, took: 900 }],
    versions: [{ name: "0.9.0", from: YEAR }],
  },
];

const ERRORS = [
  ["gateway_timeout", "no answer from the gateway in 10 s"],
  ["not_found", "order # was not found"],
  ["rate_limited", "more than 100 requests in a minute"],
] as const;

/** A year of what six agents do in production, with two releases in its last week: one is faster, the other breaks refunds. */
export function production({ seed, size, now }: Choice): Seeding {
  return {
    total: size * 13,
    events: conversations(seed, size, now),
    open: [
      { path: "/overview", shows: "the last week beside the week before" },
      { path: "/tools/payments.refund", shows: `the tool that support ${BAD} breaks` },
      { path: "/?happened=failed_call&tool=payments.refund", shows: "the conversations that it hit" },
    ],
  };
}

function* conversations(seed: number, size: number, now: number): Generator<SeedEvent> {
  const random = new Random(seed);
  for (let number = 1; number <= size; number += 1) {
    const part = (number - 1 + random.next()) / size;
    const at = beginOf(now - YEAR + YEAR * (Math.log(1 + part * (GROWTH - 1)) / Math.log(GROWTH)));
    yield* withinPast(now, converse(new SessionRecorder(`seed-production-${seed}-${number}`, at), random, now, number));
  }
}

/** A conversation that began just now has not come to its end. */
function* withinPast(now: number, events: Iterable<SeedEvent>): Generator<SeedEvent> {
  for (const event of events) if (Date.parse(event.occurred_at ?? "") <= now) yield event;
}

/** Moves a time within its day, so that nights are quiet. */
function beginOf(at: number): number {
  const day = Math.floor(at / DAY) * DAY;
  const total = HOURS.reduce((sum, share) => sum + share, 0);
  let left = ((at - day) / DAY) * total;
  for (const [hour, share] of HOURS.entries()) {
    if (left < share) return Math.round(day + (hour + left / share) * HOUR);
    left -= share;
  }
  return at;
}

function* converse(recorder: SessionRecorder, random: Random, now: number, number: number): Generator<SeedEvent> {
  const agent = random.weigh(AGENTS.map((one) => [one, one.weight] as const));
  const age = now - recorder.at;
  const there = agent.versions.filter(({ from }) => from >= age);
  const newest = there.at(-1)?.name ?? agent.versions[0]?.name ?? "";
  // A tenth of the traffic stays with the version before for a week.
  const isCanary = there.length > 1 && (there.at(-1)?.from ?? 0) < 7 * DAY && random.chance(0.1);
  const version = isCanary ? (there.at(-2)?.name ?? newest) : newest;
  const model = random.weigh(MODELS);
  const order = random.between(10_000, 99_999);
  const person = `customer-${random.between(1, 9_999)}`;
  const from = { actor: `agent:${agent.name}`, agent: agent.name, run: `${recorder.conversation}:run` };
  const speed = agent.name === "crm" && version === "5.3.0" ? 0.6 : 1;
  const ask = random.pick(agent.asks).replaceAll("#", String(order));
  const created = { title: ask, channel: random.weigh(CHANNELS), agent_id: agent.name, user_id: person };
  yield recorder.tell("conversation.created", created, { actor: "system" });
  if (agent.stage !== null)
    yield recorder.tell("stage.changed", { from: null, to: agent.stage }, { actor: "system" }, 5);
  yield recorder.say("user", ask, person, { actor: `user:${person}` }, 20);
  yield recorder.tell("run.started", { agent_version: version }, from, 10);
  const asked = { model, provider: "gateway", iteration: 1 };
  yield recorder.tell("model.requested", asked, from, 5);
  const tokens = { input_tokens: random.between(900, 4_000), output_tokens: random.between(60, 500) };
  yield recorder.tell("model.responded", { ...asked, ...tokens }, from, lasting(random, 900 * speed));
  let isBroken = false;
  for (let index = 0, calls = random.between(1, 3); index < calls; index += 1) {
    const tool = random.weigh(agent.tools.map((one) => [one, one.weight] as const));
    const call = { call_id: `${tool.name}-${index + 1}`, iteration: 1, tool: tool.name };
    const params = { order, amount: random.between(20, 900) };
    if (tool.name === "payments.refund" && random.chance(0.03)) {
      const confirmation_id = `${recorder.conversation}:k${index}`;
      const action = { method: tool.name, params };
      yield recorder.tell(
        "confirmation.requested",
        { confirmation_id, key: confirmation_id, action, ...placeOf(call) },
        from,
      );
      yield recorder.tell(
        "confirmation.approved",
        { confirmation_id },
        { actor: "operator:orlova" },
        lasting(random, 25 * MINUTE),
      );
    }
    yield recorder.tell("call.started", { ...call, params }, from, 5);
    const isBad = version === BAD && tool.name === "payments.refund" && random.chance(0.17);
    if (isBad) {
      isBroken = true;
      const error = { code: "currency_mismatch", message: `charge ch_${order} is in EUR, refund asked in USD` };
      yield recorder.tell("call.failed", { ...call, error }, from, lasting(random, 90));
    } else if (random.chance(0.006)) {
      const [code, message] = random.pick(ERRORS);
      const error = { code, message: message.replaceAll("#", String(order)) };
      yield recorder.tell("call.failed", { ...call, error }, from, lasting(random, tool.took * 3));
    } else {
      const output: JsonObject = { order, status: "ok" };
      yield recorder.tell("call.succeeded", { ...call, output }, from, lasting(random, tool.took * speed));
    }
  }
  yield* finish(recorder, random, from, { isBroken, isEscalated: random.chance(isBroken ? 0.3 : 0.012), number });
}

function* finish(
  recorder: SessionRecorder,
  random: Random,
  from: { actor: string; agent: string; run: string },
  { isBroken, isEscalated, number }: { isBroken: boolean; isEscalated: boolean; number: number },
): Generator<SeedEvent> {
  if (isEscalated) yield recorder.tell("manager.alerted", { text: "A person should look at this" }, from, 200);
  if (random.chance(isBroken ? 0.6 : 0.011)) {
    const error = isBroken
      ? { code: "TOOL_FAILED", message: "The refund could not be made" }
      : { code: "MODEL_TIMEOUT", message: "No answer in 60 s" };
    yield recorder.tell("run.failed", { error }, from, isBroken ? 400 : 60_000);
    return;
  }
  yield recorder.say("assistant", `Done, see ${number}.`, from.agent, from, lasting(random, 700));
  yield recorder.tell("run.finished", {}, from, 10);
}

function placeOf({ call_id, iteration }: { call_id: string; iteration: number }) {
  return { call_id, iteration };
}

/** A duration of which half are shorter, and few are many times as long. */
function lasting(random: Random, median: number): number {
  const normal = random.next() + random.next() + random.next() + random.next() - 2;
  return Math.max(1, Math.round(median * Math.exp(normal * 1.1)));
}
