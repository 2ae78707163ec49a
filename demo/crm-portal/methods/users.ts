import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { Fields } from "../fields/field.ts";
import { type Call, type Methods, type Outcome, OWNER_ID } from "../method.ts";
import { objectParam, param } from "../params.ts";
import { filterRecords, orderRecords, pageOf } from "../query.ts";

const USER_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  ACTIVE: { type: "boolean", title: "Active" },
  NAME: { type: "string", title: "First name" },
  LAST_NAME: { type: "string", title: "Last name" },
  SECOND_NAME: { type: "string", title: "Middle name" },
  EMAIL: { type: "string", title: "E-mail" },
  IS_ONLINE: { type: "char", title: "Online" },
  DATE_REGISTER: { type: "datetime", title: "Registered on" },
  PERSONAL_CITY: { type: "string", title: "City" },
  PERSONAL_MOBILE: { type: "string", title: "Mobile" },
  WORK_PHONE: { type: "string", title: "Work phone" },
  WORK_POSITION: { type: "string", title: "Position" },
  UF_DEPARTMENT: { type: "integer", title: "Departments", multiple: true },
  USER_TYPE: { type: "string", title: "Type" },
  NAME_SEARCH: { type: "string", title: "Quick search" },
};

export const USER_METHODS: Methods = {
  "user.current": ({ store }) => ({ result: store.get("user", OWNER_ID) }),
  "user.get": getUsers,
};

/** Filters are in `FILTER`, or beside the other parameters; the order is one field. */
function getUsers({ params, store }: Call): Outcome {
  const beside = Object.entries(params).map(([name, value]) => [name.toUpperCase(), value] as const);
  const filter = { ...Object.fromEntries(beside), ...objectParam(params, "filter") };
  const found = filterRecords(store.all("user").map(searchable), USER_FIELDS, withPatterns(filter));
  const order = { [String(param(params, "sort") ?? "ID")]: param(params, "order") ?? "ASC" };
  const { records, ...counts } = pageOf(orderRecords(found, USER_FIELDS, order), param(params, "start"));
  return { result: records.map(({ NAME_SEARCH, ...user }) => user), ...counts };
}

/** First and last name match in either order. */
function searchable(user: JsonObject): JsonObject {
  const { NAME, LAST_NAME, EMAIL, WORK_POSITION } = user;
  return { ...user, NAME_SEARCH: [NAME, LAST_NAME, NAME, EMAIL, WORK_POSITION].join(" ") };
}

/** A string with `%` is a pattern, without an operator: `{"NAME": "Iva%"}`; the quick search always is one. */
function withPatterns(filter: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => {
      if (key === "NAME_SEARCH") return ["%NAME_SEARCH", value];
      const isPattern = /^\w/.test(key) && typeof value === "string" && value.includes("%");
      return [isPattern ? `=%${key}` : key, value];
    }),
  );
}
