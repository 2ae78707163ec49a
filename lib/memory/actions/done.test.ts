import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { AT, carriedOut, document, EXAMPLE, happened } from "../testing/documents.ts";
import { update } from "../update.ts";
import type { Effect } from "./happening.ts";

describe("done", () => {
  const fields = (values: JsonObject) => ({ fields: values });

  it.each<[string, JsonObject, Json, Effect, string, string, JsonObject]>([
    ["crm.deal.add", fields({ TITLE: "a" }), 123, "create", "Создана сделка 123", "Created deal 123", { deal_id: 123 }],
    ["crm.contact.add", {}, "4", "create", "Создан контакт 4", "Created contact 4", { contact_id: 4 }],
    ["crm.company.add", {}, null, "create", "Создана компания", "Created a company", {}],
    ["tasks.task.add", {}, { task: { id: "7" } }, "create", "Создана задача 7", "Created task 7", { task_id: 7 }],
    [
      "crm.deal.update",
      { id: "123", ...fields({ OPPORTUNITY: 5, UF_X: 1 }) },
      true,
      "change",
      "Изменена сделка 123: сумма, UF_X",
      "Changed deal 123: amount, UF_X",
      { deal_id: 123 },
    ],
    [
      "tasks.task.update",
      { taskId: 456, ...fields({ DEADLINE: "2024-05-05" }) },
      { task: { id: 456 } },
      "change",
      "Изменена задача 456: дедлайн",
      "Changed task 456: deadline",
      { task_id: 456 },
    ],
    [
      "crm.timeline.comment.add",
      fields({ ENTITY_ID: 123, ENTITY_TYPE: "deal", COMMENT: "a" }),
      9,
      "create",
      "Добавлен комментарий 9 к сделке 123",
      "Added comment 9 to deal 123",
      { comment_id: 9, deal_id: 123 },
    ],
    [
      "crm.activity.add",
      fields({ OWNER_TYPE_ID: "3", OWNER_ID: "4", SUBJECT: "Звонок" }),
      5,
      "create",
      "Создано дело 5 по контакту 4",
      "Created activity 5 for contact 4",
      { activity_id: 5, contact_id: 4 },
    ],
    [
      "task.commentitem.add",
      { TASKID: 7, FIELDS: { POST_MESSAGE: "a" } },
      3,
      "create",
      "Добавлен комментарий 3 к задаче 7",
      "Added comment 3 to task 7",
      { comment_id: 3, task_id: 7 },
    ],
    [
      "task.checklistitem.add",
      { TASKID: 7, FIELDS: { TITLE: "a" } },
      4,
      "create",
      "Добавлен пункт чек-листа 4 к задаче 7",
      "Added checklist item 4 to task 7",
      { checklist_item_id: 4, task_id: 7 },
    ],
    [
      "event.bind",
      { event: "onCrmDealAdd", handler: "h" },
      true,
      "change",
      "Оформлена подписка на событие onCrmDealAdd",
      "Subscribed to the event onCrmDealAdd",
      {},
    ],
    [
      "event.unbind",
      { event: "onCrmDealAdd" },
      { count: 1 },
      "change",
      "Отменена подписка на событие onCrmDealAdd",
      "Unsubscribed from the event onCrmDealAdd",
      {},
    ],
    ["issueRefund", {}, {}, "change", "Выполнено действие issueRefund", "Carried out issueRefund", {}],
  ])("M6: %s adds an entry with its time and ids", (method, params, result, effect, russian, english, ids) => {
    const happening = carriedOut(method, params, result, effect);
    const entry = { timestamp: AT, object_ids: ids };
    expect(update(document(), happening, "ru").done).toEqual([{ ...entry, description: russian }]);
    expect(update(document(), happening, "en").done).toEqual([{ ...entry, description: english }]);
  });

  it.each([
    ["crm.deal.list", "Просмотрено сделок: 17", "Viewed 17 deals"],
    ["crm.contact.list", "Просмотрено контактов: 17", "Viewed 17 contacts"],
    ["crm.company.list", "Просмотрено компаний: 17", "Viewed 17 companies"],
    ["crm.activity.list", "Просмотрено дел: 17", "Viewed 17 activities"],
    ["tasks.task.list", "Просмотрено задач: 17", "Viewed 17 tasks"],
    ["crm.deal.category.list", "Просмотрено воронок: 17", "Viewed 17 pipelines"],
    ["crm.deal.category.stage.list", "Просмотрено стадий воронки: 17", "Viewed 17 pipeline stages"],
    ["crm.status.list", "Просмотрено значений справочника: 17", "Viewed 17 reference values"],
    ["sonet.group.get", "Просмотрено групп: 17", "Viewed 17 groups"],
    ["sonet.group.user.get", "Просмотрено участников группы: 17", "Viewed 17 group members"],
  ])("M6: %s adds an entry with the number of items, that of all where it is told", (method, russian, english) => {
    const happening = carriedOut(method, {}, { items: [{ ID: 1 }, { ID: 2 }], total: 17, next: 2 });
    expect(update(document(), happening, "ru").done).toEqual([{ timestamp: AT, description: russian, object_ids: {} }]);
    expect(update(document(), happening, "en").done).toMatchObject([{ description: english }]);
  });

  it.each<[Json, string]>([
    [{ items: [{ ID: 1 }] }, "Viewed 1 task"],
    [{ tasks: [{ id: 1 }, { id: 2 }] }, "Viewed 2 tasks"],
    [[], "Viewed 0 tasks"],
  ])("M6: a list without a total counts what it has: %j", (result, description) => {
    expect(update(document(), carriedOut("tasks.task.list", {}, result), "en").done).toMatchObject([{ description }]);
  });

  it("M6: other reads and failed calls add nothing", () => {
    const action = { method: "crm.deal.update", params: { id: 1 } };
    const calls = [carriedOut("crm.deal.get", {}, { ID: 1 }), carriedOut("user.get", {}, { items: [{ ID: 1 }] })];
    expect(happened(...calls, { type: "failed", action, at: AT }).done).toEqual([]);
  });

  it("M6: a new entry is last", () => {
    const { done } = update(EXAMPLE, carriedOut("crm.deal.add", {}, 124, "create"), "ru");
    expect(done.map(({ description }) => description)).toEqual(["Создана сделка", "Создана сделка 124"]);
  });
});

describe("batches", () => {
  const cmd = {
    deal: "crm.deal.get?id=5",
    tasks: "tasks.task.list?filter[RESPONSIBLE_ID]=1",
    made: "crm.contact.add?fields[NAME]=Anna",
    lost: "crm.company.get?id=1",
  };
  const result = {
    result: { deal: { ID: "5", CONTACT_ID: "8" }, tasks: { tasks: [{ id: 1 }] }, made: 9 },
    result_error: { lost: { error: "NOT_FOUND" } },
    result_total: { tasks: 31 },
  };

  it("M5, M6: each command of a batch counts with its own result", () => {
    const now = happened(carriedOut("batch", { cmd }, result, "change"));
    expect(now.objects).toMatchObject({ current_deal_id: 5, current_contact_id: 9, current_company_id: null });
    expect(now.done.map(({ description }) => description)).toEqual(["Просмотрено задач: 31", "Создан контакт 9"]);
  });

  it("M6: commands in a list are named by index", () => {
    const commands = { cmd: ["crm.deal.add?fields[TITLE]=a", { method: "crm.deal.update", params: { id: 3 } }] };
    const { done } = happened(carriedOut("batch", commands, { result: [11, true] }, "change"));
    expect(done.map(({ object_ids }) => object_ids)).toEqual([{ deal_id: 11 }, { deal_id: 3 }]);
  });

  it("M6: a batch without results counts as one change", () => {
    const { done } = happened(carriedOut("batch", { cmd }, null, "change"));
    expect(done.map(({ description }) => description)).toEqual(["Выполнен пакет из 4 команд"]);
  });
});
