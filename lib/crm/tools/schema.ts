import type { JsonObject } from "../../session/json/json.ts";

/**
 * The schemas of a field, for writing and reading. A portal returns strings for numbers and null for missing values, so
 * schemas for reading are lenient: a call must not fail because of them. Schemas for writing never allow null: in the
 * strict format, models write null for omitted keys.
 */
export interface Field {
  set: JsonObject;
  got: JsonObject;
}

/** An object's id. */
export const ID: JsonObject = { type: ["integer", "string"], minimum: 1, pattern: "^[0-9]+$" };
/** The same, or 0 for none. */
const RELATED_ID: JsonObject = { type: ["integer", "string"], minimum: 0, pattern: "^[0-9]+$" };
const GOT_TEXT: JsonObject = { type: ["string", "null"] };
const GOT_NUMBER: JsonObject = { type: ["number", "string", "null"] };

export function text(description: string): Field {
  return { set: { type: "string", description }, got: GOT_TEXT };
}

export function number(description: string): Field {
  return { set: { type: ["number", "string"], pattern: "^-?[0-9.]+$", description }, got: GOT_NUMBER };
}

/** The id of another object; 0 removes it. */
export function id(description: string): Field {
  return { set: { ...RELATED_ID, description }, got: GOT_NUMBER };
}

export function ids(description: string): Field {
  return { set: { type: "array", items: RELATED_ID, description }, got: {} };
}

export function texts(description: string): Field {
  return { set: { type: "array", items: { type: "string" }, description }, got: {} };
}

export function time(description: string): Field {
  return { set: { type: "string", description: `${description}, as in 2026-05-31T18:00:00+03:00` }, got: GOT_TEXT };
}

export function day(description: string): Field {
  return { set: { type: "string", description: `${description}, as in 2026-05-31` }, got: GOT_TEXT };
}

export function flag(description: string): Field {
  return { set: { type: "string", enum: ["Y", "N"], description }, got: { type: ["string", "boolean", "null"] } };
}

/** An enumeration of numbers, with descriptions. */
export function choice(description: string, meanings: Record<number, string>): Field {
  const told = Object.entries(meanings).map(([value, meaning]) => `${value} ${meaning}`);
  return {
    set: {
      type: "integer",
      enum: Object.keys(meanings).map(Number),
      description: `${description}: ${told.join(", ")}`,
    },
    got: GOT_NUMBER,
  };
}

/** Phone numbers and the like: each entry has an id, by which it is changed. */
export function entries(description: string): Field {
  const entry = {
    VALUE: { type: "string" },
    VALUE_TYPE: { type: "string", description: "WORK, HOME, MOBILE, …" },
  };
  return {
    set: {
      type: "array",
      description: `${description}. An entry with the ID of an old one changes it; with an empty VALUE too, it is deleted`,
      items: { type: "object", properties: { ID, ...entry }, required: ["VALUE"] },
    },
    got: {
      type: ["array", "null"],
      items: { type: "object", properties: { ID: GOT_NUMBER, VALUE: GOT_TEXT, VALUE_TYPE: GOT_TEXT } },
    },
  };
}

/** Fields for writing. Portals also have custom fields (`UF_CRM_…`). */
export function settable(fields: Record<string, Field>, description: string, required: readonly string[]): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { set }]) => [name, set]));
  return { type: "object", description, properties, required: [...required], minProperties: 1 };
}

/** An object as returned: with these fields, and any others. */
export function answered(fields: Record<string, Field>, required: JsonObject = {}): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { got }]) => [name, got]));
  return { type: "object", properties: { ...required, ...properties }, required: Object.keys(required) };
}

/** The result of every list: a page of items, with the start of the next one. */
export function page(item: JsonObject): JsonObject {
  return {
    type: "object",
    properties: {
      items: { type: "array", items: item },
      total: {
        type: ["integer", "null"],
        description: "How many there are in all; null when the portal does not tell",
      },
      next: { type: ["integer", "null"], description: "The start of the rest; null when this is all" },
    },
    required: ["items", "total", "next"],
  };
}

/** The id of the created object. */
export const NEW_ID: JsonObject = { type: ["integer", "string"] };
export const DONE: JsonObject = { type: "boolean" };

const FILTER: JsonObject = {
  type: "object",
  description:
    'Conditions by field; a sign before the name compares: {"STAGE_ID": "NEW", ">=OPPORTUNITY": 1000, "%TITLE": "part of it", "@ID": [1, 2], "!CLOSED": "Y"}',
};
const ORDER: JsonObject = {
  type: "object",
  description: 'Sorting by field: {"DATE_CREATE": "DESC"}',
  additionalProperties: { type: "string", enum: ["ASC", "DESC", "asc", "desc"] },
};
const START: JsonObject = {
  type: "integer",
  minimum: 0,
  description: "From which item on, the first being 0: the next of an earlier page",
};
const LIMIT: JsonObject = {
  type: "integer",
  minimum: 1,
  maximum: 500,
  description: "For how many items to read: they come in whole pages of 50. Default 50",
};

/** The filter of a list. */
export const FILTERED = { filter: FILTER, order: ORDER };
/** The selected fields. */
export const SELECTED = {
  select: { type: "array", items: { type: "string" }, description: 'Only these fields: ["ID", "TITLE"]' },
} satisfies JsonObject;
/** The page of a list. */
export const PAGED = { start: START, limit: LIMIT };
