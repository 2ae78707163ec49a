import { describe, expect, test } from "vitest";
import { readCall } from "@/lib/plan/call.ts";
import { paramLines } from "./param-lines.ts";

const CALL = readCall(
  { _tool: "tasks.task.add", fields: { TITLE: "††state", DEADLINE: "†input.until" }, contact: "†state.contact.name" },
  "c",
);

describe("C4: the parameters on a card", () => {
  test("C4: before the call starts, a reference is shown as written", () => {
    expect(paramLines(CALL, null, 3)).toEqual([
      { key: "fields.TITLE", name: "TITLE", value: { kind: "value", value: "†state" } },
      {
        key: "fields.DEADLINE",
        name: "DEADLINE",
        value: { kind: "reference", expression: [[{ kind: "input", path: ["until"] }]] },
      },
      {
        key: "contact",
        name: "contact",
        value: { kind: "reference", expression: [[{ kind: "state", path: ["contact", "name"] }]] },
      },
    ]);
  });

  test("C4: after the call has started, values are shown, and a † in them is data (P3)", () => {
    expect(paramLines(CALL, { fields: { TITLE: "†state", DEADLINE: "26.11" }, contact: null }, 2)).toEqual([
      { key: "fields.TITLE", name: "TITLE", value: { kind: "value", value: "†state" } },
      { key: "fields.DEADLINE", name: "DEADLINE", value: { kind: "value", value: "26.11" } },
    ]);
  });
});
