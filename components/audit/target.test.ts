import { expect, test } from "vitest";
import { targetOf } from "./target.ts";

const entry = (target: string | null, after: Record<string, string> | null = null) =>
  targetOf({ target, before: null, after });

test.each([
  ["conversation:a/b", null, "a/b", "/conversations/a%2Fb"],
  ["run:r", { conversation_id: "c" }, "r", "/conversations/c?run=r"],
  ["run:r", null, "r", null],
  ["confirmation:x", { status: "denied" }, "x", "/approvals?status=denied&selected=x"],
  ["memory:alice", null, "alice", "/agents?agent=memory%3Aalice&key=memory"],
  ["agent_state:crm/a/deal", null, "crm/a/deal", "/agents?agent=crm%2Fa&key=deal"],
  ["user:anna", null, "anna", "/admin/users"],
  ["tool:a:b", null, "a:b", null],
])("%s with %o links to its page", (target, after, id, href) => {
  expect(entry(target, after)).toEqual({ kind: target.slice(0, target.indexOf(":")), id, href });
});

test("an entry without a target has no link", () => {
  expect(entry(null)).toBeNull();
});
