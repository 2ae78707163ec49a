import { describe, expect, it } from "vitest";
import type { Selection } from "@/components/selection/use-selection.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { stepOf } from "@/lib/session/events/event-index-columns.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session } from "@/lib/session/testing/events.ts";
import { RowMaker } from "@/lib/session/timeline/rows.ts";
import { promptRows, requestsAt } from "./requests.ts";

const NOTHING: Selection = {
  ...{ call: null, path: null, run: null, iteration: null, instance: null, node: null },
  tab: "prompt",
  graph: "plan",
  plan: null,
  pane: "thread",
};

/** The request that is shown at a step. */
function shownAt(events: SessionEvent[], at: number, selection: Partial<Selection> = {}) {
  const rows = new RowMaker();
  const timeline = events.map((event) => rows.add(stepOf(event)).row);
  const folded = fold(emptySession("c"), events.slice(0, at));
  return requestsAt(folded, timeline, promptRows(timeline), { ...NOTHING, ...selection });
}

const of = (run_id: string, parent_run_id: string | null = null) => ({ run_id, parent_run_id });
const prompt = { prompt: "p" };

const events = session(
  ["message.created", { role: "user", content: "hi" }],
  ["run.started", {}, { ...of("one"), agent_id: "clerk" }],
  ["prompt.rendered", { ...prompt, iteration: 1 }, of("one")],
  ["history.truncated", {}, of("one")],
  ["log", { text: "of another" }, of("other")],
  ["placeholder.missing", { names: ["x"] }, of("one")],
  ["model.requested", { provider: "p", model: "m" }, of("one")],
  ["placeholder.missing", { names: ["y"] }, of("one")],
  ["prompt.rendered", { ...prompt, iteration: 2 }, of("one")],
  ["call.started", { call_id: "draft", tool: "draft", iteration: 2 }, of("one")],
  ["prompt.rendered", { ...prompt, call_id: "draft", iteration: 2 }, of("one")],
  ["call.started", { call_id: "sum", tool: "sum", iteration: 2 }, of("one")],
  ["run.started", { call_id: "sum", delegate: "summarize" }, of("child", "one")],
  ["prompt.rendered", prompt, of("child", "one")],
  ["call.started", { call_id: "get", tool: "get", iteration: 2 }, of("one")],
  ["run.started", {}, { ...of("two"), agent_id: "clerk" }],
  ["call.started", { call_id: "late", tool: "mail", iteration: 1 }, of("two")],
  ["run.started", {}, { ...of("three"), agent_id: "clerk" }],
  ["prompt.rendered", prompt, of("three")],
);

/** The steps of the request and its neighbours. */
function places(at: number, selection: Partial<Selection> = {}) {
  const found = shownAt(events, at, selection);
  if (found.kind === "none") return found;
  const { row, number, count, previous, next, compared } = found.request;
  return { step: row.seq, place: `${number}/${count}`, previous, next, compared: compared?.seq ?? null };
}

describe("C6: the prompt at the current step", () => {
  it("is the newest request so far, with previous and next", () => {
    expect(places(8)).toEqual({ step: 3, place: "1/3", previous: null, next: 9, compared: null });
    expect(places(10)).toEqual({ step: 9, place: "2/3", previous: 3, next: 11, compared: 3 });
  });

  it("is one of the selected run, including its delegates", () => {
    expect(places(19, { run: "one" })).toMatchObject({ step: 14, previous: 11, next: null });
    expect(places(19)).toMatchObject({ step: 19, place: "1/1" });
  });

  it("is the one for a selected call's result, else of its delegate, else of the run that made it", () => {
    expect(places(19, { call: "draft" })).toMatchObject({ step: 11, previous: null, next: null });
    expect(places(19, { call: "sum" })).toMatchObject({ step: 14 });
    expect(places(19, { call: "get" })).toMatchObject({ step: 11, previous: 9 });
  });

  it("says that there is none yet, and where the first one is, or that there will be none", () => {
    expect(places(2)).toEqual({ kind: "none", of: "session", next: 3 });
    expect(places(19, { run: "two" })).toEqual({ kind: "none", of: "selection", next: null });
    expect(places(17, { call: "late" })).toEqual({ kind: "none", of: "selection", next: null });
  });

  it("is of any run when the selection has not happened yet", () => {
    expect(places(10, { run: "three", call: "late" })).toMatchObject({ step: 9 });
  });
});

describe("H6: what a prompt is compared with", () => {
  it("is the previous request of the same run, else of the same agent, but never one for a call's result", () => {
    expect(places(19)).toMatchObject({ step: 19, compared: 9 });
    expect(places(11)).toMatchObject({ step: 11, compared: null });
    expect(places(14)).toMatchObject({ step: 14, compared: null });
  });
});

it("H6: events after a prompt belong to it, up to the request itself", () => {
  const found = shownAt(events, 3);
  expect(found.kind === "shown" && found.request.until).toBe(6);
});
