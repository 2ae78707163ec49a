import { describe, expect, test, vi } from "vitest";
import { EVENT_KINDS, isEventType } from "../../../lib/session/events/kinds.ts";
import { fullPayload } from "../../../lib/session/testing/full-payloads.ts";
import type { ErasureKind } from "../../erasures.ts";
import type { NewEvent } from "../../repositories.ts";
import type { Storage } from "../../storage.ts";
import { eachTime, type MakeSubject, newEvent } from "../subject.ts";

/** What must be nowhere after an erasure. */
export const CANARY = "kanarienvogel";
export const NEVER = new AbortController().signal;
export const USER = "alice-kanarienvogel";
const TYPES = Object.keys(EVENT_KINDS).filter(isEventType);

/** Only the server records a fork's mode, and who of several has approved. */
const SERVERS: ReadonlySet<string> = new Set(["fork.mode_changed", "confirmation.partially_approved"]);

/** Every event type in a conversation of the user, with the canary in all content. */
export function everything(conversation_id: string): NewEvent[] {
  const told = TYPES.filter((type) => !type.startsWith("agent_state.") && !SERVERS.has(type));
  return told.map((type, index) =>
    newEvent({
      id: `${conversation_id}-${index}`,
      conversation_id,
      type,
      actor: `user:${USER}`,
      run_id: `${conversation_id}-run`,
      payload: withOwnIds(fullPayload(type, `${CANARY} ${index}`), `own-${index}`),
    }),
  );
}

/** Structural fields do not contain the canary. */
const STRUCTURE = new Set([
  ...[
    "message_id",
    "tool_call_id",
    "call_id",
    "instance",
    "tool",
    "confirmation_id",
    "channel",
    "agent_id",
    "key",
    "answers",
    "continues",
  ],
  ...[
    "confirm",
    "allowed_tools",
    "agent_version",
    "mode",
    "delegate",
    "model",
    "provider",
    "node",
    "from",
    "to",
    "method",
    "code",
    "_tool",
  ],
  ...["_id", "_instance", "conversation_id", "seq"],
]);

// biome-ignore lint/suspicious/noExplicitAny: any JSON.
function withOwnIds(value: any, own: string, field = ""): any {
  if (typeof value === "string") return STRUCTURE.has(field) && value.includes(CANARY) ? own : value;
  if (Array.isArray(value)) return value.map((one) => withOwnIds(one, own, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withOwnIds(one, own, name)]));
}

/** Erases all but what remains in the file; gives the erasure's id. */
export async function eraseAllButFile(storage: Storage, kind: ErasureKind, target: string): Promise<string> {
  const { erasures } = storage;
  await erasures.add({
    id: `erasure-${kind}-0123456789ab`,
    kind,
    target,
    reason: null,
    receipt: "r",
    requested_by: "operator:anna",
  });
  const [{ id } = { id: "" }] = await erasures.unfinished();
  for (let found = await erasures.find(id); found === "found"; found = await erasures.find(id)) {
    expect(await erasures.close(id)).toEqual([]);
    await erasures.erase(id);
  }
  await erasures.forget(id);
  return id;
}

/** The contract of `ErasureStore`. */
export function erasuresContract(make: MakeSubject): void {
  describe("Erasures", () => {
    const subject = eachTime(make);

    async function fill(): Promise<void> {
      const { log } = subject().storage;
      await log.append(everything("c-1"));
      await log.append([
        newEvent({
          id: "o-1",
          conversation_id: "other",
          type: "message.created",
          payload: { message_id: "m", role: "user", content: "stays whole" },
        }),
      ]);
      await log.putAgentState({
        ...{ agentId: `memory:${USER}`, key: "memory", value: { said: CANARY } },
        ...{ expect: { kind: "any" }, actor: "agent:crm" },
      });
      await log.putAgentState({
        ...{ agentId: "crm", key: "board", value: { stays: "whole" } },
        ...{ expect: { kind: "any" }, actor: "agent:crm" },
      });
      await allIndexed();
    }

    /** Waits until everything is indexed for search. */
    async function allIndexed(): Promise<void> {
      await vi.waitFor(async () => {
        expect((await subject().storage.conversations.list({ q: "whole", limit: 1 })).behind).toBeUndefined();
      });
    }

    async function erase(kind: ErasureKind, target: string): Promise<void> {
      const id = await eraseAllButFile(subject().storage, kind, target);
      expect(await subject().storage.erasures.compact(NEVER)).toMatchObject([{ id, phase: "finished", target: null }]);
    }

    test("Security: after an erasure no file has any content or name of the user", async () => {
      await fill();
      const before = await subject().storage.events.list("c-1", { after: 0, limit: 1_000 });
      expect(await subject().storage.conversations.list({ q: CANARY, limit: 10 })).toMatchObject({
        items: [{ id: "c-1" }],
      });
      await subject().storage.bookmarks.put("c-1", { seq: 1, note: `Look at ${CANARY}`, by: `user:${USER}` });
      await subject().storage.notes.add("c-1", {
        ...{
          seq: 1,
          run_id: null,
          call_id: null,
          path: null,
          text: `See ${CANARY}`,
          mentions: ["anna"],
          by: `user:${USER}`,
        },
      });
      await subject().storage.queue.change(["c-1"], { assignee: "anna", add_tags: [CANARY] });
      await subject().storage.scores.put("c-1", {
        ...{ seq: 1, run_id: null, call_id: null, name: "topic", value: CANARY, source: "person" },
        ...{ comment: `About ${CANARY}`, by: `user:${USER}` },
      });
      expect(await subject().filesWith(CANARY)).not.toEqual([]);

      await erase("user", USER);

      expect(await subject().filesWith(CANARY)).toEqual([]);
      expect(await subject().storage.bookmarks.list("c-1")).toEqual([]);
      expect(await subject().storage.scores.list("c-1")).toEqual([]);
      expect(await subject().storage.notes.list("c-1")).toEqual([]);
      const after = await subject().storage.events.list("c-1", { after: 0, limit: 1_000 });
      const places = (events: typeof before) =>
        events.map(({ id, seq, position, type, recorded_at }) => [id, seq, position, type, recorded_at]);
      expect(places(after).slice(0, before.length)).toEqual(places(before));
      expect(await subject().storage.conversations.list({ q: CANARY, limit: 10 })).toMatchObject({ items: [] });
      expect(JSON.parse((await subject().storage.sessions.view("c-1", null)) ?? "")).toMatchObject({
        at: after.length,
      });
      expect(await subject().storage.agentStates.get(`memory:${USER}`, "memory")).toBeNull();
      expect(await subject().storage.agentStates.get("crm", "board")).toMatchObject({ value: { stays: "whole" } });
      expect(await subject().storage.conversations.list({ q: "whole", limit: 10 })).toMatchObject({
        items: [{ id: "other" }],
      });
    });

    test("Security: events that are indexed for search while their conversation is erased and renamed are in the index afterwards", async () => {
      const { log, conversations } = subject().storage;
      const chat = `telegram:77${CANARY}`;
      for (let count = 0; count < 40; count += 1)
        await log.append(
          Array.from({ length: 100 }, (_, index) =>
            newEvent({
              id: `long-${count}-${index}`,
              conversation_id: chat,
              type: "message.created",
              payload: { message_id: `l${count}-${index}`, role: "user", content: `${CANARY} said` },
            }),
          ),
        );
      let erased = false;
      const erasing = erase("conversation", chat).finally(() => {
        erased = true;
      });
      // Each search has the indexer continue at once.
      while (!erased) await conversations.list({ q: "said", limit: 1 });
      await erasing;
      expect(await subject().faults()).toEqual([]);
      expect(await subject().filesWith(CANARY)).toEqual([]);
    });

    test("Security: a chat's id, forks, queued updates and agent state are erased, too", async () => {
      const { log, telegram, spans, sessions, conversations, agentStates } = subject().storage;
      const chat = `telegram:77${CANARY}`;
      await log.append(everything(chat));
      await log.append(
        Array.from({ length: 600 }, (_, index) =>
          newEvent({
            id: `long-${index}`,
            conversation_id: chat,
            type: "message.created",
            payload: { message_id: `l${index}`, role: "user", content: CANARY },
          }),
        ),
      );
      const own = { conversation_id: chat, run_id: "own-run" };
      await log.appendOwn([
        newEvent({ ...own, id: `${chat}:run`, type: "run.started", payload: {} }),
        newEvent({ ...own, id: `${chat}:end`, type: "run.finished", payload: {} }),
      ]);
      await subject().storage.runOwners.take("own-run", { key: `user:${CANARY}` });
      // Copied before its snapshots were created in the background.
      await sessions.view(chat, 300);
      const forked = { conversation_id: chat, seq: 2 };
      await log.append([
        newEvent({
          id: "fork-1",
          conversation_id: "a-fork",
          type: "conversation.created",
          payload: { title: CANARY, forked_from: forked },
        }),
      ]);
      const copied = { title: CANARY, origin: { conversation_id: "a-fork" } };
      await log.append([
        newEvent({ id: "copy-1", conversation_id: "a-copy", type: "conversation.created", payload: copied }),
      ]);
      await log.appendOwn([newEvent({ id: `${chat}:own`, conversation_id: chat, type: "log", payload: {} })], {
        ...{ agentId: "memory:boris", key: "memory", actor: "agent:crm" },
        apply: () => ({ value: { met: CANARY }, events: [] }),
      });
      await allIndexed();
      await telegram.receive({ update_id: 1, conversation_id: chat, update: { message: { text: CANARY } } });
      // Of those that came together, the second is told, and the third has nothing to do with the chat.
      const waiting = { trace_id: "w", span_id: "s", parent_span_id: null, content: "{}" };
      await spans.keep([
        { ...waiting, trace_id: "t", content: JSON.stringify({ session: chat }) },
        { ...waiting, trace_id: "told", content: JSON.stringify({ text: CANARY }) },
        waiting,
      ]);
      const most = { spans: 10, characters: 1_000 };
      await spans.tell("told", (await spans.news("told", [], most)).upTo, [], true);

      await erase("conversation", chat);

      expect((await spans.news("t", [], most)).spans).toEqual([]);
      expect((await spans.news("w", [], most)).spans).toEqual([waiting]);
      expect(await subject().filesWith(CANARY)).toEqual([]);
      expect(await subject().faults()).toEqual([]);
      expect(await conversations.get(chat)).toBeNull();
      const alias = "erased-0123456789ab";
      expect(await conversations.get(alias)).toMatchObject({ user_id: "erased", message_count: 601 });
      expect(await conversations.get("a-fork")).toMatchObject({ title: null, forked_from: { conversation_id: alias } });
      expect(await agentStates.get("memory:boris", "memory")).toBeNull();
      // A later message belongs to a new conversation.
      expect(
        await log.append([newEvent({ id: "new", conversation_id: chat, type: "log", payload: {} })]),
      ).toMatchObject([{ seq: 1 }]);
    });

    test("Security: writes to a conversation are refused while it is erased, and earlier reads are not stored", async () => {
      const { erasures } = subject().storage;
      await fill();
      const asked = await erasures.add({
        id: "erasure-1",
        kind: "conversation",
        target: "c-1",
        reason: null,
        receipt: "r",
        requested_by: "operator:anna",
      });
      expect(asked).toMatchObject({ phase: "requested", target: "c-1" });
      expect(await erasures.find(asked.id)).toBe("found");
      // The process ends before open runs were ended; the next one does it.
      await subject().reopen();
      expect(await subject().storage.erasures.close(asked.id)).toEqual([]);
      const { log } = subject().storage;
      const late = newEvent({ id: "late", conversation_id: "c-1", type: "log", payload: { said: CANARY } });
      await expect(log.append([late])).rejects.toThrow("is being erased");
      const mark = { seq: 1, note: CANARY, by: null };
      await expect(subject().storage.bookmarks.put("c-1", mark)).rejects.toThrow("is being erased");
      // The process ends before the start, and the next one continues.
      await subject().reopen();
      await expect(subject().storage.log.append([late])).rejects.toThrow("is being erased");
      await subject().storage.erasures.erase(asked.id);
      await subject().storage.erasures.forget(asked.id);
      expect(await subject().storage.erasures.unfinished()).toMatchObject([{ phase: "compacting", target: null }]);
      await subject().storage.erasures.compact(NEVER);
      expect(await subject().storage.log.append([late])).toMatchObject([{ duplicate: false }]);
    });
  });
}
