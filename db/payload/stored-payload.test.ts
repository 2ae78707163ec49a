import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { newEvent } from "../contract/subject.ts";
import { openStorage } from "../sqlite/open.ts";
import type { Storage } from "../storage.ts";

async function withStorage(work: (storage: Storage) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const storage = await openStorage({ dataDir, durability: "normal", onCommit: () => undefined, logger: console });
  try {
    await work(storage);
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
}

test("E11: a batch of large events yields to the event loop before it is stored", async () => {
  const value = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, "v".repeat(200)]));
  await withStorage(async ({ log, events }) => {
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await turn();
        if ((await events.list("c", { after: 0, limit: 1 })).length === 0) turns += 1;
      }
    })();
    await log.append(
      Array.from({ length: 20 }, (_, n) =>
        newEvent({ id: `e${n}`, conversation_id: "c", type: "log", payload: value }),
      ),
    );
    isOver = true;
    await others;
    expect(turns).toBeGreaterThan(2);
    const [first] = await events.list("c", { after: 0, limit: 1 });
    expect(first?.payload).toEqual(value);
  });
});

test("E3: a value is stored in its event, and returned, unchanged", async () => {
  await withStorage(async ({ log, agentStates, events }) => {
    for (const value of [null, 0, 'a "quoted" \u2028 text', [], { value: { value: 1 }, version: 7 }]) {
      const write = { agentId: 'a"b', key: "k", value, expect: { kind: "any" }, actor: null } as const;
      const { text, version } = await log.putAgentState(write);
      expect(JSON.parse(text)).toEqual(value);
      expect(await agentStates.getText('a"b', "k")).toEqual({ version, text });
      expect((await agentStates.version('a"b', "k", version))?.value).toEqual(value);
      const newest = (await events.since(0, { limit: 100 })).at(-1);
      expect(newest?.payload).toEqual({ agent_id: 'a"b', key: "k", value, version });
    }
  });
});
