import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json/json.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import { session } from "../testing/events.ts";
import { ValueSources } from "./value-sources.ts";

type Steps = Parameters<typeof session>;
type Step = Steps[number];

const started = (call_id: string, params: Json = {}, more: JsonObject = {}): Step => [
  "call.started",
  { call_id, tool: call_id, params, ...more },
];
const succeeded = (call_id: string, more: JsonObject = {}): Step => [
  "call.succeeded",
  { call_id, tool: call_id, output: {}, ...more },
];
const wrote = (path: string, call_id: string | null, more: JsonObject = {}): Step => [
  "state.written",
  { path: `†state.${path}`, value: { a: 1 }, ...(call_id !== null && { call_id }), ...more },
];
const plan = (iteration: number, ...calls: JsonObject[]): Step => [
  "plan.proposed",
  { iteration, calls: calls.map((call) => ({ _tool: String(call._id), ...call })) },
];

/** The sources of a call's values, such as `/amount get †state.deal`; of the newest call with that id. */
function sourcesOf(id: string, ...steps: Steps): string[] {
  const folded = fold(emptySession("c"), session(...steps));
  const call = [...folded.calls.values()].findLast((one) => one.id === id);
  if (!call) throw new Error(`no call ${id}`);
  return new ValueSources(folded, []).of(call).map(({ parameter, source }) => {
    const from = source.kind === "call" ? `${source.call.id}@${source.call.iteration} ` : "";
    return `${parameter ?? "–"} ${from}${source.kind === "message" ? source.seq : source.path}`;
  });
}

describe("where the values of a planned call came from", () => {
  const pay = (amount: string) =>
    plan(
      1,
      { _id: "get", _outputPath: "†state.deal" },
      { _id: "rate", _outputPath: "†state.rate" },
      { _id: "pay", amount },
    );
  const got: Steps = [started("get"), succeeded("get"), wrote("deal", "get")];
  const rated: Steps = [started("rate"), succeeded("rate"), wrote("rate", "rate")];

  test("P6: from the last of a gate; the others were only waited for", () =>
    expect(
      sourcesOf("pay", pay("†state.rate && †state.deal.a"), ...got, ...rated, started("pay", { amount: 1 })),
    ).toEqual(["/amount get@1 †state.deal.a"]));

  test("P6: from the first alternative that is present, not from one whose gate is not", () => {
    const either = pay("†state.rate && †state.deal || †state.rate");
    expect(sourcesOf("pay", either, ...rated, started("pay", { amount: 1 }))).toEqual(["/amount rate@1 †state.rate"]);
    expect(sourcesOf("pay", either, ...got, ...rated, started("pay", { amount: 1 }))).toEqual([
      "/amount get@1 †state.deal",
    ]);
  });

  test("from the write before it started, whatever was written later", () =>
    expect(sourcesOf("pay", pay("†state.deal"), ...got, started("pay", { amount: 1 }), wrote("deal", "rate"))).toEqual([
      "/amount get@1 †state.deal",
    ]));

  test("from a call of an earlier plan of its run", () =>
    expect(
      sourcesOf(
        "pay",
        plan(1, { _id: "get", _outputPath: "†state.deal" }),
        ...got,
        plan(2, { _id: "pay", amount: "†state.deal" }),
        started("pay", { amount: 1 }, { iteration: 2 }),
      ),
    ).toEqual(["/amount get@1 †state.deal"]));

  test("from the write of the whole and newer ones of its parts, the newest first; not from one that was replaced", () =>
    expect(
      sourcesOf(
        "pay",
        pay("†state.deal"),
        wrote("deal.a", null),
        ...got,
        ...rated,
        wrote("deal.b", "rate"),
        started("pay", { amount: 1 }),
      ),
    ).toEqual(["/amount rate@1 †state.deal", "/amount get@1 †state.deal"]));

  test("P25: from its own instance", () => {
    const own = (call_id: string, instance: string): Steps => [
      started(call_id, {}, { instance }),
      succeeded(call_id, { instance }),
      wrote("deal", call_id, { instance }),
    ];
    expect(
      sourcesOf(
        "pay",
        plan(1, { _id: "get", _outputPath: "†state.deal" }, { _id: "pay", _instance: "①", amount: "†state.deal" }),
        ...own("get", "①"),
        ...own("other", "②"),
        started("pay", { amount: 1 }, { instance: "①" }),
      ),
    ).toEqual(["/amount get@1 †state.deal"]);
  });

  test("from the path itself if no known call wrote it; not known of alternatives of a memory", () => {
    const start = started("pay", { amount: 1 });
    expect(sourcesOf("pay", pay("†input.sum"), start)).toEqual(["/amount †input.sum"]);
    expect(sourcesOf("pay", pay("†state.sum"), wrote("sum", null), start)).toEqual(["/amount †state.sum"]);
    expect(sourcesOf("pay", pay("†memory.sum || †state.deal"), ...got, start)).toEqual([]);
    expect(sourcesOf("pay", pay("†state.deal"))).toEqual([]);
  });

  test("if writes were not recorded, from the call that should have written the path", () =>
    expect(
      sourcesOf("pay", pay("†state.deal"), started("get"), succeeded("get"), started("pay", { amount: 1 })),
    ).toEqual(["/amount get@1 †state.deal"]));
});

test("a value that the error names is looked for in earlier results, however common it is", () => {
  const found = sourcesOf(
    "pay",
    started("get"),
    succeeded("get", { output: { sum: 12 } }),
    started("pay", { amount: 12, id: 7 }),
    ["call.failed", { call_id: "pay", tool: "pay", error: { code: "refused", message: "12 is too much" } }],
  );
  expect(found).toEqual(["/amount get@1 /sum"]);
});
