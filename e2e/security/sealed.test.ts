import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallerName } from "../api/setup/matrix.ts";
import { addPeople, type Credentials, signIn } from "../api/setup/people.ts";
import { withServer } from "../api/setup/server.ts";

/** Requests to the outside server, by path. */
const heard: (readonly [path: string | undefined, authorization: string | undefined])[] = [];
const outside = createServer((request, response) => {
  heard.push([request.url, request.headers.authorization]);
  response.setHeader("content-type", "application/json").end('{"n":99999}');
});
let address = "";
beforeAll(async () => {
  await once(outside.listen(0, "127.0.0.1"), "listening");
  const at = outside.address();
  address = `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}`;
});
afterAll(() => void outside.close());

let callers: Map<CallerName, Credentials>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);
beforeAll(() => signIn(server.url, callers));

const SECRET = "Bearer s3cret";
const tool = (activity: object, name = "refund") => ({
  ...{ name, schema: { type: "object" } },
  activity: { type: "http", url: `${address}/refunds`, ...activity },
});
const send = (path: string, body: object, caller: CallerName) => server.post(path, body, callers.get(caller));
/** A registered tool's headers as shown to readers. */
async function shownHeaders(name: string) {
  const { body } = await server.get("/api/tools", callers.get("viewer"));
  return body.items.find((one: { name: string }) => one.name === name).activity.headers;
}

interface Step {
  seq: number;
  type: string;
  payload: { error?: { code: string } };
}

async function eventsOf(conversation: string): Promise<Step[]> {
  return (await server.get(`/api/conversations/${conversation}/events?limit=100`, callers.get("viewer"))).body.items;
}

/** The ends of a conversation's calls, once it is idle. */
async function endsOf(conversation: string): Promise<string[]> {
  const ended = async () => (await eventsOf(conversation)).at(-1)?.type;
  await expect.poll(ended).toMatch(/^run\.(finished|failed)$/);
  return (await eventsOf(conversation)).flatMap(({ type, payload }) =>
    /^call\.(succeeded|failed)$/.test(type) ? (payload.error?.code ?? "succeeded") : [],
  );
}

/** Forks a conversation at its plan, to run it again. */
async function forkOf(conversation: string): Promise<string> {
  const at = (await eventsOf(conversation)).find(({ type }) => type === "plan.validated")?.seq;
  const { status, body } = await send(`/api/conversations/${conversation}/fork`, { at, mode: "real" }, "operator");
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.id;
}

const runFork = async (fork: string, caller: CallerName, mode = "execute") =>
  send(`/api/conversations/${fork}/fork/run`, { mode }, caller);

describe("Security: a secret header is only sent where it was registered for", () => {
  it("even if its encrypted form is sent with another tool", async () => {
    const registered = await send("/api/tools", tool({ headers: { Authorization: SECRET } }), "admin");
    expect(registered.status).toBe(201);
    const { body } = await server.get("/api/tools", callers.get("viewer"));
    const shown = body.items.find(({ name }: { name: string }) => name === "refund").activity.headers;
    expect(shown.Authorization).toMatch(/^sealed:/);
    const moved = [
      tool({ headers: shown, url: `${address}/echo` }),
      tool({ headers: shown, url: `${address}/refunds?to=me` }),
      tool({ headers: shown, method: "GET" }),
      tool({ headers: { "X-Other": shown.Authorization } }),
      tool({ headers: shown }, "mine"),
    ];
    for (const one of [...moved, tool({ headers: shown })]) {
      const request = { plan: [{ _tool: one.name }], tools: [one] };
      for (const path of ["/api/plans/run", "/api/plans/validate", "/api/plans/simulate"])
        expect((await send(path, request, "operator")).body).toMatchObject({ status: 403, code: "forbidden" });
    }
    for (const one of moved) {
      expect((await send("/api/plans/run", { plan: [{ _tool: one.name }], tools: [one] }, "admin")).status).toBe(400);
      expect((await send("/api/tools", one, "admin")).status).toBe(400);
    }
    expect(heard).toEqual([]);
    const own = { plan: [{ _tool: "refund" }], tools: [tool({ headers: shown })] };
    expect((await send("/api/plans/run", own, "admin")).status).toBe(202);
    await expect.poll(() => heard).toEqual([["/refunds", SECRET]]);
  });
});

describe("Security: a registered tool is called only with what its schema allows, whatever another definition says", () => {
  const limited = {
    ...tool({ headers: { Authorization: SECRET } }, "limited"),
    schema: { type: "object", properties: { n: { type: "integer", maximum: 10 } } },
  };
  beforeAll(async () => {
    const activity = { ...limited.activity, url: `${address}/limited` };
    expect((await send("/api/tools", { ...limited, activity }, "admin")).status).toBe(201);
    heard.length = 0;
  });
  const call = { _tool: "limited", _id: "a", n: 99_999 };
  const open = { type: "object" };
  const borrowing = { type: "object", properties: { _activity: { const: "limited" } } };

  it.each([
    ["by another schema under its name", { tools: [{ name: "limited", schema: open }], call }],
    ["under another name", { tools: [{ name: "mine", schema: borrowing }], call: { ...call, _tool: "mine" } }],
    [
      "by both, and the call that names it",
      {
        tools: [open, open].map((schema, index) => ({ name: ["limited", "mine"][index], schema })),
        call: { ...call, _tool: "mine", _activity: "limited" },
      },
    ],
  ])(
    "%s: a plan is refused, and a call that is given too much while it runs fails",
    async (_title, { tools, call }) => {
      const request = { tools, plan: [call] };
      const problems = [{ code: "invalid_params", call: "a", path: "/n" }];
      const checked = await send("/api/plans/validate", request, "operator");
      expect([checked.status, checked.body]).toMatchObject([200, { ok: false, problems }]);
      expect(await send("/api/plans/run", request, "operator")).toMatchObject({ status: 422, body: { problems } });

      // The response of a tool is known only then.
      const given = tool({ url: `${address}/given` }, "given");
      const plan = [
        { _tool: "given", _id: "given", _outputPath: "†state.given" },
        { ...call, n: "†state.given.n" },
      ];
      const { status, body } = await send("/api/plans/run", { tools: [...tools, given], plan }, "operator");
      expect([status, body.detail]).toEqual([202, undefined]);
      expect(await endsOf(body.conversation_id)).toEqual(["succeeded", "invalid_params"]);
      expect(heard.splice(0)).toEqual([["/given", undefined]]);
    },
  );

  it("and valid parameters are sent", async () => {
    const request = { tools: [{ name: "limited", schema: open }], plan: [{ ...call, n: 7 }] };
    const { body } = await send("/api/plans/run", request, "operator");
    expect(await endsOf(body.conversation_id)).toEqual(["succeeded"]);
    expect(heard.splice(0)).toEqual([["/limited", SECRET]]);
  });

  /** Imports a run that claims to have these tools. */
  async function imported(id: string, tools: object[], plan: object[]): Promise<void> {
    const told: [type: string, payload: object][] = [
      ["conversation.created", {}],
      ["run.started", { mode: "execute", tools, context: [] }],
      ["run.iteration", { iteration: 1 }],
      ["plan.proposed", { iteration: 1, calls: plan }],
      ["plan.validated", { iteration: 1 }],
    ];
    const at = "2026-01-01T00:00:00.000Z";
    const none = { agent_id: null, parent_run_id: null, caused_by: null, actor: null };
    const events = told.map(([type, payload], index) => ({
      ...{ ...none, id: `${id}-${index}`, conversation_id: id, seq: index + 1, type, payload },
      ...{ run_id: index === 0 ? null : `${id}-run`, occurred_at: at, recorded_at: at },
    }));
    const head = { format: "obelus.conversation", version: 1, conversation: { id, last_seq: events.length } };
    const headers = { "content-type": "application/x-ndjson", ...callers.get("operator") };
    const body = [head, ...events].map((line) => JSON.stringify(line)).join("\n");
    const answer = await fetch(`${server.url}/api/import`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([201, {}]);
  }

  it("a fork calls no imported tools: neither instead of registered ones, nor others", async () => {
    const headers = await shownHeaders("limited");
    const planted = (name: string, sent: object) => tool({ url: `${address}/limited`, headers: sent }, name);
    await imported("planted", [planted("limited", headers)], [call]);
    expect((await runFork(await forkOf("planted"), "operator")).body).toMatchObject({ code: "invalid_plan" });
    await imported("brought", [planted("brought", {})], [{ ...call, _tool: "brought" }]);
    const fork = await forkOf("brought");
    expect((await runFork(fork, "operator")).body).toMatchObject({ code: "invalid_plan" });
    expect((await runFork(fork, "operator", "shadow")).status).toBe(202);
    expect(heard).toEqual([]);
  });

  it("a fork calls the tools of a run of this server; those with secrets for administrators only", async () => {
    const own = (headers: object) => tool({ url: `${address}/own`, headers }, "own");
    const run = async (headers: object) => {
      const request = { tools: [own(headers)], plan: [{ _tool: "own", _id: "a" }] };
      const { body } = await send("/api/plans/run", request, "operator");
      expect(await endsOf(body.conversation_id)).toEqual(["succeeded"]);
      return forkOf(body.conversation_id);
    };
    const plain = await run({});
    // A fork of a fork has the tools of the original source.
    const again = await forkOf(plain);
    for (const fork of [plain, again]) expect((await runFork(fork, "operator")).status).toBe(202);
    for (const fork of [plain, again]) await endsOf(fork);
    expect(heard.splice(0)).toHaveLength(3);
    const secret = await run({ Authorization: SECRET });
    expect(heard.splice(0)).toEqual([["/own", SECRET]]);
    expect((await runFork(secret, "operator")).body).toMatchObject({ status: 403, code: "forbidden" });
    expect(heard).toEqual([]);
    expect((await runFork(secret, "admin")).status).toBe(202);
    await expect.poll(() => heard).toEqual([["/own", SECRET]]);
  });
});
