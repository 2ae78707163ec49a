import { describe, expect, test } from "vitest";
import { BadCursor } from "../../errors.ts";
import type { ConfirmationQuery, ConversationQuery } from "../../repositories.ts";
import type { Storage } from "../../storage.ts";
import { actionsOn, decided, requested } from "../runs/asking.ts";
import { eachTime, type MakeSubject, newEvent, newMessage, searched } from "../subject.ts";

interface Asked {
  limit: number;
  cursor?: string;
}

type Paged = (page: Asked) => Promise<{ next: string | null } | null>;

/** Every list that has cursors, of each thing it can be about, and in each order. */
function listsOf({ messages, conversations, audit, agentStates, alerts, confirmations, sessions }: Storage) {
  const ordered = (query: Omit<ConversationQuery, "limit">) => (page: Asked) =>
    searched(conversations, { ...query, ...page });
  const asked = (status: ConfirmationQuery["status"]) => (page: Asked) => confirmations.list({ status, ...page });
  const state = { path: "†state.deal", instance: null };
  return Object.entries<Paged>({
    "messages of c": (page) => messages.list("c", page),
    "messages of d": (page) => messages.list("d", page),
    conversations: ordered({}),
    "conversations, oldest first": ordered({ order: "asc" }),
    "conversations by tokens": ordered({ sort: { by: "tokens" } }),
    "conversations by tokens, fewest first": ordered({ sort: { by: "tokens" }, order: "asc" }),
    "conversations by start": ordered({ sort: { by: "started" } }),
    audit: (page) => audit.list(page),
    "agent state": (page) => agentStates.list(page),
    "history of memory": (page) => agentStates.history("admin", "memory", page),
    "history of board": (page) => agentStates.history("admin", "board", page),
    "history of another agent's board": (page) => agentStates.history("crm", "board", page),
    alerts: (page) => alerts.list({ status: "all", ...page }),
    "pending confirmations": asked("requested"),
    "approved confirmations": asked("approved"),
    "search in c": (page) => sessions.search("c", { q: "word", ...page }),
    "search in d": (page) => sessions.search("d", { q: "word", ...page }),
    "state history of c": (page) => sessions.stateHistory("c", { ...state, ...page }),
    "state history of d": (page) => sessions.stateHistory("d", { ...state, ...page }),
  });
}

/** The contract of cursors: each is of one list. */
export function cursorsContract(make: MakeSubject): void {
  describe("Cursors", () => {
    const subject = eachTime(make);
    const { outside } = actionsOn(subject);

    test("E11: a cursor is taken by the list that gave it out, and by no other", async () => {
      const { storage } = subject();
      for (const id of ["c", "d"])
        await outside(
          ...[1, 2].flatMap((n) => [
            newMessage(`${id}-m${n}`, "a word", { conversation_id: id }),
            newEvent({
              ...{ id: `${id}-s${n}`, conversation_id: id, run_id: "r", type: "state.written" },
              payload: { path: "†state.deal", value: n },
            }),
            newEvent({ id: `${id}-a${n}`, conversation_id: id, type: "manager.alerted", payload: { text: "Help" } }),
            requested(`${id}-k${n}`, { conversation_id: id }),
            requested(`${id}-o${n}`, { conversation_id: id }),
            decided(`${id}-o${n}`, "approved", { conversation_id: id }),
          ]),
        );
      const entries = [
        ["admin", "memory"],
        ["admin", "board"],
        ["crm", "board"],
      ] as const;
      for (const [agentId, key] of [...entries, ...entries])
        await storage.log.putAgentState({ agentId, key, actor: "user:a", value: 1, expect: { kind: "any" } });
      const caller = { kind: "person", id: "anna", name: "anna", role: "operator" } as const;
      for (const target of ["run:1", "run:2"])
        await storage.audit.append({ action: "run.cancelled", target }, { caller, address: "", request_id: "" });

      const lists = listsOf(storage);
      const taken: string[] = [];
      for (const [name, list] of lists) {
        const cursor = (await list({ limit: 1 }))?.next ?? "";
        expect(cursor, name).not.toBe("");
        for (const [other, ask] of lists)
          await ask({ limit: 1, cursor }).then(
            () => taken.push(`${name} → ${other}`),
            (error: unknown) => expect(error).toBeInstanceOf(BadCursor),
          );
      }
      expect(taken).toEqual(lists.map(([name]) => `${name} → ${name}`));
    });
  });
}
