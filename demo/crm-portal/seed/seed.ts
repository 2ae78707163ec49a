import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { Call } from "../method.ts";
import { addActivity } from "../methods/activity.ts";
import { COMPANY, CONTACT } from "../methods/client.ts";
import { DEAL } from "../methods/deal.ts";
import { addEntity } from "../methods/entity.ts";
import { addCheckListItem, addTaskComment } from "../methods/task-items.ts";
import { addTask } from "../methods/tasks.ts";
import { addComment } from "../methods/timeline.ts";
import type { Store } from "../store.ts";
import { writeDay, writeTime } from "../times.ts";
import { COMPANIES, CONTACTS } from "./clients.ts";
import { DEALS } from "./deals.ts";
import { CATEGORIES, DIRECTORIES } from "./directories.ts";
import { DISMISSED, GROUPS, USERS } from "./people.ts";
import { ACTIVITIES, BINDINGS, CHECK_LISTS, TASK_COMMENTS, TASKS, TIMELINE } from "./work.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Writes the demo company into an empty store. Its dates are relative to `now`, and it is deterministic. Records are
 * written by the portal's methods where possible, so that they are validated.
 */
export function writeSeed(store: Store, now: Date): void {
  writePeople(store, now);
  writeDirectories(store, now);
  writeClients(store, now);
  writeDeals(store, now);
  writeTasks(store, now);
  writeActivities(store, now);
  for (const [event, handler] of BINDINGS) {
    store.put("binding", { ID: store.nextId("binding"), event, handler, auth_type: "0" });
  }
}

/** A call made some days ago (in the future, below 0), at a working hour derived from `key`. */
function callOn(store: Store, now: Date, daysAgo: number, key: number): Call {
  const day = Math.floor(now.getTime() / DAY_MS) - daysAgo;
  // 9 to 17 o'clock in the portal's time zone.
  return { store, params: {}, now: new Date(day * DAY_MS + (6 + (key % 9)) * HOUR_MS + ((key * 7) % 60) * 60_000) };
}

function writePeople(store: Store, now: Date): void {
  for (const [id, name, lastName, position, email, department] of USERS) {
    store.put("user", {
      ID: String(id),
      ACTIVE: id !== DISMISSED,
      NAME: name,
      LAST_NAME: lastName,
      SECOND_NAME: "",
      EMAIL: `${email}@svetlab.example`,
      LAST_LOGIN: writeTime(callOn(store, now, id === DISMISSED ? 90 : 1, id).now),
      DATE_REGISTER: writeDay(callOn(store, now, 600, id).now),
      TIME_ZONE: "",
      IS_ONLINE: "N",
      PERSONAL_GENDER: "",
      PERSONAL_BIRTHDAY: "",
      PERSONAL_CITY: "Москва",
      PERSONAL_MOBILE: `+7900000000${id}`,
      WORK_PHONE: `1${String(id).padStart(2, "0")}`,
      WORK_POSITION: position,
      UF_DEPARTMENT: [department],
      USER_TYPE: "employee",
    });
  }
  for (const { id, name, description, isProject, age, members } of GROUPS) {
    const made = writeTime(callOn(store, now, age, Number(id)).now);
    const active = writeTime(callOn(store, now, 1, Number(id)).now);
    store.put("group", {
      ID: id,
      SITE_ID: "s1",
      NAME: name,
      DESCRIPTION: description,
      DATE_CREATE: made,
      DATE_UPDATE: made,
      ACTIVE: "Y",
      VISIBLE: "Y",
      OPENED: "N",
      CLOSED: "N",
      SUBJECT_ID: "1",
      OWNER_ID: String(members.find(([, role]) => role === "A")?.[0] ?? 1),
      KEYWORDS: null,
      NUMBER_OF_MEMBERS: String(members.length),
      DATE_ACTIVITY: active,
      SUBJECT_NAME: "Рабочие группы",
      PROJECT: isProject ? "Y" : "N",
      IS_EXTRANET: "N",
      MEMBERS: members.map(([user, role]) => ({ USER_ID: String(user), ROLE: role })),
    });
  }
}

function writeDirectories(store: Store, now: Date): void {
  for (const [index, { id, name }] of CATEGORIES.entries()) {
    const made = writeTime(callOn(store, now, 500, index).now);
    store.put("category", { ID: id, CREATED_DATE: made, NAME: name, IS_LOCKED: "N", SORT: String((index + 1) * 10) });
  }
  for (const [directory, entries] of Object.entries(DIRECTORIES)) {
    const pipeline = /^DEAL_STAGE_(\d+)$/.exec(directory)?.[1] ?? null;
    for (const [index, [statusId, name, color, semantics]] of entries.entries()) {
      const isSystem = statusId === "NEW" || semantics !== undefined;
      store.put("status", {
        ID: store.nextId("status"),
        ENTITY_ID: directory,
        STATUS_ID: statusId,
        NAME: name,
        NAME_INIT: isSystem ? name : "",
        SORT: String((index + 1) * 10),
        SYSTEM: isSystem ? "Y" : "N",
        CATEGORY_ID: pipeline,
        COLOR: color ?? "",
        SEMANTICS: semantics ?? null,
        EXTRA: color === undefined ? [] : { SEMANTICS: extraSemantics(statusId, semantics), COLOR: color },
      });
    }
  }
}

function extraSemantics(statusId: string, semantics: "S" | "F" | undefined): string {
  if (semantics === undefined) return "process";
  if (semantics === "S") return "success";
  return statusId.endsWith("APOLOGY") ? "apology" : "failure";
}

function writeClients(store: Store, now: Date): void {
  for (const [id, TITLE, INDUSTRY, employees, user, mail, COMPANY_TYPE = "CUSTOMER"] of COMPANIES) {
    const given = {
      ...{ TITLE, INDUSTRY, COMPANY_TYPE, EMPLOYEES: `EMPLOYEES_${employees}`, ASSIGNED_BY_ID: user },
      PHONE: [{ VALUE: `+749500000${id}`, VALUE_TYPE: "WORK" }],
      EMAIL: [{ VALUE: mail, VALUE_TYPE: "WORK" }],
    };
    addEntity(COMPANY, given, callOn(store, now, 400 - 10 * (id - 11), id), String(id));
  }
  for (const [id, NAME, LAST_NAME, POST, company, user, mail] of CONTACTS) {
    const given = {
      ...{ NAME, LAST_NAME, POST, COMPANY_ID: company, ASSIGNED_BY_ID: user, SOURCE_ID: sourceOf(id) },
      TYPE_ID: company === 25 ? "SUPPLIER" : "CLIENT",
      PHONE: [{ VALUE: `+79000000${id}`, VALUE_TYPE: "MOBILE" }],
      EMAIL: [{ VALUE: mail, VALUE_TYPE: "WORK" }],
    };
    addEntity(CONTACT, given, callOn(store, now, 380 - 8 * (id - 441), id), String(id));
  }
}

function sourceOf(key: number): string {
  return ["CALL", "WEB", "RECOMMENDATION", "EMAIL", "PARTNER", "TRADE_SHOW"][key % 6] ?? "CALL";
}

function writeDeals(store: Store, now: Date): void {
  for (const [id, TITLE, STAGE_ID, OPPORTUNITY, contact, company, user, age, end] of DEALS) {
    const pipeline = /^C(\d+):/.exec(STAGE_ID)?.[1] ?? "0";
    const began = callOn(store, now, age, id);
    const given: JsonObject = {
      ...{ TITLE, STAGE_ID, OPPORTUNITY, CATEGORY_ID: pipeline, CONTACT_ID: contact, COMPANY_ID: company },
      ...{ ASSIGNED_BY_ID: user, SOURCE_ID: sourceOf(id), IS_MANUAL_OPPORTUNITY: "Y" },
      TYPE_ID: pipeline === "1" ? "SERVICE" : "SALE",
      CURRENCY_ID: pipeline === "2" ? "EUR" : "RUB",
      CLOSEDATE: writeDay(callOn(store, now, -end, id).now),
    };
    addEntity(DEAL, given, began, String(id));
  }
  for (const [index, [deal, user, text, age]] of TIMELINE.entries()) {
    const comment = { ENTITY_TYPE: "deal", ENTITY_ID: deal, AUTHOR_ID: user, COMMENT: text };
    addComment(comment, callOn(store, now, age, index));
  }
}

function writeTasks(store: Store, now: Date): void {
  for (const [id, TITLE, user, creator, STATUS, due, UF_CRM_TASK, group] of TASKS) {
    const given = {
      ...{ TITLE, UF_CRM_TASK, STATUS, RESPONSIBLE_ID: user, CREATED_BY: creator, GROUP_ID: group ?? 0 },
      PRIORITY: due !== null && due < 0 ? 2 : 1,
      DEADLINE: due === null ? "" : writeTime(callOn(store, now, -due, 9).now),
    };
    addTask(given, callOn(store, now, 9 + (id % 7), id), String(id));
  }
  for (const [index, [task, user, text, age]] of TASK_COMMENTS.entries()) {
    addTaskComment(String(task), { POST_MESSAGE: text, AUTHOR_ID: user }, callOn(store, now, age, index));
  }
  for (const [task, items] of CHECK_LISTS) {
    for (const [index, [title, done]] of items.entries()) {
      addCheckListItem(String(task), { TITLE: title, IS_COMPLETE: done ? "Y" : "N" }, callOn(store, now, 4, index));
    }
  }
}

function writeActivities(store: Store, now: Date): void {
  for (const [index, [type, SUBJECT, deal, contact, user, day, missed]] of ACTIVITIES.entries()) {
    const { now: begins } = callOn(store, now, -day, index);
    const given = {
      ...{ OWNER_TYPE_ID: 2, OWNER_ID: deal, TYPE_ID: type, SUBJECT, RESPONSIBLE_ID: user },
      START_TIME: writeTime(begins),
      END_TIME: writeTime(begins.getTime() + HOUR_MS),
      COMPLETED: day < 0 && !missed ? "Y" : "N",
      DIRECTION: type === 1 ? 0 : 2,
      COMMUNICATIONS: [{ VALUE: `+79000000${contact}`, ENTITY_TYPE_ID: 3, ENTITY_ID: contact }],
    };
    addActivity(given, callOn(store, now, Math.max(1, 2 - day), index));
  }
}
