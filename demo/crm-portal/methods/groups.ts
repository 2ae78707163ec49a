import type { Fields } from "../fields/field.ts";
import type { Call, Methods, Outcome } from "../method.ts";
import { param, positiveId } from "../params.ts";
import { filterRecords } from "../query.ts";
import { crmRefusal } from "../refusal.ts";
import { listRecords } from "./listing.ts";

const GROUP_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  SITE_ID: { type: "string", title: "Site" },
  NAME: { type: "string", title: "Name" },
  DESCRIPTION: { type: "string", title: "Description" },
  DATE_CREATE: { type: "datetime", title: "Created on" },
  DATE_UPDATE: { type: "datetime", title: "Modified on" },
  DATE_ACTIVITY: { type: "datetime", title: "Last activity" },
  ACTIVE: { type: "char", title: "Active" },
  VISIBLE: { type: "char", title: "Visible" },
  OPENED: { type: "char", title: "Open" },
  CLOSED: { type: "char", title: "Archived" },
  SUBJECT_ID: { type: "integer", title: "Subject" },
  SUBJECT_NAME: { type: "string", title: "Name of the subject" },
  OWNER_ID: { type: "user", title: "Owner" },
  KEYWORDS: { type: "string", title: "Keywords" },
  NUMBER_OF_MEMBERS: { type: "integer", title: "Members" },
  PROJECT: { type: "char", title: "Project" },
  IS_EXTRANET: { type: "char", title: "Extranet" },
};

export const GROUP_METHODS: Methods = {
  "sonet_group.get": getGroups,
  "sonet_group.user.get": ({ params, store }) => {
    const id = positiveId(param(params, "id"));
    if (id === null) throw crmRefusal("Wrong socialnetwork group ID");
    const group = store.get("group", id);
    if (!group) throw crmRefusal("Socialnetwork group not found");
    return { result: group.MEMBERS ?? [] };
  },
};

function getGroups(call: Call): Outcome {
  const id = param(call.params, "group_id");
  const groups = filterRecords(call.store.all("group"), GROUP_FIELDS, id === undefined ? {} : { ID: id });
  return listRecords(call, groups, { fields: GROUP_FIELDS, order: { ID: "DESC" } });
}
