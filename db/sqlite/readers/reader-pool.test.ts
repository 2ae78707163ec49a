import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newMessage } from "../../contract/subject.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(async () => {
  vi.useRealTimers();
  await subject.dispose();
});

test("long calls leave a thread to short ones", async () => {
  const { log, sessions } = subject.storage;
  const said = Array.from({ length: 5_000 }, (_, index) =>
    newMessage(`long-${index}`, "", { conversation_id: "long" }),
  );
  await log.append([...said, newMessage("short", "", { conversation_id: "short" })]);
  // All threads have started; their order depends on the machine.
  await Promise.all(["a", "b", "c"].map((id) => sessions.view(id, null)));
  const order: string[] = [];
  const asked = Array.from({ length: 6 }, () => sessions.timeline("long", 0).then(() => order.push("timeline")));
  await Promise.all([...asked, sessions.view("short", null).then(() => order.push("view"))]);
  expect(order.at(-1)).toBe("timeline");
  expect(order.slice(0, 4)).toContain("view");
});

test("idle threads end after half a minute, and later calls are answered", async () => {
  const { log, sessions } = subject.storage;
  await log.append([newMessage("m", "Hello", { conversation_id: "c" })]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const workers = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
  const before = workers();
  const view = await sessions.view("c", null);
  expect(workers()).toBeGreaterThan(before);
  vi.advanceTimersByTime(29_000);
  expect(await sessions.view("c", null)).toBe(view);
  vi.advanceTimersByTime(29_000);
  expect(workers()).toBeGreaterThan(before);
  vi.advanceTimersByTime(2_000);
  expect(await sessions.view("c", null)).toBe(view);
  await vi.waitFor(() => {
    // In steps: indexing reads in the background, and restarts a thread's half minute.
    vi.advanceTimersByTime(100);
    expect(workers()).toBe(before);
  });
});
