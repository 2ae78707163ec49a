import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { TASK_FIELDS } from "../fields/task.ts";
import type { Call } from "../method.ts";
import { positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import type { Store } from "../store.ts";
import { readTime } from "../times.ts";

const COMPLETED = "5";
const OVERDUE = "-1";
const ALMOST_OVERDUE = "-3";
const ALMOST_MS = 24 * 60 * 60 * 1000;

/** Returned only by name, not by default or with `*`. */
const BY_NAME_ONLY = ["UF_CRM_TASK"];

/** A task for filters and orders: `STATUS` includes overdue, `REAL_STATUS` does not. */
export function queriedTask(task: JsonObject, now: Date): JsonObject {
  return {
    ...task,
    REAL_STATUS: task.STATUS ?? null,
    STATUS: subStatusOf(task, now),
    STATUS_COMPLETE: task.STATUS === COMPLETED ? "2" : "1",
    AUDITOR: task.AUDITORS ?? [],
    ACCOMPLICE: task.ACCOMPLICES ?? [],
    TAG: task.TAGS ?? [],
  };
}

/** A task in a response: the selected fields in camel case, with their users and group. */
export function taskResponse(task: JsonObject, select: Json | undefined, { store, now }: Call): JsonObject {
  const names = Object.values(asArray(select) ?? {}).map((name) => snakeCase(String(name)));
  const all = names.length === 0 || names.includes("*");
  const isTold = (name: string) => name === "ID" || names.includes(name) || (all && !BY_NAME_ONLY.includes(name));
  const told = Object.keys(TASK_FIELDS).filter((name) => isTold(name) && Object.hasOwn(task, name));
  return {
    ...Object.fromEntries(told.map((name) => [camelCase(name), task[name] ?? null])),
    ...((all || names.includes("SUB_STATUS")) && { subStatus: subStatusOf(task, now) }),
    ...(isTold("GROUP_ID") && { group: groupOf(task.GROUP_ID, store) }),
    ...(isTold("CREATED_BY") && { creator: personOf(task.CREATED_BY, store) }),
    ...(isTold("RESPONSIBLE_ID") && { responsible: personOf(task.RESPONSIBLE_ID, store) }),
  };
}

function subStatusOf({ STATUS = null, DEADLINE }: JsonObject, now: Date): Json {
  const deadline = DEADLINE ? readTime(String(DEADLINE)) : null;
  if (deadline === null || STATUS === COMPLETED) return STATUS;
  const left = deadline - now.getTime();
  return left < 0 ? OVERDUE : left < ALMOST_MS ? ALMOST_OVERDUE : STATUS;
}

/** None is an empty list, as in PHP. */
function groupOf(id: Json | undefined, store: Store): Json {
  const group = store.get("group", positiveId(id) ?? "0");
  if (!group) return [];
  const { ID = null, NAME = null, OPENED, NUMBER_OF_MEMBERS } = group;
  return { id: ID, name: NAME, opened: OPENED === "Y", membersCount: Number(NUMBER_OF_MEMBERS), additionalData: [] };
}

function personOf(id: Json | undefined, store: Store): Json {
  const user = store.get("user", String(id));
  if (!user) return [];
  return {
    id: String(user.ID),
    name: `${user.NAME} ${user.LAST_NAME}`,
    link: `/company/personal/user/${user.ID}/`,
    icon: "/bitrix/images/tasks/default_avatar.png",
    workPosition: user.WORK_POSITION ?? "",
  };
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `createdDate` → `CREATED_DATE`, which is unchanged. */
function snakeCase(name: string): string {
  return /[a-z]/.test(name) ? name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase() : name;
}
