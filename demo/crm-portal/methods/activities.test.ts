import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

const CALL = {
  OWNER_TYPE_ID: 2,
  OWNER_ID: 123,
  TYPE_ID: 2,
  SUBJECT: "Уточнить срок",
  RESPONSIBLE_ID: 3,
  START_TIME: "2031-05-05T10:00:00+03:00",
  END_TIME: "2031-05-05T10:30:00+03:00",
  COMMUNICATIONS: [{ VALUE: "+79000000456", ENTITY_ID: 456, ENTITY_TYPE_ID: 3 }],
};

describe("M14: activities", () => {
  test("are created, read and updated; a call's deadline is its start", async () => {
    const id = await portal.result("crm.activity.add", { fields: { ...CALL, DEADLINE: "2001-01-01" } });
    expect(await portal.result("crm.activity.get", { id })).toMatchObject({
      ID: String(id),
      OWNER_ID: "123",
      OWNER_TYPE_ID: "2",
      DEADLINE: "2031-05-05T10:00:00+03:00",
      COMPLETED: "N",
      AUTHOR_ID: "1",
    });
    const fields = { COMPLETED: "Y", START_TIME: "06.05.2031 12:00:00" };
    expect(await portal.result("crm.activity.update", { id, fields })).toBe(true);
    expect(await portal.result("crm.activity.get", { id })).toMatchObject({
      COMPLETED: "Y",
      STATUS: "2",
      DEADLINE: "2031-05-06T12:00:00+03:00",
      SUBJECT: "Уточнить срок",
    });
  });

  test("are found by owner and by binding", async () => {
    const owned = { filter: { OWNER_TYPE_ID: 2, OWNER_ID: 123, COMPLETED: "N" } };
    expect(await portal.result("crm.activity.list", owned)).toMatchObject([{ SUBJECT: "Звонок: обсудить смету" }]);
    const bound = { filter: { BINDINGS: [{ OWNER_TYPE_ID: 3, OWNER_ID: 456 }] } };
    expect(await portal.result("crm.activity.list", bound)).toHaveLength(4);
  });

  test("include communications when selected", async () => {
    const params = { filter: { OWNER_ID: 123 }, select: ["SUBJECT", "COMMUNICATIONS"] };
    const [first] = Object(await portal.result("crm.activity.list", params));
    expect(first).toEqual({
      ID: "1",
      SUBJECT: "Первый звонок: дом под Звенигородом",
      COMMUNICATIONS: [{ VALUE: "+79000000456", ENTITY_ID: "456", ENTITY_TYPE_ID: "3" }],
    });
  });

  test.each([
    [{ SUBJECT: "" }, "The field SUBJECT is not defined or empty."],
    [{ RESPONSIBLE_ID: 77 }, 'Invalid value for the "Responsible" field'],
    [{ TYPE_ID: "" }, "The field TYPE_ID is not defined or invalid."],
    [{ COMMUNICATIONS: [] }, "The field COMMUNICATIONS is not defined or invalid."],
    [
      { COMMUNICATIONS: [{ VALUE: "1" }, { VALUE: "2" }] },
      "The only one communication is allowed for activity of specified type.",
    ],
    [
      { OWNER_ID: 99_999 },
      "Could not build binding. Please ensure that owner info and communications are defined correctly.",
    ],
  ])("with %j are refused", async (fields, description) => {
    expect(await portal.refusal("crm.activity.add", { fields: { ...CALL, ...fields } })).toBe(`400 : ${description}`);
  });

  test("without a responsible user are refused", async () => {
    const { RESPONSIBLE_ID, ...fields } = CALL;
    const description = "The field RESPONSIBLE_ID is not defined or invalid.";
    expect(await portal.refusal("crm.activity.add", { fields })).toBe(`400 : ${description}`);
  });

  test("that do not exist are refused", async () => {
    expect(await portal.refusal("crm.activity.get", { id: 99_999 })).toBe("400 : Activity is not found.");
    const refusal = await portal.refusal("crm.activity.update", { id: 99_999, fields: { SUBJECT: "А" } });
    expect(refusal).toBe("400 : Activity is not found.");
  });
});

describe("M14: comments in a timeline", () => {
  test("are created and listed", async () => {
    const fields = { ENTITY_TYPE: "deal", ENTITY_ID: 123, COMMENT: "Согласовал цену", AUTHOR_ID: 3 };
    const id = await portal.result("crm.timeline.comment.add", { fields });
    const filter = { ENTITY_TYPE: "deal", ENTITY_ID: 123 };
    expect(await portal.call("crm.timeline.comment.list", { filter, order: { ID: "DESC" } })).toMatchObject({
      body: { result: [{ ID: String(id), COMMENT: "Согласовал цену", AUTHOR_ID: "3", FILES: {} }, {}], total: 2 },
    });
  });

  test.each([
    [{}, "400 100: Could not find value for parameter {fields}"],
    [{ FIELDS: { COMMENT: "А" } }, "400 100: Could not find value for parameter {fields}"],
    [{ fields: { COMMENT: "А" } }, "400 100: Required fields not provided"],
    [{ fields: { ENTITY_TYPE: "deal", ENTITY_ID: 9, COMMENT: "А" } }, "400 OWNER_NOT_FOUND: Owner not found"],
    [{ fields: { ENTITY_TYPE: "planet", ENTITY_ID: 123, COMMENT: "А" } }, "400 OWNER_NOT_FOUND: Owner not found"],
    [{ fields: { ENTITY_TYPE: "deal", ENTITY_ID: 123, COMMENT: " " } }, "400 INVALID_ARG_VALUE: Empty comment"],
  ])("%j is refused", async (params, refusal) => {
    expect(await portal.refusal("crm.timeline.comment.add", params)).toBe(refusal);
  });

  test("are listed for one record only", async () => {
    expect(await portal.refusal("crm.timeline.comment.list", { filter: { ENTITY_ID: 123 } })).toBe(
      "400 : Access denied.",
    );
  });
});
