import { describe, expect, it } from "vitest";
import { proposedChanges } from "./proposed-changes.ts";

describe("C3: what an awaited action would change", () => {
  const state = { deal: { id: 1842, amount: 1_180_000, title: "Servers" }, contact: { id: 377, amount: 5 } };

  it("tells the old value of the record that shares the action's id", () => {
    const changes = proposedChanges({ id: 1842, fields: { AMOUNT: 1_450_000 } }, state);
    expect(changes).toEqual([{ name: "fields.AMOUNT", before: 1_180_000, after: 1_450_000 }]);
  });

  it("tells only the new value where the state does not say, or says two things", () => {
    expect(proposedChanges({ id: 1842, note: "call" }, state)).toEqual([
      { name: "note", before: undefined, after: "call" },
    ]);
    const doubled = { a: { id: 1, sum: 1 }, b: { id: 1, sum: 2 } };
    expect(proposedChanges({ id: 1, sum: 3 }, doubled)[0]?.before).toBeUndefined();
  });

  it("leaves out ids and values that stay as they are", () => {
    expect(proposedChanges({ id: 1842, contact_id: 377, title: "Servers" }, state)).toEqual([]);
  });

  it("says nothing of parameters that are no object", () => {
    expect(proposedChanges("anything", state)).toEqual([]);
  });
});
