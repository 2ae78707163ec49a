import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

async function deal(id: unknown = 123) {
  return portal.result("crm.deal.get", { id: String(id) });
}

test("M14: crm.deal.get returns values as Bitrix24 does: numbers as strings, times with offset", async () => {
  expect(await deal()).toMatchObject({
    ID: "123",
    STAGE_ID: "PREPARATION",
    STAGE_SEMANTIC_ID: "P",
    CATEGORY_ID: "0",
    OPPORTUNITY: "85000.00",
    CURRENCY_ID: "RUB",
    CONTACT_ID: "456",
    COMPANY_ID: null,
    ASSIGNED_BY_ID: "3",
    CLOSED: "N",
    BEGINDATE: expect.stringMatching(/T03:00:00\+03:00$/),
    DATE_CREATE: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/),
  });
  expect(await deal()).not.toHaveProperty("CONTACT_IDS");
});

test.each([
  [{}, "400 : ID is not defined or invalid."],
  [{ id: "abc" }, "400 : ID is not defined or invalid."],
  [{ id: 0 }, "400 : ID is not defined or invalid."],
  [{ id: [123] }, "400 : ID is not defined or invalid."],
  [{ id: 99_999 }, "400 : Not found"],
])("M14: crm.deal.get %j is refused", async (params, refusal) => {
  expect(await portal.refusal("crm.deal.get", params)).toBe(refusal);
});

describe("M14: crm.deal.add", () => {
  test("creates a deal with the given values and defaults", async () => {
    const fields = { OPPORTUNITY: "12 500,5", CONTACT_IDS: [441, 442], COMPANY_ID: 11, CLOSEDATE: "31.12.2026" };
    const id = await portal.result("crm.deal.add", { fields });
    expect(id).toBe(141);
    expect(await deal(id)).toMatchObject({
      TITLE: "Сделка #141",
      STAGE_ID: "NEW",
      CATEGORY_ID: "0",
      IS_NEW: "Y",
      OPPORTUNITY: "12500.50",
      CONTACT_ID: "441",
      COMPANY_ID: "11",
      ASSIGNED_BY_ID: "1",
      CREATED_BY_ID: "1",
      CLOSEDATE: "2026-12-31T03:00:00+03:00",
    });
  });

  test("uses the first stage of the given pipeline", async () => {
    const id = await portal.result("crm.deal.add", { FIELDS: { TITLE: "Выезд", CATEGORY_ID: 1 } });
    expect(await deal(id)).toMatchObject({ CATEGORY_ID: "1", STAGE_ID: "C1:NEW" });
  });

  test("ignores unknown and read-only fields", async () => {
    const fields = {
      TITLE: "A",
      COLOUR: "red",
      ID: 5,
      DATE_CREATE: "2001-01-01",
      STAGE_SEMANTIC_ID: "S",
      toString: "x",
    };
    const added = await deal(await portal.result("crm.deal.add", { fields }));
    expect(added).toMatchObject({ TITLE: "A", ID: "141", STAGE_SEMANTIC_ID: "P" });
    expect(added).not.toHaveProperty("COLOUR");
    expect(added).not.toMatchObject({ DATE_CREATE: expect.stringMatching(/^2001/) });
  });

  test.each([
    [{}, "Parameter 'fields' must be array."],
    [{ fields: "TITLE" }, "Parameter 'fields' must be array."],
    [{ fields: {}, params: "x" }, "Parameter 'params' must be array."],
    [{ fields: { STAGE_ID: "C1:VISIT" } }, 'Invalid value for the "Deal stage" field'],
    [{ fields: { CATEGORY_ID: 1, STAGE_ID: "WON" } }, 'Invalid value for the "Deal stage" field'],
    [{ fields: { CATEGORY_ID: 9 } }, 'Invalid value for the "Pipeline" field'],
    [{ fields: { ASSIGNED_BY_ID: 77 } }, 'Invalid value for the "Responsible" field'],
    [{ fields: { ASSIGNED_BY_ID: 0 } }, 'Invalid value for the "Responsible" field'],
    [{ fields: { ASSIGNED_BY_ID: "Мария" } }, 'Invalid value for the "Responsible" field'],
    [{ fields: { CONTACT_ID: 9 } }, 'Invalid value for the "Contact" field'],
    [{ fields: { COMPANY_ID: 9 } }, 'Invalid value for the "Company" field'],
    [{ fields: { CURRENCY_ID: "DOGE" } }, 'Invalid value for the "Currency" field'],
    [{ fields: { OPPORTUNITY: "сто тысяч" } }, 'Invalid value for the "Amount" field'],
    [{ fields: { OPPORTUNITY: { sum: 1 } } }, 'Invalid value for the "Amount" field'],
    [{ fields: { CLOSEDATE: "скоро" } }, 'Invalid value for the "End date" field'],
  ])("%j is refused, and no deal is created", async (params, description) => {
    expect(await portal.refusal("crm.deal.add", params)).toBe(`400 : ${description}`);
    expect(await portal.call("crm.deal.list")).toMatchObject({ body: { total: 40 } });
    expect(await portal.result("crm.deal.add", { fields: {} }), "the next id").toBe(141);
  });
});

describe("M14: crm.deal.update", () => {
  test("updates the given fields, and records by whom and when", async () => {
    const before = await deal();
    const params = { id: 123, fields: { OPPORTUNITY: 100_000, ASSIGNED_BY_ID: 4 } };
    expect(await portal.result("crm.deal.update", params)).toBe(true);
    expect(await deal()).toEqual({
      ...Object(before),
      OPPORTUNITY: "100000.00",
      ASSIGNED_BY_ID: "4",
      MODIFY_BY_ID: "1",
      DATE_MODIFY: expect.any(String),
    });
    expect(await deal()).not.toMatchObject({ DATE_MODIFY: Object(before).DATE_MODIFY });
  });

  test("a final stage closes a deal, and another one reopens it", async () => {
    await portal.result("crm.deal.update", { id: 123, fields: { STAGE_ID: "WON" } });
    const won = Object(await deal());
    expect(won).toMatchObject({ CLOSED: "Y", STAGE_SEMANTIC_ID: "S", MOVED_TIME: won.DATE_MODIFY });
    expect(won.CLOSEDATE.slice(0, 10)).toBe(won.DATE_MODIFY.slice(0, 10));
    await portal.result("crm.deal.update", { id: 123, fields: { STAGE_ID: "EXECUTING" } });
    expect(await deal()).toMatchObject({ CLOSED: "N", STAGE_SEMANTIC_ID: "P" });
  });

  test("the pipeline is immutable: changes are ignored", async () => {
    expect(await portal.result("crm.deal.update", { id: 123, fields: { CATEGORY_ID: 1 } })).toBe(true);
    expect(await deal()).toMatchObject({ CATEGORY_ID: "0", STAGE_ID: "PREPARATION" });
  });

  test("an empty or zero reference is removed", async () => {
    await portal.result("crm.deal.update", { id: 101, fields: { CONTACT_ID: 0, COMPANY_ID: "" } });
    expect(await deal(101)).toMatchObject({ CONTACT_ID: null, COMPANY_ID: null });
  });

  test.each([
    [{ id: 9, fields: {} }, "Not found"],
    [{ id: 123 }, "Parameter 'fields' must be array."],
    [{ id: 123, fields: { STAGE_ID: "C1:WON" } }, 'Invalid value for the "Deal stage" field'],
    [{ id: 123, fields: { OPPORTUNITY: 5, ASSIGNED_BY_ID: 77 } }, 'Invalid value for the "Responsible" field'],
  ])("%j is refused, and nothing is changed", async (params, description) => {
    const before = await deal();
    expect(await portal.refusal("crm.deal.update", params)).toBe(`400 : ${description}`);
    expect(await deal()).toEqual(before);
  });
});

test("M14: crm.deal.fields describes the fields of a deal", async () => {
  expect(await portal.result("crm.deal.fields")).toMatchObject({
    ID: { type: "integer", isReadOnly: true },
    STAGE_ID: { type: "crm_status", statusType: "DEAL_STAGE", isReadOnly: false },
    CATEGORY_ID: { type: "crm_category", isImmutable: true },
    CONTACT_IDS: { type: "crm_contact", isMultiple: true },
  });
});
