import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../event.ts";
import { session } from "../testing/events.ts";
import { EdgeInference } from "./inferred-edges.ts";
import { SampledFrequencies } from "./value-frequencies.ts";

/** A session in which a call has a grade and an id of its own. */
function other(opening: string, grade: string): SessionEvent[] {
  return session(
    ["message.created", { message_id: opening, role: "user", content: opening }],
    ["call.succeeded", { call_id: "a", tool: "t", iteration: 1, output: { grade, id: `ID-${opening}-20417` } }],
  );
}

const OWN = session(
  ["message.created", { message_id: "m", role: "user", content: "Mine" }],
  ["call.succeeded", { call_id: "a", tool: "t", iteration: 1, output: { grade: "Standard", id: "ID-20417" } }],
  ["call.started", { call_id: "b", tool: "t", iteration: 1, params: { grade: "Standard", id: "ID-20417" } }],
);

function pathsAmong(sessions: readonly SessionEvent[][]): string[] {
  const frequencies = new SampledFrequencies("Mine");
  for (const one of sessions) frequencies.add(one);
  const inference = new EdgeInference(null, [], frequencies);
  for (const event of OWN) inference.add(event);
  return inference.edges.map(({ to_path }) => to_path);
}

const many = (grade: string) => Array.from({ length: 10 }, (_, index) => other(`session ${index}`, grade));

describe("E15: what is common is learned from other sessions", () => {
  it("a word that stands in many of them is not followed, an id always is", () => {
    expect(pathsAmong(many("Standard"))).toEqual(["/id"]);
  });

  it("a word that stands in none of them is followed", () => {
    expect(pathsAmong(many("Premium"))).toEqual(["/grade", "/id"]);
  });

  it("a few sessions tell nothing", () => {
    expect(pathsAmong(many("Standard").slice(0, 5))).toEqual(["/grade", "/id"]);
  });

  it("the same test, run again and again, counts as one session", () => {
    expect(pathsAmong(Array.from({ length: 20 }, () => other("Mine", "Standard")))).toEqual(["/grade", "/id"]);
    expect(pathsAmong(Array.from({ length: 20 }, () => other("again", "Standard")))).toEqual(["/grade", "/id"]);
  });
});
