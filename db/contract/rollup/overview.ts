import { describe, expect, test } from "vitest";
import type { OverviewQuery } from "../../../lib/rollup/overview.ts";
import type { CountedOverview } from "../../rollup.ts";
import type { Storage } from "../../storage.ts";
import { eraseAllButFile } from "../log/erasures.ts";
import { eachTime, type MakeSubject, newEvent, newMessage } from "../subject.ts";
import { BEGIN, conversation, counted, HOUR_MS, listed, type Said, WEEK } from "./counted.ts";

/** The contract of the overview, and of what erasures and the retention change in it. */
export function overviewContract(make: MakeSubject): void {
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
      const names = { agent: long(1), version: long(2), channel: long(3), tool: long(4) };
      await storage.log.append([
        ...conversation({ id: "a", ...names }).map((event) =>
          event.type === "model.responded" ? { ...event, payload: { model: long(5), provider: "p" } } : event,
        ),
        ...conversation({ id: "b", version: "1\u0000" }),
        ...conversation({ id: "c" }),
      ]);
      expect((await counted(storage)).now).toMatchObject({ turns: 3, calls: 3 });
    });

    test("goes on after text that ends within a character, and shows it", async () => {
      const { storage } = subject();
      const half = "\ud83d";
      await storage.log.append([
        ...conversation({ id: "a" }),
        // The thousandth unit, where the first words of a message end, is the first half of the smile.
        newMessage("m", `a${" ".repeat(998)}😀 hello`, { conversation_id: "a" }),
        ...conversation({ id: "b", version: `1${half}`, fails: true }),
        newMessage("n", `\\ud83d ${half}`, { conversation_id: "b" }),
        ...conversation({ id: "c" }),
      ]);
      expect((await counted(storage)).now).toMatchObject({ turns: 3, failed_turns: 1 });
      const [said] = (await storage.messages.list("b", { limit: 1 })).items;
      expect(said?.content).toBe("\\ud83d \ufffd");
      const [, began] = await storage.events.list("b", { after: 0, limit: 2 });
      expect(began?.payload).toEqual({ agent_version: "1\ufffd" });
      const entry = { agentId: "crm", key: "board", actor: null, expect: { kind: "any" } } as const;
      await storage.log.putAgentState({ ...entry, value: { said: half } });
      expect((await storage.agentStates.get("crm", "board"))?.value).toEqual({ said: "\ufffd" });
      const rows = (await storage.conversations.list({ limit: 3 })).items;
      expect(rows.map(({ id, subject }) => [id, subject]).sort()).toEqual([
        ["a", "a \ufffd"],
        ["b", "\\ud83d \ufffd"],
        ["c", null],
      ]);
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

    test("is by hour up to two weeks, a slice by more than one and the tools of one up to a week, and by day beyond", async () => {
      const { storage } = subject();
      const spans = [{ id: "a", hour: -9 * 24 }, { id: "b", hour: -72 }, { id: "c" }];
      await storage.log.append(spans.flatMap((one) => conversation({ ...one, tool: "refund" })));
      const days = (count: number) => ({ from: WEEK.to - count * 24 * HOUR_MS, to: WEEK.to });
      const told = async (query: Partial<OverviewQuery>, span: ReturnType<typeof days>) => {
        const { grain, now } = await counted(storage, { ...query, ...span });
        return [grain, now.turns];
      };
      expect(await told({ channel: "web" }, days(14))).toEqual(["hour", 3]);
      expect(await told({ channel: "web" }, days(15))).toEqual(["day", 3]);
      expect(await told({ agent: "support", version: "1" }, days(14))).toEqual(["hour", 3]);
      expect(await told({ channel: "web", model: "m" }, days(7))).toEqual(["hour", 2]);
      expect(await told({ channel: "web", model: "m" }, days(14))).toEqual(["day", 3]);
      const tool = async (query: Partial<OverviewQuery>) => {
        const report = await storage.rollup.tool("refund", { ...query, ...days(14) });
        return [report?.grain, report?.count];
      };
      expect(await tool({ agent: "support" })).toEqual(["hour", 3]);
      expect(await tool({ channel: "web" })).toEqual(["day", 3]);
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
      // What was counted is taken away first, and counted again after it.
      await expect.poll(async () => ({ ...(await counted(storage)).now })).toEqual(before.now);
      const { agent } = (await counted(storage)).where;
      expect(agent).toHaveLength(2);
      expect(agent.filter(({ name }) => name.includes("alice"))).toEqual([]);
    });
  });
}
