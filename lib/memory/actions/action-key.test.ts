import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { keyOf } from "./action-key.ts";
import { isSameAction } from "./same-action.ts";

const key = (method: string, params: JsonObject) => keyOf({ method, params });

/** The same value with its keys in another order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, entry]) => [name, reversed(entry)]),
  );
}

const anyParams = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

describe("keys", () => {
  it.each<[string, JsonObject, string]>([
    ["crm.deal.update", { id: 123, fields: { OPPORTUNITY: 5 } }, "deal_123_opportunity"],
    ["crm.deal.update", { ID: "123", FIELDS: { STAGE_ID: "WON", OPPORTUNITY: 5 } }, "deal_123_opportunity_stage_id"],
    ["tasks.task.update", { taskId: 456, fields: { DEADLINE: "2024-05-05" } }, "task_456_deadline"],
    ["crm.contact.update", { id: 7, fields: { NAME: "Anna" } }, "contact_7_name"],
    ["crm.activity.update", { id: 7, fields: { DEADLINE: "2024-05-05" } }, "activity_7_deadline"],
  ])("M9: %s is known by its object and the fields, sorted", (method, params, expected) => {
    expect(key(method, params)).toBe(expected);
  });

  it.each([
    ["crm.deal.add", /^deal_new_[0-9a-z]{11}$/],
    ["tasks.task.add", /^task_new_[0-9a-z]{11}$/],
    ["crm.timeline.comment.add", /^comment_new_[0-9a-z]{11}$/],
    ["batch", /^batch_[0-9a-z]{11}$/],
    ["event.bind", /^event\.bind_[0-9a-z]{11}$/],
    ["event.unbind", /^event\.unbind_[0-9a-z]{11}$/],
  ])("M9: %s is known by what it is about", (method, pattern) => {
    expect(key(method, { fields: { TITLE: "a" } })).toMatch(pattern);
    expect(key(method, { fields: { TITLE: "a" } })).not.toBe(key(method, { fields: { TITLE: "b" } }));
  });

  it("M9: other tools, and changes of nothing known, have no key", () => {
    expect(key("issueRefund", { order: "A-17" })).toBeNull();
    expect(key("crm.deal.get", { id: 1 })).toBeNull();
    expect(key("crm.deal.update", { fields: { TITLE: "a" } })).toBeNull();
    expect(key("crm.deal.update", { id: 1 })).toBeNull();
  });

  it("M9: a key of many fields is short", () => {
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`UF_CRM_${index}`, index]));
    expect(key("crm.deal.update", { id: 1, fields })).toMatch(/^deal_[0-9a-z]{11}$/);
  });

  it("M9: the order of keys does not matter", () => {
    fc.assert(
      fc.property(fc.constantFrom("crm.deal.add", "batch", "crm.deal.update"), anyParams, (method, params) => {
        const whole = { id: 1, fields: { TITLE: "a", STAGE_ID: "b" }, ...params };
        const other = {
          ...Object.fromEntries(
            Object.entries(whole)
              .reverse()
              .map(([k, v]) => [k, reversed(v)]),
          ),
        };
        expect(key(method, other)).toBe(key(method, whole));
        expect(isSameAction({ method, params: other }, { method, params: whole })).toBe(true);
      }),
    );
  });
});

describe("a field in two spellings", () => {
  it.each([[{ id: 1, Id: [], fields: { TITLE: "a" } }], [{ ID: 2, id: 1, fields: { TITLE: "a" } }]])(
    "M9: %j has one key, whatever the order",
    (params) => {
      const other = Object.fromEntries(Object.entries(params).reverse());
      expect(key("crm.deal.update", other)).toBe(key("crm.deal.update", params));
    },
  );
});

describe("equal actions", () => {
  it("M9: have the same method and parameters; other fields do not count", () => {
    const action = { method: "m", params: { a: [1, { b: 2, c: 3 }] } };
    expect(isSameAction(action, { method: "m", params: { a: [1, { c: 3, b: 2 }] } })).toBe(true);
    expect(isSameAction({ ...action, confirmed: true } as typeof action, action)).toBe(true);
    expect(isSameAction(action, { ...action, method: "n" })).toBe(false);
    expect(isSameAction(action, { method: "m", params: { a: [1, { b: 2 }] } })).toBe(false);
    expect(isSameAction(action, { method: "m", params: { a: [{ b: 2, c: 3 }, 1] } })).toBe(false);
    expect(isSameAction({ method: "m", params: { id: 1 } }, { method: "m", params: { id: "1" } })).toBe(false);
  });
});
