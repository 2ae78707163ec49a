import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rebuildDataDir } from "../projections/rebuild.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
  await subject.storage.close();
});
afterEach(() => subject.dispose());

test("E2: a process killed during writes keeps everything acknowledged, and no partial writes", async () => {
  const script = `
    import { openStorage } from ${JSON.stringify(new URL("../open.ts", import.meta.url).href)};
    const { log } = await openStorage({ dataDir: ${JSON.stringify(subject.dataDir)}, durability: "full", onCommit() {}, logger: console });
    const event = (writer, batch, index) => ({
      id: writer + "/" + batch + "/" + index, conversation_id: "c" + writer, type: "message.created", actor: null, agent_id: null,
      run_id: null, parent_run_id: null, caused_by: null, occurred_at: null,
      payload: { message_id: "m", role: "user", content: "said in batch " + batch },
    });
    await Promise.all([0, 1, 2, 3].map(async (writer) => {
      for (let batch = 0; ; batch += 1) {
        await log.append([0, 1, 2].map((index) => event(writer, batch, index)));
        process.stdout.write(writer + "/" + batch + "\\n");
      }
    }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const answered: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    answered.push(line);
    if (answered.length === 300) child.kill("SIGKILL");
  }
  await ended;
  await subject.reopen();
  const { events, conversations } = subject.storage;
  const stored = await events.since(0, { limit: 1_000_000 });
  const ids = new Set(stored.map(({ id }) => id));
  for (const batch of answered) for (const index of [0, 1, 2]) expect(ids).toContain(`${batch}/${index}`);
  expect(ids.size % 3).toBe(0);
  for (const writer of [0, 1, 2, 3]) {
    const own = stored.filter(({ conversation_id }) => conversation_id === `c${writer}`);
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
    expect(await conversations.get(`c${writer}`)).toMatchObject({ last_seq: own.length, message_count: own.length });
  }
  // Rebuilding requires the lock of the killed process.
  await subject.storage.close();
  expect(await rebuildDataDir(subject.dataDir)).toEqual({ conversations: 4, events: stored.length });
});
