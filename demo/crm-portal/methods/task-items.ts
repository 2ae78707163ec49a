import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { type Fields, isYes } from "../fields/field.ts";
import { type Call, type Methods, OWNER_ID } from "../method.ts";
import { param, positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import { filterRecords, orderRecords } from "../query.ts";
import { coreRefusal, type Refusal } from "../refusal.ts";
import { readTime, writeTime } from "../times.ts";

const COMMENT_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  AUTHOR_ID: { type: "user", title: "Author" },
  AUTHOR_NAME: { type: "string", title: "Author's name" },
  POST_DATE: { type: "datetime", title: "Date" },
  POST_MESSAGE: { type: "string", title: "Message" },
};

const ITEM_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  PARENT_ID: { type: "integer", title: "Parent item" },
  CREATED_BY: { type: "user", title: "Author" },
  TITLE: { type: "string", title: "Text" },
  SORT_INDEX: { type: "integer", title: "Sort" },
  IS_COMPLETE: { type: "char", title: "Done" },
  IS_IMPORTANT: { type: "char", title: "Important" },
  TOGGLED_BY: { type: "user", title: "Changed by" },
  TOGGLED_DATE: { type: "datetime", title: "Changed on" },
};

const WRITABLE_OF_COMMENT = ["POST_MESSAGE", "AUTHOR_ID", "POST_DATE", "UF_FORUM_MESSAGE_DOC"];

/** Comments and checklists of tasks. Parameters are named or, as in older programs, positional. */
export const TASK_ITEM_METHODS: Methods = {
  "task.commentitem.add": (call) => {
    const { taskId, fields } = itemParams(call, "ctaskcommentitem");
    return { result: Number(addTaskComment(taskId, fields, call).ID) };
  },
  "task.commentitem.getlist": (call) => {
    const method = "ctaskcommentitem::getlist()";
    const [taskId, order, filter] = queryParams(call, method);
    checkKeys("#1 (arOrder)", order, COMMENT_FIELDS, method, /^/);
    checkKeys("#2 (arFilter)", filter, COMMENT_FIELDS, method, /^(>=|<=|>|<|!)?/);
    const comments = call.store.all("task_comment").filter(({ TASK_ID }) => TASK_ID === taskId);
    const sorted = orderRecords(filterRecords(comments, COMMENT_FIELDS, filter), COMMENT_FIELDS, orDefault(order));
    return { result: sorted.map(({ TASK_ID, ...comment }) => comment) };
  },
  "task.checklistitem.add": (call) => {
    const { taskId, fields } = itemParams(call, "ctaskchecklistitem");
    return { result: Number(addCheckListItem(taskId, fields, call).ID) };
  },
  "task.checklistitem.getlist": (call) => {
    const method = "ctaskchecklistitem::getlist()";
    const [taskId, order] = queryParams(call, method);
    checkKeys("#1 (arOrder)", order, ITEM_FIELDS, method, /^/);
    const items = call.store.all("checklist_item").filter(({ TASK_ID }) => TASK_ID === taskId);
    return { result: orderRecords(items, ITEM_FIELDS, orDefault(order)) };
  },
};

/** Adds a comment to an existing task. Throws `Refusal`. */
export function addTaskComment(taskId: string, fields: JsonObject, { store, now }: Call): JsonObject {
  const strange = Object.keys(fields).find((name) => !WRITABLE_OF_COMMENT.includes(name));
  if (strange !== undefined)
    throw wrongArguments(`Param #1 (arFields) for method ctaskcommentitem::add() must not contain key "${strange}".`);
  const message = typeof fields.POST_MESSAGE === "string" ? fields.POST_MESSAGE.trim() : "";
  if (message === "") throw coreRefusal("Comment text not specified");
  const author = store.get("user", String(fields.AUTHOR_ID ?? OWNER_ID));
  if (!author) throw actionFailed("Action failed");
  const posted = fields.POST_DATE ? readTime(String(fields.POST_DATE)) : null;
  const comment = {
    POST_MESSAGE_HTML: null,
    ID: store.nextId("task_comment"),
    TASK_ID: taskId,
    AUTHOR_ID: String(author.ID),
    AUTHOR_NAME: `${author.NAME} ${author.LAST_NAME}`,
    AUTHOR_EMAIL: "",
    POST_DATE: writeTime(posted ?? now),
    POST_MESSAGE: message,
    ATTACHED_OBJECTS: {},
  };
  store.put("task_comment", comment);
  const task = store.get("task", taskId);
  const count = String(Number(task?.COMMENTS_COUNT ?? 0) + 1);
  store.put("task", { ...task, COMMENTS_COUNT: count, ACTIVITY_DATE: comment.POST_DATE, ID: taskId });
  return comment;
}

/** Adds an item to a task's checklist, which is created if needed. Throws `Refusal`. */
export function addCheckListItem(taskId: string, fields: JsonObject, call: Call): JsonObject {
  const title = typeof fields.TITLE === "string" ? fields.TITLE.trim() : "";
  if (title === "") throw actionFailed("Item name not specified");
  const others = call.store.all("checklist_item").filter(({ TASK_ID }) => TASK_ID === taskId);
  const isRoot = fields.PARENT_ID !== undefined && Number(fields.PARENT_ID) === 0;
  if (isRoot) return keepItem(taskId, { ...fields, TITLE: title }, 0, others, call);

  const named = others.find(({ ID }) => ID === positiveId(fields.PARENT_ID));
  const first = fields.PARENT_ID === undefined ? others.find(({ PARENT_ID }) => PARENT_ID === 0) : undefined;
  const parent = named ?? first ?? keepItem(taskId, { TITLE: "Чек-лист" }, 0, others, call);
  return keepItem(taskId, { ...fields, TITLE: title }, String(parent.ID), others, call);
}

function keepItem(TASK_ID: string, fields: JsonObject, PARENT_ID: Json, others: JsonObject[], call: Call): JsonObject {
  const isComplete = isYes(fields.IS_COMPLETE);
  const siblings = others.filter((item) => item.PARENT_ID === PARENT_ID).length;
  const item = {
    ID: call.store.nextId("checklist_item"),
    TASK_ID,
    PARENT_ID,
    CREATED_BY: OWNER_ID,
    TITLE: fields.TITLE ?? "",
    SORT_INDEX: positiveId(fields.SORT_INDEX) ?? String(siblings),
    IS_COMPLETE: isComplete ? "Y" : "N",
    IS_IMPORTANT: isYes(fields.IS_IMPORTANT) ? "Y" : "N",
    TOGGLED_BY: isComplete ? OWNER_ID : null,
    TOGGLED_DATE: isComplete ? writeTime(call.now) : "",
    MEMBERS: [],
    ATTACHMENTS: [],
  };
  call.store.put("checklist_item", item);
  return item;
}

/** `[TASKID, FIELDS]` of an existing task. Throws `Refusal`. */
function itemParams(call: Call, className: string): { taskId: string; fields: JsonObject } {
  const method = `${className}::add()`;
  const taskId = taskIdOf(call, method);
  const fields = asArray(param(call.params, "fields") ?? call.params["1"]);
  if (!fields || Object.keys(fields).length === 0) {
    throw wrongArguments(`Param #1 (arFields) expected by method ${method}, but not given.`);
  }
  if (!call.store.get("task", taskId)) throw actionFailed("Adding item: action not allowed");
  return { taskId, fields };
}

/** `[TASKID, ORDER, FILTER]` of an existing task. Throws `Refusal`. */
function queryParams(call: Call, method: string): [taskId: string, order: JsonObject, filter: JsonObject] {
  const { params, store } = call;
  const taskId = taskIdOf(call, method);
  if (!store.get("task", taskId)) throw actionFailed("Action failed");
  const [order, filter] = [param(params, "order") ?? params["1"], param(params, "filter") ?? params["2"]];
  return [taskId, asArray(order) ?? {}, asArray(filter) ?? {}];
}

function taskIdOf({ params }: Call, method: string): string {
  const id = positiveId(param(params, "taskid") ?? params["0"]);
  if (id !== null) return id;
  const expected = `Param #0 (taskId) for method ${method} expected to be of type "integer"`;
  throw wrongArguments(`${expected}, but given something else.`);
}

function checkKeys(place: string, given: JsonObject, fields: Fields, method: string, prefix: RegExp): void {
  const strange = Object.keys(given).find((key) => !Object.hasOwn(fields, key.replace(prefix, "")));
  if (strange === undefined) return;
  throw wrongArguments(`Param ${place} for method ${method} must not contain key "${strange}".`);
}

function orDefault(order: JsonObject): JsonObject {
  return Object.keys(order).length > 0 ? order : { ID: "DESC" };
}

function wrongArguments(what: string): Refusal {
  return coreRefusal(`TASKS_ERROR_EXCEPTION_#256; ${what}; 256/TE/WRONG_ARGUMENTS`);
}

function actionFailed(what: string): Refusal {
  return coreRefusal(`TASKS_ERROR_EXCEPTION_#8; ${what}; 8/TE/ACTION_FAILED_TO_BE_PROCESSED`);
}
