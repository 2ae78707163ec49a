import { describe, expect, it } from "vitest";
import { event } from "@/lib/session/testing/events.ts";
import { readRequest } from "./read-request.ts";

describe("H6: reading a request from its events", () => {
  it("reads how the history was truncated, and the limits", () => {
    const before = { messages: 60, characters: 9_000, tokens: 2_250 };
    const after = { messages: 12, characters: 2_000, tokens: 500 };
    const request = readRequest([
      event(1, "prompt.rendered", {
        prompt: "p",
        iteration: 2,
        history: { total: 61, shown: 12, truncated: true, before, after, left_out: ["m1"], shortened: ["m2"] },
      }),
      event(2, "history.truncated", { before, after, limits: { max_tokens: 500, max_chars: null, max_messages: 200 } }),
    ]);
    expect(request).toMatchObject({ step: 1, iteration: 2 });
    expect(request?.history).toEqual({
      ...{ total: 61, shown: 12, isCut: true, before, after, leftOut: ["m1"], shortened: ["m2"], isBeside: false },
      ...{ limits: { tokens: 500, messages: 200 }, goesOnFrom: null },
    });
  });

  it("D7: reads the response from which a request continues", () => {
    const history = { source: "provider", total: 1, shown: 1, previous_response_id: "resp_7" };
    const request = readRequest([event(1, "prompt.rendered", { prompt: "p", history })]);
    expect(request?.history).toMatchObject({ isBeside: true, shown: 1, goesOnFrom: "resp_7" });
  });

  it("reads truncation from its own event if the prompt has none", () => {
    const request = readRequest([
      event(1, "prompt.rendered", { prompt: "p" }),
      event(2, "history.truncated", { before: 6_210, after: 3_980 }),
    ]);
    expect(request?.history).toMatchObject({ isCut: true, before: { tokens: 6_210 }, after: { tokens: 3_980 } });
  });

  it("lists missing names once, and separates unknown names from missing data", () => {
    const request = readRequest([
      event(1, "prompt.rendered", {
        prompt: "{{promo}}",
        missing: ["householdId", "promo"],
        parts: [{ start: 0, end: 9, placeholder: "promo", origin: "unknown" }],
      }),
      event(2, "placeholder.missing", { names: ["householdId"] }),
    ]);
    expect(request?.warnings.map(({ code, placeholder }) => [code, placeholder])).toEqual([
      ["missing", "householdId"],
      ["unknown_placeholder", "promo"],
    ]);
  });

  it("reads a prompt of an external agent without further events, and any shape of history", () => {
    expect(readRequest([event(1, "prompt.rendered", { prompt: "p" })])).toEqual({
      ...{ step: 1, prompt: "p", iteration: null, tokens: null, parts: [], budget: null, history: null, warnings: [] },
    });
    const odd = { total: "many", left_out: [1, "m1"], before: [], truncated: "yes" };
    expect(readRequest([event(1, "prompt.rendered", { prompt: "p", history: odd })])?.history).toMatchObject({
      ...{ total: null, isCut: false, leftOut: ["m1"], before: {} },
    });
    expect(readRequest([event(1, "log", { text: "t" })])).toBeNull();
  });
});
