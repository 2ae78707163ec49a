import { describe, expect, test } from "vitest";
import { recorded, type Step, said } from "@/components/studio/testing/recorded.ts";
import type { Call } from "@/lib/session/session.ts";
import { type Entry, sectionsOf } from "./sections.ts";
import { type HiddenCalls, shownEntries } from "./shown-entries.ts";

const CALLS = 400;
const NOTHING: ReadonlySet<string> = new Set();

const steps = Array.from(
  { length: CALLS },
  (_, index): Step => ["call.started", { call_id: `c${index}`, tool: `tool.${index}` }],
);
const session = recorded(
  said("1", "user", "Go", { run_id: null }),
  ["run.started", {}],
  ...steps,
  said("2", "assistant", "Done"),
);
const entries = sectionsOf(session, [], "")[0]?.entries ?? [];
const calls = [...session.calls.values()];

/** The shown entries: first and last tool of calls, and the number of hidden ones. */
function outline(shown: readonly (Entry | HiddenCalls)[]): string[] {
  return shown.flatMap((entry) => {
    if (entry.kind === "hidden") return [`${entry.count} ${entry.side}`];
    return entry.kind === "calls" ? entry.rows.map(({ call }) => call.tool) : [entry.kind];
  });
}

function tools(from: number, to: number): string[] {
  return calls.slice(from, to).map(({ tool }) => tool);
}

describe("C3: a run with very many calls", () => {
  test("C3: a few calls are all shown", () => {
    const few = entries.slice(0, 3);
    expect(shownEntries(few, null, NOTHING)).toEqual(few);
  });

  test("C3: the newest are shown, with the number of earlier ones", () => {
    expect(outline(shownEntries(entries, null, NOTHING))).toEqual([
      "message",
      "320 earlier",
      ...tools(320, CALLS),
      "message",
    ]);
  });

  test("C3: the call of the step is always shown, with some around it", () => {
    const shown = outline(shownEntries(entries, calls[130] ?? null, NOTHING));
    expect(shown).toEqual(["message", "80 earlier", ...tools(80, 200), "200 later", "message"]);
    for (const call of calls) expect(outline(shownEntries(entries, call, NOTHING))).toContain(call.tool);
  });

  test("C3: an expanded end stays, whatever the step", () => {
    const earlier = shownEntries(entries, null, NOTHING).find((entry) => entry.kind === "hidden");
    const asked = new Set([earlier?.kind === "hidden" ? earlier.id : ""]);
    expect(outline(shownEntries(entries, null, asked))).toEqual(["message", ...tools(0, CALLS), "message"]);
    const at: Call | null = calls[130] ?? null;
    expect(outline(shownEntries(entries, at, asked))).toEqual(["message", ...tools(0, 200), "200 later", "message"]);
  });
});
