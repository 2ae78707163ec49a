import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

test("M14: tasks.task.get returns a task in camel case, with its users and group", async () => {
  const result = await portal.result("tasks.task.get", { taskId: 456 });
  expect(result).toMatchObject({
    task: {
      id: "456",
      title: "Согласовать схему света с С. Власовым",
      status: "3",
      responsibleId: "3",
      commentsCount: "1",
      group: { id: "5", name: "Отдел продаж", membersCount: 4 },
      creator: { id: "2", name: "Илья Морозов" },
      responsible: { id: "3", name: "Мария Ким" },
    },
  });
  expect(result).not.toHaveProperty("task.ufCrmTask");
});

test("M14: returns selected fields, in either spelling", async () => {
  const select = ["TITLE", "createdDate", "UF_CRM_TASK", "subStatus"];
  expect(await portal.result("tasks.task.get", { taskId: "456", select })).toEqual({
    task: {
      id: "456",
      title: "Согласовать схему света с С. Власовым",
      createdDate: expect.any(String),
      ufCrmTask: ["D_123", "C_456"],
      subStatus: "3",
    },
  });
});

test("M14: an unknown task is an empty result", async () => {
  expect(await portal.result("tasks.task.get", { taskId: 99_999 })).toEqual([]);
});

describe("M14: tasks.task.list", () => {
  async function ids(params: JsonObject): Promise<string[]> {
    const { tasks } = Object(await portal.result("tasks.task.list", { select: ["ID"], ...params }));
    return tasks.map(({ id }: JsonObject) => id);
  }

  test("returns the newest first, with the total", async () => {
    const { body } = await portal.call("tasks.task.list", { filter: { UF_CRM_TASK: "D_123" } });
    expect(body).toMatchObject({ result: { tasks: [{ id: "789" }, { id: "456" }] }, total: 2 });
  });

  test.each<[JsonObject, string[]]>([
    [{ STATUS: -1 }, ["448", "451", "453"]],
    [{ REAL_STATUS: 5 }, ["457", "459"]],
    [{ REAL_STATUS: [4, 6] }, ["450", "455"]],
    [{ RESPONSIBLE_ID: 3 }, ["447", "456", "789"]],
    [{ GROUP_ID: 8 }, ["454"]],
    [{ "%TITLE": "власов" }, ["456", "789"]],
    [{ "!REAL_STATUS": 5, RESPONSIBLE_ID: [2, 7] }, ["448", "451", "458"]],
  ])("finds %j", async (filter, found) => {
    expect(await ids({ filter, order: { ID: "asc" } })).toEqual(found);
  });

  test("sorts by deadline, those without one first", async () => {
    const [first, second] = await ids({ order: { DEADLINE: "asc" } });
    expect([first, second]).toEqual(["455", "457"]);
  });

  test("refuses an unknown key of the order", async () => {
    const refusal = "400 0: Invalid sorting key (internal error)";
    expect(await portal.refusal("tasks.task.list", { order: { COLOUR: "asc" } })).toBe(refusal);
  });
});

describe("M14: tasks.task.add", () => {
  test("creates a task and returns it", async () => {
    const fields = { TITLE: "Заказать образцы", RESPONSIBLE_ID: 6, DEADLINE: "2031-05-05", UF_CRM_TASK: ["D_111"] };
    const result = await portal.result("tasks.task.add", { fields });
    expect(result).toMatchObject({
      task: { id: "790", status: "2", createdBy: "1", deadline: "2031-05-05T00:00:00+03:00", priority: "1" },
    });
    expect(await portal.result("tasks.task.get", { taskId: 790, select: ["UF_CRM_TASK"] })).toMatchObject({
      task: { ufCrmTask: ["D_111"] },
    });
  });

  test.each([
    [{}, "100: Could not find value for parameter {fields} (internal error)"],
    [{ fields: {} }, "100: Could not find value for parameter {fields} (internal error)"],
    [{ fields: { RESPONSIBLE_ID: 3 } }, "ERROR_CORE: Task title not specified<br>"],
    [{ fields: { TITLE: "А" } }, "ERROR_CORE: Assignee not specified<br>"],
    [
      { fields: { TITLE: "А", RESPONSIBLE_ID: 77 } },
      'ERROR_CORE: User specified in the "Assignee" field not found<br>',
    ],
    [{ fields: { TITLE: "А", RESPONSIBLE_ID: 3, STATUS: 9 } }, "ERROR_CORE: Invalid status<br>"],
    [
      { fields: { TITLE: "А", RESPONSIBLE_ID: 3, PARENT_ID: 5 } },
      'ERROR_CORE: Task specified in the "Parent Task" field not found<br>',
    ],
    [
      { fields: { TITLE: "А", RESPONSIBLE_ID: 3, DEADLINE: "завтра" } },
      'ERROR_CORE: Invalid value for the "Deadline" field<br>',
    ],
    [
      { fields: { TITLE: "А", RESPONSIBLE_ID: 3, START_DATE_PLAN: "2026-05-06", END_DATE_PLAN: "2026-05-05" } },
      "ERROR_CORE: End date specified earlier than start date in scheduling<br>",
    ],
  ])("%j is refused", async (params, refusal) => {
    expect(await portal.refusal("tasks.task.add", params)).toBe(`400 ${refusal}`);
  });
});

describe("M14: tasks.task.update", () => {
  test("changes the deadline and the responsible user", async () => {
    const fields = { DEADLINE: "2031-05-05T18:00:00", RESPONSIBLE_ID: 4 };
    expect(await portal.result("tasks.task.update", { taskId: 456, fields })).toMatchObject({
      task: { id: "456", deadline: "2031-05-05T18:00:00+03:00", responsible: { name: "Тимур Ахметов" } },
    });
  });

  test("completing a task records the user, and reopening removes it", async () => {
    await portal.result("tasks.task.update", { taskId: 448, fields: { STATUS: 5 } });
    expect(await portal.result("tasks.task.get", { taskId: 448 })).toMatchObject({
      task: { status: "5", subStatus: "5", closedBy: "1", closedDate: expect.any(String) },
    });
    await portal.result("tasks.task.update", { taskId: 448, fields: { STATUS: 3 } });
    expect(await portal.result("tasks.task.get", { taskId: 448 })).toMatchObject({
      task: { status: "3", subStatus: "-1", closedBy: null, closedDate: null },
    });
  });

  test.each([
    [{ fields: { STATUS: 5 } }, /^400 100: CTaskItem All parameters/],
    [{ taskId: "abc", fields: { STATUS: 5 } }, /^400 0: wrong task id$/],
    [{ taskId: 99_999, fields: { STATUS: 5 } }, /^400 0: Action on the task is not allowed/],
    [{ taskId: 456, fields: {} }, /^400 100: Could not find value for parameter {fields}/],
    [{ taskId: 456, fields: { PARENT_ID: 456 } }, /^400 ERROR_CORE: Cannot bind the node to itself<br>$/],
    [{ taskId: 456, fields: { TITLE: "" } }, /^400 ERROR_CORE: Task title not specified<br>$/],
  ])("%j is refused, and nothing is changed", async (params, refusal) => {
    const before = await portal.result("tasks.task.get", { taskId: 456 });
    expect(await portal.refusal("tasks.task.update", params)).toMatch(refusal);
    expect(await portal.result("tasks.task.get", { taskId: 456 })).toEqual(before);
  });
});

describe("M14: comments on tasks", () => {
  test("are added, counted and listed", async () => {
    const FIELDS = { POST_MESSAGE: "Клиент согласен", AUTHOR_ID: 3 };
    const id = await portal.result("task.commentitem.add", { TASKID: 456, FIELDS });
    expect(await portal.result("task.commentitem.getlist", { TASKID: 456 })).toMatchObject([
      { ID: String(id), POST_MESSAGE: "Клиент согласен", AUTHOR_NAME: "Мария Ким", ATTACHED_OBJECTS: {} },
      { AUTHOR_ID: "3" },
    ]);
    expect(await portal.result("tasks.task.get", { taskId: 456 })).toMatchObject({ task: { commentsCount: "2" } });
  });

  test("are filtered and sorted", async () => {
    await portal.result("task.commentitem.add", [456, { POST_MESSAGE: "От директора" }]);
    const params = { TASKID: 456, ORDER: { ID: "asc" }, FILTER: { "!AUTHOR_ID": 3 } };
    expect(await portal.result("task.commentitem.getlist", params)).toMatchObject([{ POST_MESSAGE: "От директора" }]);
  });

  test.each([
    [
      "task.commentitem.add",
      { TASKID: 456, FIELDS: { POST_MESSAGE: " " } },
      /ERROR_CORE: Comment text not specified<br>$/,
    ],
    ["task.commentitem.add", { TASKID: 5, FIELDS: { POST_MESSAGE: "А" } }, /action not allowed/],
    ["task.commentitem.add", { TASKID: "x", FIELDS: { POST_MESSAGE: "А" } }, /#256; Param #0 \(taskId\) .* "integer"/],
    ["task.commentitem.add", { TASKID: 456, FIELDS: { POST_MESSAGE: "А", ID: 5 } }, /must not contain key "ID"/],
    ["task.commentitem.add", { TASKID: 456 }, /Param #1 \(arFields\) expected/],
    ["task.commentitem.getlist", { TASKID: 5 }, /#8; Action failed/],
    ["task.commentitem.getlist", { TASKID: 456, ORDER: { ">ID": "asc" } }, /Param #1 \(arOrder\) .* key ">ID"/],
    ["task.commentitem.getlist", { TASKID: 456, FILTER: { "%ID": 1 } }, /Param #2 \(arFilter\) .* key "%ID"/],
  ])("%s %j is refused", async (method, params, refusal) => {
    expect(await portal.refusal(method, params)).toMatch(refusal);
  });
});

describe("M14: checklists of tasks", () => {
  async function items(TASKID: number) {
    return portal.result("task.checklistitem.getlist", { TASKID, ORDER: { ID: "asc" } });
  }

  test("an item is added to the existing list, or to a new one", async () => {
    await portal.result("task.checklistitem.add", { TASKID: 789, FIELDS: { TITLE: "Смета" } });
    await portal.result("task.checklistitem.add", [789, { TITLE: "Скидка", IS_COMPLETE: "Y" }]);
    const [root, ...others] = Object(await items(789));
    expect(root).toMatchObject({ PARENT_ID: 0, TASK_ID: "789" });
    expect(others).toMatchObject([
      { TITLE: "Смета", PARENT_ID: root.ID, IS_COMPLETE: "N", TOGGLED_BY: null },
      { TITLE: "Скидка", PARENT_ID: root.ID, IS_COMPLETE: "Y", TOGGLED_BY: "1" },
    ]);
  });

  test("PARENT_ID 0 starts another list", async () => {
    const id = await portal.result("task.checklistitem.add", {
      TASKID: 456,
      FIELDS: { TITLE: "Монтаж", PARENT_ID: 0 },
    });
    await portal.result("task.checklistitem.add", { TASKID: 456, FIELDS: { TITLE: "Кабель", PARENT_ID: id } });
    expect(Object(await items(456)).slice(-2)).toMatchObject([
      { ID: String(id), PARENT_ID: 0 },
      { TITLE: "Кабель", PARENT_ID: String(id) },
    ]);
  });

  test.each([
    [{ TASKID: 456, FIELDS: { IS_COMPLETE: "Y" } }, /#8; Item name not specified/],
    [{ TASKID: 456, FIELDS: {} }, /Param #1 \(arFields\) expected/],
    [{ TASKID: 5, FIELDS: { TITLE: "А" } }, /#8; Adding item: action not allowed/],
  ])("%j is refused", async (params, refusal) => {
    expect(await portal.refusal("task.checklistitem.add", params)).toMatch(refusal);
  });
});
