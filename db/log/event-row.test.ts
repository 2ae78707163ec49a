import { expect, test } from "vitest";
import { type EventRow, printEvent, toEvent } from "./event-row.ts";

const row: EventRow = {
  ...{ position: 7, id: 'a"b', conversation_id: "c", seq: 2, type: "log" },
  ...{ actor: null, agent_id: "agent", run_id: null },
  ...{ parent_run_id: null, caused_by: "a", occurred_at: 1_795_348_800_000, recorded_at: 1_795_348_800_001 },
  ...{ payload: JSON.stringify({ text: "a\nb\u2028†", 2: [1.5, -0, 1e21, null], 1: {} }), origin: "engine" },
};

test.each([row, { ...row, occurred_at: null, origin: null, payload: "null" }])(
  "E13: an event that is printed from its row is the same as one that is read",
  (each) => {
    const { position, type, json } = printEvent(each);
    expect({ position, type }).toEqual({ position: 7, type: "log" });
    expect(json).toBe(JSON.stringify(toEvent(each)));
  },
);
