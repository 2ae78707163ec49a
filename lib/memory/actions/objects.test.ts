import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { AT, carriedOut, document, happened } from "../testing/documents.ts";
import type { Happening } from "./happening.ts";

describe("objects", () => {
  const objects = (...happenings: Happening[]) => {
    const { current_deal_id, current_contact_id, current_company_id, current_task_id } = happened(
      ...happenings,
    ).objects;
    return [current_deal_id, current_contact_id, current_company_id, current_task_id];
  };

  it("M5: crm.deal.get sets the deal, with its contact and company", () => {
    const deal = { ID: "123", TITLE: "Серверы", CONTACT_ID: "456", COMPANY_ID: "7" };
    expect(objects(carriedOut("crm.deal.get", { id: 123 }, deal))).toEqual([123, 456, 7, null]);
  });

  it.each([["0"], [0], [""], [null]])("M5: a deal of no contact (%j) leaves the contact as it is", (none) => {
    const contact = carriedOut("crm.contact.get", { id: 9 }, { ID: 9 });
    const deal = carriedOut("crm.deal.get", { id: 5 }, { ID: 5, CONTACT_ID: none });
    expect(objects(contact, deal)).toEqual([5, 9, null, null]);
  });

  it("M5: crm.contact.get sets the contact and its company, crm.company.get the company", () => {
    expect(objects(carriedOut("crm.contact.get", {}, { ID: "4", COMPANY_ID: "6" }))).toEqual([null, 4, 6, null]);
    expect(objects(carriedOut("crm.contact.get", {}, { ID: "4", COMPANY_ID: "0" }))).toEqual([null, 4, null, null]);
    expect(objects(carriedOut("crm.company.get", {}, { ID: "6" }))).toEqual([null, null, 6, null]);
  });

  it.each<[string, Json, JsonObject]>([
    ["crm.deal.add", 57, { current_deal_id: 57 }],
    ["crm.contact.add", "58", { current_contact_id: 58 }],
    ["crm.company.add", { ID: "59" }, { current_company_id: 59 }],
    ["tasks.task.add", { task: { id: "60", title: "Звонок" } }, { current_task_id: 60 }],
    ["tasks.task.get", { task: { id: 61 } }, { current_task_id: 61 }],
    ["crm.deal.add", "D-7", { current_deal_id: "D-7" }],
  ])("M5: %s sets the object that it made or read", (method, result, set) => {
    expect(happened(carriedOut(method, {}, result, "create")).objects).toMatchObject(set);
  });

  it.each([
    ["crm.deal.list", { items: [{ ID: 1 }] }],
    ["crm.deal.update", true],
    ["crm.timeline.comment.add", 5],
    ["crm.activity.add", 5],
    ["crm.deal.get", null],
    ["crm.deal.get", { ID: "$result[deal]" }],
    ["crm.deal.add", 0],
  ])("M5: %s with %j sets nothing", (method, result) => {
    expect(happened(carriedOut(method, { id: 3 }, result, "change")).objects).toEqual(document().objects);
  });

  it("M5: a failed call sets nothing", () => {
    const action = { method: "crm.deal.get", params: { id: 5 } };
    expect(happened({ type: "failed", action, at: AT }).objects).toEqual(document().objects);
  });
});
