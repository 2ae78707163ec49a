import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { delegateOf } from "./delegate-of.ts";

const SETTINGS = { name: "refund", description: "", strict: false, writes: [] };

test("C9, P27: a delegate keeps its messages and its input's schema, and gets its input from the caller", () => {
  const schema = { type: "object", properties: { id: { type: "string" } } };
  const context: JsonObject[] = [
    { type: "input", input: { id: "1842" }, schema },
    { type: "state", state: { limit: 5 } },
    { role: "system", content: "Be brief" },
  ];
  const body = delegateOf({ plan: [{ _tool: "a" }], context, tools: [] }, SETTINGS);
  expect(body.input_schema).toEqual(schema);
  expect(JSON.stringify(body.context)).not.toContain("1842");
  expect(body.context).toMatchObject([
    { role: "system", content: "Be brief" },
    { kind: "state", data: { limit: 5 } },
  ]);
});
