import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import { describeAction } from "./describe-action.ts";

test.each<[string, JsonObject, string, string]>([
  [
    "crm.deal.update",
    { id: 123, fields: { OPPORTUNITY: 100_000 } },
    "Изменить сумму сделки 123 до 100000",
    "Change the amount of deal 123 to 100000",
  ],
  [
    "tasks.task.update",
    { taskId: 456, fields: { DEADLINE: "2024-05-05" } },
    "Перенести дедлайн задачи 456 на 2024-05-05",
    "Move the deadline of task 456 to 2024-05-05",
  ],
  [
    "crm.deal.update",
    { id: 1, fields: { stage_id: "WON" } },
    "Перевести сделку 1 на стадию WON",
    "Move deal 1 to the stage WON",
  ],
  [
    "crm.deal.update",
    { id: 1, fields: { CATEGORY_ID: 2 } },
    "Перенести сделку 1 в воронку 2",
    "Move deal 1 to the pipeline 2",
  ],
  [
    "crm.activity.update",
    { id: 1, fields: { RESPONSIBLE_ID: 7 } },
    "Назначить ответственным за дело 1 сотрудника 7",
    "Make user 7 responsible for activity 1",
  ],
  [
    "crm.deal.update",
    { id: 1, fields: { OPPORTUNITY: 5, UF_CRM_1: ["a"], COMMENTS: "" } },
    'Изменить сделку 1: сумма 5, UF_CRM_1 ["a"], комментарий —',
    'Change deal 1: amount 5, UF_CRM_1 ["a"], comments —',
  ],
  [
    "crm.contact.update",
    { id: 1, fields: { NAME: "Анна" } },
    "Изменить контакт 1: имя «Анна»",
    "Change contact 1: name “Анна”",
  ],
  [
    "crm.deal.update",
    { id: 1, fields: { OPPORTUNITY: null } },
    "Очистить поле «сумма» сделки 1",
    "Empty the amount of deal 1",
  ],
  [
    "crm.deal.add",
    { fields: { TITLE: "Новые серверы", OPPORTUNITY: 5 } },
    "Создать сделку: название «Новые серверы», сумма 5",
    "Create a deal: title “Новые серверы”, amount 5",
  ],
  [
    "crm.activity.add",
    { fields: { OWNER_TYPE_ID: 2, OWNER_ID: 3, SUBJECT: "Звонок" } },
    "Создать дело по сделке 3: тема «Звонок»",
    "Create an activity for deal 3: subject “Звонок”",
  ],
  [
    "task.commentitem.add",
    { TASKID: 3, FIELDS: { POST_MESSAGE: "Готово?\nЖду" } },
    "Добавить комментарий к задаче 3: текст «Готово? Жду»",
    "Add a comment to task 3: text “Готово? Жду”",
  ],
  [
    "event.bind",
    { event: "onCrmDealAdd", handler: "https://example.test/hook" },
    "Подписать https://example.test/hook на событие onCrmDealAdd",
    "Subscribe https://example.test/hook to the event onCrmDealAdd",
  ],
  [
    "event.unbind",
    { event: "onCrmDealAdd", handler: "https://example.test/hook" },
    "Отменить подписку https://example.test/hook на событие onCrmDealAdd",
    "Unsubscribe https://example.test/hook from the event onCrmDealAdd",
  ],
  [
    "batch",
    { cmd: { a: "crm.deal.update?id=1&fields[OPPORTUNITY]=5", b: "crm.deal.get?id=1", c: 5 } },
    "Выполнить пакет из 3 команд: Изменить сумму сделки 1 до 5; Выполнить действие crm.deal.get: id 1; команда, которую не удалось прочитать",
    "Carry out a batch of 3 commands: Change the amount of deal 1 to 5; Carry out crm.deal.get: id 1; a command that cannot be read",
  ],
  [
    "batch",
    { cmd: ["event.get"] },
    "Выполнить пакет из 1 команды: Выполнить действие event.get",
    "Carry out a batch of 1 command: Carry out event.get",
  ],
  ["issueRefund", { order: "A-17" }, "Выполнить действие issueRefund: order A-17", "Carry out issueRefund: order A-17"],
])("M9: %s with %j is described in words", (method, params, russian, english) => {
  expect(describeAction({ method, params }, "ru")).toBe(russian);
  expect(describeAction({ method, params }, "en")).toBe(english);
});

test("M9: a long value is cut", () => {
  const params = { fields: { ENTITY_TYPE: "deal", ENTITY_ID: 1, COMMENT: "👩‍👩‍👧 ".repeat(500) } };
  const text = describeAction({ method: "crm.timeline.comment.add", params }, "en");
  expect(text).toMatch(/^Add a comment to deal 1: text “👩‍👩‍👧 .*…”$/u);
  expect(text.length).toBeLessThan(200);
});

test("M9: any parameters have a description", () => {
  const methods = ["crm.deal.update", "crm.deal.add", "tasks.task.update", "event.bind", "batch", "any"];
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.dictionary(fc.string(), fc.jsonValue()), (method, params) => {
      const text = describeAction({ method, params: JSON.parse(JSON.stringify(params)) }, "ru");
      expect(text).not.toBe("");
      expect(text).not.toMatch(/undefined|\[object/);
    }),
  );
});
