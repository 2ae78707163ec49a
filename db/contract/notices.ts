import { describe, expect, test } from "vitest";
import type { FirstNotice } from "../notices.ts";
import { actionsOn, requested } from "./runs/asking.ts";
import { eachTime, type MakeSubject, newEvent } from "./subject.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const HOUR = 3_600_000;
const alert = (id: string, conversation_id = "c") =>
  newEvent({ id, conversation_id, type: "manager.alerted", payload: { text: `Help ${id}` } });

/** The contract of `NoticeStore`: people are notified of what is pending, and of nothing else. */
export function noticesContract(make: MakeSubject): void {
  describe("Notices", () => {
    const subject = eachTime(make);
    const { outside, decide } = actionsOn(subject);
    const store = () => subject().storage.notices;
    const atOnce = (): FirstNotice => ({ number: 0, dueAt: NOW });
    const gather = (first: () => FirstNotice | null = atOnce) => store().gather("mail", first);
    const take = (id = "n", now = NOW) => store().take("mail", now, id);
    const ids = async (id?: string, now?: number) => (await take(id, now))?.notices.map((notice) => notice.id);

    test("Inform: pending items are returned with their details, oldest first, but not earlier ones", async () => {
      await outside(requested("old", { id: "e0" }));
      await store().follow("mail");
      await gather();
      expect(await take()).toBeNull();
      const at = "2026-11-22T11:00:00.000Z";
      await outside(
        requested("k", { id: "e1", agent_id: "billing", occurred_at: at, payload: { description: "Pays 40" } }),
      );
      await subject().storage.log.append([{ ...alert("a"), occurred_at: at }]);
      await gather();
      expect(await take()).toEqual({
        ...{ id: "n", tries: 0, counts: { confirmation: 1, alert: 1, mention: 0, rule: 0 } },
        notices: [
          {
            ...{ kind: "confirmation", id: "k", number: 0, conversation_id: "c", title: null, agent_id: "billing" },
            ...{ since: at, method: expect.any(String), text: "Pays 40" },
          },
          {
            ...{ kind: "alert", id: "a", number: 0, conversation_id: "c", title: null, agent_id: "billing" },
            ...{ since: at, method: null, text: "Help a" },
          },
        ],
      });
    });

    test("Inform: a message keeps its id and content until it was sent, also after a restart", async () => {
      await store().follow("mail");
      await outside(requested("k", { id: "e1" }));
      await gather();
      await take("first");
      await store().failed("mail", "first", "no connection");
      await outside(requested("l", { id: "e2" }));
      await gather();
      await subject().reopen();
      await store().follow("mail");
      expect(await take("second")).toMatchObject({ id: "first", tries: 1, notices: [{ id: "k" }] });
      await store().sent("mail", "first", { at: NOW, again: null, most: 3 });
      expect(await take("second")).toMatchObject({ id: "second", notices: [{ id: "l" }] });
      await store().sent("mail", "second", { at: NOW, again: null, most: 3 });
      expect([await take("third"), await store().nextDue("mail")]).toEqual([null, null]);
    });

    test("Inform: nobody is notified of what was decided, handed back or taken over meanwhile", async () => {
      await store().follow("mail");
      await outside(requested("k", { id: "e1" }), requested("l", { id: "e2" }));
      await subject().storage.log.append([alert("a", "d"), alert("b", "f")]);
      await gather();
      await take();
      await decide("k");
      await subject().storage.log.append([
        newEvent({
          id: "t",
          conversation_id: "d",
          type: "conversation.taken_over",
          actor: "operator:anna",
          payload: {},
        }),
      ]);
      expect(await take()).toMatchObject({
        counts: { confirmation: 1, alert: 1, mention: 0, rule: 0 },
        notices: [{ id: "l" }, { id: "b" }],
      });
    });

    test("Inform: reminders are sent while an item is pending, up to a maximum", async () => {
      await store().follow("mail");
      await outside(requested("k", { id: "e1" }), requested("l", { id: "e2" }));
      await gather();
      await take("0");
      await store().sent("mail", "0", { at: NOW, again: NOW + HOUR, most: 2 });
      expect([await take("early"), await store().nextDue("mail")]).toEqual([null, NOW + HOUR]);
      expect((await take("1", NOW + HOUR))?.notices).toMatchObject([
        { id: "k", number: 1 },
        { id: "l", number: 1 },
      ]);
      await store().sent("mail", "1", { at: NOW + HOUR, again: NOW + 2 * HOUR, most: 2 });
      await decide("k");
      expect(await ids("2", NOW + 2 * HOUR)).toEqual(["l"]);
      await store().sent("mail", "2", { at: NOW + 2 * HOUR, again: NOW + 3 * HOUR, most: 2 });
      expect(await store().nextDue("mail")).toBeNull();
    });

    test("Inform: of many, the oldest are listed and all counted; channels are independent", async () => {
      await store().follow("mail");
      await outside(...Array.from({ length: 200 }, (_, n) => requested(`k${n}`, { id: `e${n}` })));
      await store().follow("webhook");
      await gather();
      await store().gather("webhook", atOnce);
      const message = await take();
      expect([message?.counts.confirmation, message?.notices.length, message?.notices[0]?.id]).toEqual([200, 50, "k0"]);
      expect(await store().take("webhook", NOW, "w")).toBeNull();
    });

    test("Inform: ignored items are never sent", async () => {
      await store().follow("mail");
      await outside(requested("k", { id: "e1" }));
      await gather(() => null);
      await gather();
      expect(await take()).toBeNull();
    });
  });
}
