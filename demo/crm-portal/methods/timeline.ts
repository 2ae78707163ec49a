import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { Fields } from "../fields/field.ts";
import { type Call, type Methods, type Outcome, OWNER_ID } from "../method.ts";
import { objectParam, positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import { crmRefusal, Refusal } from "../refusal.ts";
import { writeTime } from "../times.ts";
import { listRecords } from "./listing.ts";
import { kindOfOwner } from "./owners.ts";

const COMMENT_FIELDS: Fields = {
  ID: { type: "integer", title: "ID" },
  ENTITY_ID: { type: "integer", title: "Entity ID" },
  ENTITY_TYPE: { type: "string", title: "Entity type" },
  CREATED: { type: "datetime", title: "Created on" },
  COMMENT: { type: "string", title: "Comment" },
  AUTHOR_ID: { type: "user", title: "Author" },
  FILES: { type: "object", title: "Files" },
};

export const TIMELINE_METHODS: Methods = {
  "crm.timeline.comment.add": (call) => {
    // Lower case only, unlike parameters of other CRM methods.
    const fields = asArray(call.params.fields);
    if (!fields) throw new Refusal(400, "100", "Could not find value for parameter {fields}");
    return { result: Number(addComment(fields, call).ID) };
  },
  "crm.timeline.comment.list": listComments,
};

/** Adds a comment to a record's timeline. Throws `Refusal`. */
export function addComment(fields: JsonObject, { store, now }: Call): JsonObject {
  const { ENTITY_ID, ENTITY_TYPE, COMMENT, AUTHOR_ID = OWNER_ID } = fields;
  if (ENTITY_ID === undefined || ENTITY_TYPE === undefined || COMMENT === undefined) {
    throw new Refusal(400, "100", "Required fields not provided");
  }
  const kind = kindOfOwner(ENTITY_TYPE);
  const owner = positiveId(ENTITY_ID);
  if (!kind || owner === null || !store.get(kind, owner)) throw new Refusal(400, "OWNER_NOT_FOUND", "Owner not found");
  const text = typeof COMMENT === "string" ? COMMENT.trim() : "";
  if (text === "") throw new Refusal(400, "INVALID_ARG_VALUE", "Empty comment");
  const author = store.get("user", String(AUTHOR_ID));
  if (!author) throw new Refusal(400, "NOT_FOUND", "Not found.");
  const comment = {
    ID: store.nextId("comment"),
    ENTITY_ID: owner,
    ENTITY_TYPE: kind,
    CREATED: writeTime(now),
    COMMENT: text,
    AUTHOR_ID: String(author.ID),
    FILES: {},
  };
  store.put("comment", comment);
  return comment;
}

function listComments(call: Call): Outcome {
  const { ENTITY_ID, ENTITY_TYPE } = objectParam(call.params, "filter");
  if (ENTITY_ID === undefined || ENTITY_TYPE === undefined) throw crmRefusal("Access denied.");
  return listRecords(call, call.store.all("comment"), { fields: COMMENT_FIELDS, order: { ID: "ASC" } });
}
