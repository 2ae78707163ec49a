import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallerName, OPERATIONS, PAGES } from "../api/setup/matrix.ts";
import { addPeople, type Credentials, cookieOf } from "../api/setup/people.ts";
import { logEvent, withServer } from "../api/setup/server.ts";
import { ALIKE, HEADERS, REFUSED } from "./addresses.ts";

const MANY = "1000000";
let callers: Map<CallerName, Credentials>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_RATE_LIMIT_STRANGERS: MANY },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);

/** Every page and operation, by its first mark: the response without authentication. */
const ROWS = Object.entries({ ...PAGES, ...OPERATIONS }).map(([row, marks]) => {
  const [method = "GET", address = row] = row.startsWith("/") ? ["GET", row] : row.split(" ");
  const path = address.replaceAll(/[{[]\w+[}\]]/g, "1");
  return { method, path, isPublic: marks.startsWith("+") };
});

type Header = readonly [string, string];

/** An object with this many unknown fields. */
const unknownFields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1])));

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => {
  agent.destroy();
});

/** Sends a request target unchanged, which `fetch` would not; returns the status. */
function send(method: string, target: string, headers: readonly Header[] = []): Promise<number | null> {
  const body = method === "POST" || method === "PUT" ? "{}" : "";
  const about: Header[] = [
    ["content-type", "application/json"],
    ["content-length", String(body.length)],
  ];
  const all: Header[] = [["host", "localhost"], ...(body === "" ? [] : about), ...headers];
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, method, path: target, agent, headers: all.flat() }, (answer) => {
      answer
        .resume()
        .on("end", () => resolve(answer.statusCode ?? null))
        .on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}

interface Attack {
  method: string;
  target: string;
  headers?: readonly Header[];
}

/** Those with a response that `isRight` rejects, with the response. */
async function wrong(attacks: readonly Attack[], isRight: (status: number) => boolean): Promise<string[]> {
  const found: string[] = [];
  const queue = [...attacks];
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const status = await send(next.method, next.target, next.headers);
      if (status === null || !isRight(status))
        found.push(`${status} to ${next.method} ${next.target} ${JSON.stringify(next.headers ?? [])}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return found.slice(0, 10);
}

/** Neither content nor an internal error. */
const isRefusal = (status: number) => status >= 300 && status < 500;

describe("Security: an unauthenticated client gets nothing, however a path is written", () => {
  it("refuses ambiguous paths, before anything else", async () => {
    const attacks = ROWS.flatMap(({ method, path }) =>
      [...new Set(REFUSED.map((write) => write(path)))]
        // Some of the first page's are plain.
        .filter((target) => path !== "/" || !REFUSED.some(() => target === "/" || target === "//x"))
        .map((target) => ({ method, target })),
    );
    expect(await wrong(attacks, (status) => status === 400)).toEqual([]);
  });

  it("shows nothing that is not public, with other spellings of paths", async () => {
    const attacks = ROWS.flatMap(({ method, path, isPublic }) =>
      isPublic ? [] : [...new Set(ALIKE.map((write) => write(path)))].map((target) => ({ method, target })),
    ).filter(({ target }) => target.startsWith("/") && !target.startsWith("//"));
    expect(await wrong(attacks, isRefusal)).toEqual([]);
  });

  it("ignores headers about the caller or the page", async () => {
    // All operations share a function: two of them suffice.
    const tried = ROWS.filter(({ path, isPublic }) => !isPublic && (!path.startsWith("/api/") || /users$/.test(path)));
    const attacks = tried.flatMap(({ method, path }) => HEADERS.map((headers) => ({ method, target: path, headers })));
    expect(await wrong(attacks, isRefusal)).toEqual([]);
  });

  it("shows nothing else on the sign-in page", async () => {
    await server.post("/api/events", logEvent("not-for-strangers", 1), callers.get("ingest"));
    const own = await server.get("/", callers.get("read"));
    expect(own.body).toContain("not-for-strangers");
    for (const headers of HEADERS) {
      const sent = Object.fromEntries(headers.filter(([name]) => name !== "connection"));
      const { status, body } = await server.get("/sign-in", sent);
      expect([headers, status, String(body).includes("not-for-strangers")]).toEqual([headers, 200, false]);
    }
  });

  it("limits bodies without authentication to what a sign-in needs", async () => {
    const large = await server.postRaw("/api/sign-in", unknownFields(400_000), "application/json");
    expect([large.status, large.body.code]).toEqual([413, "too_large"]);
    expect(large.body.detail).toContain("16 kB");
    const { status, body } = await server.postRaw("/api/sign-in", unknownFields(1_000), "application/json");
    expect([status, body.errors.length]).toEqual([400, 20]);
    expect(body.detail).toContain("one of more than 20 errors");
  });

  it("accepts only reads of pages, and no server actions", async () => {
    const actions = Object.keys(PAGES).flatMap((path) =>
      ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({
        ...{ method, target: path.replaceAll(/\[\w+\]/g, "1") },
        headers: [["next-action", "0".repeat(42)]] as Header[],
      })),
    );
    expect(await wrong(actions, (status) => status === 405)).toEqual([]);
  });
});

describe("Security: valid paths are still found", () => {
  let operator: Credentials;
  beforeAll(async () => {
    operator = await cookieOf(server.url, "operator");
  });
  const tell = async (id: string) =>
    expect((await server.post("/api/events", logEvent(id, 1), operator)).status).toBe(201);
  const get = (path: string) => server.get(path, operator);

  it.each(["telegram:42", "a/b", "a\\b", "a b", "дом", "a%2fb", "100%", "what?#", "...", "a..b", ";x", "💥", "[id]"])(
    "a conversation named %s",
    async (id) => {
      await tell(id);
      const address = encodeURIComponent(id);
      expect((await get(`/api/conversations/${address}`)).body).toMatchObject({ id });
      expect((await get(`/conversations/${address}`)).status).toBe(200);
    },
  );

  it("with any characters encoded, and on a page below it", async () => {
    await tell("telegram:42");
    for (const address of ["telegram:42", "telegram%3A42", "telegram%3a42", "%74elegram:42"]) {
      expect((await get(`/api/conversations/${address}`)).body).toMatchObject({ id: "telegram:42" });
      expect((await get(`/conversations/${address}/transcript`)).status).toBe(200);
    }
  });
});
