import type { JsonObject } from "../../session/json/json.ts";
import type { CrmMethod } from "./method.ts";
import {
  answered,
  choice,
  FILTERED,
  type Field,
  flag,
  ID,
  id,
  ids,
  NEW_ID,
  number,
  PAGED,
  page,
  SELECTED,
  settable,
  text,
  texts,
  time,
} from "./schema.ts";

/** For writing. */
const TASK: Record<string, Field> = {
  TITLE: text("What is to be done, in a line"),
  DESCRIPTION: text("More about it"),
  RESPONSIBLE_ID: id("Who does it: a user's id"),
  CREATED_BY: id("Who wants it done; the webhook's user when left out"),
  DEADLINE: time("Until when it is to be done"),
  PRIORITY: choice("How urgent it is", { 0: "low", 1: "normal", 2: "high" }),
  STATUS: choice("Where it stands", { 2: "waiting", 3: "in progress", 4: "to be checked", 5: "done", 6: "put off" }),
  GROUP_ID: id("The workgroup"),
  PARENT_ID: id("The task that it is a part of"),
  ACCOMPLICES: ids("Who helps"),
  AUDITORS: ids("Who watches"),
  START_DATE_PLAN: time("Planned begin, together with END_DATE_PLAN"),
  END_DATE_PLAN: time("Planned end, together with START_DATE_PLAN"),
  TAGS: texts("Tags"),
  UF_CRM_TASK: texts('What of the CRM it is about: ["D_123"] a deal, ["C_45"] a contact, ["CO_6"] a company'),
  ALLOW_CHANGE_DEADLINE: flag("Who does it may move the deadline"),
};

/** For reading: the names differ. */
const ANSWERED_TASK: Record<string, Field> = {
  title: text("What is to be done"),
  description: text("More about it"),
  status: number("As STATUS"),
  priority: number("As PRIORITY"),
  deadline: time("Until when"),
  responsibleId: id("Who does it"),
  createdBy: id("Who wants it done"),
  createdDate: time("Made"),
  changedDate: time("Last changed"),
  closedDate: time("Done"),
  groupId: id("The workgroup"),
  parentId: id("The task that it is a part of"),
  accomplices: ids("Who helps"),
  auditors: ids("Who watches"),
  ufCrmTask: texts("What of the CRM it is about"),
};

const TASK_ID: JsonObject = { ...ID, description: "The id of the task" };
const WHOLE: JsonObject = {
  type: "object",
  properties: { task: answered(ANSWERED_TASK, { id: ID }) },
  required: ["task"],
};

export const TASKS: CrmMethod[] = [
  {
    name: "tasks.task.get",
    description:
      "Reads a task. Its fields are named otherwise than they are set: DEADLINE is deadline, RESPONSIBLE_ID is responsibleId.",
    effect: "read",
    parameters: { taskId: TASK_ID, ...SELECTED },
    required: ["taskId"],
    output: WHOLE,
  },
  {
    name: "tasks.task.list",
    description:
      "Finds tasks. Conditions, sorting and selection name fields as DEADLINE and RESPONSIBLE_ID, the tasks as deadline and responsibleId.",
    effect: "read",
    parameters: { ...FILTERED, ...SELECTED, ...PAGED },
    required: [],
    output: page(answered({ id: id("Its id"), ...ANSWERED_TASK })),
    list: true,
  },
  {
    name: "tasks.task.add",
    description: "Makes a task. Gives the new task with its id.",
    effect: "create",
    parameters: { fields: settable(TASK, "The fields of the new one", ["TITLE", "RESPONSIBLE_ID"]) },
    required: ["fields"],
    output: WHOLE,
  },
  {
    name: "tasks.task.update",
    description: "Changes fields of a task; those that are not named stay as they are. Gives the task.",
    effect: "change",
    parameters: { taskId: TASK_ID, fields: settable(TASK, "Only the fields that change", []) },
    required: ["taskId", "fields"],
    // Older portals return `{"task": true}`.
    output: { type: "object", properties: { task: { type: ["object", "boolean"] } } },
  },
  {
    name: "task.commentitem.add",
    description: "Writes a comment on a task. Gives the comment's id.",
    effect: "create",
    parameters: {
      TASKID: TASK_ID,
      FIELDS: settable({ POST_MESSAGE: text("The comment") }, "The comment", ["POST_MESSAGE"]),
    },
    required: ["TASKID", "FIELDS"],
    output: NEW_ID,
  },
  {
    name: "task.checklistitem.add",
    description: "Adds an item to the checklist of a task. Gives the item's id.",
    effect: "create",
    parameters: {
      TASKID: TASK_ID,
      FIELDS: settable(
        {
          TITLE: text("What is to be done"),
          SORT_INDEX: number("Its place: small ones come first"),
          IS_COMPLETE: flag("It is done"),
          IS_IMPORTANT: flag("It is important"),
          PARENT_ID: id("The item that it is a part of; 0 begins a new checklist"),
        },
        "The item",
        ["TITLE"],
      ),
    },
    required: ["TASKID", "FIELDS"],
    output: NEW_ID,
  },
];
