import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

test("M14: crm.contact.get returns phones and addresses with ids", async () => {
  expect(await portal.result("crm.contact.get", { ID: 441 })).toMatchObject({
    ID: "441",
    NAME: "Виктор",
    COMPANY_ID: "11",
    HAS_PHONE: "Y",
    PHONE: [{ ID: expect.any(String), VALUE: "+79000000441", VALUE_TYPE: "MOBILE", TYPE_ID: "PHONE" }],
  });
});

describe("M14: phones of a contact", () => {
  async function phones() {
    return Object(await portal.result("crm.contact.get", { id: 456 })).PHONE;
  }

  test("one without an id is added", async () => {
    const PHONE = [{ VALUE: "+74951112233" }];
    await portal.result("crm.contact.update", { id: 456, fields: { PHONE } });
    expect(await phones()).toMatchObject([{ VALUE: "+79000000456" }, { VALUE: "+74951112233", VALUE_TYPE: "WORK" }]);
  });

  test("one with an id replaces the old one", async () => {
    const [{ ID }] = await phones();
    await portal.result("crm.contact.update", { id: 456, fields: { PHONE: [{ ID: Number(ID), VALUE: "112" }] } });
    expect(await phones()).toEqual([{ ID, VALUE: "112", VALUE_TYPE: "MOBILE", TYPE_ID: "PHONE" }]);
  });

  test.each<JsonObject>([{ VALUE: "" }, { DELETE: "Y", VALUE: "112" }, {}])(
    "one with %j is removed",
    async (change) => {
      const [{ ID }] = await phones();
      await portal.result("crm.contact.update", { id: 456, fields: { PHONE: [{ ID, ...change }] } });
      const contact = await portal.result("crm.contact.get", { id: 456 });
      expect(contact).toMatchObject({ HAS_PHONE: "N", HAS_EMAIL: "Y" });
      expect(contact).not.toHaveProperty("PHONE");
    },
  );
});

test("M14: crm.contact.list filters by phone, and returns phones only when selected", async () => {
  const filter = { PHONE: "+79000000456" };
  const [found] = Object(await portal.result("crm.contact.list", { filter }));
  expect(found).toMatchObject({ ID: "456", HAS_PHONE: "Y" });
  expect(found).not.toHaveProperty("PHONE");
  expect(await portal.result("crm.contact.list", { filter, select: ["PHONE"] })).toMatchObject([
    { ID: "456", PHONE: [{ VALUE: "+79000000456" }] },
  ]);
});

test("M14: contacts and companies are created, updated and found", async () => {
  const TITLE = "ООО «Новый берег»";
  const company = await portal.result("crm.company.add", { fields: { TITLE, REVENUE: 5_000_000 } });
  const fields = { NAME: "Лидия", COMPANY_ID: company, EMAIL: [{ VALUE: "l@bereg.example", VALUE_TYPE: "WORK" }] };
  const contact = await portal.result("crm.contact.add", { fields });
  expect(await portal.result("crm.contact.list", { filter: { COMPANY_ID: company } })).toMatchObject([
    { ID: String(contact), NAME: "Лидия", HAS_EMAIL: "Y", HAS_PHONE: "N" },
  ]);
  expect(await portal.result("crm.company.update", { id: company, fields: { INDUSTRY: "IT" } })).toBe(true);
  expect(await portal.result("crm.company.get", { id: company })).toMatchObject({
    TITLE,
    INDUSTRY: "IT",
    REVENUE: "5000000.00",
  });
});

test.each([
  ["crm.contact.add", { fields: { POST: "Директор" } }, 'The field "First name" or "Last name" is required'],
  [
    "crm.contact.update",
    { id: 456, fields: { NAME: "", LAST_NAME: "" } },
    'The field "First name" or "Last name" is required',
  ],
  ["crm.contact.get", { id: 1 }, "Not found"],
  ["crm.contact.add", { fields: { NAME: "А", COMPANY_ID: 999 } }, 'Invalid value for the "Company" field'],
  ["crm.company.add", { fields: {} }, 'The field "Company name" is required'],
  ["crm.company.get", { id: 1 }, "Not found"],
  ["crm.company.update", { id: 1, fields: {} }, "Not found"],
])("M14: %s %j is refused", async (method, params, description) => {
  expect(await portal.refusal(method, params)).toBe(`400 : ${description}`);
});
