import { expect, test, vi } from "vitest";
import type { AuditStore } from "../../db/access.ts";
import type { Erasure, ErasureStore } from "../../db/erasures.ts";
import type { AuditedAction } from "../../lib/access/audit.ts";
import { createErasures } from "./erasures.ts";

/** A fake store with one conversation per erasure, which records its calls in order. */
function fakeStore({ openRuns = [] as string[], waits = 0 } = {}) {
  const done: string[] = [];
  const rows: Erasure[] = [];
  const found = new Map<string, number>();
  const row = (id: string) => {
    const known = rows.find((one) => one.id === id);
    if (!known) throw new Error(`No ${id}`);
    return known;
  };
  const erasures: ErasureStore = {
    async add({ target, ...given }) {
      const times = { requested_at: "2026-11-22T00:00:00.000Z", finished_at: null };
      const erasure: Erasure = { ...given, target, phase: "requested", conversations: 0, events: 0, ...times };
      rows.push(erasure);
      return erasure;
    },
    get: async (id) => rows.find((one) => one.id === id) ?? null,
    list: async () => rows,
    unfinished: async () => rows.filter(({ phase }) => phase !== "finished"),
    async find(id) {
      if (waits-- > 0) return "later";
      const times = found.get(id) ?? 0;
      found.set(id, times + 1);
      done.push("find");
      return times === 0 ? "found" : "nothing";
    },
    async close() {
      done.push("close");
      return openRuns.splice(0);
    },
    async erase() {
      done.push("erase");
    },
    async forget(id) {
      done.push("forget");
      Object.assign(row(id), { phase: "compacting", target: null });
    },
    async compact() {
      done.push("compact");
      const all = rows.filter(({ phase }) => phase === "compacting");
      for (const one of all) Object.assign(one, { phase: "finished" });
      return all;
    },
  };
  return { erasures, done };
}

function made(options?: Parameters<typeof fakeStore>[0]) {
  const { erasures, done } = fakeStore(options);
  const actions: [AuditedAction, unknown][] = [];
  const audit: Pick<AuditStore, "append"> = {
    append: async (action, requester) => void actions.push([action, requester]),
  };
  const made = createErasures({
    erasures,
    audit,
    engine: { cancel: async (run) => void done.push(`cancel ${run}`) },
    receiptOf: (kind, id) => `digest of ${kind}:${id.length}`,
    replicas: { tell: () => undefined, hear: () => undefined },
    logger: { error: (_, message) => done.push(message) },
  });
  made.start();
  return { made, done, actions };
}

const requester = { caller: { kind: "everybody" }, address: "127.0.0.1", request_id: "r" } as const;

test("Security: an erasure cancels runs, repeats its search, removes the name before compacting, and is audited without it", async () => {
  const { made: erasures, done, actions } = made({ openRuns: ["run-1"] });
  const { id } = await erasures.request({ kind: "user", id: "alice", reason: null }, requester);
  await vi.waitFor(() => expect(actions).toHaveLength(2));
  expect(done).toEqual(["find", "close", "cancel run-1", "close", "erase", "find", "forget", "compact"]);
  expect(actions.map(([{ action, target }, who]) => [action, target, who])).toEqual([
    ["erasure.requested", `erasure:${id}`, requester],
    ["erasure.finished", `erasure:${id}`, null],
  ]);
  expect(JSON.stringify(actions)).not.toContain("alice");
  await erasures.stop();
});

test("Security: an erasure waits for imports and forks", async () => {
  const { made: erasures, actions } = made({ waits: 1 });
  await erasures.request({ kind: "conversation", id: "c", reason: null }, requester);
  await vi.waitFor(() => expect(actions).toHaveLength(2), { timeout: 5_000 });
  await erasures.stop();
});
