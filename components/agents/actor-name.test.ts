import { expect, test } from "vitest";
import { actorName } from "./actor-name.ts";

test.each([
  ["operator:anna", "anna"],
  ["operator:анна:2", "анна:2"],
  ["key:billing", "billing (API)"],
  ["system", "system"],
  [null, null],
])("E2: %s reads as %s, so that a program is not taken for a person", (actor, name) => {
  expect(actorName(actor)).toBe(name);
});
