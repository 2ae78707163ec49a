import { describe, expect, test } from "vitest";
import { mergePlans } from "@/components/compare/plan/merge-plans.ts";
import type { CaseResult } from "@/lib/api/shapes.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { callId, stepPlans } from "./step-plans.ts";

type Pair = CaseResult["items"][number]["result"]["difference"]["steps"][number];

const call = (tool: string, params: Record<string, Json>, output: Json): NonNullable<Pair["recorded"]> => ({
  ...{ kind: "call", seq: 1, call_id: tool, tool, params, result: { ok: true, output }, branch: null },
});
const pair = (kind: Pair["kind"], recorded: Pair["recorded"], now: Pair["now"]): Pair => ({
  ...{ kind, recorded, now, params: [], result: [], words: null },
});

const order = call("order.get", { id: "88213" }, { order: { total: 84000 } });

describe("the calls of a case as one graph", () => {
  test("a value that an earlier call gave is a wire from it", () => {
    const refund = call("refund", { amount: 84000 }, null);
    const plans = stepPlans([pair("same", order, order), pair("same", refund, refund)]);
    expect(plans && mergePlans(plans.pair).drawn.level.links).toMatchObject([{ from: callId(0), to: callId(1) }]);
  });

  test("calls of one side are marked, and what is the same is not, although its source is another", () => {
    const note = call("note.add", { text: "Refunded" }, null);
    const plans = stepPlans([
      pair("same", order, order),
      pair("added", null, call("charge.get", { id: "ch_1" }, { total: 84000 })),
      pair("same", call("refund", { amount: 84000 }, null), call("refund", { amount: 84000 }, null)),
      pair("removed", note, null),
    ]);
    expect(plans?.pair.calls.map(({ id, standing }) => [id, standing])).toEqual([
      [callId(0), "same"],
      [callId(2), "same"],
      [callId(3), "a"],
      [callId(1), "b"],
    ]);
  });

  test("words are no calls", () => {
    const said: Pair["recorded"] = { kind: "says", seq: 2, content: "Done" };
    expect(stepPlans([pair("same", said, said)])).toBeNull();
  });
});
