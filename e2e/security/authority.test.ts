import { beforeAll, describe, expect, it } from "vitest";
import type { EventType } from "../../lib/session/events/kinds.ts";
import { isJsonObject, type Json } from "../../lib/session/json/json.ts";
import { withBotApi } from "../api/setup/bot-api.ts";
import { addPeople, type Credentials, signIn } from "../api/setup/people.ts";
import { type Reply, withServer } from "../api/setup/server.ts";
import { SECRET, TOKEN } from "../api/setup/telegram-chat.ts";

// What a key may record, in every operation: written by hand, to check the server's own table.

const botApi = withBotApi();
let people: Awaited<ReturnType<typeof addPeople>>;
const server = withServer(
  {
    OBELUS_AUTH: "1",
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_WEBHOOK_SECRET: SECRET,
    get TELEGRAM_API_ROOT() {
      return botApi.root;
    },
  },
  {
    prepare: async (dataDir) => {
      people = await addPeople(dataDir);
    },
  },
);
const keys = new Map<string, Credentials>();
beforeAll(async () => {
  await signIn(server.url, people);
  for (const scope of ["ingest", "decide"] as const) keys.set(scope, people.get(scope) ?? {});
  const { body } = await server.post("/api/keys", { name: "both", scopes: ["ingest", "decide"] }, person("admin"));
  keys.set("ingest+decide", { authorization: `Bearer ${body.key}` });
});
const person = (name: "viewer" | "operator" | "admin"): Credentials => people.get(name) ?? {};
const key = (scopes: string): Credentials => keys.get(scopes) ?? {};

/** The minimum: `ingest`, also `decide`, a signed-in user, or that the server does it itself. */
type Asks = "ingest" | "decide" | "person" | "nobody";

interface Told {
  type: string;
  payload?: unknown;
  run_id?: string;
  id?: string;
  conversation_id?: string;
  actor?: string;
}

const call = { call_id: "c", tool: "t", iteration: 1 };
const asked = { confirmation_id: "k", key: "k", action: { method: "m", params: {} } };
const model = { model: "m", provider: "p" };

/** Each event type. A new one does not compile before it is added here. */
const TYPES: Record<EventType, [Asks, payload: unknown]> = {
  "conversation.created": ["ingest", { title: "t" }],
  "conversation.titled": ["ingest", { title: "t" }],
  "conversation.taken_over": ["decide", {}],
  "conversation.handed_back": ["decide", {}],
  "fork.mode_changed": ["decide", { mode: "shadow" }],
  "conversation.bookmarked": ["decide", { seq: 1 }],
  "conversation.unbookmarked": ["decide", { seq: 1 }],
  "message.created": ["ingest", { message_id: "m", role: "assistant", content: "c" }],
  "run.started": ["ingest", {}],
  "run.iteration": ["ingest", { iteration: 1 }],
  "run.waiting": ["ingest", {}],
  "run.resumed": ["ingest", {}],
  "run.finished": ["ingest", {}],
  "run.failed": ["ingest", {}],
  "run.cancelled": ["ingest", {}],
  "prompt.rendered": ["ingest", { prompt: "p" }],
  "history.truncated": ["ingest", {}],
  "placeholder.missing": ["ingest", { names: [] }],
  "model.requested": ["ingest", model],
  "model.responded": ["ingest", model],
  "model.failed": ["ingest", model],
  "plan.proposed": ["ingest", { iteration: 1, calls: [] }],
  "plan.validated": ["ingest", { iteration: 1 }],
  "plan.rejected": ["ingest", { iteration: 1 }],
  "plan.simulated": ["ingest", { iteration: 1 }],
  "call.started": ["ingest", call],
  "call.succeeded": ["ingest", call],
  "call.failed": ["ingest", call],
  "call.retried": ["ingest", call],
  "call.progressed": ["ingest", { ...call, progress: 0.5 }],
  "call.skipped": ["ingest", call],
  "call.blocked": ["ingest", call],
  "call.parked": ["ingest", call],
  "call.denied": ["ingest", call],
  "call.superseded": ["ingest", call],
  "call.cancelled": ["ingest", call],
  "state.written": ["ingest", { path: "†state.a", value: 1 }],
  "memory.updated": ["ingest", { delta: [] }],
  "selfcheck.warned": ["ingest", { warnings: [] }],
  "confirmation.requested": ["ingest", asked],
  "confirmation.partially_approved": ["decide", { confirmation_id: "k" }],
  "confirmation.approved": ["decide", { confirmation_id: "k" }],
  "confirmation.denied": ["decide", { confirmation_id: "k" }],
  "stage.entered": ["ingest", { node: "n" }],
  "stage.changed": ["ingest", { from: null, to: "n" }],
  "manager.alerted": ["ingest", { text: "t" }],
  "delegate.started": ["ingest", { delegate: "d" }],
  "delegate.finished": ["ingest", { delegate: "d" }],
  "agent_state.written": ["ingest", { agent_id: "theirs", key: "k", value: 1 }],
  "agent_state.deleted": ["ingest", { agent_id: "theirs", key: "k" }],
  log: ["ingest", { message: "m" }],
};

const state = (agent_id: string): Told => ({ type: "agent_state.written", payload: { agent_id, key: "k", value: 1 } });

/** Names in events that require more than their types. A copy gets its own names, so it may contain a channel's. */
const NAMES: Record<string, { asks: Asks; imported?: Asks; copied?: Asks; told: Told }> = {
  "what a manager says": {
    asks: "decide",
    told: { type: "message.created", payload: { message_id: "m", role: "operator", content: "c" } },
  },
  "somebody of this server as actor": { asks: "decide", told: { type: "log", actor: "operator:anna" } },
  "an actor that is read as somebody of this server": { asks: "decide", told: { type: "log", actor: "Operator:anna" } },
  "a key of this server as actor": { asks: "decide", told: { type: "log", actor: "key:billing" } },
  "a fork": {
    asks: "decide",
    told: { type: "conversation.created", payload: { forked_from: { conversation_id: "c", seq: 1 } } },
  },
  "a conversation of Telegram": {
    asks: "decide",
    copied: "ingest",
    told: { type: "log", conversation_id: "telegram:77" },
  },
  "an event of Telegram": { asks: "decide", copied: "ingest", told: { type: "log", id: "telegram:77:1" } },
  "a message of Telegram": {
    asks: "decide",
    copied: "ingest",
    told: { type: "message.created", payload: { message_id: "telegram:77:2", role: "user", content: "c" } },
  },
  "an event that a stream of AG-UI tells": {
    asks: "nobody",
    imported: "decide",
    copied: "ingest",
    told: { type: "log", id: "ag-ui:thread:run:0" },
  },
  "an event that a span tells": {
    asks: "nobody",
    imported: "decide",
    copied: "ingest",
    told: { type: "log", id: `otlp:${"2".repeat(32)}:${"2".repeat(16)}:call.started` },
  },
  "a message that a stream of AG-UI tells": {
    asks: "nobody",
    imported: "decide",
    copied: "ingest",
    told: { type: "message.created", payload: { message_id: "ag-ui:id:1", role: "user", content: "c" } },
  },
  "the memory of a user": { asks: "person", told: state("memory:bob") },
  "the dialog of another conversation": { asks: "person", told: state("dialog:other") },
  "definitions of Obelus": { asks: "person", told: state("obelus:other") },
  "a type that nobody knows": { asks: "ingest", told: { type: "weather.changed" } },
};

let numbers = 0;
const next = (): number => {
  numbers += 1;
  return numbers;
};

/** An event with default names. */
function made(told: Told): Required<Pick<Told, "id" | "conversation_id">> & Told {
  const id = `${told.id ?? "e"}:${next()}`;
  const conversation_id = told.conversation_id ?? `c${next()}`;
  // An id of another conversation cannot be requested.
  const payload = told.type === "confirmation.requested" ? { ...asked, confirmation_id: id } : (told.payload ?? {});
  return { run_id: `r-${conversation_id}`, ...told, payload, id, conversation_id };
}

/** A native export with one event. */
function exported(told: Told): string {
  const { id, conversation_id, type, payload, actor = null, run_id } = made(told);
  const at = "2026-01-01T00:00:00.000Z";
  const header = { format: "obelus.conversation", version: 1, conversation: { id: conversation_id, last_seq: 1 } };
  const none = { agent_id: null, parent_run_id: null, caused_by: null, occurred_at: null, recorded_at: at };
  const event = { id, conversation_id, seq: 1, type, actor, run_id, payload, ...none };
  return `${JSON.stringify(header)}\n${JSON.stringify(event)}\n`;
}

async function postText(path: string, body: string, type: string, credentials: Credentials): Promise<Reply> {
  const headers = { "content-type": type, ...credentials };
  const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const NDJSON = "application/x-ndjson";
const WAYS: Record<string, (told: Told, credentials: Credentials) => Promise<Reply>> = {
  events: (told, credentials) => server.post("/api/events", made(told), credentials),
  batch: (told, credentials) =>
    postText(
      "/api/events",
      [{ type: "log" }, told].map((one) => JSON.stringify(made(one))).join("\n"),
      NDJSON,
      credentials,
    ),
  import: (told, credentials) => postText("/api/import", exported(told), NDJSON, credentials),
  copy: (told, credentials) => postText("/api/import?as=copy", exported(told), NDJSON, credentials),
};

function isLetIn(asks: Asks, scopes: string): boolean {
  return asks === "ingest" ? scopes.startsWith("ingest") : asks === "decide" && scopes === "ingest+decide";
}

/** The result for each key, as one line: `ingest 403, decide 403, ingest+decide 2xx`. */
async function tried(told: Told, way: keyof typeof WAYS): Promise<string> {
  const answers = [];
  for (const [scopes, credentials] of keys) {
    const { status } = (await WAYS[way]?.(told, credentials)) ?? { status: 0 };
    answers.push(`${scopes} ${status === 200 || status === 201 ? "2xx" : status}`);
  }
  return answers.join(", ");
}

function expected(asks: Asks): string {
  return [...keys.keys()].map((scopes) => `${scopes} ${isLetIn(asks, scopes) ? "2xx" : 403}`).join(", ");
}

describe("Security: what a key may record", () => {
  it.each(Object.keys(WAYS))("each event type by %s", async (way) => {
    const found: Record<string, string> = {};
    const right: Record<string, string> = {};
    for (const [type, [asks, payload]] of Object.entries(TYPES)) {
      found[type] = await tried({ type, payload }, way);
      right[type] = expected(asks);
      // Only this server records actions of its forks, and who of several has approved.
      const isServers = type === "fork.mode_changed" || type === "confirmation.partially_approved";
      if (isServers && ["events", "batch"].includes(way)) right[type] = "ingest 403, decide 403, ingest+decide 409";
    }
    expect(found).toEqual(right);
  });

  it.each(Object.keys(WAYS))("each reserved name by %s", async (way) => {
    const found: Record<string, string> = {};
    const right: Record<string, string> = {};
    for (const [name, { asks, imported = asks, copied = imported, told }] of Object.entries(NAMES)) {
      found[name] = await tried(told, way);
      right[name] = expected(way === "copy" ? copied : way === "import" ? imported : asks);
    }
    expect(found).toEqual(right);
  });

  it("refuses with a sentence about the missing permission, and stores nothing of the batch", async () => {
    const told = [made({ type: "log", conversation_id: "all or nothing" }), made({ type: "conversation.taken_over" })];
    const { body } = await server.post("/api/events", told, key("ingest"));
    expect(body.detail).toBe(
      "The key ingest does not have the scope decide, which conversation.taken_over requires; use a key that has it.",
    );
    expect((await server.get("/api/conversations/all%20or%20nothing", person("viewer"))).status).toBe(404);
  });

  it.each<[string, string, string, unknown, Asks]>([
    [
      "a manager's message",
      "POST",
      "/api/messages",
      { conversation_id: "x", role: "operator", content: "c" },
      "decide",
    ],
    [
      "a chat's message",
      "POST",
      "/api/messages",
      { conversation_id: "telegram:78", role: "user", content: "c" },
      "decide",
    ],
    ["a chat", "POST", "/api/conversations", { id: "telegram:79" }, "decide"],
    ["a chat's turn", "POST", "/api/conversations/telegram:80/messages", { content: "Hi" }, "decide"],
    [
      "a turn by a chat's id",
      "POST",
      "/api/conversations/web/messages",
      { content: "Hi", message_id: "telegram:81:1" },
      "decide",
    ],
    [
      "a turn of a chat's user",
      "POST",
      "/api/conversations/web/messages",
      { content: "Hi", user_id: "telegram:42" },
      "person",
    ],
    ["a conversation of a chat's user", "POST", "/api/conversations", { id: "ub", user_id: "telegram:42" }, "person"],
    ["a conversation of a fork's user", "POST", "/api/conversations", { id: "uf", user_id: "fork:c:bob" }, "person"],
    ["a manager's turn", "POST", "/api/conversations/web/messages", { content: "Hi", role: "operator" }, "person"],
    ["a user's memory", "PUT", "/api/agent-state/memory:bob/memory", {}, "person"],
    ["a user's memory, gone", "DELETE", "/api/agent-state/memory:bob/memory", undefined, "person"],
    ["a dialog's stage", "PUT", "/api/agent-state/dialog:web/stage", "payment", "person"],
    ["a user's memory as a file", "PUT", "/api/memory/bob", {}, "person"],
  ])("%s is not a key's that may only ingest", async (_, method, path, body, asks) => {
    const [ingest, both] = await Promise.all(
      ["ingest", "ingest+decide"].map((scopes) => server.send(method, path, body, key(scopes))),
    );
    expect(ingest?.status).toBe(403);
    expect(both?.status === 403).toBe(asks === "person");
  });

  it("a person's actions have their own name, whatever they send", async () => {
    const act = (type: string, more: object = {}) => {
      const told = made({ type, conversation_id: `named${next()}`, payload: TYPES.log[1] });
      return server.post("/api/events", { ...told, ...more }, person("operator"));
    };
    const others: [string, object][] = [
      ["log", { actor: "operator:admin" }],
      ["log", { actor: "key:ingest" }],
      ["conversation.taken_over", { payload: {}, actor: "operator:admin" }],
      ["conversation.taken_over", { payload: {}, actor: "agent:a" }],
      ["conversation.taken_over", { payload: { by: "operator:admin" } }],
      ["confirmation.approved", { payload: { confirmation_id: "k", decided_by: "operator:admin" } }],
      ["confirmation.denied", { payload: { confirmation_id: "k", decided_by: "system" } }],
    ];
    for (const [type, more] of others) {
      const { status, body } = await act(type, more);
      expect({ type, more, status, detail: body.detail }).toMatchObject({
        status: 403,
        detail: expect.stringMatching(
          /^You are signed in as operator:operator and cannot act as .+; send your own name, or omit it\.$/,
        ),
      });
    }
    const eventsOf = async (id: string) =>
      (await server.get(`/api/conversations/${encodeURIComponent(id)}/events`, person("viewer"))).body.items;
    for (const role of ["operator", "assistant"]) {
      const conversation_id = `telegram:9${next()}`;
      const message = { conversation_id, role, content: "Hello" };
      expect((await server.post("/api/messages", message, person("operator"))).status).toBe(201);
      expect(await eventsOf(conversation_id)).toMatchObject([{ actor: "operator:operator" }]);
    }
    expect((await act("conversation.taken_over", { payload: {}, conversation_id: "mine" })).status).toBe(201);
    expect(await eventsOf("mine")).toMatchObject([{ actor: "operator:operator" }]);
  });

  it("an AG-UI stream cannot answer for a person, and continues", async () => {
    const run = (runId: string, more: object = {}) => ({ type: "RUN_STARTED", threadId: "thread", runId, ...more });
    const interrupt = { id: "i", reason: "confirmation", toolCallId: "call" };
    const stream = [
      run("one"),
      { type: "TOOL_CALL_START", toolCallId: "call", toolCallName: "pay" },
      { type: "TOOL_CALL_END", toolCallId: "call" },
      {
        type: "RUN_FINISHED",
        threadId: "thread",
        runId: "one",
        outcome: { type: "interrupt", interrupts: [interrupt] },
      },
    ];
    const send = (events: object[], scopes: string) =>
      postText("/api/ag-ui", events.map((one) => JSON.stringify(one)).join("\n"), NDJSON, key(scopes));
    expect((await send(stream, "ingest")).status).toBe(201);
    const statuses = async () =>
      (await server.get("/api/confirmations?conversation_id=thread", person("viewer"))).body.items.map(
        ({ status }: { status: string }) => status,
      );
    const input = {
      threadId: "thread",
      runId: "two",
      state: {},
      messages: [],
      tools: [],
      context: [],
      forwardedProps: {},
    };
    const resume = [{ interruptId: "i", status: "resolved", payload: { approved: true } }];
    const answered = [run("two", { input: { ...input, resume } })];
    expect(await send(answered, "ingest")).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await statuses()).toEqual(["requested"]);
    expect((await send([{ ...run("in a chat"), threadId: "telegram:82" }], "ingest")).status).toBe(403);
    for (let times = 0; times < 2; times += 1) expect((await send(answered, "ingest+decide")).status).toBe(201);
    expect(await statuses()).toEqual(["approved"]);
    const { body } = await server.get("/api/audit?action=confirmation.decided&actor=key%3Aboth", person("admin"));
    const decided = body.items.filter(
      ({ after }: { after: Json }) => isJsonObject(after) && after.conversation_id === "thread",
    );
    expect(decided).toMatchObject([{ after: { status: "approved" }, actor: "key:both" }]);
  });

  it("spans that name a chat are mapped to a separate session", async () => {
    const span = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      name: "chat m",
      startTimeUnixNano: "1767225600000000000",
      endTimeUnixNano: "1767225601000000000",
      attributes: Object.entries({
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.conversation.id": " telegram:83",
        "user.id": "telegram:42",
      }).map(([name, stringValue]) => ({ key: name, value: { stringValue } })),
    };
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    expect((await server.post("/v1/traces", spans, key("ingest"))).status).toBe(200);
    await expect
      .poll(async () => (await server.get(`/api/conversations/${span.traceId}`, person("viewer"))).status)
      .toBe(200);
    expect((await server.get("/api/conversations/telegram:83", person("viewer"))).status).toBe(404);
    // Its agents here would use their memory of that user.
    const { body } = await server.get(`/api/conversations/${span.traceId}`, person("viewer"));
    expect(body.user_id).toBeNull();
    // Their ids are derived in a file, too.
    const file = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, traceId: "1".repeat(32) }] }] }] };
    expect((await postText("/api/import", JSON.stringify(file), "application/json", key("ingest"))).status).toBe(201);
  });

  it("a program cannot reuse the id of another conversation's confirmation for a harmless action", async () => {
    const ask = (conversation_id: string, method: string) =>
      server.post(
        "/api/events",
        {
          conversation_id,
          type: "confirmation.requested",
          payload: { confirmation_id: "vic", key: "k", action: { method, params: {} } },
        },
        key("ingest"),
      );
    expect((await ask("victim", "transfer")).status).toBe(201);
    expect(await ask("evil", "read_report")).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await server.get("/api/conversations/evil", person("viewer"))).status).toBe(404);
    expect((await server.get("/api/confirmations?conversation_id=victim", person("viewer"))).body.items).toMatchObject([
      { id: "vic", action: { method: "transfer" } },
    ]);
  });

  it("a program cannot write in a person's fork: running the fork would run it", async () => {
    const call = { _tool: "pay", _id: "pay", amount: 1 };
    const plan = { type: "plan.proposed", payload: { iteration: 1, calls: [call] }, run_id: "source-run" };
    const told = made({ ...plan, conversation_id: "source" });
    expect((await server.post("/api/events", told, key("ingest"))).status).toBe(201);
    const forked = await server.post("/api/conversations/source/fork", { at: 1 }, person("operator"));
    expect(forked.status).toBe(201);
    const { id } = forked.body;
    const evil = { ...plan, payload: { iteration: 9, calls: [{ ...call, amount: 1_000 }] }, run_id: `${id}:run:1` };
    for (const event of [evil, { type: "log" }, { type: "state.written", payload: TYPES["state.written"][1] }])
      expect(
        await server.post(
          "/api/events",
          made({ run_id: evil.run_id, ...event, conversation_id: id }),
          key("ingest+decide"),
        ),
      ).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining("is a fork, which programs cannot write to") },
      });
    const message = { conversation_id: id, role: "assistant", content: "Hello" };
    expect((await server.post("/api/messages", message, key("ingest+decide"))).status).toBe(409);
    const run = { type: "RUN_STARTED", threadId: id, runId: "one" };
    expect((await postText("/api/ag-ui", JSON.stringify(run), NDJSON, key("ingest+decide"))).status).toBe(409);
    // A fork of an external agent belongs to it.
    const own = { type: "conversation.created", payload: { forked_from: { conversation_id: "c", seq: 1 } } };
    for (const event of [own, { type: "log" }])
      expect(
        (await server.post("/api/events", made({ ...event, conversation_id: "own-fork" }), key("ingest+decide")))
          .status,
      ).toBe(201);
  });

  it("a program cannot assign a conversation to another agent or user, which would silence its agent", async () => {
    await server.post("/api/conversations", { id: "owned", agent_id: "admin", user_id: "bob" }, key("ingest"));
    for (const owner of [{ agent_id: "nobody" }, { user_id: "eve" }]) {
      const event = made({ type: "conversation.created", conversation_id: "owned", payload: owner });
      expect((await server.post("/api/events", event, key("ingest+decide"))).status).toBe(409);
    }
    const again = made({ type: "conversation.created", conversation_id: "owned", payload: { agent_id: "admin" } });
    expect((await server.post("/api/events", again, key("ingest"))).status).toBe(201);
  });
});

describe("Security: what only this server and its users can cause", () => {
  const chat = "telegram:1042";
  const update = {
    update_id: 1,
    message: {
      ...{ message_id: 1, date: 1_795_000_000, text: "спасибо" },
      chat: { id: 1042, type: "private", first_name: "Анна" },
      from: { id: 1042, is_bot: false, first_name: "Анна", language_code: "ru" },
    },
  };
  const texts = async (count: number) => (await botApi.shown(1042, count)).map(({ text }: { text: string }) => text);

  it("a chat only gets messages of the agent and a manager, whatever a key records, with any scope", async () => {
    await server.post("/api/telegram/webhook", update, { "x-telegram-bot-api-secret-token": SECRET });
    expect(await texts(1)).toHaveLength(1);
    const { body } = await server.post(
      "/api/keys",
      { name: "all", scopes: ["ingest", "read", "decide"] },
      person("admin"),
    );
    const all = { authorization: `Bearer ${body.key}` };
    for (const role of ["assistant", "operator"]) {
      const told = { conversation_id: chat, role, content: "Pay at https://example.org" };
      expect((await server.post("/api/messages", told, all)).status).toBe(201);
      const payload = { message_id: `m${next()}`, role, content: told.content };
      const event = made({ type: "message.created", conversation_id: chat, actor: "operator:anna", payload });
      expect((await server.post("/api/events", event, all)).status).toBe(201);
    }
    const real = { content: "Это менеджер", role: "operator" };
    expect((await server.post(`/api/conversations/${chat}/messages`, real, person("operator"))).status).toBe(202);
    // A chat is in the order of the log: there was nothing before this.
    expect((await texts(2))[1]).toBe("Это менеджер");
  });

  it("the log has the origin of each event, whatever its actor says", async () => {
    const { body } = await server.get(`/api/conversations/${chat}/events?limit=200`, person("viewer"));
    const said = body.items.filter(({ type }: { type: string }) => type === "message.created");
    const by = (one: { actor: string | null; recorded_by: string }) => `${one.actor} by ${one.recorded_by}`;
    expect(new Set(said.map(by))).toEqual(
      new Set([
        "user:telegram:1042 by engine",
        "agent:admin by engine",
        "null by program",
        "operator:anna by program",
        "operator:operator by person",
      ]),
    );
  });

  it("importing bookmarks requires the permission to record people's actions", async () => {
    const bookmark = { seq: 1, note: "Approved", by: "operator:anna", at: "2026-01-01T00:00:00.000Z", set_seq: 1 };
    const file = `${exported({ type: "log" })
      .replace('"version":1', '"version":2')
      .replace('"last_seq":1', '"last_seq":1,"bookmarks":1')}${JSON.stringify({ bookmark })}\n`;
    const statuses = ["ingest", "ingest+decide"].map(
      async (scopes) => (await postText("/api/import", file, NDJSON, key(scopes))).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 201]);
  });

  it("importing scores in somebody's name requires it, too", async () => {
    const score = {
      seq: 1,
      run_id: null,
      call_id: null,
      name: "rating",
      value: 1,
      comment: null,
      at: "2026-01-01T00:00:00.000Z",
    };
    const statuses = [
      { source: "program", by: "key:billing" },
      { source: "evaluator", by: "operator:anna" },
      { source: "person", by: "anna" },
      { source: "program", by: "their-judge" },
    ].map(async (given) => {
      const file = `${exported({ type: "log" })
        .replace('"version":1', '"version":3')
        .replace(
          '"last_seq":1',
          '"last_seq":1,"bookmarks":0,"scores":1',
        )}${JSON.stringify({ score: { ...score, ...given } })}\n`;
      return Promise.all(
        ["ingest", "ingest+decide"].map(
          async (scopes) => (await postText("/api/import?as=copy", file, NDJSON, key(scopes))).status,
        ),
      );
    });
    expect(await Promise.all(statuses)).toEqual([
      [403, 201],
      [403, 201],
      [403, 201],
      [201, 201],
    ]);
  });

  it("an operator can import what a key may not: an export with a user's memory", async () => {
    const file = exported({
      type: "agent_state.written",
      payload: { agent_id: "memory:dave", key: "memory", value: {} },
    });
    expect((await postText("/api/import", file, NDJSON, key("ingest+decide"))).body.detail).toBe(
      "API keys cannot record agent_state.written of memory:dave; sign in to do this.",
    );
    expect((await postText("/api/import", file, NDJSON, person("operator"))).status).toBe(201);
    expect((await server.get("/api/agent-state/memory:dave/memory", person("viewer"))).status).toBe(200);
    expect((await server.get("/api/agent-state/memory:bob/k", person("viewer"))).status).toBe(404);
  });
});
