import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject, newEvent, newMessage } from "./subject.ts";

/** The contract of `Storage.measures`. */
export function measuresContract(make: MakeSubject): void {
  describe("Measures", () => {
    const subject = eachTime(make);

    test("tell what waits, what is open, and how large the database is", async () => {
      const { storage } = subject();
      const nothing = { queued: 0, unsearched: 0, spans: 0, alerts: 0, confirmations: { waiting: 0, oldest: null } };
      expect(await storage.measures()).toMatchObject({ ...nothing, notices: { unsent: 0, oldest: null } });
      const asked = { confirmation_id: "k", key: "k", action: { method: "pay", params: {} } };
      await storage.log.append([
        newMessage("said", "hello"),
        newEvent({ id: "asked", type: "confirmation.requested", payload: asked }),
        newEvent({ id: "called", type: "manager.alerted", payload: { alert_id: "a", text: "help" } }),
      ]);
      const { bytes, disk, ...counts } = await storage.measures();
      expect(counts).toMatchObject({ alerts: 1, confirmations: { waiting: 1, oldest: expect.any(Number) } });
      expect(bytes).toBeGreaterThan(0);
      expect(disk).toBeGreaterThan(0);
      await expect.poll(async () => (await storage.measures()).unsearched).toBe(0);
    });
  });
}
