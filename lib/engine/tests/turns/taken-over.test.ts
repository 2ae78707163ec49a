import { describe, expect, test, vi } from "vitest";
import type { RunRequest } from "../../engine.ts";
import type { MemoryJournal } from "../../testing/memory-journal.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { AGENT, echo } from "../../testing/setup.ts";

const ANNA = "operator:anna";
const native = (name: string, params: object): Said => ({
  native: [{ call_id: `call-${name}`, name, arguments: JSON.stringify(params) }],
});

/** A turn of the user ann, as an agent's. */
function turn(n: number): Partial<RunRequest> {
  const message = { id: `m${n}`, content: `say ${n}` };
  return { user_id: "ann", agent_id: "crm", conversation_id: "c", turn: { ...AGENT, run_id: `r${n}`, message } };
}

function bench(...sayings: Said[]) {
  const gate = gated();
  const tools = { slow: { activity: gate.activity }, risky: { activity: echo, requires_confirmation: true } };
  return { ...gate, tools, bench: setupRemembering({ tools, model: scripted(...sayings).model }) };
}

let hands = 0;
const hand = (journal: MemoryJournal, type: "taken_over" | "handed_back") =>
  journal.append([
    {
      ...{ id: `hand${hands++}`, conversation_id: "c", type: `conversation.${type}`, actor: ANNA, payload: {} },
      ...{ agent_id: null, run_id: null, parent_run_id: null, caused_by: null, occurred_at: null },
    },
  ]);

describe("D11: a manager has the conversation", () => {
  test("a turn that runs is cancelled by name, and says nothing of it; what it called is let go of", async () => {
    const { bench: made, started } = bench(native("slow", { name: "a" }));
    await made.start(null, turn(1));
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    await hand(made.journal, "taken_over");
    await made.engine.yieldToOperator("c", ANNA);
    expect(made.runOf("r1")).toMatchObject({ status: "cancelled", reason: `Taken over by ${ANNA}` });
    expect(made.session().messages.map(({ role }) => role)).toEqual(["user"]);
    expect(made.logged).toEqual([]);
  });

  test("what a turn asks a person is denied by the system, and turns in line end with it", async () => {
    const { bench: made } = bench(native("risky", { value: 1 }), native("slow", { name: "b" }));
    await made.run(null, turn(1));
    await made.start(null, turn(2));
    await hand(made.journal, "taken_over");
    await made.engine.yieldToOperator("c", ANNA);
    const [denied] = made.events("confirmation.denied");
    expect(denied).toMatchObject({
      actor: "system",
      payload: { decided_by: "system", reason: `Taken over by ${ANNA}` },
    });
    expect(["r1", "r2"].map((id) => made.runOf(id).status)).toEqual(["cancelled", "cancelled"]);
  });

  test("runs that answer nobody go on", async () => {
    const { bench: made, started, open } = bench();
    const id = await made.start([{ _tool: "slow", _id: "a", name: "a" }], { conversation_id: "c" });
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    await hand(made.journal, "taken_over");
    await made.engine.yieldToOperator("c", ANNA);
    open("a");
    await made.settle(id);
    expect(made.runOf(id).status).toBe("finished");
  });

  test("an answer that comes a moment later stays unsaid, and the run tells why", async () => {
    const { bench: made, started, open } = bench(native("slow", { name: "a" }), { native: [], text: "Here you are" });
    await made.start(null, turn(1));
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    // Told by an agent platform elsewhere: nobody has asked the engine to give way.
    await hand(made.journal, "taken_over");
    open("a");
    await made.settle("r1");
    expect(made.session().messages.map(({ role }) => role)).toEqual(["user"]);
    expect(made.runOf("r1")).toMatchObject({ status: "finished", reason: `Taken over by ${ANNA}` });
    expect(made.logged).toEqual([]);
  });

  test("no turn begins, and nothing of it is recorded; handed back, the next one does", async () => {
    const { bench: made } = bench({ native: [], text: "Back again" });
    await hand(made.journal, "taken_over");
    await expect(made.start(null, turn(1))).rejects.toMatchObject({ code: "taken_over", by: ANNA });
    expect(made.types).toEqual(["conversation.taken_over"]);
    await hand(made.journal, "handed_back");
    await made.run(null, turn(1));
    expect(made.session().messages.map(({ content }) => content)).toEqual(["say 1", "Back again"]);
    expect(made.logged).toEqual([]);
  });

  test("a failed turn is not resumed", async () => {
    const { bench: made } = bench(new Error("down"));
    await made.run(null, turn(1));
    await hand(made.journal, "taken_over");
    await expect(made.engine.resume("r1", [], ANNA)).rejects.toThrow(
      "has taken over the conversation; hand it back first",
    );
  });

  test("P23: a process that ended between the takeover and its effect leaves it to the next", async () => {
    const { bench: made, started, tools } = bench(native("slow", { name: "a" }));
    await made.start(null, turn(1));
    await made.start(null, turn(2));
    await vi.waitFor(() => expect(started).toEqual(["a"]));
    await hand(made.journal, "taken_over");
    made.journal.crash();
    const next = made.successor({ tools, model: scripted().model });
    await next.engine.recover();
    for (const id of ["r1", "r2"]) await next.settle(id);
    expect(["r1", "r2"].map((id) => next.runOf(id).status)).toEqual(["cancelled", "cancelled"]);
    expect(next.session().messages.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(next.logged).toEqual([]);
  });
});
