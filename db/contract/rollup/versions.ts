import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject } from "../subject.ts";
import { BEGIN, conversation, counted, HOUR_MS, PRICES, WEEK } from "./counted.ts";

/** The contract of versions of an agent, as the rollup tells them apart. */
export function versionsContract(make: MakeSubject): void {
  describe("Versions in the rollup", () => {
    const subject = eachTime(make);

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
  });
}
