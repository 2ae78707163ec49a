import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Work of one kind, repeated until stopped. */
export interface Worker {
  name: string;
  /** The number of concurrent workers. */
  count: number;
  /** The pause of each, ms. */
  rest: number;
  work(turn: number): Promise<void>;
}

/** The results of workers. */
export interface Done {
  times: number;
  failures: number;
  /** The newest error. */
  last: string | null;
}

const CONVERSATIONS = 60;
const WORDS = "order parcel refund invoice address delivery card account email manager".split(" ");

const nth = (n: number) => `soak-${n % CONVERSATIONS}`;

/** Creates the conversations for the load. */
export async function prepare(address: string): Promise<void> {
  const begun = Array.from({ length: CONVERSATIONS }, (_, n) => ({
    ...{ conversation_id: nth(n), type: "log", payload: { message: "It begins" } },
  }));
  await call(address, "POST", "/api/events", begun);
}

/** The mixed load of a day's agents and people. */
export function workersOf(address: string): Worker[] {
  const any = () => nth(Math.floor(Math.random() * CONVERSATIONS));
  const word = () => WORDS[Math.floor(Math.random() * WORDS.length)] ?? "order";
  const log = (n: number) => ({ conversation_id: nth(n), type: "log", payload: { message: `${word()} ${n}` } });
  const post = (path: string, body: unknown) => call(address, "POST", path, body);
  const get = (path: string) => call(address, "GET", path);
  let number = 0;
  let fork = 0;

  return [
    {
      ...{ name: "batches", count: 1, rest: 200 },
      work: () =>
        post(
          "/api/events",
          Array.from({ length: 100 }, () => log(number++)),
        ),
    },
    { name: "singles", count: 3, rest: 40, work: () => post("/api/events", log(number++)) },
    {
      ...{ name: "views", count: 2, rest: 100 },
      async work() {
        const { last_seq } = await get(`/api/conversations/${any()}`);
        await get(`/api/conversations/${any()}/view?at=1`);
        if (last_seq > 0) await get(`/api/conversations/${any()}/timeline`);
      },
    },
    {
      ...{ name: "lists", count: 1, rest: 150 },
      async work() {
        await get("/api/conversations?limit=50");
        await get(`/api/conversations?q=${word()}`);
        await get("/api/facets");
      },
    },
    { name: "pages", count: 1, rest: 1_000, work: () => get(`/conversations/${any()}`) },
    { name: "streams", count: 20, rest: 300, work: (turn) => stream(address, any(), turn % 4 === 0) },
    { name: "rereaders", count: 5, rest: 200, work: (turn) => reread(address, `soak-reread-${turn}`) },
    {
      ...{ name: "turns", count: 2, rest: 300 },
      async work(turn) {
        const id = `soak-turns-${turn % 40}`;
        await post("/api/conversations", { id, user_id: id, agent_id: "admin" });
        await post(`/api/conversations/${id}/messages`, { content: "What does an assistant cost?", user_id: id });
      },
    },
    {
      ...{ name: "decisions", count: 1, rest: 300 },
      async work(turn) {
        const id = `soak-ask-${turn}`;
        const action = { method: "issueRefund", params: { amount: turn, order: id } };
        const payload = { confirmation_id: id, key: "refund", call_id: "refund", action };
        await post("/api/events", { conversation_id: any(), type: "confirmation.requested", run_id: id, payload });
        await post(`/api/confirmations/${id}/decision`, { decision: turn % 2 ? "approve" : "deny" });
      },
    },
    {
      ...{ name: "forks", count: 1, rest: 5_000 },
      async work() {
        const id = `soak-forked-${fork++}`;
        await post(
          "/api/events",
          Array.from({ length: 50 }, (_, n) => ({ ...log(n), conversation_id: id })),
        );
        await post(`/api/conversations/${id}/fork`, { at: 25 });
      },
    },
    { name: "spans", count: 1, rest: 500, work: (turn) => post("/v1/traces", traceOf(turn)) },
    {
      ...{ name: "messages", count: 1, rest: 100 },
      work: () => post("/api/messages", { conversation_id: any(), role: "user", content: `${word()} ${word()}` }),
    },
  ];
}

/** Reads all of the log from its start, up to an event that was posted just before. */
async function reread(address: string, id: string): Promise<void> {
  const event = { id, conversation_id: "soak-reread", type: "log", payload: { message: "Read up to here" } };
  await call(address, "POST", "/api/events", event);
  const asked = request(`${address}/api/stream?after=0`, { agent: false });
  asked.end();
  try {
    const [response] = await once(asked, "response");
    if (response.statusCode !== 200) throw new Error(`A stream was answered with ${response.statusCode}`);
    const mark = Buffer.from(`"id":"${id}"`);
    let end = Buffer.alloc(0);
    for await (const chunk of response) {
      // The marker may be split between two chunks.
      if (chunk.includes(mark) || Buffer.concat([end, chunk.subarray(0, mark.length)]).includes(mark)) return;
      end = chunk.subarray(-mark.length);
    }
    throw new Error("A stream ended, which has no end");
  } finally {
    asked.destroy();
  }
}

/** Reads a stream for a while and disconnects; a slow reader reads nothing. */
function stream(address: string, conversation: string, isSlow: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const path = Math.random() < 0.5 ? "/api/stream?after=0" : `/api/stream?conversation_id=${conversation}&after=0`;
  const asked = request(`${address}${path}`, { agent: false }, (response) => {
    response.on("error", () => undefined);
    if (response.statusCode !== 200) return reject(new Error(`A stream was answered with ${response.statusCode}`));
    if (isSlow) response.pause();
    else response.resume();
    setTimeout(
      () => {
        asked.destroy();
        resolve();
      },
      1_000 + Math.random() * 4_000,
    );
  });
  asked.on("error", (error) => reject(error));
  asked.end();
  return promise;
}

/** A small trace of an external agent: a run with a request to a model. */
function traceOf(turn: number) {
  const trace = Buffer.from(`soak:${turn}`.padStart(16)).toString("hex");
  const now = BigInt(Date.now()) * 1_000_000n;
  const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const span = (id: string, parent: string | undefined, name: string, operation: string) => ({
    ...{ traceId: trace, spanId: id, ...(parent !== undefined && { parentSpanId: parent }), name, kind: 1 },
    ...{ startTimeUnixNano: String(now - 1_000_000_000n), endTimeUnixNano: String(now) },
    attributes: [
      attribute("gen_ai.operation.name", operation),
      attribute("gen_ai.conversation.id", `soak-otlp-${turn % 20}`),
    ],
  });
  const spans = [
    span("00000000000000a1", undefined, "invoke_agent soak", "invoke_agent"),
    span("00000000000000a2", "00000000000000a1", "chat soak", "chat"),
  ];
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

async function call(address: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${address}${path}`, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 200)}`);
  return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
}

/** Runs all workers until the signal aborts; returns their live results. */
export function setToWork(
  workers: readonly Worker[],
  signal: AbortSignal,
): { done: Map<string, Done>; over: Promise<void> } {
  const done = new Map<string, Done>(workers.map(({ name }) => [name, { times: 0, failures: 0, last: null }]));
  const lanes = workers.flatMap((worker) => {
    const count = done.get(worker.name);
    if (!count) return [];
    return Array.from({ length: worker.count }, (_, lane) => lane).map(async (lane) => {
      for (let turn = lane; !signal.aborted; turn += worker.count) {
        try {
          await worker.work(turn);
          count.times += 1;
        } catch (error) {
          count.failures += 1;
          count.last = error instanceof Error ? error.message : String(error);
        }
        await pause(worker.rest, undefined, { signal }).catch(() => undefined);
      }
    });
  });
  return { done, over: Promise.all(lanes).then(() => undefined) };
}
