import { gzipSync } from "node:zlib";

/** Somebody whose requests cost much; all others are served meanwhile. */
export interface Neighbour {
  name: string;
  /** Sends what it sends, and reads the answers to their end. Gives what it was answered, in a word. */
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

/** A plan of one call whose tool has this parameter, and gets this value. */
function planOf(schema: object, value: unknown): string {
  return JSON.stringify({
    plan: [{ _tool: "t", a: value }],
    tools: [{ name: "t", schema: { type: "object", properties: { a: schema } } }],
  });
}

// Bodies are made once, before anything is measured: making them would hold the probes up.
/** A plan that is checked, of one call with such a parameter. */
export const validates = (schema: object, value: unknown) => {
  const body = planOf(schema, value);
  return (url: string) => post(url, "/api/plans/validate", body);
};

const WRONG_CALLS = `{"plan":[${"1,".repeat(2_400_000)}1]}`;
const UNKNOWN = JSON.stringify(Object.fromEntries(Array.from({ length: 250_000 }, (_, n) => [`f${n}`, 1])));
const NEWLINES = new Uint8Array(gzipSync(Buffer.alloc(300_000_000, "\n")));

/** What an agent says, and the page that shows it. */
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

/** Those whose work was found to hold others up, and those whose work comes close. */
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
];
