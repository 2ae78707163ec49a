import fc from "fast-check";
import { expect, test } from "vitest";
import { checker, problemsOf, tool } from "../plan/testing/check-plan.ts";
import { emptyDocument } from "./document.ts";
import { memorySchema } from "./schema.ts";
import { anyDocument, EXAMPLE } from "./testing/documents.ts";

test("M15: a plan reads the memory by references, with type checks", () => {
  const tools = [tool("show", { id: { type: "integer" } })];
  const context = [{ type: "data", kind: "memory", data: EXAMPLE, schema: memorySchema }];
  const problemsOfReading = (id: string) => problemsOf([{ _tool: "show", _id: "a", id }], { tools, context });
  expect(problemsOfReading("†memory.objects.current_deal_id")).toEqual([]);
  expect(problemsOfReading("†memory.goals")).toEqual(["error type_mismatch a /id"]);
});

test("M15: every document is valid in the schema", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      expect(checker.faults(memorySchema, document)).toEqual([]);
    }),
  );
});

test.each([
  [{ ...EXAMPLE, goals: [1] }, "goals"],
  [{ ...EXAMPLE, objects: { ...EXAMPLE.objects, current_deal_id: true } }, "current_deal_id"],
  [{ ...emptyDocument(), in_progress: [{ requested_at: 5 }] }, "requested_at"],
  [{ ...emptyDocument(), confirmations: { key: { status: "maybe" } } }, "status"],
  [{ goals: [] }, "done"],
])("M15: what is no document does not: %#", (value, place) => {
  expect(JSON.stringify(checker.faults(memorySchema, value))).toContain(place);
});

test("M15: it is short for models: times take two words", () => {
  expect(memorySchema).toMatchObject({
    properties: { done: { items: { properties: { timestamp: { type: "string", format: "date-time" } } } } },
  });
  expect(JSON.stringify(memorySchema)).not.toContain("pattern");
});
