import { expect, it } from "vitest";
import type { Json } from "../../json/json.ts";
import { emptySession, fold } from "../../reducer/reducer.ts";
import { session } from "../../testing/events.ts";

const place = { call_id: "export", tool: "orders.export", iteration: 1 };
const progressed = (told: { progress?: number; message?: string }): [string, Json] => [
  "call.progressed",
  { ...place, ...told },
];

/** The call after each step, in the view. */
function calls(...steps: [string, Json][]) {
  const events = session(...steps);
  return events.map((_, i) => [...fold(emptySession("c"), events.slice(0, i + 1)).calls.values()][0]);
}

it("a running call has progress, at every step, which never decreases", () => {
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

it("progress ends with its attempt, and is ignored before and after", () => {
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

it("without a known share only the message is shown", () => {
  const progress = calls(["call.started", place], progressed({ message: "Page 7" })).at(-1)?.progress;
  expect(progress).toEqual({ seq: 2, part: null, message: "Page 7" });
});
