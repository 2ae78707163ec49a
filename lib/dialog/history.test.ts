import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage } from "../../db/storage.ts";
import type { JsonObject } from "../session/json/json.ts";
import { historyBefore } from "./history.ts";

let folder = "";
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-history-"));
  const logger = pino({ level: "silent" });
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

/** Records messages, one per minute. */
async function record(...messages: (JsonObject & { message_id: string; run_id?: string })[]): Promise<void> {
  await storage.log.append(
    messages.map(({ run_id = null, ...payload }, minute) => ({
      ...{ id: payload.message_id, conversation_id: "c", type: "message.created", payload, run_id },
      ...{ actor: null, agent_id: null, parent_run_id: null, caused_by: null },
      occurred_at: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(),
    })),
  );
}

const heard = (id: string, run = "own") => historyBefore(storage.messages, "c", id, run);

describe("M11, H3: the messages before a message", () => {
  it("have time, sender and flags, and the message itself is last", async () => {
    await record(
      { message_id: "1", role: "user", content: "hello", metadata: { important: true } },
      { message_id: "2", role: "system", content: "Stage: won", metadata: { stage_change: true } },
      { message_id: "3", role: "tool", content: "{}", name: "crm.deal.get", tool_call_id: "c1" },
      { message_id: "4", role: "user", content: "and now?" },
    );
    const plain = { name: null, important: false, relevant: false, call_id: null, run_id: null };
    expect(await heard("4")).toEqual([
      { ...plain, id: "1", seq: 1, role: "user", content: "hello", at: "2026-03-01T12:00:00.000Z", important: true },
      {
        ...plain,
        id: "2",
        seq: 2,
        role: "system",
        content: "Stage: won",
        at: "2026-03-01T12:01:00.000Z",
        relevant: true,
      },
      {
        ...plain,
        id: "3",
        seq: 3,
        role: "tool",
        content: "{}",
        at: "2026-03-01T12:02:00.000Z",
        name: "crm.deal.get",
        call_id: "c1",
      },
      { ...plain, id: "4", seq: 4, role: "user", content: "and now?", at: "2026-03-01T12:03:00.000Z" },
    ]);
  });

  it("are limited to the maximum of a history", async () => {
    const large = "x".repeat(1_500_000);
    await record(...["1", "2", "3"].map((message_id) => ({ message_id, role: "user", content: large })), {
      message_id: "4",
      role: "user",
      content: "now",
    });
    expect((await heard("4")).map(({ id }) => id)).toEqual(["2", "3", "4"]);
  });

  it("include as many later answers at most", async () => {
    const large = "x".repeat(1_500_000);
    await record(
      { message_id: "1", role: "user", content: "first" },
      ...["2", "3", "4"].map((message_id) => ({ message_id, role: "assistant", content: large })),
    );
    expect((await heard("1")).map(({ id }) => id)).toEqual(["2", "3", "1"]);
  });

  it("include later answers, except those of the answering run, and no later user messages", async () => {
    await record(
      { message_id: "1", role: "user", content: "first" },
      { message_id: "2", role: "user", content: "second" },
      { message_id: "3", role: "assistant", content: "to the first", run_id: "earlier" },
      { message_id: "4", role: "assistant", content: "I am waiting", run_id: "own" },
      { message_id: "5", role: "user", content: "third" },
    );
    expect((await heard("2")).map(({ id }) => id)).toEqual(["1", "3", "2"]);
    expect((await heard("2", "another")).map(({ id }) => id)).toEqual(["1", "3", "4", "2"]);
  });
});
