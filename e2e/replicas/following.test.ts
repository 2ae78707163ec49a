import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LOCKS } from "../../db/postgres/locks.ts";
import { type EventReader, readEvents } from "../api/setup/event-source.ts";
import { type HeldModel, startHeldModel } from "../api/setup/held-model.ts";
import { cookieOf } from "../api/setup/people.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { addPeople } from "./people.ts";

let model: HeldModel;
let agentsDir: string;
let cluster: Cluster;
/** A key for everything that programs may do. */
let key: Record<string, string>;
/** The sign-in of an administrator, at the first replica. */
let cookie = "";
const open: EventReader[] = [];

beforeAll(async () => {
  model = await startHeldModel();
  agentsDir = await mkdtemp(join(tmpdir(), "obelus-agents-"));
  const agent = { instructions: "Work.", mode: "full", default: true, tools: [] };
  await writeFile(join(agentsDir, "worker.json"), JSON.stringify(agent));
  cluster = await startCluster(3, {
    ...{ OBELUS_AUTH: "1", OBELUS_AGENTS_DIR: agentsDir },
    ...{ OBELUS_MODEL: "held", OBELUS_MODEL_BASE_URL: model.baseUrl },
  });
  [key = {}] = await addPeople(cluster, ["all"]);
  cookie = (await cookieOf(at(0), "admin")).cookie ?? "";
}, 180_000);
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});
afterAll(async () => {
  await cluster.stop();
  await model.close();
  await rm(agentsDir, { recursive: true });
}, 60_000);

function at(index: number): string {
  const address = cluster.replicas[index]?.address;
  if (!address) throw new Error(`The replica ${index} does not run`);
  return address;
}

// biome-ignore lint/suspicious/noExplicitAny: what was answered, looked at field by field.
type Answer = { status: number; body: any };

async function call(
  replica: number,
  method: string,
  path: string,
  value?: unknown,
  headers: Record<string, string> = key,
): Promise<Answer> {
  const response = await fetch(`${at(replica)}${path}`, {
    method,
    headers: { ...headers, ...(value !== undefined && { "content-type": "application/json" }) },
    ...(value !== undefined && { body: JSON.stringify(value) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** A request of the administrator. */
function manage(replica: number, method: string, path: string, value?: unknown): Promise<Answer> {
  return call(replica, method, path, value, { cookie, origin: at(replica) });
}

async function follow(replica: number, path: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(at(replica), path, { ...key, ...headers });
  open.push(reader);
  return reader;
}

const note = (conversation: string, n: number) => ({
  ...{ id: `${conversation}-${n}`, conversation_id: conversation, type: "log", payload: { n } },
});

describe("Streams of three replicas", () => {
  test("what is posted at any replica is read at all, in one order, by those who follow and those who ask", async () => {
    await call(0, "POST", "/api/events", [note("spread", 0)]);
    const readers = await Promise.all(
      [0, 1, 2].map((replica) => follow(replica, "/api/stream?conversation_id=spread&after=0")),
    );
    const posts = Array.from({ length: 59 }, (_, n) => call(n % 3, "POST", "/api/events", [note("spread", n + 1)]));
    for (const { status } of await Promise.all(posts)) expect(status).toBe(201);
    const [first, ...others] = await Promise.all(
      readers.map(async (reader) => (await reader.take(60)).map(({ id }) => id)),
    );
    expect(first).toEqual([...(first ?? [])].sort((a, b) => a - b));
    expect(others).toEqual([first, first]);
    for (const replica of [0, 1, 2]) {
      const { body } = await call(replica, "GET", "/api/conversations/spread");
      expect(body).toMatchObject({ event_count: 60 });
    }
  });

  test("a stream that was cut is resumed at any other replica, without a gap and without a repetition", async () => {
    const post = (replica: number, n: number) => call(replica, "POST", "/api/events", [note("resumed", n)]);
    for (let n = 0; n < 5; n += 1) await post(n % 3, n);
    let last = 0;
    const seen: number[] = [];
    for (let n = 5; n < 11; n += 1) {
      const resumed: Record<string, string> = last > 0 ? { "last-event-id": String(last) } : {};
      const reader = await follow(n % 3, "/api/stream?conversation_id=resumed&after=0", resumed);
      await post((n + 1) % 3, n);
      await reader.find(({ data }) => data.payload.n === n);
      seen.push(...reader.received.map(({ data }) => data.payload.n));
      last = reader.received.at(-1)?.id ?? 0;
      reader.close();
    }
    expect(seen).toEqual(Array.from({ length: 11 }, (_, n) => n));
  });

  test("a draft of an answer is seen at every replica while it grows, also by those who come later, and then its message", async () => {
    const { text, upTo, finish } = model.answer("weather", "It is mild – «тепло» – and bright all day long.");
    expect((await call(0, "POST", "/api/conversations", { id: "talk", user_id: "anna" })).status).toBe(201);
    const path = "/api/stream?conversation_id=talk&drafts=true&after=0";
    const readers = [await follow(0, path), await follow(1, path), await follow(2, path)];
    const { body } = await call(1, "POST", "/api/conversations/talk/messages", { content: "What is the weather?" });
    const draftIn = ({ received }: EventReader) =>
      received
        .filter(({ type, data }) => type === "message.draft" && data.run_id === body.run_id)
        .reduce((drafted, { data }) => drafted.slice(0, data.offset) + data.text, "");
    const shows = (words: string) =>
      expect.poll(() => readers.map((reader) => draftIn(reader).endsWith(words))).toEqual(readers.map(() => true));
    upTo("It is mild");
    await shows("It is mild");
    readers.push(await follow(0, path), await follow(1, path), await follow(2, path));
    upTo("«тепло»");
    await shows("«тепло»");
    finish();
    for (const reader of readers) {
      const isAnswer = (event: { type: string; data: { payload?: { role?: string } } }) =>
        event.type === "message.created" && event.data.payload?.role === "assistant";
      const answer = await reader.find(isAnswer);
      expect(answer.data.payload.content).toBe(text);
      const after = reader.received.slice(reader.received.indexOf(answer) + 1);
      expect(after.filter(({ type }) => type === "message.draft")).toEqual([]);
    }
  });
});

describe("What holds at all replicas", () => {
  const others = [1, 2];

  test("an agent, a tool and a delegate that were stored at one", async () => {
    const agent = { instructions: "Answer as Vera.", mode: "full", tools: [] };
    expect((await manage(0, "PUT", "/api/agents/vera", agent)).status).toBe(201);
    const tool = { name: "weigh", description: "Weighs.", schema: { type: "object" } };
    expect((await manage(0, "POST", "/api/tools", tool)).status).toBe(201);
    const delegate = { name: "scout", description: "Looks around.", context: [{ role: "system", content: "Look." }] };
    const stored = await manage(0, "POST", "/api/delegates", delegate);
    expect([stored.status, stored.body.detail]).toEqual([201, undefined]);
    for (const replica of others) {
      await expect
        .poll(async () => (await manage(replica, "GET", "/api/agents/vera")).body.instructions)
        .toBe(agent.instructions);
      const names = async (path: string) =>
        (await manage(replica, "GET", path)).body.items.map(({ name }: { name: string }) => name);
      await expect.poll(() => names("/api/tools")).toContain("weigh");
      await expect.poll(() => names("/api/delegates")).toContain("scout");
    }
  });

  test("Security: a sign-in, and its end", async () => {
    const { cookie: signIn = "" } = await cookieOf(at(0), "admin");
    const status = async (replica: number) =>
      (await call(replica, "GET", "/api/conversations", undefined, { cookie: signIn })).status;
    for (const replica of others) expect(await status(replica)).toBe(200);
    const stream = await readEvents(at(1), "/api/stream", { cookie: signIn });
    const answer = await fetch(`${at(2)}/api/sign-out`, { method: "POST", headers: { cookie: signIn, origin: at(2) } });
    expect(answer.status).toBe(204);
    await stream.ended;
    for (const replica of [0, 1, 2]) expect(await status(replica)).toBe(401);
  });

  test("D11: a manager takes a conversation over at one, its turn that another carries on ends, and the agent is silent at all", async () => {
    const { finish } = model.answer("parcel", "It is on its way.");
    await call(0, "POST", "/api/conversations", { id: "taken", user_id: "boris" });
    const follower = await follow(2, "/api/stream?conversation_id=taken&after=0");
    const { body: turn } = await call(0, "POST", "/api/conversations/taken/messages", {
      content: "Where is my parcel?",
    });
    await follower.find(({ type, data }) => type === "model.requested" && data.run_id === turn.run_id);
    expect((await manage(1, "POST", "/api/conversations/taken/takeover")).status).toBe(200);
    await follower.find(({ type, data }) => type === "run.cancelled" && data.run_id === turn.run_id);
    finish();
    for (const replica of [2, 0]) {
      const said = await call(replica, "POST", "/api/conversations/taken/messages", { content: "Are you there?" });
      expect(said.body.run_id).toBeNull();
    }
    const { body: messages } = await call(0, "GET", "/api/conversations/taken/messages");
    expect(messages.items.map(({ role }: { role: string }) => role)).not.toContain("assistant");
  });

  test("Security: wrong passwords count, wherever they were tried", async () => {
    const tryAt = async (replica: number) => {
      const answer = await fetch(`${at(replica)}/api/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: at(replica) },
        body: JSON.stringify({ name: "guessed", password: "wrong" }),
      });
      return answer.status;
    };
    const triesAt = async (replica: number) => {
      let tries = 1;
      while (tries < 10 && (await tryAt(replica)) !== 429) tries += 1;
      return tries;
    };
    // The sixth has to wait. At the others, one or two may pass before the notice comes.
    expect(await triesAt(0)).toBe(6);
    for (const replica of others) expect(await triesAt(replica)).toBeLessThan(4);
  });

  test("an erasure, wherever it was requested, and each only once", async () => {
    for (const replica of [0, 1, 2]) {
      const conversation_id = `erased-${replica}`;
      await call(replica, "POST", "/api/events", [{ ...note(conversation_id, 1), payload: { secret: "?" } }]);
      const asked = await manage(replica, "POST", "/api/erasures", { kind: "conversation", id: conversation_id });
      expect(asked.status).toBe(202);
      const at = (replica + 1) % 3;
      await expect
        .poll(async () => (await manage(at, "GET", `/api/erasures/${asked.body.id}`)).body.phase)
        .toBe("finished");
      const { body: left } = await call(at, "GET", `/api/conversations/${conversation_id}/events`);
      expect(left.items[0].payload).not.toHaveProperty("secret");
      // It is recorded after the erasure's end.
      const audit = `/api/audit?action=erasure.finished&target=erasure:${asked.body.id}`;
      await expect.poll(async () => (await manage(at, "GET", audit)).body.items).toHaveLength(1);
    }
  });

  test("what one does for all, by another one when it is frozen, even within a transaction", async () => {
    const isErased = async (id: string) => (await manage(1, "GET", `/api/erasures/${id}`)).body.phase;
    const erase = async (conversation: string) =>
      (await manage(1, "POST", "/api/erasures", { kind: "conversation", id: conversation })).body.id;
    // The leader is made to wait for the rollup's lock, and gets it when it is frozen.
    const free = await cluster.holdLock(LOCKS.rollup);
    await call(1, "POST", "/api/events", [note("frozen-1", 1), note("frozen-2", 1)]);
    const waiting = () =>
      cluster.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", [LOCKS.rollup]);
    await expect.poll(waiting).toHaveLength(1);
    // The first one that was started is the leader.
    const [first] = cluster.replicas;
    first?.signal("SIGSTOP");
    await free();
    try {
      const id = await erase("frozen-1");
      await expect.poll(() => isErased(id), { timeout: 30_000 }).toBe("finished");
    } finally {
      first?.signal("SIGCONT");
    }
    const id = await erase("frozen-2");
    await expect.poll(() => isErased(id)).toBe("finished");
    await expect.poll(async () => (await call(0, "GET", "/api/ready")).status).toBe(200);
  });

  test("while Postgres cannot be reached, requests are told to come again, and then are answered", async () => {
    const [first] = cluster.replicas;
    const sees = async (headers: Record<string, string>) =>
      (await call(0, "GET", "/api/conversations", undefined, headers)).status;
    first?.way.cut("reset");
    await expect.poll(() => sees(key)).toBe(503);
    expect(await sees({ cookie })).toBe(503);
    first?.way.heal();
    await expect.poll(() => sees({ cookie })).toBe(200);
  });

  test("each says that it is ready, and names itself in its metrics", async () => {
    const names = await Promise.all(
      [0, 1, 2].map(async (replica) => {
        expect((await call(replica, "GET", "/api/ready")).body).toEqual({ status: "ready" });
        const metrics = await (await fetch(`${at(replica)}/api/metrics`, { headers: key })).text();
        return /^obelus_runs_open\{replica="([^"]+)"\}/m.exec(metrics)?.[1];
      }),
    );
    expect(new Set(names).size).toBe(3);
    expect(names).not.toContain(undefined);
  });
});

describe("What is paid for, when replicas are killed", () => {
  const said = (conversation: string, run: string, words: string) =>
    [
      ...[{ type: "run.started", payload: {} }],
      { type: "message.created", payload: { message_id: `${run}-q`, role: "user", content: words } },
      { type: "message.created", payload: { message_id: `${run}-a`, role: "assistant", content: "Here." } },
      { type: "run.finished", payload: {} },
    ].map((event, n) => ({ ...event, id: `${run}-${n}`, conversation_id: conversation, run_id: run }));

  test("a run of a suite ends as interrupted, keeps its tries, and no other replica makes the rest", async () => {
    model.answer("BOX-7", "Here.").finish();
    const held = model.answer("BOX-8", "Here.");
    for (const box of ["BOX-7", "BOX-8"]) {
      expect((await call(0, "POST", "/api/events", said(box, `r-${box}`, `Where is ${box}?`))).status).toBe(201);
      expect((await manage(0, "POST", "/api/suites/boxes/cases", { conversation_id: box })).status).toBe(201);
    }
    const { body: run } = await manage(0, "POST", "/api/suites/boxes/runs", { agent_id: "worker" });
    const told = async () => (await manage(1, "GET", `/api/suites/boxes/runs/${run.id}`)).body;
    await expect.poll(async () => [(await told()).run.done, model.asked("BOX-8")]).toEqual([1, 1]);
    await cluster.replicas[0]?.end("SIGKILL");
    await expect.poll(async () => (await told()).run.status, { timeout: 60_000 }).toBe("interrupted");
    expect(await told()).toMatchObject({ run: { done: 1, total: 2 }, report: { counts: { passed: 1, failed: 0 } } });
    expect([model.asked("BOX-7"), model.asked("BOX-8")]).toEqual([1, 1]);
    held.finish();
    const { body: again } = await manage(1, "POST", "/api/suites/boxes/runs", { agent_id: "worker" });
    const status = async () => (await manage(2, "GET", `/api/suites/boxes/runs/${again.id}`)).body.run.status;
    await expect.poll(status, { timeout: 30_000 }).toBe("finished");
    await cluster.replicas[0]?.start();
  });

  test("a turn that was being judged is judged by whoever comes back, and none that was judged before", async () => {
    const held = model.answer("JUDGE-ME", JSON.stringify({ reason: "It says where.", value: true }));
    const judge = { score: "helpful", prompt: "JUDGE-ME {{answer}}", scale: { kind: "boolean" } };
    expect((await manage(0, "PUT", "/api/judges/critic", judge)).status).toBe(201);
    const turn = async (replica: number, name: string) =>
      expect((await call(replica, "POST", "/api/events", said(name, name, "Where?"))).status).toBe(201);
    const scores = async (replica: number, name: string) =>
      (await call(replica, "GET", `/api/conversations/${name}/scores`)).body.items;
    held.finish();
    await turn(0, "judged-1");
    await expect
      .poll(() => scores(2, "judged-1"), { timeout: 30_000 })
      .toMatchObject([{ name: "helpful", value: true }]);
    held.hold();
    await turn(1, "judged-2");
    await expect.poll(() => model.asked("JUDGE-ME"), { timeout: 30_000 }).toBe(2);
    await Promise.all(cluster.replicas.map((replica) => replica.end("SIGKILL")));
    // A turn that ends before somebody judges again is not lost, either.
    await cluster.replicas[2]?.start();
    await turn(2, "judged-3");
    held.finish();
    for (const name of ["judged-2", "judged-3"])
      await expect.poll(() => scores(2, name), { timeout: 60_000 }).toMatchObject([{ name: "helpful", value: true }]);
    expect(model.asked("JUDGE-ME")).toBe(4);
  });
});
