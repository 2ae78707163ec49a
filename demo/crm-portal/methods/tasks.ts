import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { blankRecord, writtenFields } from "../fields/field.ts";
import { TASK_FIELDS, TASK_QUERY_FIELDS } from "../fields/task.ts";
import { type Call, type Methods, type Outcome, OWNER_ID } from "../method.ts";
import { objectParam, param, positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import { filterRecords, orderRecords, pageOf } from "../query.ts";
import { coreRefusal, Refusal } from "../refusal.ts";
import { readTime, writeTime } from "../times.ts";
import { queriedTask, taskResponse } from "./task-response.ts";

/** Pending, in progress, awaiting control, completed, deferred. */
const STATUSES = ["2", "3", "4", "5", "6"];
const IN_PROGRESS = "3";
const COMPLETED = "5";

export const TASK_METHODS: Methods = {
  "tasks.task.get": (call) => {
    const task = call.store.get("task", taskIdOf(call.params));
    // An unknown or hidden task is not an error, but an empty result.
    return { result: task ? { task: taskResponse(task, param(call.params, "select"), call) } : [] };
  },
  "tasks.task.list": listTasks,
  "tasks.task.add": (call) => ({
    result: { task: taskResponse(addTask(requiredFields(call.params), call), undefined, call) },
  }),
  "tasks.task.update": (call) => ({
    result: { task: taskResponse(updateTask(taskIdOf(call.params), call), undefined, call) },
  }),
};

function listTasks(call: Call): Outcome {
  const { params, store, now } = call;
  const order = objectParam(params, "order");
  const unknown = Object.keys(order).find((name) => !Object.hasOwn(TASK_QUERY_FIELDS, name));
  if (unknown !== undefined) throw new Refusal(400, "0", "Invalid sorting key (internal error)");
  const tasks = new Map(store.all("task").map((task) => [queriedTask(task, now), task]));
  const found = filterRecords([...tasks.keys()], TASK_QUERY_FIELDS, objectParam(params, "filter"));
  const sorted = orderRecords(found, TASK_QUERY_FIELDS, Object.keys(order).length > 0 ? order : { ID: "DESC" });
  const { records, ...counts } = pageOf(sorted, param(params, "start"));
  const told = records.map((queried) => tasks.get(queried)).filter((task) => task !== undefined);
  return { result: { tasks: told.map((task) => taskResponse(task, param(params, "select"), call)) }, ...counts };
}

/** Creates a task under the next id, or a given one. Throws `Refusal`. */
export function addTask(given: JsonObject, call: Call, id?: string): JsonObject {
  const { store, now } = call;
  const written = fittingFields(given, true);
  const at = writeTime(now);
  const noted = { CREATED_DATE: at, CHANGED_DATE: at, ACTIVITY_DATE: at, STATUS_CHANGED_DATE: at };
  const task = { ...blankRecord(TASK_FIELDS), CREATED_BY: OWNER_ID, CHANGED_BY: OWNER_ID, ...noted };
  checkTask({ ...task, ...written }, null, call);
  const ID = id ?? store.nextId("task");
  const added = { ...task, ...written, GUID: guidOf(ID), ID };
  const settled = { ...added, ...statusChange(added, "2", call) };
  store.put("task", settled);
  return settled;
}

function updateTask(id: string, call: Call): JsonObject {
  const { store, now, params } = call;
  const given = requiredFields(params);
  const before = store.get("task", id);
  if (!before) throw new Refusal(400, "0", "Action on the task is not allowed (internal error)");
  const written = fittingFields(given, false);
  const at = writeTime(now);
  const task = { ...before, ...written, CHANGED_BY: OWNER_ID, CHANGED_DATE: at, ACTIVITY_DATE: at, ID: id };
  checkTask(task, id, call);
  const settled = { ...task, ...statusChange(task, String(before.STATUS), call) };
  store.put("task", settled);
  return settled;
}

/** Fields that change with a task's status. */
function statusChange({ STATUS }: JsonObject, before: string, { now }: Call): JsonObject {
  if (STATUS === before) return {};
  const at = writeTime(now);
  return {
    STATUS_CHANGED_BY: OWNER_ID,
    STATUS_CHANGED_DATE: at,
    CLOSED_BY: STATUS === COMPLETED ? OWNER_ID : null,
    CLOSED_DATE: STATUS === COMPLETED ? at : null,
    ...(STATUS === IN_PROGRESS && { DATE_START: at }),
  };
}

function checkTask(task: JsonObject, id: string | null, { store }: Call): void {
  if (!task.TITLE) throw coreRefusal("Task title not specified");
  if (!task.RESPONSIBLE_ID) throw coreRefusal("Assignee not specified");
  if (!isUser(task.RESPONSIBLE_ID)) throw coreRefusal('User specified in the "Assignee" field not found');
  if (!isUser(task.CREATED_BY)) throw coreRefusal('User specified in the "Created by" field not found');
  if (!STATUSES.includes(String(task.STATUS))) throw coreRefusal("Invalid status");
  const parent = positiveId(task.PARENT_ID);
  if (parent !== null && parent === id) throw coreRefusal("Cannot bind the node to itself");
  if (parent !== null && !store.get("task", parent)) {
    throw coreRefusal('Task specified in the "Parent Task" field not found');
  }
  const [start, end] = [task.START_DATE_PLAN, task.END_DATE_PLAN].map((at) => (at ? readTime(String(at)) : null));
  if (start && end && end < start) throw coreRefusal("End date specified earlier than start date in scheduling");

  function isUser(value: Json | undefined): boolean {
    return store.get("user", String(value)) !== null;
  }
}

function fittingFields(given: JsonObject, isNew: boolean): JsonObject {
  try {
    return writtenFields(TASK_FIELDS, given, isNew);
  } catch (error) {
    throw error instanceof Refusal ? coreRefusal(error.message) : error;
  }
}

function requiredFields(params: JsonObject): JsonObject {
  const fields = asArray(params.fields);
  if (fields && Object.keys(fields).length > 0) return fields;
  throw new Refusal(400, "100", "Could not find value for parameter {fields} (internal error)");
}

function taskIdOf(params: JsonObject): string {
  if (params.taskId === undefined) {
    const description = "CTaskItem All parameters in the constructor must have real class type (internal error)";
    throw new Refusal(400, "100", description);
  }
  const id = positiveId(params.taskId);
  if (id === null) throw new Refusal(400, "0", "wrong task id");
  return id;
}

/** Deterministic: the same for the same task on every portal. */
function guidOf(id: string): string {
  return `{00000000-0000-4000-8000-${id.padStart(12, "0")}}`;
}
