import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../lib/rollup/place.ts";
import type { NewScore } from "../../../lib/scores/score.ts";
import { BadCursor } from "../../errors.ts";
import type { ConversationQuery } from "../../repositories.ts";
import type { Storage } from "../../storage.ts";
import { eraseAllButFile } from "../log/erasures.ts";
import { conversation } from "../rollup/counted.ts";
import { eachTime, type MakeSubject, newEvent, searched } from "../subject.ts";

const PRICES = { m: { input: 1, output: 2, currency: "USD" } };

function rating(value: number, by: string): NewScore {
  return { seq: null, run_id: null, call_id: null, name: "rating", value, source: "person", comment: null, by };
}

/** The ids of all pages, read forwards, and whether the pages read backwards are the same. */
async function allPages(storage: Storage, query: Omit<ConversationQuery, "limit">): Promise<string[]> {
  await searched(storage.conversations, { ...query, limit: 1 });
  const ids: string[] = [];
  let cursor: string | undefined;
  let last: string | null = null;
  do {
    const page = await storage.conversations.list({ ...query, limit: 2, ...(cursor && { cursor }) });
    ids.push(...page.items.map(({ id }) => id));
    last = page.prev;
    cursor = page.next ?? undefined;
  } while (cursor);
  const back: string[] = [];
  for (let before = last; before; ) {
    const page = await storage.conversations.list({ ...query, limit: 2, cursor: before });
    back.unshift(...page.items.map(({ id }) => id));
    before = page.prev;
  }
  expect(ids.slice(0, back.length)).toEqual(back);
  return ids;
}

/** The contract of the list's orders, and of its filters by what conversations add up to. */
export function sortingContract(make: MakeSubject): void {
  describe("The order of the list", () => {
    const subject = eachTime(make);

    /** `a` to `e`, each longer, later and costlier than the one before; `b` and `d` have failures. */
    async function fill(storage: Storage): Promise<void> {
      await storage.rollup.usePrices(PRICES);
      for (const [index, id] of ["a", "b", "c", "d", "e"].entries()) {
        const more = Array.from({ length: index }, (_, number) =>
          newEvent({
            ...{ id: `${id}-more-${number}`, conversation_id: id, type: "model.responded", agent_id: "support" },
            ...{ run_id: `${id}-run`, payload: { model: "m", provider: "p", input_tokens: 500, output_tokens: 250 } },
            occurred_at: new Date(Date.parse("2026-11-20T12:00:00Z") + index * 3_600_000).toISOString(),
          }),
        );
        await storage.log.append([
          ...conversation({ id, hour: index, fails: index % 2 === 1, channel: index < 3 ? "web" : "telegram" }),
          ...more,
        ]);
      }
    }

    test("is by start, duration, cost, tokens, failures or activity, both ways, and pages follow each other", async () => {
      const { storage } = subject();
      await fill(storage);
      for (const by of ["started", "duration", "cost", "tokens", "updated"] as const) {
        expect(await allPages(storage, { sort: { by } }), by).toEqual(["e", "d", "c", "b", "a"]);
        expect(await allPages(storage, { sort: { by }, order: "asc" }), by).toEqual(["a", "b", "c", "d", "e"]);
      }
      expect((await allPages(storage, { sort: { by: "failures" } })).slice(0, 2)).toEqual(["d", "b"]);
      expect(await allPages(storage, { sort: { by: "cost" }, channel: "web" })).toEqual(["c", "b", "a"]);
      expect(await allPages(storage, { sort: { by: "tokens" }, channel: "web", order: "asc" })).toEqual([
        "a",
        "b",
        "c",
      ]);
    });

    test("rows tell tokens and cost, and new prices are applied to what was counted before", async () => {
      const { storage } = subject();
      await fill(storage);
      await searched(storage.conversations, { sort: { by: "cost" }, limit: 1 });
      expect(await storage.conversations.get("b")).toMatchObject({ tokens: 1_850, cost: 0.0022 });
      await storage.rollup.usePrices({ m: { ...PRICES.m, input: 3, output: 0 } });
      expect(await storage.conversations.get("b")).toMatchObject({ tokens: 1_850, cost: 0.0045 });
      await storage.rollup.usePrices({});
      expect(await storage.conversations.get("b")).toMatchObject({ tokens: 1_850, cost: null });
      expect(await allPages(storage, { ranges: { cost: { most: 1 } } })).toEqual([]);
    });

    test("has also what began in the year 0, which is the first", async () => {
      const { storage } = subject();
      const occurred_at = "0000-02-29T00:00:00.000Z";
      await storage.log.append([
        ...conversation({ id: "a" }),
        newEvent({ id: "zero-1", conversation_id: "zero", type: "conversation.created", payload: {}, occurred_at }),
      ]);
      expect(await allPages(storage, { sort: { by: "started" }, order: "asc" })).toEqual(["zero", "a"]);
    });

    test("ranges narrow every order", async () => {
      const { storage } = subject();
      await fill(storage);
      const list = (query: Omit<ConversationQuery, "limit">) => allPages(storage, query);
      expect(await list({ ranges: { cost: { least: 0.0022, most: 0.0032 } } })).toEqual(["c", "b"]);
      expect(await list({ ranges: { failures: { least: 1 } }, sort: { by: "started" }, order: "asc" })).toEqual([
        "b",
        "d",
      ]);
      expect(await list({ ranges: { tokens: { most: 1_850 }, failures: { most: 0 } }, channel: "web" })).toEqual(["a"]);
      expect(await list({ ranges: { duration: { least: 3_600_000 } }, sort: { by: "cost" } })).toEqual([
        "e",
        "d",
        "c",
        "b",
      ]);
      expect(await list({ ranges: { duration: { most: 60_000 } } })).toEqual(["a"]);
      // Parts of a whole number, and more than a database counts to.
      expect(await list({ ranges: { failures: { least: 0.2, most: 1.9 } } })).toEqual(
        await list({ ranges: { failures: { least: 1, most: 1 } } }),
      );
      expect(await list({ ranges: { cost: { least: 9_999_999_999_999 } } })).toEqual([]);
    });

    test("by scores it has those that have one, by their average", async () => {
      const { storage } = subject();
      await fill(storage);
      await storage.scores.put("a", rating(5, "operator:anna"));
      await storage.scores.put("a", rating(2, "operator:ben"));
      await storage.scores.put("c", rating(4, "operator:anna"));
      await storage.scores.put("d", rating(1, "operator:anna"));
      await storage.scores.put("e", { ...rating(1, "operator:anna"), name: "other" });
      const sort = { by: "score", score: "rating" } as const;
      expect(await allPages(storage, { sort })).toEqual(["c", "a", "d"]);
      expect(await allPages(storage, { sort, order: "asc", ranges: { failures: { most: 0 } } })).toEqual(["a", "c"]);
    });

    test("matches that are far from the beginning of an order are found, whatever else is asked", async () => {
      const { storage } = subject();
      await storage.rollup.usePrices(PRICES);
      const fails = (id: string) => id === "b" || id === "y";
      // More than are read in an order before matches are looked for otherwise: 100 for each row of a page.
      const usual = Array.from({ length: 450 }, (_, index) =>
        conversation({ id: `other-${index}`, hour: index - 600, agent: index === 7 ? "rare" : "support" }),
      );
      await storage.log.append([
        ...["a", "b", "c"].flatMap((id, index) =>
          conversation({
            id,
            hour: index - 100,
            version: "2",
            channel: "telegram",
            took: 100 + index,
            fails: fails(id),
          }),
        ),
        ...usual.flat(),
        ...["x", "y", "z"].flatMap((id, index) =>
          conversation({
            id,
            hour: index - 620,
            version: "3",
            channel: "email",
            took: 2_000 + index,
            fails: fails(id),
          }),
        ),
        // More than so many are not gathered, but looked for in the order.
        ...Array.from({ length: 250 }, (_, index) =>
          conversation({ id: `early-${index}`, hour: index - 900, version: "4" }),
        ).flat(),
      ]);
      const scored = ["a", "c", "x", "y", "other-7"];
      for (const id of scored) await storage.scores.put(id, rating(id === "y" ? 1 : 4, "operator:anna"));
      await storage.queue.change(scored, { add_tags: ["odd"] });
      await searched(storage.conversations, { sort: { by: "cost" }, limit: 1 });
      const turn = (version: string) => ({ what: "turn", version }) as const;
      const narrow: [Omit<ConversationQuery, "limit">, string[]][] = [
        [{ happened: turn("2") }, ["c", "b", "a"]],
        [{ happened: turn("3") }, ["z", "y", "x"]],
        [{ happened: turn("3"), channel: "email", ranges: { failures: { most: 0 } } }, ["z", "x"]],
        [{ happened: turn("3"), score: { name: "rating" }, tag: "odd" }, ["y", "x"]],
        [{ happened: turn("1"), channel: "email" }, []],
        [{ happened: turn("1"), agent_id: "rare" }, ["other-7"]],
        [{ happened: turn("1"), tag: "odd" }, ["other-7"]],
        [{ channel: "email", status: "failed" }, ["y"]],
        [{ ranges: { duration: { least: 3_500 } } }, ["z", "y", "x"]],
        [{ score: { name: "rating" } }, ["c", "a", "other-7", "y", "x"]],
        [{ score: { name: "rating", since: 0, until: Date.now() + HOUR_MS } }, ["c", "a", "other-7", "y", "x"]],
        [{ score: { name: "rating", since: Date.now() + HOUR_MS } }, []],
        [{ score: { name: "rating", until: 1 } }, []],
        [{ score: { name: "rating", is: { operator: "<", value: "2" } }, ranges: { duration: { least: 1 } } }, ["y"]],
        [{ tag: "odd", to: "2026-10-26T00:00:00.000Z" }, ["y", "x"]],
        [{ agent_id: "nobody" }, []],
      ];
      for (const [query, ids] of narrow) {
        const name = JSON.stringify(query);
        for (const by of ["updated", "started"] as const) {
          expect(await allPages(storage, { ...query, sort: { by } }), `${by} ${name}`).toEqual(ids);
          expect(await allPages(storage, { ...query, sort: { by }, order: "asc" }), `${by} ${name}`).toEqual(
            ids.toReversed(),
          );
        }
        // All cost the same: the later stored comes first. The rows of both ends were stored in another order than they began.
        const stored = ["a", "b", "c", "other-7", "x", "y", "z"].filter((id) => ids.includes(id)).toReversed();
        expect(await allPages(storage, { ...query, sort: { by: "cost" } }), `cost ${name}`).toEqual(stored);
        const [failed, others] = [stored.filter(fails), stored.filter((id) => !fails(id))];
        const byFailures = await allPages(storage, { ...query, sort: { by: "failures" } });
        expect(byFailures, `failures ${name}`).toEqual([...failed, ...others]);
      }
      for (const by of ["updated", "started", "cost"] as const) {
        const list = (cursor?: string) =>
          storage.conversations.list({ happened: turn("4"), sort: { by }, limit: 2, ...(cursor && { cursor }) });
        const first = await list();
        const next = await list(first.next ?? "");
        const ids = [...first.items, ...next.items].map(({ id }) => id);
        expect(ids, by).toEqual([249, 248, 247, 246].map((number) => `early-${number}`));
      }
    });

    test("a page goes on after the last row, also when rows have moved meanwhile", async () => {
      const { storage } = subject();
      await fill(storage);
      await searched(storage.conversations, { sort: { by: "failures" }, limit: 1 });
      const first = await storage.conversations.list({ sort: { by: "tokens" }, limit: 2 });
      expect(first.items.map(({ id }) => id)).toEqual(["e", "d"]);
      const payload = { model: "m", provider: "p", input_tokens: 90_000, output_tokens: 0 };
      await storage.log.append([
        newEvent({ id: "later", conversation_id: "a", run_id: "a-run", type: "model.responded", payload }),
      ]);
      const next = await searched(storage.conversations, {
        ...{ sort: { by: "tokens" }, limit: 2 },
        ...(first.next && { cursor: first.next }),
      });
      expect(next.items.map(({ id }) => id)).toEqual(["c", "b"]);
      expect(next.next).toBeNull();
      const cursor = first.next ?? "";
      for (const sort of [{ by: "cost" } as const, { by: "score", score: "tokens" } as const, undefined])
        await expect(storage.conversations.list({ limit: 2, cursor, ...(sort && { sort }) })).rejects.toThrow(
          BadCursor,
        );
      const turned = { sort: { by: "tokens" }, order: "asc", limit: 2, cursor } as const;
      await expect(storage.conversations.list(turned)).rejects.toThrow(BadCursor);
    });

    test("failures of one kind are found among those of their tool", async () => {
      const { storage } = subject();
      await fill(storage);
      await searched(storage.conversations, { sort: { by: "cost" }, limit: 1 });
      const week = { from: Date.parse("2026-11-17T00:00:00Z"), to: Date.parse("2026-11-24T00:00:00Z") };
      const errors = (await storage.rollup.tool("refund", week))?.errors ?? [];
      expect(errors).toHaveLength(2);
      const { fingerprint = "", examples = [] } = errors[0] ?? {};
      const list = (error: ConversationQuery["error"]) => allPages(storage, { error, sort: { by: "started" } });
      expect(await list({ tool: "refund", fingerprint })).toEqual(examples.map((one) => one.conversation_id));
      expect(await list({ tool: "refund", fingerprint: "0".repeat(16) })).toEqual([]);
      expect(await list({ tool: "other", fingerprint })).toEqual([]);
    });

    test("an erased conversation counts as what is left of it, and a rebuild changes nothing", async () => {
      const { storage } = subject();
      await fill(storage);
      await storage.log.append(conversation({ id: "f", hour: 9, user: "eve" }));
      const before = await allPages(storage, { sort: { by: "cost" } });
      await eraseAllButFile(storage, "user", "eve");
      expect(await allPages(storage, { sort: { by: "cost" } })).toEqual(before);
      expect(await subject().faults()).toEqual([]);
    });
  });
}
