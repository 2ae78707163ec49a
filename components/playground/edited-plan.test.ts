import { expect, test } from "vitest";
import { flowNodeMaker } from "@/components/graph/canvas/flow-elements.ts";
import { type Layout, wiresOf, withSameParts } from "@/components/graph/layout/layout.ts";
import { layOutWaves } from "@/components/graph/layout/wave-grid.ts";
import { createLevelReader } from "@/components/graph/level-reader.ts";
import { layeredPlan } from "@/components/graph/testing.ts";
import { addCall, deleteCalls } from "@/lib/plan/edit/call-list.ts";
import { copyCalls, pasteCalls } from "@/lib/plan/edit/copy.ts";
import { type PlanText, readPlanText } from "@/lib/plan/edit/plan-text.ts";
import { printCalls } from "@/lib/plan/edit/print-call.ts";
import { setValue } from "@/lib/plan/edit/set-value.ts";
import { applyEdits, type TextEdit } from "@/lib/plan/edit/text-edit.ts";
import { planKey } from "@/lib/session/keys.ts";
import { documentReader, EMPTY_DRAFT } from "./draft/documents.ts";
import { knownTools } from "./editor/toolbox.ts";
import { createCallsReader } from "./read-calls.ts";
import { createSketcher } from "./sketch.ts";

const TEXT = printCalls(layeredPlan(30, 5));
const TOOLS = knownTools([], [], []);

/** What the page makes of each text, one after the other. */
function planPage() {
  const readDocuments = documentReader();
  const readCalls = createCallsReader();
  const sketch = createSketcher();
  const readLevel = createLevelReader();
  return (text: string) => {
    const { values } = readDocuments({ ...EMPTY_DRAFT, plan: text });
    const read = readCalls(values.plan ?? [], TOOLS);
    const session = sketch(read, null);
    const plan = session.plans.get(planKey("playground", 1));
    if (!plan) throw new Error("There is no plan");
    return { value: values.plan, session, ...readLevel(session, plan, "", new Set()) };
  };
}

function edited(text: string, make: (plan: PlanText) => readonly TextEdit[] | null | undefined): string {
  const plan = readPlanText(text);
  if (!plan) throw new Error("The text is no plan");
  return applyEdits(text, make(plan) ?? []);
}

test("after each edit, the page shows what it would show of the text alone", () => {
  const page = planPage();
  page(TEXT);
  let text = TEXT;
  const edits: ((plan: PlanText) => readonly TextEdit[] | null | undefined)[] = [
    (plan) => setValue(plan, "c7", ["amount"], 700),
    (plan) => setValue(plan, "c9", ["one"], "†state.v0.id"),
    (plan) => setValue(plan, "c3", ["_outputPath"], "†state.v3 || †state.late"),
    (plan) => setValue(plan, "c3", ["_outputPath"], "†state.moved"),
    (plan) => addCall(plan, { _tool: "new", _id: "new", from: "†state.moved", _outputPath: "†state.v3" }, "c3"),
    (plan) => deleteCalls(plan, ["c4", "c11", "c12"]),
    (plan) => setValue(plan, "c8", ["_id"], "c7"),
    (plan) => pasteCalls(plan, copyCalls(plan, ["c1", "c20"]), "c20")?.edits,
    (plan) => setValue(plan, "c20", ["_tool"], "other"),
  ];
  for (const [index, make] of edits.entries()) {
    text = edited(text, make);
    const [shown, alone] = [page(text), planPage()(text)];
    expect(shown.value, `values after edit ${index}`).toEqual(alone.value);
    expect(shown.level, `level after edit ${index}`).toEqual(alone.level);
    expect(shown.key).toBe(alone.key);
    expect([...shown.session.calls]).toEqual([...alone.session.calls]);
  }
});

test("of an edited parameter, only its own card is drawn again", () => {
  const page = planPage();
  const draw = ({ level }: ReturnType<typeof page>) => layOutWaves(level.nodes, wiresOf(level.nodes, level.links));
  const made = new WeakMap();
  const nodesOf = (layout: Layout) => layout.nodes.map(flowNodeMaker(layout, true, undefined, made));
  const first = draw(page(TEXT));
  const before = nodesOf(first);
  const after = nodesOf(withSameParts(draw(page(edited(TEXT, (plan) => setValue(plan, "c27", ["amount"], 1)))), first));
  const drawn = after.filter((node) => !before.includes(node)).map(({ data }) => data.placed.node.call.id);
  expect(drawn).toEqual(["c27"]);
});
