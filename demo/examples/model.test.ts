import { describe, expect, it } from "vitest";
import type { Json } from "../../lib/session/json/json.ts";
import { languageFirst } from "./language-first.ts";
import { refundReplan } from "./refund-replan.ts";
import { call, follows, once, overlap, overTheWire, type Played, stateOf, statuses, topRun } from "./testing/played.ts";

describe("a refund with a failing payment and a replan", () => {
  function expectReplan(one: Played): void {
    expect(statuses(one)).toEqual({
      order: "succeeded",
      claim: "succeeded",
      refund: "failed",
      confirm: "blocked",
      decline: "skipped",
    });
    expect(call(one, "refund")).toMatchObject({ handled: false, error: { code: "card_closed" } });
    expect(statuses(one, { iteration: 2 })).toEqual({ order: "skipped", credit: "succeeded", offer: "succeeded" });
    expect(call(one, "order", { iteration: 2 }).reason).toBe("Already done");
    expect(stateOf(one)).toEqual({
      order: { id: "7730", item: "Lamp Aurea", total: 64, payment: "pay_7Kd", email: "maya.holt@example.com" },
      covered: { claim_id: "cl-204", reason: "Damaged on delivery" },
      credit: { code: "LUX-88QF", amount: 64 },
      mailed: { message_id: "ml-66120" },
    });
    expect(topRun(one)).toMatchObject({ status: "finished", iteration: 2 });
    const finished = one.events.find(({ type }) => type === "run.finished");
    expect(finished?.payload).toMatchObject({
      output: { resolution: "store-credit", reference: "LUX-88QF", amount: 64 },
    });
  }

  /** The model's input of the second request. */
  function expectError(request: { input: Json } | undefined): void {
    const told = Array.isArray(request?.input) ? request.input.map((item) => JSON.stringify(item)) : [];
    const error = told.filter((item) => item.includes('\\"error\\"') && item.includes("card_closed"));
    expect(error.length).toBeGreaterThan(0);
    expect(error.join()).toContain("payments.refund");
    expect(told.join()).toContain("Lamp Aurea");
  }

  it("P19, P19b: the error is returned to the model, successful calls are kept, and the output is resolved after the calls", async () => {
    const one = await once(refundReplan.en);
    expectReplan(one);
    expect(one.requests).toHaveLength(2);
    expectError(one.requests[1]);
  });

  it("P20: the order is read while the plan is streamed; the payment waits for the whole plan", async () => {
    const { events } = await once(refundReplan.en);
    const placeOf = (type: string, id?: string) =>
      events.findIndex((event) => event.type === type && (!id || JSON.stringify(event.payload).includes(`"${id}"`)));
    expect(placeOf("call.started", "order")).toBeLessThan(placeOf("plan.proposed"));
    expect(placeOf("call.started", "refund")).toBeGreaterThan(placeOf("plan.validated"));
  });

  it("P19: the same with the Responses API", async () => {
    const { one, bodies } = await overTheWire(refundReplan.en);
    expectReplan(one);
    expect(bodies).toHaveLength(2);
    expectError(bodies[1]);
    expect(bodies[0]?.text).toMatchObject({ format: { type: "json_schema", strict: true } });
  });
});

describe("schema-guided: language → translate", () => {
  function expectTranslated(one: Played): void {
    expect(new Set(Object.values(statuses(one)))).toEqual(new Set(["succeeded"]));
    expect(stateOf(one)).toMatchObject({
      detected: { language: "pt", confidence: 0.98 },
      translation: { text: expect.stringContaining("Посылка 2291") },
      assigned: { group: "Португальский" },
    });
  }

  it("P2a: the results of latent tools are requested from the model, one after another", async () => {
    const one = await once(languageFirst.ru);
    expectTranslated(one);
    expect(one.requests).toHaveLength(2);
    const [detect, translate] = one.requests.map(({ input }) => JSON.stringify(input));
    expect(detect).toContain("Bom dia!");
    expect(translate).toContain('\\"from\\":\\"pt\\"');
  });

  it("P2a: the schema requires evidence and doubts before the language", async () => {
    const { requests } = await once(languageFirst.ru);
    const schema = JSON.stringify(requests[0]?.format?.schema);
    const places = ['"clues"', '"doubts"', '"confidence"'].map((key) => schema.indexOf(key));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it("P20: the ticket is assigned while the translation is being written", async () => {
    const one = await once(languageFirst.ru);
    expect(overlap(call(one, "assign"), call(one, "translate"))).toBe(true);
    expect(follows(call(one, "note"), call(one, "translate"))).toBe(true);
  });

  it("P2a: the same with the Responses API", async () => {
    const { one, bodies } = await overTheWire(languageFirst.ru);
    expectTranslated(one);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]?.text).toMatchObject({ format: { type: "json_schema", strict: true, name: "result" } });
  });
});
