import { historyMessage, type MessageRow } from "../../prompt/history/from-messages.ts";
import { createMemory } from "../../server/wiring/memory.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Guard, Handler } from "../tools/tools.ts";
import type { Dialog, HistoryEntry } from "../turn.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { type SetupOptions, setup } from "./setup.ts";

/** A message as the dialog reads it; the first of its conversation where nothing else is said. */
export function toldMessage({
  seq = 1,
  run_id = null,
  ...row
}: MessageRow & Partial<Pick<HistoryEntry, "seq" | "run_id">>): HistoryEntry {
  return { ...historyMessage(row), seq, run_id };
}

/** Says what the engine would have it say, so that tests see what was told. */
export const dialog: Dialog = {
  before: async (_, id) => [toldMessage({ id, role: "user", content: "hello" })],
  recall: async () => null,
  chain: (conversationId, chain) => ({
    ...{ agent_id: `dialog:${conversationId}`, key: "response_id" },
    value: chain && { ...chain },
  }),
  speech: {
    waiting: (descriptions) => `waiting: ${descriptions.join(", ")}`,
    planned: (descriptions) => `planned: ${descriptions.join(", ")}`,
    failed: ({ message }) => `failed: ${message}`,
    silent: () => "silent",
    cancelled: () => "cancelled",
    escalated: () => "escalated",
  },
};

/** An engine whose users' documents are beside its journal. */
export function setupRemembering(options: SetupOptions = {}) {
  const journal = options.journal ?? new MemoryJournal();
  const memory = createMemory({
    get: async (agentId, key) => {
      const stored = journal.documents.get(JSON.stringify([agentId, key]));
      return stored ? { agent_id: agentId, key, updated_at: "", ...structuredClone(stored) } : null;
    },
  });
  return setup({ memory, dialog, ...options, journal });
}

/** What is stored of a user. */
export function documentOf(journal: MemoryJournal, userId: string): Json {
  return journal.documents.get(JSON.stringify([`memory:${userId}`, "memory"]))?.value ?? null;
}

/** Stores a user's document as somebody else does. */
export function storeDocument(journal: MemoryJournal, userId: string, value: Json): void {
  const address = JSON.stringify([`memory:${userId}`, "memory"]);
  journal.documents.set(address, { value, version: (journal.documents.get(address)?.version ?? 0) + 1 });
}

/** A guard as the CRM's: amounts are risky. */
export const amounts: Guard = {
  risk: (params) => (params.amount === undefined ? null : "amount"),
  actionOf: (params) => ({ method: "deal.update", params: without(params) }),
  keyOf: ({ id = null }) => `deal_${id}_amount`,
  describe: ({ id = null, amount = null }) => `Change deal ${id} to ${amount}`,
  before: async () => ({ amount: 1 }),
};

function without({ requires_confirmation: _, ...params }: JsonObject): JsonObject {
  return params;
}

/** An activity that ends when it is told to. */
export function gated(): { activity: Handler["activity"]; started: string[]; open(name: string): void } {
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (name: string) => {
    const known = gates.get(name) ?? Promise.withResolvers<void>();
    gates.set(name, known);
    return known;
  };
  return {
    started,
    open: (name) => gate(name).resolve(),
    async activity({ name }) {
      started.push(String(name));
      await gate(String(name)).promise;
      return name ?? null;
    },
  };
}
