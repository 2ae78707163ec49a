import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { carriedOut, document, happened } from "../testing/documents.ts";
import { update } from "../update.ts";
import type { Happening } from "./happening.ts";

describe("event bindings", () => {
  const hook = "https://example.test/hook";
  const bind = (event: string, handler = hook) => carriedOut("event.bind", { event, handler }, true, "change");
  const unbind = (event: string, params: JsonObject = {}) =>
    carriedOut("event.unbind", { event, ...params }, { count: 1 }, "change");
  const bindings = (...happenings: Happening[]) =>
    happened(...happenings).event_bindings.map(({ event, handler }) => `${event} ${handler}`);

  it("M7: event.get replaces them; known ones stay as written", () => {
    const listed: Json[] = [
      { event: "ONCRMDEALADD", handler: hook, auth_type: 0 },
      { event: "ONTASKADD", handler: "https://b.test" },
    ];
    const before = document({
      event_bindings: [
        { event: "onCrmDealAdd", handler: hook, since: "May" },
        { event: "onCrmLeadAdd", handler: hook },
      ],
    });
    for (const result of [listed, { items: listed, total: 2 }])
      expect(update(before, carriedOut("event.get", {}, result), "en").event_bindings).toEqual([
        { event: "onCrmDealAdd", handler: hook, since: "May" },
        { event: "ONTASKADD", handler: "https://b.test" },
      ]);
    expect(update(before, carriedOut("event.get", {}, []), "en").event_bindings).toEqual([]);
  });

  it("M7: event.bind adds one, without duplicates", () => {
    expect(bindings(bind("a"), bind("A"), bind("a", "b"))).toEqual([`a ${hook}`, "a b"]);
  });

  it("M7: event.unbind removes it; without a handler, all of the event", () => {
    expect(bindings(bind("a"), bind("a", "b"), bind("c"), unbind("A", { handler: hook }))).toEqual([
      "a b",
      `c ${hook}`,
    ]);
    expect(bindings(bind("a"), bind("a", "b"), bind("c"), unbind("A"))).toEqual([`c ${hook}`]);
  });

  it("M7: a result that is not a list changes nothing", () => {
    expect(bindings(bind("a"), carriedOut("event.get", {}, null))).toEqual([`a ${hook}`]);
  });
});
