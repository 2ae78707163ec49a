import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { type Asked, withOutside } from "../setup/outside.ts";
import { temporaryDirectory } from "../setup/server.ts";

/**
 * Each run is killed repeatedly until it ends; runs are started until there were this many kills. In
 * `faults-kill.test.ts` a server is killed under load, with turns and everything that is ingested.
 */
const KILLS = 8;
const LANES = 10;
const STEPS = 20;

let dataDir = "";
let server: ServerProcess;
const random = seeded(Date.now());

// "store" deterministically refuses every seventh call; "charge" always succeeds.
const outside = withOutside(async ({ path, call }) => {
  await new Promise((resolve) => setTimeout(resolve, random.below(20)));
  if (path === "store" && call.number % 7 === 0) return { status: 422, body: { message: `no room for ${call._id}` } };
  return { body: resultOf(call) };
});

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  server = await start();
});
afterAll(async () => {
  await server.stop("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

test(`P23: runs of ${LANES * STEPS} calls survive ${KILLS} kills: no result is lost, and nothing that must not happen twice does`, {
  timeout: 600_000,
}, async () => {
  const undisturbed = await runToEnd(() => Promise.resolve(false));
  expect(outside.asked.length).toBeGreaterThanOrEqual(LANES * STEPS);
  let kills = 0;
  let interrupted = 0;
  while (kills < KILLS) {
    const ended = await runToEnd(async (seen) => {
      // At any point: right after a start, between two requests, or during some.
      const over = await seen(random.below(25));
      if (over || kills === KILLS) return false;
      kills += 1;
      await server.stop("SIGKILL");
      server = await start();
      return true;
    });
    interrupted += ended.interrupted;
    expect(ended.state, random.hint).toEqual(undisturbed.state);
    expect(ended.statuses, random.hint).toEqual(undisturbed.statuses);
    expect(ended.warnings).toEqual([]);
  }
  // Otherwise the kills missed what is tested.
  expect(interrupted).toBeGreaterThan(0);
  const charges = Map.groupBy(
    outside.asked.filter(({ path }) => path === "charge"),
    ({ key }) => key,
  );
  expect([...charges.values()].filter((times) => times.length > 1)).toEqual([]);
});

/**
 * Runs the plan once; returns how it ended. `disturb` is called repeatedly: it waits for a number of requests, possibly
 * kills the server, and returns whether it did; after each kill a person decides about interrupted calls.
 */
async function runToEnd(disturb: (seen: (requests: number) => Promise<boolean>) => Promise<boolean>) {
  const { conversation_id, run_id } = await post("/api/plans/run", request());
  let interrupted = 0;
  for (;;) {
    interrupted += await decideInterrupted(conversation_id);
    const { ended } = await watch(conversation_id, run_id);
    const killed = await disturb((count) => requests(count, ended));
    if (killed) continue;
    await ended;
    break;
  }
  const { state, calls, runs, warnings } = await get(`/api/conversations/${conversation_id}/view`);
  expect(runs).toMatchObject([{ id: run_id, status: "finished" }]);
  const statuses = calls.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).sort();
  return { state, statuses, warnings, interrupted };
}

/** A person checks the outside server: executed calls are recorded, others repeated. */
async function decideInterrupted(conversationId: string): Promise<number> {
  const { items } = await get(`/api/confirmations?status=requested&limit=200&conversation_id=${conversationId}`);
  for (const { id, cause, run_id, call_id } of items) {
    expect(cause).toBe("interrupted");
    const done = outside.asked.find(({ call, key }) => call._id === call_id && key.startsWith(run_id));
    const decision = { decision: "approve", ...(done && { result: resultOf(done.call) }) };
    await post(`/api/confirmations/${encodeURIComponent(id)}/decision`, decision);
  }
  return items.length;
}

function resultOf(call: Asked["call"]) {
  return { number: call.number, before: call.before?.number ?? null };
}

/** Lanes of calls that each read the previous one; halfway a lane also waits for its neighbour. */
function request() {
  const plan = [];
  for (let lane = 0; lane < LANES; lane++) {
    for (let step = 0; step < STEPS; step++) {
      const number = lane * STEPS + step;
      const before = `†state.lane${lane}.step${step - 1}`;
      const neighbour = `†state.lane${(lane + 1) % LANES}.step${step - 2}`;
      plan.push({
        _tool: number % 2 === 0 ? "charge" : "store",
        _id: `call${number}`,
        number,
        ...(step > 0 && { before: `${before} || ${before}_error` }),
        ...(step === STEPS / 2 && { neighbour: `${neighbour} || ${neighbour}_error` }),
        _outputPath: `†state.lane${lane}.step${step} || †state.lane${lane}.step${step}_error`,
      });
    }
  }
  const tool = (name: string, idempotent: boolean) => ({
    name,
    description: `${name} something outside`,
    schema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
    activity: { type: "http", url: `http://${outside.host}/${name}`, idempotent },
  });
  return { plan, tools: [tool("charge", false), tool("store", true)] };
}

function start() {
  return startServerProcess(dataDir, {
    env: { OBELUS_DEMO: "0", OBELUS_PRELOAD_PAGES: "0", OBELUS_HTTP_TOOL_HOSTS: outside.host },
  });
}

/** Waits for a number of further requests, or the run's end; returns whether it has ended. */
async function requests(count: number, ended: Promise<void>): Promise<boolean> {
  const target = outside.asked.length + count;
  let over = false;
  const end = ended.then(() => {
    over = true;
  });
  while (outside.asked.length < target && !over) await Promise.race([outside.next(), end]);
  return over;
}

/** Follows the run; `ended` resolves when it has ended, and never if the server is killed before. */
async function watch(conversationId: string, runId: string): Promise<{ ended: Promise<void> }> {
  const events = await readEvents(server.address, `/api/stream?conversation_id=${conversationId}&after=0`);
  const end = events.find(({ type, data }) => data.run_id === runId && /^run\.(finished|failed|cancelled)$/.test(type));
  return { ended: end.then(() => events.close()) };
}

async function post(path: string, value: unknown) {
  const response = await fetch(server.address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  const body = await response.json();
  expect(response.ok, JSON.stringify(body)).toBe(true);
  return body;
}

async function get(path: string) {
  const response = await fetch(server.address + path);
  const body = await response.json();
  expect(response.ok, JSON.stringify(body)).toBe(true);
  return body;
}

/** Seeded random numbers (mulberry32), to repeat a failed test. */
function seeded(seed: number) {
  let state = seed >>> 0;
  return {
    hint: `with the seed ${seed}`,
    below(limit: number) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
