import { expect, test } from "vitest";
import { parseReference } from "@/lib/plan/reference.ts";
import { knownReason } from "./known-reason.ts";

test("P21: what a call lacked is recognized in the engine's words, whatever names stand in them", () => {
  const path = '†state["which a, b"].x';
  expect(parseReference(path)?.ok).toBe(true);
  expect(knownReason(`It needs ${path}, which refund did not bring`)).toEqual({
    name: "lost",
    values: { path, call: "refund" },
  });
  expect(knownReason("It needs †state.x, a branch that was not taken")).toEqual({
    name: "untakenFor",
    values: { path: "†state.x" },
  });
});

test("P24: who decided is named without the kind of actor", () => {
  expect(knownReason("Denied by operator:anna")).toEqual({ name: "deniedBy", values: { who: "anna" } });
});

test("P21: a person's own words stay as they are", () => {
  for (const words of ["It needs a look", "Already done, see ticket 5", "branch not taken yet"])
    expect(knownReason(words)).toBeNull();
});
