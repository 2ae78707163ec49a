import { describe, expect, test } from "vitest";
import type { ScoreFilter } from "../../../lib/scores/score.ts";
import { eraseAllButFile } from "../log/erasures.ts";
import { eachTime, type MakeSubject } from "../subject.ts";
import { BEGIN, conversation, counted, HOUR_MS, listed, PRICES, WEEK } from "./counted.ts";

/** The contract of scores in the rollup. */
export function countedScoresContract(make: MakeSubject): void {
  describe("Scores in the rollup", () => {
    const subject = eachTime(make);

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
  });
}
