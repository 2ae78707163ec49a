import { expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { runFacts } from "./run-facts.ts";

const said = (content: string, role = "user") => ({ message_id: content, role, content });
const call = (call_id: string) => ({ call_id, tool: "book" });

test("C2: a run has the message that began it, its calls with those of its delegates, and its last failure", () => {
  const session = recorded(
    ["message.created", said("hello"), { run_id: null }],
    ["message.created", said("book it"), { run_id: null }],
    ["run.started", {}, { run_id: "one" }],
    ["call.started", call("a"), { run_id: "one" }],
    ["run.started", { call_id: "a" }, { run_id: "child", parent_run_id: "one" }],
    ["call.started", call("b"), { run_id: "child" }],
    ["call.failed", { ...call("b"), error: { code: "full", message: "no seats" } }, { run_id: "child" }],
    ["run.finished", {}, { run_id: "child" }],
    ["message.created", said("no seats", "assistant"), { run_id: "one" }],
    ["run.finished", {}, { run_id: "one" }],
    ["run.started", {}, { run_id: "two" }],
    ["call.started", call("c"), { run_id: "two" }],
    ["call.failed", { ...call("c"), error: { code: "full", message: "no" }, handled: true }, { run_id: "two" }],
    ["run.failed", { error: "stopped" }, { run_id: "two" }],
  );
  expect(runFacts(session).map(({ run, ...facts }) => ({ id: run.id, ...facts }))).toEqual([
    { id: "one", number: 1, message: "book it", calls: 2, failure: 7 },
    { id: "two", number: 2, message: null, calls: 1, failure: 14 },
  ]);
});
