import type { Fields } from "../fields/field.ts";
import type { Methods } from "../method.ts";
import { param } from "../params.ts";
import { stagesOf } from "./deal.ts";
import { listRecords } from "./listing.ts";

const CATEGORY_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  CREATED_DATE: { type: "datetime", title: "Created on" },
  NAME: { type: "string", title: "Name" },
  IS_LOCKED: { type: "char", title: "Locked" },
  SORT: { type: "integer", title: "Sort" },
};

const STATUS_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  ENTITY_ID: { type: "string", title: "Directory" },
  STATUS_ID: { type: "string", title: "Status ID" },
  NAME: { type: "string", title: "Name" },
  NAME_INIT: { type: "string", title: "Default name" },
  SORT: { type: "integer", title: "Sort" },
  SYSTEM: { type: "char", title: "System" },
  CATEGORY_ID: { type: "integer", title: "Pipeline" },
  COLOR: { type: "string", title: "Colour" },
  SEMANTICS: { type: "string", title: "Semantics" },
  EXTRA: { type: "object", title: "Additional" },
};

export const DIRECTORY_METHODS: Methods = {
  // Without the default pipeline 0, which has no record.
  "crm.dealcategory.list": (call) =>
    listRecords(call, call.store.all("category"), { fields: CATEGORY_FIELDS, order: { SORT: "ASC" } }),
  "crm.dealcategory.stage.list": ({ params, store }) => ({
    result: stagesOf(param(params, "id") || 0, store).map(({ NAME = null, SORT, STATUS_ID = null }) => ({
      NAME,
      SORT: Number(SORT),
      STATUS_ID,
    })),
  }),
  "crm.status.list": (call) =>
    listRecords(call, call.store.all("status"), { fields: STATUS_FIELDS, order: { SORT: "ASC" } }),
};
