import { describe, expect, it } from "vitest";
import { PLAN, recorded, type Step, said } from "@/components/studio/testing/recorded.ts";
import type { Session } from "@/lib/session/session.ts";
import { newestOf, type Section, sectionsOf, talkOf } from "./sections.ts";

const read = (session: Session, instance = "") => sectionsOf(session, [], instance);

/** A section in short: kinds of entries, calls by tool. */
function outline(section: Section | undefined): string[] {
  return (section?.entries ?? []).flatMap((entry) => {
    if (entry.kind === "calls") return entry.rows.map(({ call, depth }) => `${">".repeat(depth)}${call.tool}`);
    return entry.kind === "message" ? [String(entry.message.content)] : [entry.kind];
  });
}

const call = (what: string, id: string, tool: string): Step => [`call.${what}`, { call_id: id, tool }];

describe("C3: the thread shows a session run by run", () => {
  it("has a user's message before its run, and all else in order of steps", () => {
    const session = recorded(
      said("1", "user", "Hello", { run_id: null }),
      ["run.started", {}],
      call("started", "a", "look.up"),
      call("succeeded", "a", "look.up"),
      ["manager.alerted", { text: "Please help" }],
      said("2", "assistant", "Hi"),
      ["run.finished", {}],
      said("3", "user", "More", { run_id: null }),
      ["run.started", {}, { run_id: "two" }],
    );
    const sections = read(session);
    expect(sections.map(({ run, number }) => [run?.id, number])).toEqual([
      ["run", 1],
      ["two", 2],
    ]);
    expect(outline(sections[0])).toEqual(["Hello", "look.up", "alert", "Hi"]);
    expect(outline(sections[1])).toEqual(["More"]);
  });

  it("keeps a message without a run", () => {
    const session = recorded(
      ["run.started", {}],
      ["run.finished", {}],
      said("1", "user", "Anybody?", { run_id: null }),
    );
    expect(read(session).map(({ run }) => run?.id ?? null)).toEqual(["run", null]);
  });

  it("renders the newest of many runs first, back to one that is running", () => {
    const runs = Array.from({ length: 30 }, (_, index) => ({ run_id: `run ${index}` }));
    const told = (open: number | null) =>
      recorded(
        ...runs.flatMap((run, index): Step[] =>
          index === open
            ? [["run.started", {}, run]]
            : [
                ["run.started", {}, run],
                ["run.finished", {}, run],
              ],
        ),
      );
    const first = (session: Session) => newestOf(read(session)).map(({ id }) => id)[0];
    expect(first(told(null))).toBe("run 10");
    expect(first(told(4))).toBe("run 4");
  });

  it("D11: keeps messages during a takeover in order, also in collapsed runs", () => {
    const session = recorded(
      said("1", "user", "Hello", { run_id: null }),
      ["run.started", {}],
      ["run.cancelled", {}],
      ["conversation.taken_over", {}],
      said("2", "user", "Anybody?", { run_id: null }),
      said("3", "operator", "I am", { run_id: null }),
      said("4", "user", "Good", { run_id: null }),
      said("5", "operator", "Bye", { run_id: null }),
      ["conversation.handed_back", {}],
      said("6", "user", "More", { run_id: null }),
      ["run.started", {}, { run_id: "two" }],
    );
    const marks = [
      { seq: 4, type: "conversation.taken_over" as const },
      { seq: 9, type: "conversation.handed_back" as const },
    ];
    const [first, second] = sectionsOf(session, marks, "");
    expect(outline(first)).toEqual(["Hello", "mark", "Anybody?", "I am", "Good", "Bye", "mark"]);
    expect(outline(second)).toEqual(["More"]);
    expect(talkOf(first ?? { entries: [] }).map(({ seq }) => seq)).toEqual([1, 4, 5, 6, 7, 8, 9]);
  });

  it("shows messages without runs", () => {
    const session = recorded(
      said("1", "user", "Hello", { run_id: null }),
      said("2", "assistant", "Hi", { run_id: null }),
    );
    expect(read(session).flatMap(outline)).toEqual(["Hello", "Hi"]);
  });

  it("P25: shows a delegate's calls only for their instance", () => {
    const delegated = (instance: string): Step[] => {
      const child = { run_id: `child ${instance}`, parent_run_id: "run" };
      return [
        ["call.started", { call_id: "sum", tool: "summarize", instance }],
        ["run.started", { call_id: "sum", instance, delegate: "sum" }, child],
        ["call.started", { call_id: "inner", tool: `write.${instance}` }, child],
      ];
    };
    const session = recorded(["run.started", {}], ...delegated("one"), ...delegated("two"));
    expect(read(session, "one").flatMap(outline)).toEqual(["summarize", ">write.one"]);
    expect(read(session, "two").flatMap(outline)).toEqual(["summarize", ">write.two"]);
  });

  it("shows only calls with events; parked calls are shown by their confirmations", () => {
    const session = recorded(
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: PLAN }],
      call("started", "get", "deal.get"),
      call("parked", "check", "policy.check"),
      [
        "confirmation.requested",
        {
          confirmation_id: "k",
          key: "k",
          call_id: "check",
          iteration: 1,
          action: { method: "policy.check", params: {} },
        },
      ],
      call("skipped", "sum", "deal.summarize"),
    );
    expect(outline(read(session)[0])).toEqual(["deal.get", "ask"]);
  });

  it("nests a delegate's calls below the call that they execute", () => {
    const child = { run_id: "child", parent_run_id: "run" };
    const session = recorded(
      ["run.started", {}],
      call("started", "sum", "summarize"),
      call("started", "b", "later.call"),
      ["run.started", { call_id: "sum", delegate: "summarize" }, child],
      ["call.started", { call_id: "x", tool: "text.write" }, child],
    );
    expect(read(session)).toHaveLength(1);
    expect(outline(read(session)[0])).toEqual(["summarize", ">text.write", "later.call"]);
  });

  it("shows a tool message only without its call's row", () => {
    const session = recorded(
      ["run.started", {}],
      call("started", "a", "look.up"),
      ["message.created", { message_id: "1", role: "tool", name: "look.up", content: "42" }],
      ["message.created", { message_id: "2", role: "tool", name: "unseen", content: "43" }],
      said("3", "assistant", ""),
    );
    expect(outline(read(session)[0])).toEqual(["look.up", "43"]);
  });

  it("shows the calls of one instance, and all pending confirmations", () => {
    const ask = (id: string, instance: string): Step => [
      "confirmation.requested",
      { confirmation_id: id, key: id, call_id: "c", iteration: 1, instance, action: { method: "m", params: {} } },
    ];
    const session = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "one", instance: "①" }],
      ["call.started", { call_id: "a", tool: "two", instance: "②" }],
      ask("k1", "①"),
      ask("k2", "②"),
    );
    expect(outline(read(session, "②")[0])).toEqual(["two", "ask", "ask"]);
  });

  it("collapses ended runs with a plan; waiting and newest runs and chat turns stay expanded", () => {
    const session = recorded(
      ["run.started", {}, { run_id: "planned" }],
      ["plan.proposed", { iteration: 1, calls: PLAN }, { run_id: "planned" }],
      ["run.finished", {}, { run_id: "planned" }],
      ["run.started", {}, { run_id: "waiting" }],
      ["plan.proposed", { iteration: 1, calls: PLAN }, { run_id: "waiting" }],
      ["run.waiting", {}, { run_id: "waiting" }],
      ["run.started", {}, { run_id: "turn" }],
      ["run.finished", {}, { run_id: "turn" }],
      ["run.started", {}, { run_id: "newest" }],
      ["run.finished", {}, { run_id: "newest" }],
    );
    expect(read(session).map(({ id, folded }) => [id, folded])).toEqual([
      ["planned", true],
      ["waiting", false],
      ["turn", false],
      ["newest", false],
    ]);
  });

  it("keeps messages visible in collapsed runs", () => {
    const session = recorded(
      said("1", "user", "Raise it", { run_id: null }),
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: PLAN }],
      said("2", "assistant", "I am looking it up"),
      call("started", "get", "deal.get"),
      call("succeeded", "get", "deal.get"),
      said("3", "assistant", "Raised"),
      ["run.finished", {}],
      said("4", "user", "Thanks", { run_id: null }),
      ["run.started", {}, { run_id: "two" }],
    );
    const [first] = read(session);
    if (!first) throw new Error("There is no section");
    expect(first.folded).toBe(true);
    expect(outline({ ...first, entries: talkOf(first) })).toEqual(["Raise it", "Raised"]);
    expect(outline(first)).toEqual(["Raise it", "I am looking it up", "deal.get", "Raised"]);
  });

  it("M10: shows a self-check until an answer includes it, and new warnings after it", () => {
    const steps: Step[] = [
      ["run.started", {}],
      ["selfcheck.warned", { warnings: ["No goals", "An old question"] }],
    ];
    const checked = (session: Session) =>
      read(session).flatMap(({ entries }) =>
        entries.flatMap((entry) => (entry.kind === "check" ? entry.warnings : [])),
      );
    expect(checked(recorded(...steps))).toEqual(["No goals", "An old question"]);
    const answer: Step = [
      "message.created",
      { message_id: "1", role: "assistant", content: "Hi", metadata: { warnings: ["No goals"] } },
    ];
    expect(checked(recorded(...steps, answer))).toEqual(["An old question"]);
    const again: Step = ["selfcheck.warned", { warnings: ["No goals"] }];
    expect(checked(recorded(...steps, answer, again))).toEqual(["An old question", "No goals"]);
  });

  it("M10: shows a self-check in its run, also when another turn is queued", () => {
    const two = { run_id: "two" };
    const session = recorded(
      ["run.started", {}],
      said("1", "user", "More", { run_id: null }),
      ["run.started", { queued: true }, two],
      ["selfcheck.warned", { warnings: ["No goals"] }],
      [
        "message.created",
        { message_id: "2", role: "assistant", content: "Hi", metadata: { warnings: ["No goals"] } },
        two,
      ],
    );
    expect(read(session).map(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
      ["check"],
      ["message", "message"],
    ]);
  });

  it("M13: shows only planned calls as such, in shadow and canary, before the answer", () => {
    const reason = "Nothing is carried out that changes what is there";
    const plan: Step = ["plan.proposed", { iteration: 1, calls: [{ _tool: "deal.update", _id: "u", id: 1842 }] }];
    const rows = (session: Session) =>
      read(session)[0]?.entries.map((entry) =>
        entry.kind === "calls"
          ? entry.rows.map(({ call: { tool }, plannedOnly, about }) => [tool, plannedOnly, about])
          : entry.kind,
      );
    const shadow = recorded(["run.started", {}], plan, said("1", "assistant", "Nothing was carried out"), [
      "run.finished",
      { reason: "shadow" },
    ]);
    expect(rows(shadow)).toEqual([[["deal.update", true, 1842]], "message"]);
    const canary = recorded(
      ["run.started", {}],
      plan,
      ["call.skipped", { call_id: "u", tool: "deal.update", params: { id: 1842 }, reason, planned: true }],
      said("1", "assistant", "Planned"),
    );
    expect(rows(canary)).toEqual([[["deal.update", true, 1842]], "message"]);
    expect(rows(recorded(["run.started", {}], plan, ["run.finished", {}]))).toEqual([]);
  });

  it("shows marks of the timeline in order, up to the current step", () => {
    const session = recorded(["run.started", {}], said("1", "assistant", "Hi"));
    const marks = [
      { seq: 1, type: "stage.changed" as const },
      { seq: 3, type: "conversation.taken_over" as const },
    ];
    expect(outline(sectionsOf(session, marks, "")[0])).toEqual(["mark", "Hi"]);
  });
});
