import { describe, expect, it } from "vitest";
import { callKey } from "@/lib/session/keys.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import { PLAN, recorded } from "../studio/testing/recorded.ts";
import { resolveSelection } from "./resolve-selection.ts";
import { findCall, selectionOf } from "./select-call.ts";

const nothing = { run: null, iteration: null, instance: null };
const looked = (session: Session) => resolveSelection(session, nothing);

function call(session: Session, run: string, iteration: number, id: string): Call {
  const found = session.calls.get(callKey(run, iteration, "", id));
  if (!found) throw new Error(`The session has no call ${id}`);
  return found;
}

describe("C2: a call's id in the address", () => {
  const session = recorded(
    ["run.started", {}, { run_id: "one" }],
    ["plan.proposed", { iteration: 1, calls: PLAN }, { run_id: "one" }],
    ["run.started", {}, { run_id: "two" }],
    ["plan.proposed", { iteration: 1, calls: PLAN }, { run_id: "two" }],
    ["plan.proposed", { iteration: 2, calls: PLAN }, { run_id: "two" }],
    ["run.started", { call_id: "sum", delegate: "sum" }, { run_id: "child", parent_run_id: "two" }],
    ["call.started", { call_id: "inner", tool: "text.write" }, { run_id: "child", parent_run_id: "two" }],
    ["call.started", { call_id: "late", tool: "mail.send" }, { run_id: "one" }],
  );

  it("is a call of the current run and iteration", () => {
    expect(findCall(session, looked(session), "get")).toMatchObject({ run_id: "two", iteration: 2 });
  });

  it("is a delegate's call, or another run's, if the current plan has none with that id", () => {
    expect(findCall(session, looked(session), "inner")).toMatchObject({ run_id: "child" });
    expect(findCall(session, looked(session), "late")).toMatchObject({ run_id: "one" });
  });

  it("is nothing if no such call exists at this step", () => {
    expect(findCall(session, looked(session), "nope")).toBeNull();
  });

  it("P25: also selects the instance of a delegate's call", () => {
    const child = (instance: string) => ({ run_id: `child ${instance}`, parent_run_id: "run" });
    const both = recorded(
      ["run.started", {}],
      ...["one", "two"].flatMap(
        (instance): Parameters<typeof recorded> => [
          ["call.started", { call_id: "sum", tool: "summarize", instance }],
          ["run.started", { call_id: "sum", instance, delegate: "sum" }, child(instance)],
          ["call.started", { call_id: "inner", tool: "text.write" }, child(instance)],
        ],
      ),
    );
    expect(findCall(both, looked(both), "inner")).toMatchObject({ run_id: "child one" });
    const inner = findCall(both, resolveSelection(both, { ...nothing, instance: "two" }), "inner");
    expect(inner).toMatchObject({ run_id: "child two" });
    expect(inner && selectionOf(both, looked(both), inner)).toMatchObject({ call: "inner", instance: "two" });
  });

  it("also selects run and iteration when others are shown, so that the link finds the call again", () => {
    const old = call(session, "one", 1, "get");
    expect(selectionOf(session, looked(session), old)).toEqual({ call: "get", tab: "call", run: "one", iteration: 1 });
    const earlier = call(session, "two", 1, "get");
    expect(selectionOf(session, looked(session), earlier)).toEqual({ call: "get", tab: "call", iteration: 1 });
    const inner = findCall(session, looked(session), "inner");
    expect(inner && selectionOf(session, looked(session), inner)).toEqual({ call: "inner", tab: "call" });
  });
});
