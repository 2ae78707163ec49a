import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** A client with expensive requests while others are served. */
export interface Neighbour {
  name: string;
  /** Sends its requests and reads the responses. Returns the result in a word. */
  act(url: string): Promise<string>;
}

const JSON_TYPE = "application/json";

async function post(
  url: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = JSON_TYPE,
): Promise<string> {
  const response = await fetch(`${url}${path}`, { method: "POST", headers: { "content-type": type }, body });
  await response.arrayBuffer();
  return String(response.status);
}

/** A plan of one call whose tool has this parameter, with this value. */
function planOf(schema: object, value: unknown): string {
  return JSON.stringify({
    plan: [{ _tool: "t", a: value }],
    tools: [{ name: "t", schema: { type: "object", properties: { a: schema } } }],
  });
}

// Bodies are created before measuring: creating them would delay the probes.
/** Validation of a plan with one call with such a parameter. */
export const validates = (schema: object, value: unknown) => {
  const body = planOf(schema, value);
  return (url: string) => post(url, "/api/plans/validate", body);
};

/** Calls that each read the previous one's result. */
const chainOf = (length: number) =>
  Array.from({ length }, (_, n) => ({
    ...{ _tool: "t", _id: `c${n}`, _outputPath: `†state.x${n}` },
    ...(n > 0 && { a: `†state.x${n - 1}` }),
  }));

/** The same with two alternatives each: the condition of the last one is as long as the plan. */
const branchesOf = (length: number) =>
  Array.from({ length }, (_, n) => ({
    ...{ _tool: "t", _id: `c${n}`, _outputPath: `†state.x${n} || †state.y${n}` },
    ...(n > 0 && { a: `†state.x${n - 1} || †state.y${n - 1}` }),
  }));

/** Independent calls. */
const apartOf = (length: number) => Array.from({ length }, (_, n) => ({ _tool: "t", _id: `c${n}` }));

const TOOL = { name: "t", schema: { type: "object", properties: { a: {}, _output: { type: "string" } } } };

/** A plan for one of the operations on plans. */
const plans = (act: string, plan: object[], more: object = {}) => {
  const body = JSON.stringify({ plan, tools: [TOOL], ...more });
  return (url: string) => post(url, `/api/plans/${act}`, body);
};

/** A run of a plan, which is cancelled while active, and another one. */
const runs = (plan: object[], more: object = {}) => {
  const body = JSON.stringify({ plan, tools: [TOOL], ...more });
  return async (url: string) => {
    const headers = { "content-type": JSON_TYPE };
    const started = await fetch(`${url}/api/plans/run`, { method: "POST", headers, body });
    const { run_id }: { run_id?: string } = await started.json();
    await setTimeout(1_000);
    const cancel = () => post(url, `/api/runs/${run_id}/cancel`, "");
    return `${started.status} ${await cancel()} ${await cancel()}`;
  };
};

/** A schema with the maximum number of parts. */
const LARGE_SCHEMA = {
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 1_600 }, (_, n) => [`p${n}`, { type: "string" }])),
};

/** Events of a conversation, in batches, then a request about it. */
const told = (id: string, events: (n: number) => object, count: number, ask: (url: string) => Promise<string>) => {
  const bodies = Array.from({ length: Math.ceil(count / 500) }, (_, batch) =>
    JSON.stringify(
      Array.from({ length: Math.min(500, count - batch * 500) }, (_, n) => ({
        ...{ id: `${id}-${batch * 500 + n}`, conversation_id: id },
        ...events(batch * 500 + n),
      })),
    ),
  );
  return async (url: string) => {
    for (const body of bodies) await post(url, "/api/events", body);
    return ask(url);
  };
};

const get = (path: string) => async (url: string) => {
  const response = await fetch(`${url}${path}`);
  for await (const _ of response.body ?? []) if (!response.ok) break;
  return String(response.status);
};

const inTurn = (times: number, act: (url: string) => Promise<string>) => async (url: string) => {
  let answered = "";
  for (let n = 0; n < times; n++) answered = await act(url);
  return answered;
};

const message = (n: number, content: string) => ({
  type: "message.created",
  payload: { message_id: `m${n}`, role: n % 2 ? "assistant" : "user", content },
});

/** A confirmation with a long description. */
const asks = (n: number, description: string) => ({
  type: "confirmation.requested",
  payload: { confirmation_id: `k${n}`, key: `k${n}`, action: { method: "m", params: {} }, description },
});

/** A failed call of a tool of its own. */
const oneCall = (n: number) => ({
  ...{ type: "call.failed", run_id: "r", agent_id: "busy" },
  payload: { call_id: `c${n}`, tool: `tool-${n}`, error: { code: "e", message: `failed ${n}` } },
});

/** A state of about 4 MB, then changes of it. */
const largeState = (n: number) => ({
  type: "state.written",
  payload:
    n === 0
      ? {
          path: "†state",
          value: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, "v".repeat(190)])),
        }
      : { path: `†state.k${n}`, value: { n } },
});

const HISTORY = JSON.stringify({
  template: "{{history}}",
  messages: Array.from({ length: 20_000 }, (_, n) => ({
    role: n % 2 ? "assistant" : "user",
    content: `word ${n} `.repeat(15),
  })),
  limits: { max_tokens: 100_000 },
});
const PLACEHOLDERS = JSON.stringify({ template: "{{a.b}} {{history}} ".repeat(200_000), messages: [] });

const SPANS = `{"resourceSpans":[{"scopeSpans":[{"spans":[${"[],".repeat(6_000_000)}[]]}]}]}`;
const DEEP_SPAN = `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array(20)
  .fill(
    `{"traceId":"${"a".repeat(32)}","spanId":"${"b".repeat(16)}","name":"s","attributes":[{"key":"a","value":${'{"arrayValue":{"values":['.repeat(240)}{}${"]}}".repeat(240)}}]}`,
  )
  .join(",")}]}]}]}`;
const REAL_SPANS = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: Array.from({ length: 2_000 }, (_, n) => ({
            traceId: "c".repeat(32),
            spanId: n.toString(16).padStart(16, "0"),
            ...(n > 0 && { parentSpanId: "0".repeat(16) }),
            name: "chat",
            startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(n) * 1_000_000n),
            endTimeUnixNano: String(1_700_000_001_000_000_000n + BigInt(n) * 1_000_000n),
            attributes: Array.from({ length: 20 }, (_, i) => ({
              key: `gen_ai.x${i}`,
              value: { stringValue: "v".repeat(80) },
            })),
          })),
        },
      ],
    },
  ],
});

const DISTINCT = JSON.stringify(
  Array.from({ length: 800 }, (_, i) => ({
    ...{ conversation_id: "names", type: "log" },
    payload: Object.fromEntries(Array.from({ length: 37 }, (_, n) => [`f${i}_${n}`, 1])),
  })),
);
const MEMORY = `{"goals":[${"1,".repeat(2_400_000)}1]}`;
const LARGE_VALUE = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, "v".repeat(200)])),
);
const CHATS = Array.from({ length: 3_000 }, (_, n) =>
  JSON.stringify({
    id: `chat-${n}`,
    messages: Array.from({ length: 20 }, (_, i) => ({
      role: i % 2 ? "assistant" : "user",
      content: "words ".repeat(20),
    })),
  }),
).join("\n");
const AG_UI_LIST = [
  { type: "RUN_STARTED", threadId: "list", runId: "r" },
  { type: "STATE_SNAPSHOT", snapshot: { a: Array.from({ length: 80_000 }, (_, n) => n) } },
  ...Array(100).fill({ type: "STATE_DELTA", delta: Array(100).fill({ op: "add", path: "/a/0", value: 1 }) }),
];

const put = (path: string, body: string) => async (url: string) => {
  const headers = { "content-type": JSON_TYPE, "if-none-match": "*" };
  const response = await fetch(`${url}${path}`, { method: "PUT", headers, body });
  await response.arrayBuffer();
  return String(response.status);
};

const WRONG_CALLS = `{"plan":[${"1,".repeat(2_400_000)}1]}`;
const UNKNOWN = JSON.stringify(Object.fromEntries(Array.from({ length: 250_000 }, (_, n) => [`f${n}`, 1])));
const NEWLINES = new Uint8Array(gzipSync(Buffer.alloc(300_000_000, "\n")));

/** An agent's message, and the page that shows it. */
export const says = (id: string, content: string) => async (url: string) => {
  const payload = { message_id: "m", role: "assistant", content };
  await post(url, "/api/events", JSON.stringify({ conversation_id: id, type: "message.created", payload }));
  const response = await fetch(`${url}/conversations/${id}/transcript`);
  await response.arrayBuffer();
  return String(response.status);
};

const DOUBLING = [
  { type: "RUN_STARTED", threadId: "doubled", runId: "r" },
  { type: "STATE_SNAPSHOT", snapshot: { a: ["x".repeat(1_000)] } },
  { type: "STATE_DELTA", delta: Array(27).fill({ op: "copy", from: "/a", path: "/a/-" }) },
];

/** Messages of 4 kB before the user's last. */
const ITEMS = JSON.stringify({
  model: "admin",
  input: Array.from({ length: 999 }, (_, n) => ({
    role: n % 2 ? "assistant" : "user",
    content: `item ${n} `.repeat(400),
  })),
});
const INSTRUCTIONS = JSON.stringify({ model: "admin", input: "Hello", instructions: "x".repeat(4_900_000) });
const toAgent = (threadId: string, messages: number, state: object) =>
  JSON.stringify({
    ...{ threadId, runId: "r", tools: [], context: [], state },
    messages: Array.from({ length: messages }, (_, n) => ({
      ...{ id: `m${n}`, role: (messages - n) % 2 ? "user" : "assistant", content: `message ${n} `.repeat(20) },
    })),
  });
/** A turn of an agent on the scripted model. */
export const answers = (threadId: string) => (url: string) =>
  post(url, "/api/agents/admin/ag-ui", toAgent(threadId, 1, {}));
const FLAT_STATE = toAgent("flat", 1, Object.fromEntries(Array.from({ length: 14_000 }, (_, n) => [`k${n}`, n % 10])));
const LONG_THREAD = toAgent("thread", 10_000, {});

/** A session of nearly 5 MB as JSON, with all that is replaced in a case. */
const bought = (n: number) => {
  const call = { call_id: `c${Math.floor(n / 2)}`, tool: "find" };
  if (n === 0) return message(0, "Find them");
  if (n === 49) return message(1, "Found");
  if (n % 2) return { type: "call.started", run_id: "r", payload: { ...call, params: { n } } };
  return { type: "call.succeeded", run_id: "r", payload: { ...call, output: Array(1_600).fill(BUYER) } };
};
const BUYER = {
  name: "Anna",
  "anna@example.com": 1,
  phone: "+7 916 123-45-67",
  note: "a paid order, a long note of it",
};

/** Requests that were found to delay others, and those that come close. */
export const NEIGHBOURS: readonly Neighbour[] = [
  { name: "nobody", act: async () => "" },
  { name: "validate: 50,000 wrong constants", act: validates({ items: { const: 0 } }, Array(50_000).fill(1)) },
  {
    name: "validate: contains in contains",
    act: validates({ contains: { contains: { const: 0 } } }, Array(500).fill(Array(500).fill(1))),
  },
  {
    name: "validate: patterns that backtrack",
    act: validates({ items: { pattern: "(a+)+$" } }, Array(50).fill(`${"a".repeat(40)}!`)),
  },
  {
    name: "validate: 2.4 million wrong calls",
    act: (url) => post(url, "/api/plans/validate", WRONG_CALLS),
  },
  {
    name: "events: 250,000 unknown fields",
    act: (url) => post(url, "/api/events", UNKNOWN),
  },
  {
    name: "import: 300 MB of newlines in a gzip",
    act: (url) => post(url, "/api/import", NEWLINES, "application/octet-stream"),
  },
  { name: "transcript: 30,000 open marks", act: says("marks", "*a **b ".repeat(10_000)) },
  { name: "transcript: > × 40,000", act: says("quotes", ">".repeat(40_000)) },
  { name: "transcript: ] × 16,000", act: says("brackets", "]".repeat(16_000)) },
  {
    name: "ag-ui: 27 copies double a state",
    act: (url) =>
      post(url, "/api/ag-ui", DOUBLING.map((event) => JSON.stringify(event)).join("\n"), "application/x-ndjson"),
  },
  {
    name: "ag-ui: 10,000 inserts at the front of a list",
    act: (url) =>
      post(url, "/api/ag-ui", AG_UI_LIST.map((event) => JSON.stringify(event)).join("\n"), "application/x-ndjson"),
  },
  { name: "responses: 999 items", act: (url) => post(url, "/v1/responses", ITEMS) },
  { name: "responses: instructions of 4.9 MB", act: (url) => post(url, "/v1/responses", INSTRUCTIONS) },
  {
    name: "agent by ag-ui: a state of 14,000 keys",
    act: (url) => post(url, "/api/agents/admin/ag-ui", FLAT_STATE),
  },
  {
    name: "agent by ag-ui: 10,000 messages",
    act: (url) => post(url, "/api/agents/admin/ag-ui", LONG_THREAD),
  },
  { name: "validate: a chain of 50,000 calls", act: plans("validate", chainOf(50_000)) },
  { name: "validate: 15,000 branches", act: plans("validate", branchesOf(15_000)) },
  { name: "simulate: a chain of 2,000 calls", act: plans("simulate", chainOf(2_000)) },
  { name: "run: a chain of 2,000 calls in shadow", act: plans("run", chainOf(2_000), { mode: "shadow" }) },
  { name: "run: 2,000 calls that end at once", act: runs(apartOf(2_000)) },
  { name: "run: 2,000 calls that are confirmed, then cancelled", act: runs(apartOf(2_000), { mode: "confirm" }) },
  { name: "run: 2,000 branches", act: runs(branchesOf(2_000)) },
  { name: "run: a chain of 10,000 calls", act: plans("run", chainOf(10_000)) },
  { name: "validate: a schema of 5,000 parts", act: validates(LARGE_SCHEMA, {}) },
  { name: "events: 30,000 different names", act: (url) => post(url, "/api/events", DISTINCT) },
  { name: "memory: 2.4 million wrong goals", act: put("/api/memory/anna", MEMORY) },
  {
    name: "agent state: 4 MB, written and read",
    act: async (url) =>
      `${await put("/api/agent-state/a/k", LARGE_VALUE)(url)} ${await inTurn(5, get("/api/agent-state/a/k"))(url)}`,
  },
  { name: "prompt: a history of 20,000 messages", act: (url) => post(url, "/api/prompts/render", HISTORY) },
  { name: "prompt: 400,000 placeholders", act: (url) => post(url, "/api/prompts/render", PLACEHOLDERS) },
  { name: "otlp: 18 MB of empty lists", act: (url) => post(url, "/v1/traces", SPANS) },
  { name: "otlp: attributes 240 levels deep", act: (url) => post(url, "/v1/traces", DEEP_SPAN) },
  { name: "otlp: 2,000 spans of 2 kB", act: (url) => post(url, "/v1/traces", REAL_SPANS) },
  { name: "import: 3,000 chats", act: (url) => post(url, "/api/import", CHATS, "application/x-ndjson") },
  {
    name: "a state of 4 MB: views, history, export",
    act: told("state", largeState, 300, async (url) => {
      await inTurn(5, get("/api/conversations/state/view?at=200"))(url);
      await get("/api/conversations/state/state-history?path=†state.k5")(url);
      return get("/api/conversations/state/export")(url);
    }),
  },
  {
    name: "events: 20,000 runs that nobody ends",
    act: told(
      "begun",
      (n) => ({ type: "run.started", run_id: `begun-${n}`, payload: {} }),
      20_000,
      async () => "201",
    ),
  },
  {
    name: "events, messages, confirmations: pages of 100 MB",
    act: async (url) => {
      for (let n = 0; n < 30; n++) {
        const large = n % 2 ? message(n, "word ".repeat(800_000)) : asks(n, "word ".repeat(800_000));
        await post(url, "/api/events", JSON.stringify({ id: `large-${n}`, conversation_id: "large", ...large }));
      }
      const paths = [
        "conversations/large/events?limit=1000",
        "conversations/large/messages?limit=200",
        "confirmations",
      ];
      const read = await Promise.all(paths.map((path) => get(`/api/${path}`)(url)));
      return `${read.join(" ")} ${await get("/approvals")(url)}`;
    },
  },
  {
    name: "studio and comparison: a state of 4 MB",
    act: told("drawn", largeState, 100, async (url) => {
      return `${await get("/conversations/drawn")(url)} ${await get("/compare?a=drawn&b=drawn")(url)}`;
    }),
  },
  {
    name: "transcript: 3,000 long messages",
    act: told("long", (n) => message(n, `**word** ${n} `.repeat(100)), 3_000, get("/conversations/long/transcript")),
  },
  {
    name: "search: 500 words, and one letter",
    act: told(
      "found",
      (n) => message(n, `word${n % 700} and a b c `.repeat(30)),
      3_000,
      async (url) => {
        const words = Array.from({ length: 500 }, (_, n) => `word${n}`).join("+");
        return `${await get(`/api/conversations?q=${words}`)(url)} ${await get("/api/conversations?q=a")(url)} ${await get(`/api/conversations/found/search?q=${words}`)(url)}`;
      },
    ),
  },
  { name: "openapi: the first description", act: get("/api/openapi.json") },
  {
    name: "csv, list by failures: 3,000 chats",
    act: async (url) => {
      await post(url, "/api/import", CHATS, "application/x-ndjson");
      return `${await get("/api/export/csv")(url)} ${await get("/api/conversations?sort=failures&limit=200")(url)}`;
    },
  },
  {
    name: "overview: 12,000 tools",
    act: told("tools", oneCall, 12_000, async (url) => {
      const tools = (await get("/api/overview")(url)) + (await get("/api/overview/tools?agent=busy")(url));
      return `${tools} ${await get("/overview")(url)}`;
    }),
  },
  {
    name: "fork: 20,000 messages",
    act: told(
      "forked",
      (n) => message(n, "word ".repeat(100)),
      20_000,
      (url) => post(url, "/api/conversations/forked/fork", JSON.stringify({ at: 20_000 })),
    ),
  },
  {
    name: "case of 5 MB: exported, saved, changed and read",
    act: told("bought", bought, 50, async (url) => {
      const cases = "/api/suites/large/cases";
      const exported = await get("/api/conversations/bought/case")(url);
      const saved = await post(url, cases, JSON.stringify({ conversation_id: "bought" }));
      const changed = await inTurn(5, put(`${cases}/bought:0`, JSON.stringify({ title: "Large" })))(url);
      return `${exported} ${saved} ${changed} ${await inTurn(5, get(`${cases}/bought:0`))(url)}`;
    }),
  },
  {
    name: "stream: three readers from the start",
    act: told(
      "read",
      (n) => message(n, "word ".repeat(100)),
      10_000,
      async (url) => {
        const read = async () => {
          const response = await fetch(`${url}/api/stream?after=0`);
          let bytes = 0;
          for await (const chunk of response.body ?? []) {
            bytes += chunk.length;
            if (bytes > 5_000_000) break;
          }
        };
        await Promise.all([read(), read(), read()]);
        return "200";
      },
    ),
  },
];
