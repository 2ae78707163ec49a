import { describe, expect, test } from "vitest";
import type { StateHistoryEntry } from "@/lib/session/find/state-history.ts";
import { historyLines } from "./history-lines.ts";

function entry(seq: number, fields: Partial<StateHistoryEntry>): StateHistoryEntry {
  const nobody = { at: null, run_id: "r", iteration: 1, instance: "", call_id: null, tool: null, actor: null };
  return { seq, kind: "written", path: "†state.a", ...nobody, ...fields };
}

describe("C6: what each write changed", () => {
  test("compares with the previous write, also of another run", () => {
    const told = historyLines([
      entry(1, { value: 5 }),
      entry(2, { kind: "read" }),
      entry(3, { value: 6, run_id: "r2" }),
      entry(4, { value: 6, run_id: "r3" }),
    ]);
    expect(told.map(({ kindOfWrite, before }) => [kindOfWrite, before])).toEqual([
      ["add", undefined],
      [null, undefined],
      ["change", 5],
      ["same", 6],
    ]);
  });

  test("compares instances and paths separately", () => {
    const told = historyLines([
      entry(1, { value: 5 }),
      entry(2, { value: 6, instance: "x" }),
      entry(3, { value: 7, path: "†state.a.b" }),
    ]);
    expect(told.map(({ kindOfWrite }) => kindOfWrite)).toEqual(["add", "add", "add"]);
  });
});
