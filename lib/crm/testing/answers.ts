import type { Json, JsonObject } from "../../session/json/json.ts";

/** A call of a tool with the portal's request and response, as in Bitrix24's documentation. */
export interface Documented {
  params: JsonObject;
  /** The method and the parameters of the request, if different. */
  wire?: string;
  sent?: JsonObject;
  answer: { result: Json; total?: number; next?: number };
  /** The tool's result, if it is not the response's. */
  gives?: Json;
}

const DEAL = {
  ID: "410",
  TITLE: "New Deal #1",
  TYPE_ID: "COMPLEX",
  STAGE_ID: "PREPARATION",
  PROBABILITY: "99",
  CURRENCY_ID: "EUR",
  OPPORTUNITY: "1000000.00",
  IS_MANUAL_OPPORTUNITY: "Y",
  LEAD_ID: null,
  COMPANY_ID: "9",
  CONTACT_ID: "84",
  QUOTE_ID: null,
  BEGINDATE: "2024-08-30T02:00:00+02:00",
  ASSIGNED_BY_ID: "1",
  CREATED_BY_ID: "1",
  DATE_CREATE: "2024-08-30T14:29:00+02:00",
  OPENED: "Y",
  CLOSED: "N",
  COMMENTS: "[B]Example comment[/B]",
  CATEGORY_ID: "0",
  STAGE_SEMANTIC_ID: "P",
  SOURCE_ID: "CALLBACK",
  UF_CRM_1721244482250: "Hello world!",
};

const CONTACT = {
  ID: "43",
  POST: "Administrator",
  NAME: "John",
  SECOND_NAME: "",
  LAST_NAME: "Smith",
  COMPANY_ID: "12",
  BIRTHDATE: "2001-11-11T02:00:00+02:00",
  HAS_PHONE: "Y",
  PHONE: [{ ID: "156", VALUE_TYPE: "WORK", VALUE: "+13333333555", TYPE_ID: "PHONE" }],
};

const COMPANY = { ID: "2909", TITLE: "Gazelle", COMPANY_TYPE: "CUSTOMER", LOGO: null, REVENUE: "0", OPENED: "N" };

const ACTIVITY = {
  ID: "999",
  OWNER_ID: "15",
  OWNER_TYPE_ID: "3",
  TYPE_ID: "2",
  SUBJECT: "Outgoing call",
  COMPLETED: "Y",
  DEADLINE: "2020-09-27T13:25:00+02:00",
  RESPONSIBLE_ID: "505",
  SETTINGS: [],
  PROVIDER_DATA: null,
};

const TASK = {
  id: "3711",
  parentId: null,
  title: "task for test",
  priority: "1",
  status: "2",
  deadline: null,
  responsibleId: "1",
  group: [],
  ufCrmTask: ["D_1723"],
  auditors: ["13"],
  action: { accept: false, "edit.originator": false },
};

const USER = {
  ID: "3",
  ACTIVE: true,
  NAME: "John",
  LAST_NAME: "Doe",
  EMAIL: "test@example.org",
  LAST_ACTIVITY_DATE: {},
  UF_DEPARTMENT: [1],
};

const BINDING = { event: "ONCRMLEADADD", handler: "https://www.example.org/handler/", auth_type: "0", offline: 0 };

function list(items: Json[], told: { total?: number; next?: number } = {}): Pick<Documented, "answer" | "gives"> {
  return { answer: { result: items, ...told }, gives: { items, total: told.total ?? null, next: told.next ?? null } };
}

const made = (id: number): Pick<Documented, "answer"> => ({ answer: { result: id } });
const changed: Pick<Documented, "answer"> = { answer: { result: true } };

/** Every method but `batch`. */
export const DOCUMENTED: Record<string, Documented> = {
  "crm.deal.get": { params: { id: 410 }, answer: { result: DEAL } },
  "crm.deal.list": {
    params: {
      filter: { ">OPPORTUNITY": 10000, "@ASSIGNED_BY_ID": [1, 6] },
      order: { TITLE: "ASC" },
      select: ["ID", "TITLE"],
      start: 50,
      limit: 50,
    },
    sent: {
      filter: { ">OPPORTUNITY": 10000, "@ASSIGNED_BY_ID": [1, 6] },
      order: { TITLE: "ASC" },
      select: ["ID", "TITLE"],
      start: 50,
    },
    ...list([{ ID: "37", TITLE: "[A] Deal" }], { total: 123, next: 100 }),
  },
  "crm.deal.add": { params: { fields: { TITLE: "Servers", OPPORTUNITY: 100000, CONTACT_ID: "84" } }, ...made(411) },
  "crm.deal.update": { params: { id: "123", fields: { OPPORTUNITY: 100000, UF_CRM_1: "x" } }, ...changed },
  "crm.contact.get": { params: { id: 43 }, answer: { result: CONTACT } },
  "crm.contact.list": { params: { filter: { "%LAST_NAME": "Smith" } }, ...list([CONTACT], { total: 1 }) },
  "crm.contact.add": {
    params: { fields: { NAME: "Ada", PHONE: [{ VALUE: "+15550100", VALUE_TYPE: "WORK" }] } },
    ...made(44),
  },
  "crm.contact.update": { params: { id: 43, fields: { EMAIL: [{ ID: 158, VALUE: "" }] } }, ...changed },
  "crm.company.get": { params: { id: 2909 }, answer: { result: COMPANY } },
  "crm.company.list": { params: {}, ...list([COMPANY], { total: 1 }) },
  "crm.company.add": { params: { fields: { TITLE: "Gazelle", REVENUE: "10.5" } }, ...made(2910) },
  "crm.company.update": { params: { id: 2909, fields: { INDUSTRY: "IT" } }, ...changed },
  "crm.activity.get": { params: { id: 999 }, answer: { result: ACTIVITY } },
  "crm.activity.list": { params: { filter: { OWNER_TYPE_ID: 3 } }, ...list([ACTIVITY], { total: 123456, next: 50 }) },
  "crm.activity.add": {
    params: {
      fields: {
        OWNER_TYPE_ID: 2,
        OWNER_ID: 102,
        TYPE_ID: 2,
        COMMUNICATIONS: [{ VALUE: "+18005551234", ENTITY_ID: 134, ENTITY_TYPE_ID: 3 }],
        SUBJECT: "New call",
        START_TIME: "2026-12-31T12:00:00+00:00",
        COMPLETED: "N",
        RESPONSIBLE_ID: 1,
        DESCRIPTION_TYPE: 3,
      },
    },
    ...made(999),
  },
  "crm.activity.update": { params: { id: 999, fields: { DESCRIPTION: "New description" } }, ...changed },
  "crm.timeline.comment.add": {
    params: { fields: { ENTITY_ID: 10, ENTITY_TYPE: "deal", COMMENT: "New comment was added" } },
    ...made(999),
  },
  "crm.deal.category.list": {
    params: { order: { SORT: "ASC" } },
    wire: "crm.dealcategory.list",
    ...list([{ ID: "1", CREATED_DATE: "2024-08-30", NAME: "Renewals", SORT: "200", IS_LOCKED: "N" }], { total: 1 }),
  },
  "crm.deal.category.stage.list": {
    params: { id: 0 },
    wire: "crm.dealcategory.stage.list",
    ...list([{ NAME: "New", SORT: 10, STATUS_ID: "NEW" }]),
  },
  "crm.status.list": {
    params: { order: { SORT: "ASC" }, filter: { ENTITY_ID: "DEAL_STAGE" } },
    ...list([{ ID: "101", ENTITY_ID: "DEAL_STAGE", STATUS_ID: "NEW", NAME: "New", SORT: "10", SEMANTICS: null }], {
      total: 1,
    }),
  },
  "tasks.task.get": { params: { taskId: 3711, select: ["ID", "TITLE"] }, answer: { result: { task: TASK } } },
  "tasks.task.list": {
    params: { filter: { "!STATUS": 6 }, order: { DEADLINE: "asc" } },
    answer: { result: { tasks: [TASK] }, total: 1 },
    gives: { items: [TASK], total: 1, next: null },
  },
  "tasks.task.add": {
    params: {
      fields: { TITLE: "Task Title", DEADLINE: "2026-12-31T23:59:59", RESPONSIBLE_ID: 123, UF_CRM_TASK: ["D_10"] },
    },
    answer: { result: { task: TASK } },
  },
  "tasks.task.update": {
    params: { taskId: 456, fields: { DEADLINE: "2024-05-05" } },
    answer: { result: { task: TASK } },
  },
  "task.commentitem.add": {
    params: { FIELDS: { POST_MESSAGE: "Text of the new comment" }, TASKID: 8017 },
    ...made(3141),
  },
  "task.checklistitem.add": {
    params: { FIELDS: { TITLE: "Prepare report", SORT_INDEX: 200, IS_COMPLETE: "N" }, TASKID: 13 },
    ...made(475),
  },
  "sonet.group.get": {
    params: { FILTER: { "%NAME": "Pro" }, ORDER: { NAME: "ASC" } },
    wire: "sonet_group.get",
    ...list([{ ID: "77", NAME: "New Project Title", DESCRIPTION: null, NUMBER_OF_MEMBERS: "12", PROJECT: "Y" }], {
      total: 1,
    }),
  },
  "sonet.group.user.get": {
    params: { ID: 69 },
    wire: "sonet_group.user.get",
    ...list([{ USER_ID: "1269", ROLE: "A" }]),
  },
  "user.current": { params: {}, answer: { result: USER } },
  "user.get": {
    params: { FILTER: { NAME: "Iva%" }, sort: "ID", order: "ASC" },
    ...list([USER], { total: 1 }),
  },
  "event.bind": { params: { event: "onCrmDealAdd", handler: "https://example.org/hook" }, ...changed },
  "event.unbind": {
    params: { event: "onCrmDealAdd", handler: "https://example.org/hook" },
    answer: { result: { count: 1 } },
  },
  "event.get": { params: {}, ...list([BINDING]) },
};
