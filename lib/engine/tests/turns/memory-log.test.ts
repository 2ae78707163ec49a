import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { NewEvent } from "../../../../db/repositories.ts";
import { isSameJson, type Json, type JsonObject } from "../../../session/json/json.ts";
import { emptySession, fold } from "../../../session/reducer/reducer.ts";
import type { DocumentChange } from "../../journal.ts";
import { RunMemory } from "../../step/state/run-memory.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { amounts, documentOf, setupRemembering, storeDocument } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, type TestTool } from "../../testing/setup.ts";
import { ActivityError } from "../../tools/activity.ts";

const ANN = { user_id: "ann", conversation_id: "c" };
const EMPTY = {
  ...{ goals: [], done: [], in_progress: [], next_planned_actions: [], confirmations: {}, event_bindings: [] },
  objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
};
const anyParams = { type: "object" };
const tools: Record<string, TestTool> = {
  "crm.deal.get": { activity: async ({ id = null }) => ({ ID: id }), effect: "read", schema: anyParams },
  "deal.update": { activity: echo, guard: amounts, schema: anyParams },
  "memory.goals.add": { activity: async ({ goal = null }) => ({ goal }), effect: "none", schema: anyParams },
  broken: {
    activity: async () => {
      throw new ActivityError("portal", "The portal is down");
    },
    schema: anyParams,
  },
};

/** Compares what the log tells of the memory with what is stored, as often as either changes. */
class ComparingJournal extends MemoryJournal {
  readonly differences: string[] = [];

  override async appendWithMemory(events: NewEvent[], change: DocumentChange): Promise<NewEvent | null> {
    const told = await super.appendWithMemory(events, change);
    const { memory } = fold(emptySession("c"), this.events);
    if (told && !isSameJson(memory, stored(this))) this.differences.push(JSON.stringify([memory, stored(this)]));
    return told;
  }
}

/** Of a user of whom nothing is stored, nothing is known. */
function stored(journal: MemoryJournal): Json {
  return documentOf(journal, "ann") ?? EMPTY;
}

/** What can happen to a user's affairs, in any order. */
const happening = fc.oneof(
  fc.record({ what: fc.constant("plan" as const), tool: fc.constantFrom(...Object.keys(tools)), id: fc.nat(3) }),
  fc.record({ what: fc.constant("decide" as const), decision: fc.constantFrom("approve" as const, "deny" as const) }),
  fc.record({ what: fc.constant("write" as const), goal: fc.string({ maxLength: 3 }) }),
  fc.record({ what: fc.constant("delete" as const) }),
  fc.record({ what: fc.constant("crash" as const), after: fc.nat(9) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** A key that every object seems to have, in the parameters: they are the model's. */
const planOf = (tool: string, id: number): JsonObject[] => [
  { _tool: tool, _id: "only", id, amount: id, goal: `goal ${id}`, deep: JSON.parse(`{"__proto__": ${id}}`) },
];

async function happen(bench: Bench, each: Happening): Promise<Bench> {
  const { journal } = bench;
  switch (each.what) {
    case "plan":
      await bench.run(planOf(each.tool, each.id), ANN);
      return bench;
    case "decide": {
      const [open] = [...bench.session().confirmations.values()].filter(({ status }) => status === "requested");
      if (!open?.run_id) return bench;
      const decision = { decision: each.decision, reason: null, action: null, result: undefined, actor: "operator:x" };
      await bench.clock.until(bench.engine.decide(open.id, open.run_id, decision));
      await bench.settle(open.run_id);
      return bench;
    }
    case "write": {
      const document = documentOf(journal, "ann");
      if (document !== null) storeDocument(journal, "ann", { ...(document as JsonObject), goals: [each.goal] });
      return bench;
    }
    case "delete":
      journal.documents.clear();
      return bench;
    case "crash": {
      journal.crashAfter(journal.events.length + each.after);
      void bench.run(planOf("crm.deal.get", 1), ANN).catch(() => undefined);
      await vi.waitFor(() => expect(journal.hasCrashed || bench.session().runs.size > 0).toBe(true));
      journal.crash();
      const next = new ComparingJournal(journal.events, journal.documents);
      const bench2 = setupRemembering({ tools, journal: next, clock: bench.clock });
      await bench2.engine.recover();
      for (const { id } of bench2.session().runs.values()) await bench2.settle(id);
      return bench2;
    }
    default:
      return each satisfies never;
  }
}

describe("M11: what the log tells of a user's memory", () => {
  test("is exactly what is stored, whatever happens in between: edits, deletions, crashes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 12 }), async (happenings) => {
        let bench: Bench = setupRemembering({ tools, journal: new ComparingJournal() });
        const journals = [bench.journal];
        for (const each of happenings) {
          bench = await happen(bench, each);
          journals.push(bench.journal);
        }
        // What a run begins with is what is there now.
        await bench.run(planOf("crm.deal.get", 9), ANN);
        expect(isSameJson(bench.session().memory, stored(bench.journal))).toBe(true);
        for (const journal of journals) expect((journal as ComparingJournal).differences).toEqual([]);
        expect(bench.logged).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("takes an operator's edit between iterations in: it is kept, added to, and told to the model", async () => {
    const native = { call_id: "a", name: "deal_update", arguments: JSON.stringify({ id: 1, amount: 5 }) };
    const { model, asked } = scripted({ native: [native] }, { native: [], text: "Done" });
    const bench = setupRemembering({ tools, model });
    const turn = {
      ...AGENT,
      ...{ run_id: "r", message: { id: "m", content: "hello" } },
    };
    await bench.run(null, { ...ANN, turn });
    const before = stored(bench.journal) as JsonObject;
    storeDocument(bench.journal, "ann", { ...before, goals: ["Mind the margin"], note: "by hand" });
    await bench.decide({ decision: "approve" });
    await bench.settle("r");
    expect(stored(bench.journal)).toMatchObject({
      ...{ goals: ["Mind the margin"], note: "by hand", done: [expect.anything()], in_progress: [] },
      confirmations: { deal_1_amount: { status: "approved", action: { confirmed: true } } },
    });
    expect(JSON.stringify(asked[0]?.input)).not.toContain("Mind the margin");
    expect(JSON.stringify(asked[1]?.input)).toContain("Mind the margin");
    expect(bench.session().memory).toEqual(stored(bench.journal));
  });

  test("is each user's own where several talk in one conversation", async () => {
    const bench = setupRemembering({ tools, journal: new MemoryJournal() });
    const goal = (text: string) => ({ _tool: "memory.goals.add", _id: text, goal: text });
    const ask = { _tool: "deal.update", _id: "ask", id: 1, amount: 5, _outputPath: "†state.asked" };
    const first = await bench.run([goal("sell"), ask, { ...goal("deliver"), after: "†state.asked" }], ANN);
    await bench.run([goal("buy"), goal("pay")], { ...ANN, user_id: "bob" });
    expect(bench.session().memory).toEqual(documentOf(bench.journal, "bob"));
    await bench.decide({ decision: "approve" });
    await bench.settle(first);
    expect(bench.session().memory).toEqual(documentOf(bench.journal, "ann"));
    expect(bench.session().memory).toMatchObject({ goals: ["deliver", "sell"] });
    expect(bench.session().warnings).toEqual([]);
  });

  test("names no key that a patch may not name: then the whole document is told", () => {
    const document = (text: string): JsonObject => JSON.parse(text);
    const before = document('{"plan": [{"a": 1}], "goals": []}');
    const after = document('{"plan": [{"__proto__": {"a": 1}}], "goals": []}');
    const memory = new RunMemory();
    const take = (value: JsonObject, version: number): Json => {
      memory.apply({ delta: memory.deltaTo(value, version), version: version + 1 });
      return memory.document;
    };
    expect(take(before, 0)).toEqual(before);
    expect(isSameJson(take(after, 1), after)).toBe(true);
    expect(isSameJson(take(before, 2), before)).toBe(true);
    expect(memory.deltaTo({ ...before, goals: ["sell"] }, 3)).toEqual([{ op: "add", path: "/goals/0", value: "sell" }]);
  });
});
