import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { BadCursor } from "../../errors.ts";
import type { Confirmation, ConfirmationQuery, ListedConfirmation, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newMessage } from "../subject.ts";
import { actionsOn, decided, REFUND, requested, run, started } from "./asking.ts";

const HOUR = 60 * 60 * 1000;

/** The contract of `Confirmations`. */
export function confirmationsContract(make: MakeSubject): void {
  describe("Confirmations", () => {
    const subject = eachTime(make);
    const { own, outside, get, decide } = actionsOn(subject);

    test("E4: a pending request has everything needed for a decision", async () => {
      await outside(
        requested("k", {
          id: "asked",
          run_id: "r",
          agent_id: "billing",
          occurred_at: "2026-01-01T00:00:00.000Z",
          payload: {
            call_id: "refund",
            iteration: 2,
            instance: "①",
            cause: "interrupted",
            description: "Pays 40",
            before: { amount: 10, to: null },
          },
        }),
      );
      const waiting: Confirmation = {
        id: "k",
        key: "refund",
        conversation_id: "c",
        run_id: "r",
        call_id: "refund",
        iteration: 2,
        instance: "①",
        status: "requested",
        cause: "interrupted",
        description: "Pays 40",
        action: REFUND,
        before: { amount: 10, to: null },
        requested_seq: 1,
        requested_at: "2026-01-01T00:00:00.000Z",
        overdue: true,
        decided_seq: null,
        decided_at: null,
        decided_by: null,
        reason: null,
        own: false,
      };
      expect(await get("k")).toEqual(waiting);
      expect((await subject().storage.confirmations.list({ limit: 5 })).items).toMatchObject([waiting]);
      expect(await get("unknown")).toBeNull();
    });

    test("C7: a listed request has its conversation's current row, and its agent", async () => {
      const created = { channel: "telegram", user_id: "alice", agent_id: "admin" };
      await outside(
        newEvent({ id: "begins", type: "conversation.created", payload: created }),
        newMessage("m", "Give me my money back"),
        requested("k", { agent_id: "billing" }),
        requested("bare", { conversation_id: "d" }),
      );
      const listed = async () => (await subject().storage.confirmations.list({ limit: 5 })).items;
      const nowhere = { title: null, subject: null, channel: null, user_id: null, agent_id: null };
      expect(await listed()).toMatchObject([
        { id: "k", agent_id: "billing", conversation: { title: null, subject: "Give me my money back", ...created } },
        { id: "bare", agent_id: null, conversation: nowhere },
      ]);
      await outside(newEvent({ id: "t", type: "conversation.titled", payload: { title: "Refund" } }));
      expect(await listed()).toMatchObject([{ conversation: { title: "Refund" } }, {}]);
    });

    test("C7: the number of pending requests is returned, whatever was decided", async () => {
      const { conversations } = subject().storage;
      expect((await conversations.facets()).awaiting).toBe(0);
      await outside(requested("k"), requested("l"), requested("m", { conversation_id: "d" }));
      expect((await conversations.facets()).awaiting).toBe(3);
      await decide("l", { status: "denied" });
      expect((await conversations.facets()).awaiting).toBe(2);
    });

    test("M10: a request is overdue after a day, until it is decided", async () => {
      const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
      await outside(
        requested("old", { occurred_at: ago(25 * HOUR) }),
        requested("new", { occurred_at: ago(23 * HOUR) }),
        requested("told no time"),
      );
      expect(await get("old")).toMatchObject({ overdue: true });
      expect(await get("new")).toMatchObject({ overdue: false });
      expect(await get("told no time")).toMatchObject({ overdue: false });
      await decide("old");
      expect(await get("old")).toMatchObject({ overdue: false });
    });

    test("E8: large parameters and old values are replaced by references in the list", async () => {
      const text = "x".repeat(20_000);
      await outside(requested("k", { payload: { action: { method: "m", params: { text } }, before: { text } } }));
      expect((await get("k"))?.before).toEqual({
        $ref: "/api/conversations/c/events?after=0&limit=1#/items/0/payload/before",
        bytes: 20_011,
      });
      expect((await get("k"))?.action).toEqual({
        method: "m",
        params: {
          $ref: "/api/conversations/c/events?after=0&limit=1#/items/0/payload/action/params",
          bytes: 20_011,
        },
      });
    });

    test("E4: confirmations equal those of the session's view, in any order of requests and decisions", async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
          count += 1;
          const conversation = `c${count}`;
          const { log, confirmations, events } = subject().storage;
          await log.append(steps.map((step, index) => step(conversation, index)));
          const stored = await events.list(conversation, { after: 0, limit: 99 });
          const session = fold(emptySession(conversation), stored);
          // Only the session has the action before it was edited.
          const told = [...session.confirmations.values()]
            .map(({ asked: _asked, ...rest }) => rest)
            .sort((a, b) => (a.requested_seq ?? 0) - (b.requested_seq ?? 0));
          const { items } = await confirmations.list({ conversation_id: conversation, limit: 10 });
          expect(items.map(inSession)).toEqual(told);
          const unanswered = new Set(session.summary.unanswered.map(({ confirmation_id }) => confirmation_id));
          expect(items.map((item) => item.unanswered)).toEqual(told.map(({ id }) => unanswered.has(id)));
        }),
      );
    });

    test("E11: the list is oldest first, filtered by status and conversation, and paged in both directions", async () => {
      await outside(
        ...Array.from({ length: 9 }, (_, index) =>
          requested(`k${index}`, { conversation_id: index % 3 === 0 ? "a" : "b" }),
        ),
        decided("k1", "approved", { conversation_id: "b" }),
        decided("k4", "denied", { conversation_id: "b" }),
      );
      const { confirmations } = subject().storage;
      const found = async (query: Partial<ConfirmationQuery>) =>
        (await confirmations.list({ limit: 20, ...query })).items.map(({ id }) => id);
      expect(await found({})).toEqual(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"]);
      expect(await found({ conversation_id: "a" })).toEqual(["k0", "k3", "k6"]);
      const query = { status: "requested", conversation_id: "b", limit: 2 } as const;
      const first = await confirmations.list(query);
      const second = await confirmations.list({ ...query, cursor: first.next ?? "" });
      expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([
        ["k2", "k5"],
        ["k7", "k8"],
      ]);
      expect([first.prev, second.next]).toEqual([null, null]);
      expect(await confirmations.list({ ...query, cursor: second.prev ?? "" })).toEqual(first);
      await expect(confirmations.list({ limit: 1, cursor: "x" })).rejects.toBeInstanceOf(BadCursor);
    });

    test("C7: decided ones are listed by newest decision first, and paged in both directions", async () => {
      const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
      const approved = (id: string, minute: number) => decided(id, "approved", { occurred_at: at(minute) });
      await outside(
        ...["k0", "k1", "k2", "k3", "k4", "k5", "k6"].map((id) => requested(id)),
        approved("k3", 1),
        approved("k0", 5),
        approved("k5", 3),
        approved("k1", 3),
        approved("k6", 2),
        decided("k2", "denied"),
      );
      const { confirmations } = subject().storage;
      const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
      expect(ids(await confirmations.list({ status: "denied", limit: 9 }))).toEqual(["k2"]);
      const query = { status: "approved", conversation_id: "c", limit: 2 } as const;
      const first = await confirmations.list(query);
      const second = await confirmations.list({ ...query, cursor: first.next ?? "" });
      const third = await confirmations.list({ ...query, cursor: second.next ?? "" });
      expect([first, second, third].map(ids)).toEqual([["k0", "k5"], ["k1", "k6"], ["k3"]]);
      expect([first.prev, third.next]).toEqual([null, null]);
      expect(await confirmations.list({ ...query, cursor: third.prev ?? "" })).toEqual(second);
      expect(await confirmations.list({ ...query, cursor: second.prev ?? "" })).toEqual(first);
      const elsewhere = confirmations.list({ limit: 2, cursor: first.next ?? "" });
      await expect(elsewhere).rejects.toBeInstanceOf(BadCursor);
    });

    test("P22a: no external event changes the engine's confirmations, whatever conversation it names", async () => {
      await own(run("r"), requested("k", { run_id: "r" }));
      const before = await get("k");
      const forged = { method: "other", params: {} };
      for (const conversation_id of ["c", "elsewhere"]) {
        for (const event of [
          decided("k", "approved", { id: `approved ${conversation_id}`, conversation_id }),
          decided("k", "denied", { id: `denied ${conversation_id}`, conversation_id, run_id: "another" }),
          requested("k", { id: `asked ${conversation_id}`, conversation_id, payload: { action: forged } }),
        ])
          await expect(outside(event)).rejects.toThrow("belongs to a run of this server");
        await outside(started("refund", "k", { id: `started ${conversation_id}`, conversation_id }));
      }
      expect(await get("k")).toEqual(before);
      await own(decided("k", "approved", { run_id: "r" }));
      expect(await get("k")).toMatchObject({ status: "approved", action: REFUND });
    });

    test("E4: a confirmation of one conversation is not changed by another's events", async () => {
      await outside(requested("k"), decided("k", "approved", { conversation_id: "other" }));
      expect(await get("k")).toMatchObject({ status: "requested", conversation_id: "c", key: "refund" });
    });

    test("E4: a request with the id of another conversation's confirmation is refused, in any operation", async () => {
      const { log, conversations } = subject().storage;
      await outside(requested("k"));
      const again = (conversation_id: string, id = "k") =>
        requested(id, { id: `${id} in ${conversation_id}`, conversation_id, payload: { key: "harmless" } });
      const isRefused = (storing: Promise<unknown>) =>
        expect(storing).rejects.toThrow("belongs to another conversation; use another id");
      await isRefused(outside(again("d")));
      await isRefused(outside(requested("new"), again("d", "new")));
      const imported = (...ids: string[]) =>
        log.importConversations(
          (async function* () {
            for (const conversation_id of ids)
              yield { conversation_id, events: [again(conversation_id, ids.length === 1 ? "k" : "new")] };
          })(),
          new AbortController().signal,
        );
      await isRefused(imported("e"));
      await isRefused(imported("f", "g"));
      for (const id of ["d", "e", "f", "g"]) expect(await conversations.get(id)).toBeNull();
      expect(await get("k")).toMatchObject({ conversation_id: "c", key: "refund", status: "requested" });
      // The confirmation's own conversation may request it again.
      await outside(again("c"));
      expect(await get("k")).toMatchObject({ key: "harmless", requested_seq: 2 });
    });

    test("E5: confirmations survive reopening", async () => {
      await outside(requested("k"), requested("l"));
      await decide("l", { status: "denied" });
      const before = await subject().storage.confirmations.list({ limit: 5 });
      await subject().reopen();
      expect(await subject().storage.confirmations.list({ limit: 5 })).toEqual(before);
    });
  });
}

/** The confirmation in its session's view. */
function inSession({
  conversation_id: _,
  conversation: _where,
  agent_id: _agent,
  overdue: _o,
  own: _own,
  unanswered: _unanswered,
  ...told
}: ListedConfirmation) {
  return told;
}

/** A request or decision; its ids are unique to the conversation. */
const anyStep: fc.Arbitrary<(conversationId: string, index: number) => NewEvent> = fc
  .record({
    type: fc.constantFrom("requested", "approved", "denied"),
    id: fc.constantFrom("k1", "k2"),
    actor: fc.constantFrom(null, "operator:anna"),
    action: fc.constantFrom(REFUND, { method: "m", params: {} }),
    reason: fc.option(fc.constant("because"), { nil: undefined }),
    cause: fc.option(fc.constant("interrupted"), { nil: undefined }),
    decided_by: fc.option(fc.constant("operator:boris"), { nil: undefined }),
    instance: fc.option(fc.constant("①"), { nil: undefined }),
    before: fc.option(fc.constantFrom<JsonObject>({}, { amount: null }), { nil: undefined }),
  })
  .map(
    ({ type, id, actor, ...told }) =>
      (conversationId, index) =>
        newEvent({
          id: `${conversationId}/${index}`,
          conversation_id: conversationId,
          type: `confirmation.${type}`,
          actor,
          run_id: "r",
          payload: { confirmation_id: `${conversationId}/${id}`, key: "refund", iteration: 1, ...defined(told) },
        }),
  );

function defined(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
