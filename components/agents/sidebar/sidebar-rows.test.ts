import { describe, expect, it } from "vitest";
import type { AgentStateEntry } from "@/lib/api/shapes.ts";
import type { RunningAgent } from "../running-agent.ts";
import { sidebarRows } from "./sidebar-rows.ts";

const entry = (agent_id: string, key: string): AgentStateEntry => ({
  agent_id,
  key,
  version: 1,
  updated_at: "2026-11-22T10:00:00.000Z",
});

const agent = (id: string, description = ""): RunningAgent => ({
  id,
  description,
  instructions: "Work.",
  tools: null,
  mode: "shadow",
  locale: "en",
  history: { source: "provider", max_tokens: 4_000, max_messages: 200 },
  default: false,
  stage: null,
  prefix: { en: "", ru: "" },
  version: 0,
  source: "file",
});

const NOBODY = { agent: null, entries: [] };
const told = (listed: Parameters<typeof sidebarRows>[0]) =>
  sidebarRows(listed).map((row) => {
    switch (row.kind) {
      case "key":
        return `  ${row.entry.key}`;
      case "memory":
        return `memory of ${row.user}`;
      default:
        return `${row.kind} ${row.id}`;
    }
  });

describe("C8: agents by id with their keys", () => {
  const entries = [
    entry("crm", "settings"),
    entry("memory:anna", "memory"),
    entry("memory:boris", "memory"),
    entry("memory:boris", "notes"),
    entry("planner", "last_trace"),
    entry("planner", "settings"),
  ];

  it("lists agents of this server first, then the others in order, a memory under its user", () => {
    expect(told({ running: [agent("crm")], unfolded: NOBODY, entries, q: "" })).toEqual([
      "heading running",
      "running crm",
      "heading keeping",
      "memory of anna",
      "memory of boris",
      "keeper memory:boris",
      "  notes",
      "keeper planner",
      "  last_trace",
      "  settings",
    ]);
  });

  it("lists the keys of the selected agent of this server below it", () => {
    const unfolded = { agent: "crm", entries: [entry("crm", "settings")] };
    expect(told({ running: [agent("crm"), agent("other")], unfolded, entries: [], q: "" })).toEqual([
      "heading running",
      "running crm",
      "  settings",
      "running other",
    ]);
  });

  it("filters by a part of an agent's or a key's name, ignoring case", () => {
    const running = [agent("crm", "Looks after deals")];
    expect(told({ running, unfolded: NOBODY, entries, q: "DEAL" })).toEqual(["heading running", "running crm"]);
    expect(told({ running, unfolded: NOBODY, entries, q: " trace" })).toEqual([
      "heading keeping",
      "keeper planner",
      "  last_trace",
    ]);
    expect(told({ running, unfolded: NOBODY, entries, q: "nobody" })).toEqual([]);
  });
});
