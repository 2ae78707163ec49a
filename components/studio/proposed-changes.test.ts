import { describe, expect, it } from "vitest";
import { proposedChanges } from "./proposed-changes.ts";

describe("C3: the changes of a pending action", () => {
  const state = { deal: { id: 1842, amount: 1_180_000, title: "Servers" }, contact: { id: 377, amount: 5 } };

  it("has the old value of the record with the action's id", () => {
    const changes = proposedChanges({ id: 1842, fields: { AMOUNT: 1_450_000 } }, state);
    expect(changes).toEqual([{ name: "fields.AMOUNT", before: 1_180_000, after: 1_450_000 }]);
  });

  it("has only the new value if the state has none, or several", () => {
    expect(proposedChanges({ id: 1842, note: "call" }, state)).toEqual([
      { name: "note", before: undefined, after: "call" },
    ]);
    const doubled = { a: { id: 1, sum: 1 }, b: { id: 1, sum: 2 } };
    expect(proposedChanges({ id: 1, sum: 3 }, doubled)[0]?.before).toBeUndefined();
  });

  it("leaves out ids and unchanged values", () => {
    expect(proposedChanges({ id: 1842, contact_id: 377, title: "Servers" }, state)).toEqual([]);
  });

  it("is empty for parameters that are not an object", () => {
    expect(proposedChanges("anything", state)).toEqual([]);
  });
});
