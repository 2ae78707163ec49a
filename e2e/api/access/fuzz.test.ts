import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../../lib/api/operation.ts";
import { operations } from "../../../lib/api/operations.ts";
import { collectedHeapMb, INSPECTED } from "../setup/collected-heap.ts";
import { addressOf, chanceOf, madeFrom, malformed, oddHeaders, oddPath, schemaOf } from "../setup/fuzzing.ts";
import { CALLERS, type CallerName } from "../setup/matrix.ts";
import { addPeople, type Credentials, digestsOf, signIn } from "../setup/people.ts";
import { type RawAnswer, rawSend, wireOf } from "../setup/raw-http.ts";
import { logEvent, withServer } from "../setup/server.ts";

/** The default seed; FUZZ_SEED sets another one. */
const SEED = Number(process.env.FUZZ_SEED ?? 9);
const REQUESTS = 3_000;
const BATCH = 50;
const AT_ONCE = 10;
/** Until then caches fill. */
const WARM = REQUESTS / 2;
/** Accepted requests create agents, delegates and tools: with 35,000 requests the heap grew by 8 MB. */
const MOST_GROWN_MB = 20;

const MANY = "1000000";
let callers: Map<CallerName, Credentials>;
const server = withServer(
  {
    ...INSPECTED,
    OBELUS_AUTH: "1",
    OBELUS_RATE_LIMIT: MANY,
    OBELUS_RATE_LIMIT_STRANGERS: MANY,
    OBELUS_LOG_LEVEL: "warn",
  },
  {
    logs: true,
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);

const chance = chanceOf(SEED);

/**
 * Operations that continue after the response, or write when they refuse, so that effects of refused requests cannot be
 * detected.
 */
const LASTING =
  /^POST \/(v1|api\/(otlp|ag-ui|import|plans\/run|erasures|telegram|sign-in|sign-out|runs|conversations\/\{id\}\/(messages|fork)))|password|retention/;
/** Operations that would end the sign-ins and keys of the other requests. */
const ENDING = /sign-out|^(PUT|DELETE|POST) \/api\/(users|keys)|\/me\/password/;
const MAY_CHANGE: readonly CallerName[] = ["operator", "admin", "ingest", "decide"];

interface Fuzzed {
  caller: CallerName;
  /** It has no effects if accepted; exports are audited. */
  isReading: boolean;
  bytes: Uint8Array;
  /** The server may close the connection without a response. */
  isMalformed: boolean;
  /** It may be incomplete, so that it ends with its connection. */
  isBroken: boolean;
  lasts: boolean;
  /** A refused sign-in is audited. */
  isNoted: boolean;
}

function bodyOf({ body }: Operation): { type: string; bytes: Uint8Array } {
  const [type = "application/json", schema] = chance.of(Object.entries(body.content) as [[string, null]]) ?? [];
  switch (chance.below(10)) {
    case 0:
      return { type, bytes: chance.bytes(chance.below(300)) };
    case 1:
      return {
        type: chance.of(["text/plain", "", "application/json; charset=utf-16", "multipart/form-data", "x/\u00ff"]),
        bytes: Buffer.from("{}"),
      };
    case 2:
      return { type, bytes: Buffer.from(`${"[".repeat(chance.below(300))}${"]".repeat(chance.below(300))}`) };
    case 3: {
      const text = JSON.stringify(madeFrom(schemaOf(schema), chance)) ?? "";
      return { type, bytes: Buffer.from(text.slice(0, chance.below(text.length + 1))) };
    }
    default:
      return { type, bytes: Buffer.from(JSON.stringify(madeFrom(schemaOf(schema), chance)) ?? "null") };
  }
}

/** There is at least one operation. */
const KNOWN = operations.filter(({ method, path }) => !ENDING.test(`${method} ${path}`)) as [Operation, ...Operation[]];

function fuzzed(caller: CallerName): Fuzzed {
  if (chance.one(20))
    return {
      caller,
      isReading: true,
      bytes: malformed(chance),
      isMalformed: true,
      isBroken: true,
      lasts: false,
      isNoted: false,
    };
  const operation = chance.of(KNOWN);
  const isOdd = chance.one(10);
  const method = chance.one(15)
    ? chance.of(["GET", "HEAD", "PATCH", "OPTIONS", "DELETE", "PUT", "POST"])
    : operation.method;
  const path = isOdd ? oddPath(chance) : addressOf(operation, chance);
  const { type, bytes } =
    method === "GET" || method === "HEAD" ? { type: "", bytes: Buffer.alloc(0) } : bodyOf(operation);
  const headers: [string, string][] = [
    ["host", "localhost"],
    ["connection", "close"],
    ...Object.entries(callers.get(caller) ?? {}),
    ...(type === "" ? [] : ([["content-type", type]] as [string, string][])),
    ...(bytes.length === 0 ? [] : ([["content-length", String(bytes.length)]] as [string, string][])),
    ...(chance.one(3) ? oddHeaders(chance) : []),
  ];
  const lasts = LASTING.test(`${operation.method} ${operation.path}`) || LASTING.test(`${method} ${path}`);
  // A path may have characters that a request line cannot.
  const isMalformed =
    /[^\x21-\x7e]/.test(path) || headers.some((header) => header.some((text) => /[^\x20-\x7e]/.test(text)));
  const isReading = ["GET", "HEAD", "OPTIONS"].includes(method) && !path.includes("export");
  return {
    caller,
    isReading,
    bytes: wireOf({ method, path, headers }, bytes),
    isMalformed,
    isBroken: false,
    lasts,
    isNoted: path.includes("sign-in"),
  };
}

/** Sends a batch, some concurrently; returns the responses. */
async function send(batch: readonly Fuzzed[]): Promise<RawAnswer[]> {
  const port = Number(new URL(server.url).port);
  const answers: RawAnswer[] = [];
  const queue = [...batch.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      answers[next[0]] = await rawSend(port, next[1].bytes, !next[1].isBroken);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

const shown = ({ caller, bytes }: Fuzzed) => `${caller}: ${Buffer.from(bytes).toString("latin1").slice(0, 1_500)}`;

beforeAll(async () => {
  await signIn(server.url, callers);
  const { authorization = "" } = callers.get("ingest") ?? {};
  for (const id of ["c-1", "c-2"])
    await server.post("/api/events", [logEvent(id, 1), logEvent(id, 2)], { authorization });
});

describe(`Security: ${REQUESTS} requests that nobody should send (FUZZ_SEED=${SEED})`, () => {
  it("break nothing, change nothing if refused, and leak no memory", { timeout: 300_000 }, async () => {
    const pid = server.pid;
    const wrong: string[] = [];
    const counts: Record<string, number> = {};
    let warm = 0;
    let compared = 0;
    let digests = await digestsOf(server.dataDir);
    for (let sent = 0; sent < REQUESTS; sent += BATCH) {
      const caller = CALLERS[(sent / BATCH) % CALLERS.length] ?? "nobody";
      const mayLast = MAY_CHANGE.includes(caller) && sent >= REQUESTS / 2;
      const batch: Fuzzed[] = [];
      while (batch.length < BATCH) {
        const one = fuzzed(caller);
        if (one.isNoted && sent < REQUESTS / 2) continue;
        if (mayLast || !one.lasts || !MAY_CHANGE.includes(caller)) batch.push(one);
      }
      const answers = await send(batch);
      for (const [index, { status }] of answers.entries()) {
        const one = batch[index];
        if (!one) continue;
        counts[String(status)] = (counts[String(status)] ?? 0) + 1;
        if (status === null ? !one.isMalformed : status >= 500) wrong.push(`${status} to ${shown(one)}`);
      }
      const refused = batch.every(({ isReading }, index) => isReading || (answers[index]?.status ?? 400) >= 400);
      if (sent < REQUESTS / 2) {
        const after = await digestsOf(server.dataDir);
        if (refused) {
          compared += 1;
          if (JSON.stringify(after) !== JSON.stringify(digests))
            wrong.push(
              `A refused request of ${caller} changed ${JSON.stringify([digests, after])}: ${batch.map(shown).join("\n---\n").slice(0, 20_000)}`,
            );
        }
        digests = after;
      }
      if (sent === WARM) warm = await collectedHeapMb(await server.log());
      if (wrong.length > 0) break;
    }
    const grown = (await collectedHeapMb(await server.log())) - warm;
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(compared).toBeGreaterThan(8);
    expect(Object.keys(counts).length).toBeGreaterThan(8);
    expect(grown).toBeLessThan(MOST_GROWN_MB);
    expect(server.pid).toBe(pid);
    expect((await server.get("/api/health")).status).toBe(200);
    expect((await server.log()).split("\n").filter((line) => line.includes("Request failed"))).toEqual([]);
  });
});
