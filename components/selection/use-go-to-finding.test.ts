import { expect, test } from "vitest";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session } from "@/lib/session/testing/events.ts";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { selectionAt } from "./use-go-to-finding.ts";

const row = (call: TimelineRow["call"]): TimelineRow => ({
  ...{ seq: 9, time: null, type: "call.failed", actor: null, agent: null, run: call?.run ?? null },
  ...{ call, cause: null, error: true },
});

test("selects the instance of a step, and the top-level run of a nested run", () => {
  const told = fold(
    emptySession("c"),
    session(["run.started", {}], ["run.started", {}, { run_id: "below", parent_run_id: "run" }]),
  );
  const call = { run: "run", iteration: 2, instance: "k-029", id: "publish", tool: "comments.publish" };
  expect(selectionAt(told, row(call))).toEqual({
    ...{ call: "publish", tab: "call", run: "run", iteration: 2, instance: "k-029" },
  });
  expect(selectionAt(told, row({ ...call, run: "below", instance: "" }))).toEqual({
    ...{ call: "publish", tab: "call", run: "run", iteration: null },
  });
  expect(selectionAt(told, row(null))).toBeNull();
});
