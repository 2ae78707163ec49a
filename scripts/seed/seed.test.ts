import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventProblems } from "../../lib/intake/new-event.ts";
import { folded } from "../../lib/intake/testing/stored.ts";
import { buildGraph } from "../../lib/plan/graph.ts";
import { statusOf } from "../../lib/session/summary/summary.ts";
import { Refusal } from "../commands/call-server.ts";
import { readArguments } from "./arguments.ts";
import { KINDS } from "./kinds.ts";
import type { SeedEvent } from "./seeding.ts";

const NOW = Date.parse("2026-11-21T15:12:20.000Z");
const SIZE = 300;
const script = fileURLToPath(new URL("../commands/seed.ts", import.meta.url));

function made(name: string, seed = 1): SeedEvent[] {
  const kind = KINDS[name];
  if (!kind) throw new Error(`There is no kind ${name}`);
  return [...kind.make({ seed, size: SIZE, now: NOW }).events];
}

/** As stored by the log. */
function events(name: string, seed?: number) {
  return made(name, seed).map((event) => ({ ...event, payload: json.parse(event.payload) }));
}

const json = z.json();

describe("seeded data", () => {
  it.each(Object.keys(KINDS))("E2: %s holds only what the catalogue knows, under ids that stand once", (name) => {
    const told = events(name);
    expect(told.flatMap(eventProblems)).toEqual([]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  });

  it.each(Object.keys(KINDS))(
    "%s is the same for the same seed, another one for another, and lies in the past",
    (name) => {
      const told = made(name);
      expect(made(name)).toEqual(told);
      expect(made(name, 2).filter(({ id }) => told.some((known) => known.id === id))).toEqual([]);
      expect(told.filter(({ occurred_at }) => Date.parse(occurred_at ?? "") > NOW)).toEqual([]);
    },
  );

  it.each(["long-session", "wide-plan", "deep-delegates"])("E6: %s folds without a warning", (name) => {
    const { warnings } = folded(events(name));
    expect(warnings).toEqual([]);
  });

  it("creates a session of the requested length", () => {
    expect(made("long-session")).toHaveLength(SIZE);
    const { runs, calls } = folded(events("long-session"));
    expect([runs.size > 3, calls.size > 15]).toEqual([true, true]);
  });

  it("P15: creates a plan of the requested size that can be drawn, in every state", () => {
    const { plans, calls } = folded(events("wide-plan"));
    const planned = [...plans.values()].flatMap((plan) => plan.calls);
    expect(planned).toHaveLength(SIZE);
    expect(buildGraph(planned).problems).toEqual([]);
    expect(new Set([...calls.values()].map(({ status }) => status))).toEqual(
      new Set(["succeeded", "failed", "blocked", "running", "planned"]),
    );
  });

  it("P27: nests delegates five deep, in three instances", () => {
    const { runs } = folded(events("deep-delegates"));
    const depthOf = (id: string | null): number => (id === null ? 0 : 1 + depthOf(runs.get(id)?.parent_run_id ?? null));
    expect(Math.max(...[...runs.keys()].map(depthOf))).toBe(6);
    expect(new Set([...runs.values()].map(({ parent_instance }) => parent_instance))).toEqual(
      new Set(["", "①", "②", "③"]),
    );
  });

  it("C1: creates the requested conversations over a year, of every channel and status, in two languages", () => {
    const byConversation = Map.groupBy(events("many-conversations"), ({ conversation_id }) => conversation_id);
    const summaries = [...byConversation.values()].map((told) => folded(told).summary);
    expect(summaries).toHaveLength(SIZE);
    expect(new Set(summaries.map(({ channel }) => channel))).toEqual(new Set(["telegram", "web", "api", "import"]));
    expect(new Set(summaries.map(statusOf))).toEqual(new Set(["idle", "running", "waiting", "escalated", "failed"]));
    const days = summaries.map(({ updated_at }) => (NOW - Date.parse(updated_at ?? "")) / 86_400_000);
    expect([Math.min(...days) < 30, Math.max(...days) > 300, Math.max(...days) < 367]).toEqual([true, true, true]);
    const russian = summaries.filter(({ subject }) => /\p{Script=Cyrillic}/u.test(subject ?? "")).length;
    expect([russian > SIZE / 4, russian < (SIZE * 3) / 4]).toEqual([true, true]);
  });
});

describe("npm run seed", () => {
  let server: Server;
  let url: string;
  /** The ids that the server has. */
  let known: Set<string>;
  let refuses: boolean;

  beforeEach(async () => {
    known = new Set();
    refuses = false;
    server = createServer(async (request, response) => {
      const sent = z.array(z.object({ id: z.string() })).parse(JSON.parse(await text(request)));
      if (refuses) return response.writeHead(503).end(JSON.stringify({ detail: "The disk is full." }));
      const told = sent.map(({ id }) => ({ id, duplicate: known.has(id) }));
      for (const { id } of sent) known.add(id);
      return response.writeHead(201).end(JSON.stringify({ events: told }));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port");
    url = `http://127.0.0.1:${address.port}`;
  });

  afterEach(() => {
    server.close();
  });

  function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
    return new Promise((done) => {
      const child = execFile(process.execPath, [script, ...args], (_error, output, errors) => {
        done({ code: child.exitCode ?? -1, output, errors });
      });
    });
  }

  it("posts in batches, prints what to open, and only adds what is missing when repeated", async () => {
    const { code, output } = await run("long-session", "--events", "2500", "--url", url);
    expect([code, known.size]).toEqual([0, 2_500]);
    expect(output).toContain(`${url}/conversations/seed-long-session-1: a session of 2,500 events`);
    const again = await run("long-session", "--events", "2600", "--url", url);
    expect(again.output).toContain("100 events stored, 2,500 already there");
  });

  it("fails with the server's error, or a sentence if none responds", async () => {
    refuses = true;
    expect(await run("deep-delegates", "--url", url)).toMatchObject({ code: 1, errors: "The disk is full.\n" });
    await new Promise((closed) => server.close(closed));
    const { code, errors } = await run("deep-delegates", "--url", url);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining(`no server responds at ${url}; start it with npm start`),
    ]);
  });

  it("reports invalid arguments, and sends nothing", async () => {
    const { code, errors } = await run("wide-table", "--url", url);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('There is no kind "wide-table".\nnpm run seed -- KIND'),
    ]);
    expect(known.size).toBe(0);
  });

  it.each<[args: string[], told: string]>([
    [[], "npm run seed -- KIND"],
    [["deep-delegates", "wide-plan"], "npm run seed -- KIND"],
    [["wide-plan", "--calls", "many"], '--calls takes a whole number from 1 to 10000, not "many".'],
    [["wide-plan", "--calls", "0"], "--calls takes a whole number from 1"],
    [["wide-plan", "--events", "5"], "wide-plan takes no --events."],
    [["deep-delegates", "--seed=-1"], "--seed takes a whole number"],
    [["deep-delegates", "--url", "here"], "--url takes the address of a server"],
    [["deep-delegates", "--depth", "9"], "--depth"],
  ])("refuses %j with a sentence", (args, told) => {
    expect(() => readArguments(args)).toThrow(Refusal);
    expect(() => readArguments(args)).toThrow(told);
  });
});
