import { expect, test } from "vitest";
import { edgesOf } from "./edges.ts";
import { labelledSessions, scoreOf, sumOf } from "./labelled-edges.ts";

const sessions = labelledSessions();
const unseen = sessions.filter((session) => session.unseen);
const seen = sessions.filter((session) => !session.unseen);

test.each([
  ["seen", seen, []],
  ["unseen", unseen, []],
  ["seen, with other sessions", seen, sessions],
  ["unseen, with other sessions", unseen, sessions],
])("E15: inferred edges of sessions labelled by hand are right and found: %s", (_, of, others) => {
  const score = sumOf(of.map((session) => scoreOf(session, edgesOf(session, others))));
  expect(score.right / score.found).toBeGreaterThanOrEqual(0.95);
  expect(score.recalledCalls / score.labelledCalls).toBeGreaterThanOrEqual(0.8);
  expect(score.recalled / score.labelled).toBeGreaterThanOrEqual(0.8);
});

test("E15: what is inferred for a call does not depend on later events", () => {
  for (const session of sessions) {
    const all = edgesOf(session, sessions);
    for (let end = 1; end < session.events.length; end += 3) {
      const events = session.events.slice(0, end);
      const past = edgesOf(
        { ...session, events },
        sessions.filter((one) => one.id !== session.id),
      );
      expect(past).toEqual(all.slice(0, past.length));
    }
  }
});
