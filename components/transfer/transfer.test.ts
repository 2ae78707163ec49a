import { describe, expect, it } from "vitest";
import { type ImportTransfer, outcomeOf, shareOf } from "./transfer.ts";

const running: ImportTransfer = {
  kind: "import",
  id: "i",
  name: "a.ndjson",
  stage: "running",
  problem: null,
  size: 1_000,
  sent: 500,
  state: null,
  outcome: null,
};
const storing = { phase: "storing", bytes: 1_000, conversations: 2, events: 10, stored: 5 } as const;

describe("C12: the progress of a transfer", () => {
  it("the upload is one half, storing the other", () => {
    expect(shareOf(running)).toBe(0.25);
    expect(shareOf({ ...running, sent: 1_000, state: storing })).toBe(0.75);
  });

  it("is null while unknown", () => {
    expect(shareOf({ ...running, state: { ...storing, phase: "waiting" } })).toBeNull();
    expect(shareOf({ ...running, size: 0, sent: 0 })).toBeNull();
    expect(shareOf({ ...running, stage: "done" })).toBeNull();
  });

  it("summarizes an import and links some of its conversations, or existing ones if nothing is new", () => {
    const conversations = ["a", "b", "c", "d"].map((id) => ({ conversation_id: id, created: true, events: 2 }));
    const old = { conversation_id: "old", created: false, events: 0 };
    expect(outcomeOf({ conversations: [old, ...conversations] })).toEqual({
      created: 4,
      events: 8,
      there: 1,
      first: ["a", "b", "c"],
    });
    expect(outcomeOf({ conversations: [old] }).first).toEqual(["old"]);
  });
});
