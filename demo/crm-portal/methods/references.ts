import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { type Field, type Fields, fieldOf } from "../fields/field.ts";
import { crmRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";

/** The portal's currencies. */
const CURRENCIES = ["RUB", "USD", "EUR"];

/** Checks that references exist: users, contacts, companies, currencies. Throws `Refusal`. */
export function checkReferences(fields: Fields, written: JsonObject, store: Store): void {
  for (const [name, value] of Object.entries(written)) {
    const field = fieldOf(fields, name);
    if (!field) continue;
    const values = Array.isArray(value) ? value : [value];
    if (!values.every((item) => isThere(field, item, store))) {
      throw crmRefusal(`Invalid value for the "${field.title}" field`);
    }
  }
}

/** Contacts and companies may be removed; a responsible user and a currency are required. */
function isThere({ type }: Field, value: Json, store: Store): boolean {
  switch (type) {
    case "user":
      return store.get("user", String(value)) !== null;
    case "crm_contact":
      return value === null || store.get("contact", String(value)) !== null;
    case "crm_company":
      return value === null || store.get("company", String(value)) !== null;
    case "crm_currency":
      return CURRENCIES.includes(String(value));
    default:
      return true;
  }
}
