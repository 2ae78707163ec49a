import { describe, expect, test } from "vitest";
import type { OverviewQuery } from "../../../lib/rollup/overview.ts";
import { eachTime, type MakeSubject } from "../subject.ts";
import { BEGIN, conversation, counted, HOUR_MS, type Said, WEEK } from "./counted.ts";

/** The contract of the tools in the rollup, and of their errors. */
export function toolsContract(make: MakeSubject): void {
  describe("Tools in the rollup", () => {
    const subject = eachTime(make);

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

    test("the 200 versions that call a tool most are listed, and the number of the others", async () => {
      const { storage } = subject();
      const calls = Array.from({ length: 202 }, (_, agent) =>
        conversation({ id: `c${agent}`, agent: `agent-${agent}`, tool: "find" }),
      );
      await storage.log.append([...calls.flat(), ...conversation({ id: "again", agent: "agent-201", tool: "find" })]);
      await counted(storage);
      const report = await storage.rollup.tool("find", WEEK);
      expect(report?.callers).toHaveLength(200);
      expect(report?.callers[0]).toMatchObject({ agent: "agent-201", count: 2 });
      expect([report?.count, report?.callers_left_out]).toEqual([203, 2]);
    });
  });
}
