import { expect, it } from "vitest";
import type { Json } from "../json/json.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import { session } from "../testing/events.ts";

const place = { call_id: "export", tool: "orders.export", iteration: 1 };
const progressed = (told: { progress?: number; message?: string }): [string, Json] => [
  "call.progressed",
  { ...place, ...told },
];

/** The call after each of the steps, as readers see it. */
function calls(...steps: [string, Json][]) {
  const events = session(...steps);
  return events.map((_, i) => [...fold(emptySession("c"), events.slice(0, i + 1)).calls.values()][0]);
}

it("a call that runs tells how far it has come, at every step, and never goes back", () => {
  const told = calls(
    ["call.started", place],
    progressed({ progress: 0.2, message: "Reading" }),
    progressed({ progress: 0.6 }),
    progressed({ progress: 0.1, message: "Writing" }),
  );
  expect(told.map((call) => call?.progress ?? null)).toEqual([
    null,
    { seq: 2, part: 0.2, message: "Reading" },
    { seq: 3, part: 0.6, message: "Reading" },
    { seq: 4, part: 0.6, message: "Writing" },
  ]);
});

it("progress of a call ends with its try, and what comes before or after says nothing", () => {
  const told = calls(
    progressed({ progress: 0.9 }),
    ["call.started", place],
    progressed({ progress: 0.5 }),
    ["call.retried", { ...place, attempt: 1 }],
    progressed({ progress: 0.3 }),
    ["call.succeeded", place],
    progressed({ progress: 1 }),
  );
  expect(told.map((call) => call?.progress?.part ?? null)).toEqual([null, null, 0.5, null, 0.3, null, null]);
  expect(told.at(-1)?.status).toBe("succeeded");
});

it("where nobody knows how much is left, the message stands alone", () => {
  const progress = calls(["call.started", place], progressed({ message: "Page 7" })).at(-1)?.progress;
  expect(progress).toEqual({ seq: 2, part: null, message: "Page 7" });
});
