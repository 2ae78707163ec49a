import { describe, expect, test } from "vitest";
import type { OverviewQuery } from "../../lib/rollup/overview.ts";
import type { ScoreFilter } from "../../lib/scores/score.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { NewEvent } from "../repositories.ts";
import type { CountedOverview, Happened } from "../rollup.ts";
import type { Storage } from "../storage.ts";
import { eraseAllButFile } from "./log/erasures.ts";
import { eachTime, type MakeSubject, newEvent } from "./subject.ts";

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse("2026-11-20T09:00:00.000Z");
const WEEK: OverviewQuery = { from: BEGIN - 3 * 24 * HOUR_MS, to: BEGIN + 4 * 24 * HOUR_MS };
const PRICES = { m: { input: 1, output: 2, currency: "USD" } };

interface Said {
  id: string;
  hour?: number;
  agent?: string;
  version?: string;
  channel?: string;
  tool?: string;
  /** The call fails, and the turn with it. */
  fails?: boolean;
  /** How long the call takes, ms. */
  took?: number;
  waits?: number;
  escalates?: boolean;
  user?: string;
}

/** A conversation of one turn with a call, which takes two seconds more than the call. */
export function conversation({
  id,
  hour = 0,
  agent = "support",
  version = "1",
  channel = "web",
  ...said
}: Said): NewEvent[] {
  const { tool = "refund", fails = false, took = 500, waits, escalates = false, user } = said;
  const begin = BEGIN + hour * HOUR_MS;
  let at = begin;
  let number = 0;
  const event = (type: string, payload: JsonObject, ms: number) => {
    at += ms;
    number += 1;
    const isRun = type !== "conversation.created";
    return newEvent({
      ...{ id: `${id}-${number}`, conversation_id: id, type, payload, agent_id: agent },
      ...{ run_id: isRun ? `${id}-run` : null, occurred_at: new Date(at).toISOString() },
    });
  };
  const call = { call_id: "call", iteration: 1, tool };
  const asked = {
    confirmation_id: `${id}-k`,
    key: "k",
    call_id: "call",
    iteration: 1,
    action: { method: tool, params: {} },
  };
  return [
    event("conversation.created", { channel, agent_id: agent, ...(user !== undefined && { user_id: user }) }, 0),
    event("run.started", { agent_version: version }, 0),
    event("model.requested", { model: "m", provider: "p" }, 0),
    event("model.responded", { model: "m", provider: "p", input_tokens: 1_000, output_tokens: 100 }, 1_000),
    ...(waits === undefined
      ? []
      : [
          event("confirmation.requested", asked, 0),
          event("confirmation.approved", { confirmation_id: `${id}-k` }, waits),
        ]),
    event("call.started", call, 0),
    fails
      ? event("call.failed", { ...call, error: { code: "mismatch", message: `charge ${id} is in EUR` } }, took)
      : event("call.succeeded", { ...call, output: 1 }, took),
    ...(escalates ? [event("manager.alerted", { text: "help" }, 0)] : []),
    fails ? event("run.failed", { error: "failed" }, 1_000) : event("run.finished", {}, 1_000),
  ];
}

/** The overview once everything is counted. */
export async function counted(storage: Storage, query: OverviewQuery = WEEK): Promise<CountedOverview> {
  for (;;) {
    const overview = await storage.rollup.overview(query, PRICES);
    if (overview.behind === 0) return overview;
  }
}

async function listed(storage: Storage, happened: Happened): Promise<string[]> {
  const page = await storage.conversations.list({ happened, limit: 200 });
  return page.items.map(({ id }) => id).sort();
}

/** The contract of `RollupStore`, and of what erasures and the retention change in it. */
export function rollupContract(make: MakeSubject): void {
  describe("The rollup", () => {
    const subject = eachTime(make);

    test("counts conversations, turns, calls, tokens, costs and waiting in the hour in which they were", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a" }),
        ...conversation({ id: "b", fails: true, took: 90 }),
        ...conversation({ id: "c", hour: 1, waits: 60_000, escalates: true }),
      ]);
      const overview = await counted(storage);
      expect(overview.now).toMatchObject({
        ...{ conversations: 3, turns: 3, failed_turns: 1, escalated: 1, calls: 3, failed_calls: 1, approvals: 1 },
        ...{ input_tokens: 3_000, output_tokens: 300, unpriced: 0 },
      });
      expect(overview.now.cost).toEqual([{ currency: "USD", amount: expect.closeTo(0.0036, 9) }]);
      // Waiting for people is not the agent's time.
      expect(overview.now.latency.p99 ?? 0).toBeGreaterThan(2_400);
      expect(overview.now.latency.p99 ?? 0).toBeLessThan(2_600);
      expect(Math.abs((overview.now.wait ?? 0) / 60_000 - 1)).toBeLessThan(0.01);
      expect(overview.earlier.turns).toBe(0);
      const busy = overview.buckets.filter(({ now }) => now.turns > 0);
      expect(busy.map(({ at, now }) => [at, now.turns, now.failed_turns])).toEqual([
        [BEGIN, 2, 1],
        [BEGIN + HOUR_MS, 1, 0],
      ]);
      expect(overview.where.tool).toMatchObject([{ name: "refund", count: 3, failed: 1 }]);
      expect(overview.where.version).toMatchObject([{ name: "1", agent: "support", count: 3 }]);
    });

    test("counts of a request no more tokens than a sum can be made of, and goes on", async () => {
      const { storage } = subject();
      const events = conversation({ id: "a" }).map((event) =>
        event.type === "model.responded"
          ? { ...event, payload: { model: "m", provider: "p", input_tokens: Number.MAX_SAFE_INTEGER } }
          : event,
      );
      const [, , , said] = events;
      const more = Array.from({ length: 1_100 }, (_, index) => newEvent({ ...said, id: `more-${index}` }));
      await storage.log.append([...events, ...more]);
      const { now } = await counted(storage);
      expect(now.input_tokens).toBe(1_101 * 1_000_000_000);
      const tokens = await storage.sessions.tokens("a", { from: 1, to: 2_000 });
      expect(tokens).toMatchObject({ responses: 1_101, input_tokens: now.input_tokens, output_tokens: 0 });
    });

    test("counts names of any letters, however long, and goes on", async () => {
      const { storage } = subject();
      // No two of them are alike, so that no index makes them shorter.
      const long = (first: number) =>
        String.fromCodePoint(
          ...Array.from({ length: 200 }, (_, index) => 0x4e00 + ((first * 31 + index * 7_919) % 20_000)),
        );
      await storage.log.append([
        ...conversation({ id: "a", agent: long(1), version: long(2), channel: long(3), tool: long(4) }).map((event) =>
          event.type === "model.responded" ? { ...event, payload: { ...event.payload, model: long(5) } } : event,
        ),
        ...conversation({ id: "b", version: "1\u0000" }),
        ...conversation({ id: "c" }).map((event) =>
          event.type === "model.responded" ? { ...event, payload: { ...event.payload, model: long(5) } } : event,
        ),
        ...conversation({ id: "d" }),
      ]);
      expect((await counted(storage)).now).toMatchObject({ turns: 4, calls: 4 });
    });

    test("compares two versions of an agent by their conversations, and names those that differ most", async () => {
      const { storage } = subject();
      const many = (version: string, hour: number, fails: (index: number) => boolean) =>
        Array.from({ length: 30 }, (_, index) =>
          conversation({ id: `${version}-${index}`, version, hour, fails: fails(index), took: 500 + index }),
        ).flat();
      await storage.log.append([...many("1", 0, () => false), ...many("2", 5, (index) => index < 15)]);
      await storage.log.append(conversation({ id: "else", agent: "crm", version: "9" }));
      await counted(storage);
      const { versions, compared } = await storage.rollup.versions({ agent: "support", ...WEEK }, PRICES);
      expect(versions).toMatchObject([
        { version: "2", conversations: 30, turns: 30, first: BEGIN + 5 * HOUR_MS },
        { version: "1", conversations: 30, turns: 30, first: BEGIN, last: BEGIN },
      ]);
      expect(compared).toMatchObject({ versions: { before: "1", after: "2" }, cut: false });
      const failed = compared?.measures.find(({ name }) => name === "failed");
      expect(failed).toMatchObject({ hits: { before: 0, after: 15 }, change: { value: 0.5, sure: true } });
      expect(compared?.measures.find(({ name }) => name === "cost")?.before?.value).toBeCloseTo(0.0012, 9);
      expect(compared?.differing[0]).toMatchObject({ unusual: ["failed", "failed_calls"] });
      expect(compared?.differing[0]?.conversation.id).toMatch(/^2-/);
      expect(compared?.differing[0]?.beside?.id).toMatch(/^1-/);
      const year = { from: BEGIN - 300 * 24 * HOUR_MS, to: WEEK.to };
      const other = await storage.rollup.versions({ agent: "support", before: "2", after: "1", ...year }, PRICES);
      expect(other.compared?.measures.find(({ name }) => name === "failed")?.change?.value).toBe(-0.5);
      expect((await storage.rollup.versions({ agent: "crm", ...WEEK }, PRICES)).compared).toBeNull();
    });

    test("counts scores with the turn that they are about; a changed, removed or erased one no longer", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a", version: "1" }),
        ...conversation({ id: "b", version: "2", hour: 3 }),
      ]);
      const score = (id: string, name: string, value: number | boolean | string, more: object = {}) =>
        storage.scores.put(id, {
          ...{ seq: null, run_id: null, call_id: null, name, value, source: "program", comment: null, by: null },
          ...more,
        });
      await score("a", "faithfulness", 0.25);
      await score("b", "faithfulness", 0.83, { run_id: "b-run" });
      await score("a", "thumbs", true, { run_id: "a-run", call_id: "call" });
      await score("b", "thumbs", false, { seq: 3 });
      await score("a", "topic", "refund");
      await score("b", "topic", "order=1");
      const lanes = async () => {
        for (;;) {
          const { scores, buckets } = await counted(storage);
          if (scores.length > 0) return { scores, buckets };
        }
      };
      const until = async <T>(read: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> => {
        for (;;) {
          const found = await read();
          if (isThere(found)) return found;
        }
      };
      const { scores, buckets } = await until(lanes, (found) => found.scores.length === 4);
      expect(scores.map(({ name, kind, category, now }) => [name, kind, category, now])).toEqual([
        ["faithfulness", "number", null, { count: 2, mean: expect.closeTo(0.54, 9) }],
        ["thumbs", "boolean", null, { count: 2, mean: 0.5 }],
        ["topic", "category", expect.any(String), { count: 1, mean: 0.5 }],
        ["topic", "category", expect.any(String), { count: 1, mean: 0.5 }],
      ]);
      const [faithfulness, thumbs] = scores;
      expect(faithfulness?.where.version).toMatchObject([
        { name: "1", agent: "support", count: 1, mean: 0.25 },
        { name: "2", agent: "support", count: 1, mean: 0.83 },
      ]);
      expect(thumbs?.where.tool).toMatchObject([{ name: "refund", count: 1, mean: 1 }]);
      const busy = buckets.flatMap(({ at }, index) => (faithfulness?.buckets[index]?.now.count ? [at] : []));
      expect(busy).toEqual([BEGIN, BEGIN + 3 * HOUR_MS]);
      const year = await counted(storage, { from: BEGIN - 300 * 24 * HOUR_MS, to: WEEK.to });
      expect(year.scores.map(({ now }) => now)).toEqual(scores.map(({ now }) => now));
      const second = await counted(storage, { ...WEEK, version: "2" });
      expect(second.scores.find(({ name }) => name === "thumbs")?.now).toEqual({ count: 1, mean: 0 });
      expect(await listed(storage, { what: "scored", score: { name: "thumbs" }, version: "2" })).toEqual(["b"]);
      const inFirstHour = { what: "scored", score: { name: "topic" }, since: BEGIN, until: BEGIN + HOUR_MS } as const;
      expect(await listed(storage, inFirstHour)).toEqual(["a"]);
      const { compared } = await storage.rollup.versions({ agent: "support", ...WEEK }, PRICES);
      expect(compared?.scores.find(({ name }) => name === "thumbs")).toMatchObject({
        ...{ kind: "boolean", hits: { before: 1, after: 0 }, before: { value: 1 }, after: { value: 0 } },
      });
      // It says the same of another turn: the first one stays.
      await score("b", "faithfulness", 0.63, { run_id: "b-run" });
      await until(lanes, (found) => found.scores[0]?.where.version.some(({ mean }) => mean === 0.63) === true);
      // Those of one millisecond are listed in any order.
      const removed = (await storage.scores.list("a"))?.find(({ name }) => name === "faithfulness");
      await storage.scores.remove("a", removed?.id ?? "");
      const rest = await until(lanes, (found) => found.scores[0]?.now.count === 1);
      expect(rest.scores[0]).toMatchObject({ name: "faithfulness", now: { count: 1, mean: 0.63 } });
      await eraseAllButFile(storage, "conversation", "b");
      const left = await until(lanes, (found) => found.scores.every(({ name }) => name !== "faithfulness"));
      expect(left.scores.map(({ name, now }) => [name, now.count])).toEqual([
        ["thumbs", 1],
        ["topic", 1],
      ]);
      expect((await counted(storage)).now.turns).toBe(2);
    });

    test("narrows by what conversations have, also in long periods, and adds up to the same", async () => {
      const { storage } = subject();
      // From the first hour of the week to the last day: some days are whole, both ends are not.
      await storage.log.append(
        Array.from({ length: 12 }, (_, index) =>
          conversation({
            ...{
              id: `c${index}`,
              hour: index * 15 - 72,
              agent: index % 2 ? "crm" : "support",
              version: `${index % 3}`,
            },
            ...{ channel: index % 4 ? "web" : "telegram", fails: index % 5 === 0 },
          }),
        ).flat(),
      );
      const all = await counted(storage);
      const year = await counted(storage, { from: BEGIN - 300 * 24 * HOUR_MS, to: WEEK.to });
      expect(year.grain).toBe("day");
      expect({ ...year.now, latency: all.now.latency }).toEqual(all.now);
      let turns = 0;
      for (const agent of ["crm", "support"]) {
        // The hours of an agent are read from those of its versions, and the rest by day where days are whole.
        const whole = await counted(storage, { ...WEEK, agent });
        const hours = whole.buckets.map(() => 0);
        const channels: Record<string, number> = {};
        for (const channel of ["web", "telegram"]) {
          const part = await counted(storage, { ...WEEK, agent, channel });
          turns += part.now.turns;
          expect(part.where.agent.map(({ name }) => name)).toEqual(part.now.turns ? [agent] : []);
          for (const [index, { now }] of part.buckets.entries()) hours[index] = (hours[index] ?? 0) + now.turns;
          if (part.now.turns > 0) channels[channel] = part.now.turns;
        }
        expect(whole.buckets.map(({ now }) => now.turns)).toEqual(hours);
        expect(Object.fromEntries(whole.where.channel.map(({ name, count }) => [name, count]))).toEqual(channels);
        expect(whole.where.model.map(({ count }) => count)).toEqual([whole.now.turns]);
        expect(whole.where.tool.map(({ count }) => count)).toEqual([whole.now.calls]);
        expect(whole.now.cost).not.toEqual([]);
      }
      expect(turns).toBe(12);
      expect((await counted(storage, { ...WEEK, version: "1" })).now.turns).toBe(4);
    });

    test("of one channel, model or stage it is what conversations did in it, also when some are removed", async () => {
      const { storage } = subject();
      await storage.log.append(
        Array.from({ length: 16 }, (_, index) =>
          conversation({
            // From the hour before the week to its end: days that are whole, and both ends, of the week and of the one before.
            ...{ id: `c${index}`, hour: index * 20 - 72 - 7 * 24, version: index < 10 ? "1" : "2" },
            ...{ channel: index % 4 ? "web" : "telegram", fails: index % 3 === 0, waits: index % 5 ? undefined : 700 },
          }),
        ).flat(),
      );
      const value = { name: "faithfulness", value: 0.5, source: "program", comment: null, by: null } as const;
      await storage.scores.put("c14", { ...value, seq: null, run_id: null, call_id: null });
      const byName = <Value extends { name: string; agent: string | null }>(values: readonly Value[]) =>
        values.toSorted((one, other) => `${one.agent} ${one.name}`.localeCompare(`${other.agent} ${other.name}`));
      const told = async (query: Partial<OverviewQuery>) => {
        for (;;) {
          const { where, releases, ...overview } = await counted(storage, { ...WEEK, ...query });
          if (overview.scores.length === 0 && query.channel !== "telegram") continue;
          // A version that came to a channel on a later day than to others is told at the begin of that day.
          const versions = releases.map(({ version }) => version);
          return { ...overview, versions, where: Object.values(where).map((values) => byName(values)) };
        }
      };
      const compared = async () => {
        // All have this model and no stage, so each of these is the same twice: by its own hours, and by conversations.
        for (const of of [{ channel: "web" }, { channel: "telegram" }, { model: "m" }, { stage: "" }])
          expect(await told(of)).toEqual(await told({ model: "m", stage: "", ...of }));
        return counted(storage, { ...WEEK, channel: "web" });
      };
      const { now, earlier, releases } = await compared();
      expect([now.turns, now.calls, earlier.turns, earlier.calls]).toEqual([6, 6, 6, 6]);
      expect(releases.map(({ at }) => at)).toEqual([BEGIN + (10 * 20 - 72 - 7 * 24) * HOUR_MS]);
      const due = await storage.retention.next([{ channel: null, days: 1 }], BEGIN + 9 * 24 * HOUR_MS, 20);
      await storage.retention.remove(due.filter(({ id }) => id === "c13" || id === "c15"));
      expect((await compared()).now).toMatchObject({ turns: 4, calls: 4 });
    });

    test("of a slice by more than one it is that of a log with these conversations only", async () => {
      const { storage } = subject();
      // From the hour before the week to its end, as above.
      const said = Array.from(
        { length: 42 },
        (_, index): Said & { agent: string; version: string; channel: string } => ({
          ...{
            id: `c${index}`,
            hour: index * 8 - 72 - 7 * 24,
            version: index < 20 ? "1" : "2",
            fails: index % 4 === 0,
          },
          ...{ agent: index % 3 ? "support" : "crm", channel: index % 2 ? "web" : "telegram", took: 100 + 7 * index },
          ...{ tool: index % 5 ? "refund" : "search", waits: index % 7 ? undefined : 700 + index },
        }),
      );
      const value = { name: "faithfulness", value: 0.5, source: "program", comment: null, by: null } as const;
      const fill = async (filled: Storage, some: typeof said) => {
        await filled.log.append(some.flatMap((one) => conversation(one)));
        await filled.scores.put("c31", { ...value, seq: null, run_id: null, call_id: null });
      };
      const sorted = <Value extends { name: string; agent: string | null }>(values: readonly Value[]) =>
        values.toSorted((one, other) => `${one.agent} ${one.name}`.localeCompare(`${other.agent} ${other.name}`));
      const told = async ({ rollup }: Storage, overview: CountedOverview, query: OverviewQuery) => {
        const { errors: _errors, ...tool } = (await rollup.tool("refund", query)) ?? {};
        const where = Object.values(overview.where).map((values) => sorted(values));
        return { overview: { ...overview, where }, tools: (await rollup.tools(query)).tools, tool };
      };
      const scored = async (filled: Storage, query: OverviewQuery = WEEK) => {
        for (;;) {
          const overview = await counted(filled, query);
          if (overview.scores.length > 0) return await told(filled, overview, query);
        }
      };
      await fill(storage, said);
      const slices = [
        { agent: "support", channel: "web" },
        { version: "2", channel: "web", stage: "" },
        { model: "m", stage: "" },
      ];
      for (const slice of slices) {
        const { agent, version, channel } = slice;
        const isIn = (one: (typeof said)[number]) =>
          [agent ?? one.agent, version ?? one.version, channel ?? one.channel].join() ===
          [one.agent, one.version, one.channel].join();
        const alone = await make();
        try {
          await fill(alone.storage, said.filter(isIn));
          expect(await scored(storage, { ...WEEK, ...slice }), JSON.stringify(slice)).toEqual(
            await scored(alone.storage),
          );
        } finally {
          await alone.dispose();
        }
      }
    });

    test("leads to exactly the conversations that it counts", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a", version: "2", fails: true }),
        ...conversation({ id: "b", hour: 1, version: "2", took: 9_000 }),
        ...conversation({ id: "c", hour: 1, waits: 5, escalates: true, channel: "telegram" }),
        ...conversation({ id: "d", hour: 2, tool: "other", fails: true }),
      ]);
      const { buckets } = await counted(storage);
      for (const { at, now } of buckets) {
        const hour = { since: at, until: at + HOUR_MS };
        expect(await listed(storage, { what: "began", ...hour })).toHaveLength(now.conversations);
        expect(await listed(storage, { what: "failed_turn", ...hour })).toHaveLength(now.failed_turns);
        expect(await listed(storage, { what: "escalated", ...hour })).toHaveLength(now.escalated);
        expect(await listed(storage, { what: "approval", ...hour })).toHaveLength(now.approvals);
      }
      expect(await listed(storage, { what: "failed_call", tool: "refund" })).toEqual(["a"]);
      expect(await listed(storage, { what: "failed_call", version: "1" })).toEqual(["d"]);
      expect(await listed(storage, { what: "turn", channel: "telegram" })).toEqual(["c"]);
      // A turn that goes on is none yet, and has a price.
      await storage.log.append(conversation({ id: "open" }).slice(0, 4));
      await counted(storage);
      expect(await listed(storage, { what: "turn", model: "m" })).not.toContain("open");
      const now = { since: BEGIN, until: BEGIN + HOUR_MS };
      expect(await listed(storage, { what: "cost", model: "m", version: "1", ...now })).toContain("open");
      expect(await listed(storage, { what: "cost", model: "other" })).toEqual([]);
      expect(await listed(storage, { what: "call", longer_than: 5_000 })).toEqual(["b"]);
    });

    test("does not depend on when it was read, nor on restarts", async () => {
      const events = Array.from({ length: 6 }, (_, index) =>
        conversation({ id: `c${index}`, hour: index, fails: index === 2, waits: index === 3 ? 7_000 : undefined }),
      ).flat();
      for (const [index, event] of events.entries()) {
        await subject().storage.log.append([event]);
        if (index % 7 === 0) await counted(subject().storage);
        if (index === 20) await subject().reopen();
      }
      const bit = await counted(subject().storage);
      const whole = await make();
      try {
        await whole.storage.log.append(events);
        expect(await counted(whole.storage)).toEqual(bit);
      } finally {
        await whole.dispose();
      }
    });

    test("forks and runs that simulate their calls are not counted", async () => {
      const { storage } = subject();
      const begun = { forked_from: { conversation_id: "a", seq: 3 } };
      const [, ...steps] = conversation({ id: "fork" });
      const simulated = conversation({ id: "shadow" }).map((event) =>
        event.type === "run.started" ? { ...event, payload: { simulated: true } } : event,
      );
      await storage.log.append([
        ...conversation({ id: "a" }),
        newEvent({ id: "fork-0", conversation_id: "fork", type: "conversation.created", payload: begun }),
        ...[...steps, ...simulated],
      ]);
      expect((await counted(storage)).now).toMatchObject({ conversations: 2, turns: 1, calls: 1 });
    });

    test("Security: after the retention has removed conversations it is as if they had never been there", async () => {
      const { storage } = subject();
      await storage.log.append(conversation({ id: "a" }));
      const before = await counted(storage);
      await storage.log.append([
        ...conversation({ id: "b", fails: true, channel: "telegram" }),
        ...conversation({ id: "c", agent: "crm", waits: 800 }),
      ]);
      expect((await counted(storage)).now.turns).toBe(3);
      const rules = [{ channel: null, days: 1 }];
      const due = await storage.retention.next(rules, BEGIN + 9 * 24 * HOUR_MS, 10);
      await storage.retention.remove(due.filter(({ id }) => id !== "a"));
      expect(await counted(storage)).toEqual(before);
      expect(await listed(storage, { what: "turn" })).toEqual(["a"]);
    });

    test("Security: after an erasure it is that of what is left in the log, without names of people", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a" }),
        ...conversation({ id: "chat:alice", agent: "helper:alice", user: "alice", fails: true, waits: 900 }),
      ]);
      const before = await counted(storage);
      await eraseAllButFile(storage, "user", "alice");
      let after = await counted(storage);
      while (after.where.agent.some(({ name }) => name.includes("alice"))) after = await counted(storage);
      expect({ ...after.now }).toEqual(before.now);
      expect(after.where.agent).toHaveLength(2);
    });

    test("finds the conversations of one answer where it was given, not where another of its name was", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a", version: "1" }),
        ...conversation({ id: "a-later", version: "2", hour: 3 }).map((event) => ({ ...event, conversation_id: "a" })),
      ]);
      const [first, later] = ["a-run", "a-later-run"];
      const given = [
        ["topic", "refund", first],
        ["topic", "order=1", later],
        ["thumbs", false, first],
        ["thumbs", true, later],
        ["solved", "true", first],
        ["solved", "false", later],
        ["rating", 2, first],
      ] as const;
      for (const [name, value, run_id] of given)
        await storage.scores.put("a", {
          ...{ seq: null, call_id: null, source: "program", comment: null, by: null },
          ...{ name, value, run_id },
        });
      while ((await counted(storage)).scores.length < 6);
      const versionsOf = async (name: string, value?: string) => {
        const score: ScoreFilter = value === undefined ? { name } : { name, is: { operator: "=", value } };
        const found = [];
        for (const version of ["1", "2"])
          if ((await listed(storage, { what: "scored", score, version })).length > 0) found.push(version);
        return found;
      };
      expect(await versionsOf("topic")).toEqual(["1", "2"]);
      expect(await versionsOf("topic", "refund")).toEqual(["1"]);
      expect(await versionsOf("topic", "order=1")).toEqual(["2"]);
      expect(await versionsOf("thumbs", "false")).toEqual(["1"]);
      expect(await versionsOf("thumbs", "true")).toEqual(["2"]);
      expect(await versionsOf("solved", "true")).toEqual(["1"]);
      expect(await versionsOf("solved", "false")).toEqual(["2"]);
      expect(await versionsOf("rating", "2")).toEqual(["1"]);
    });

    test("tells versions of agents only: those of nobody could not be told apart in the list", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a", version: "1" }),
        ...conversation({ id: "b", version: "1", agent: "" }),
      ]);
      const { where, now } = await counted(storage);
      expect(now.turns).toBe(2);
      expect(where.version).toMatchObject([{ agent: "support", name: "1", count: 1 }]);
    });

    test("tells what got worse with a version, and how many conversations it hit", async () => {
      const { storage } = subject();
      const week = 7 * 24;
      await storage.log.append(
        [
          ...Array.from({ length: 60 }, (_, index) => conversation({ id: `old${index}`, hour: index - week })),
          ...Array.from({ length: 60 }, (_, index) => conversation({ id: `same${index}`, hour: index - 48 })),
          ...Array.from({ length: 40 }, (_, index) =>
            conversation({ id: `new${index}`, hour: 20 + index, version: "2", fails: index % 2 === 0 }),
          ),
        ].flat(),
      );
      const { findings, hit, releases } = await counted(storage);
      expect(releases).toEqual([{ agent: "support", version: "2", at: BEGIN + 20 * HOUR_MS }]);
      expect(findings).toMatchObject([
        { kind: "tool_failed", tool: "refund", version: "2", since: BEGIN + 20 * HOUR_MS, count: 40, hit: 20 },
      ]);
      expect(hit).toEqual([20]);
      // Narrowed to a channel, it is about the conversations of that one.
      await storage.log.append(
        Array.from({ length: 10 }, (_, index) =>
          conversation({ id: `chat${index}`, hour: 20 + index, version: "2", fails: true, channel: "chat" }),
        ).flat(),
      );
      const web = await counted(storage, { ...WEEK, channel: "web" });
      expect(web.findings).toMatchObject([{ kind: "tool_failed", count: 40, hit: 20 }]);
      expect(web.hit).toEqual([20]);
    });

    test("tells of a tool its errors by kind, its versions, and its slowest calls", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a1", version: "2", fails: true }),
        ...conversation({ id: "a2", hour: 1, version: "2", fails: true }),
        ...conversation({ id: "slow", hour: 1, took: 9_000 }),
        ...conversation({ id: "other", tool: "search" }),
      ]);
      await counted(storage);
      const report = await storage.rollup.tool("refund", WEEK);
      expect(report).toMatchObject({ count: 3, failed: 2, errors_cut: false });
      expect(report?.errors).toMatchObject([
        {
          ...{ code: "mismatch", message: "charge a2 is in EUR", calls: 2, conversations: 2, versions: ["2"] },
          ...{ first: BEGIN + 1_500, last: BEGIN + HOUR_MS + 1_500 },
          examples: [{ conversation_id: "a2" }, { conversation_id: "a1" }],
        },
      ]);
      expect(report?.slowest[0]).toMatchObject({ conversation_id: "slow", took: 9_000 });
      expect(report?.callers).toMatchObject([
        { version: "2", count: 2, failed: 2 },
        { version: "1", count: 1, failed: 0 },
      ]);
      const tools = async (query: Partial<OverviewQuery>) => (await storage.rollup.tools({ ...WEEK, ...query })).tools;
      expect((await tools({})).map(({ name, count }) => [name, count])).toEqual([
        ["refund", 3],
        ["search", 1],
      ]);
      for (const of of [{ agent: "support" }, { version: "2" }])
        expect(await tools(of)).toEqual(await tools({ ...of, channel: "web" }));
      expect(await tools({ version: "2" })).toMatchObject([{ name: "refund", count: 2, failed: 2 }]);
      expect(await storage.rollup.tool("none", WEEK)).toBeNull();
    });

    test("errors of a tool are those within what its page is narrowed to, and lead to exactly these conversations", async () => {
      const { storage } = subject();
      const failing = (id: string, code: string, more: Partial<Said> = {}) =>
        conversation({ id, fails: true, ...more }).map((event) =>
          event.type === "call.failed"
            ? { ...event, payload: { call_id: "call", iteration: 1, tool: "refund", error: { code, message: "no" } } }
            : event,
        );
      const again = failing("b-later", "timeout", { hour: 48 }).map((event) => ({ ...event, conversation_id: "b" }));
      await storage.log.append([
        ...[failing("a", "timeout"), failing("b", "mismatch"), again].flat(),
        ...failing("c", "timeout", { channel: "chat", version: "2" }),
      ]);
      await counted(storage);
      const day: OverviewQuery = { from: BEGIN, to: BEGIN + 24 * HOUR_MS };
      for (const [query, expected] of [
        [day, { timeout: ["a", "c"], mismatch: ["b"] }],
        [WEEK, { timeout: ["a", "b", "c"], mismatch: ["b"] }],
        [{ ...WEEK, channel: "chat" }, { timeout: ["c"] }],
        [
          { ...day, version: "1" },
          { timeout: ["a"], mismatch: ["b"] },
        ],
      ] as const) {
        const errors = (await storage.rollup.tool("refund", query))?.errors ?? [];
        const found: Record<string, string[]> = {};
        for (const { code, fingerprint, conversations } of errors) {
          const { from: since, to: until, ...narrowed } = query;
          const { items } = await storage.conversations.list({
            happened: { what: "failed_call", tool: "refund", since, until, ...narrowed },
            error: { tool: "refund", fingerprint },
            limit: 10,
          });
          expect(items).toHaveLength(conversations);
          found[code ?? ""] = items.map(({ id }) => id).sort();
        }
        expect(found, JSON.stringify(query)).toEqual(expected);
      }
    });

    test("the 500 most used tools are listed, and the number of the others", async () => {
      const { storage } = subject();
      const calls = Array.from({ length: 502 }, (_, tool) => conversation({ id: `c${tool}`, tool: `tool-${tool}` }));
      await storage.log.append([...calls.flat(), ...conversation({ id: "again", tool: "tool-501" })]);
      await counted(storage);
      const { tools, left_out } = await storage.rollup.tools(WEEK);
      expect(tools).toHaveLength(500);
      expect(tools[0]).toMatchObject({ name: "tool-501", count: 2 });
      expect(left_out).toBe(2);
    });
  });
}
