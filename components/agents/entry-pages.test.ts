import { describe, expect, it } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { entriesOf, readChange, withChange } from "./entry-pages.ts";

const entry = (key: string, version: number) => ({
  agent_id: "a",
  key,
  version,
  updated_at: "2026-11-22T10:00:00.000Z",
});
const page = (...items: ReturnType<typeof entry>[]) => ({ items, next: null, prev: null });
const pages = { pages: [page(entry("k", 1), entry("l", 5)), page(entry("m", 2))], pageParams: ["", "x"] };

const event = (type: string, payload: SessionEvent["payload"]): SessionEvent => ({
  id: "e",
  conversation_id: null,
  seq: 0,
  position: 9,
  type,
  actor: null,
  agent_id: null,
  run_id: null,
  parent_run_id: null,
  caused_by: null,
  payload,
  occurred_at: null,
  recorded_at: "2026-11-22T11:00:00.000Z",
});

describe("C8: the list follows changes of agent state", () => {
  it("reads a change from an event of agent state only", () => {
    expect(readChange(event("agent_state.written", { agent_id: "a", key: "k", version: 2, value: 1 }))).toEqual({
      agent: "a",
      key: "k",
      version: 2,
      at: "2026-11-22T11:00:00.000Z",
      deleted: false,
    });
    expect(readChange(event("agent_state.deleted", { agent_id: "a", key: "k", version: 3 }))?.deleted).toBe(true);
    expect(readChange(event("message.created", { agent_id: "a", key: "k" }))).toBeNull();
  });

  const change = { agent: "a", key: "m", version: 3, at: "2026-11-22T11:00:00.000Z", deleted: false };

  it("replaces an entry with a newer version, never with an older one", () => {
    const next = withChange(pages, change);
    expect(next && entriesOf(next).map(({ key, version }) => [key, version])).toEqual([
      ["k", 1],
      ["l", 5],
      ["m", 3],
    ]);
    const late = withChange(pages, { ...change, key: "l" });
    expect(late && entriesOf(late)[1]).toEqual(entry("l", 5));
  });

  it("refetches the list when an entry is created or deleted", () => {
    expect(withChange(pages, { ...change, key: "new" })).toBeNull();
    expect(withChange(pages, { ...change, deleted: true })).toBeNull();
  });
});
