import type { Json } from "../../../lib/session/json/json.ts";
import type { Kind } from "../store.ts";

/** Bitrix24's numbers and names of owner types. */
const OWNERS = [
  { typeId: "2", name: "deal", kind: "deal" },
  { typeId: "3", name: "contact", kind: "contact" },
  { typeId: "4", name: "company", kind: "company" },
] as const satisfies { typeId: string; name: string; kind: Kind }[];

/** The type of a number (`2`) or a name (`deal`); null for others. */
export function kindOfOwner(type: Json | undefined): Kind | null {
  const given = String(type ?? "").toLowerCase();
  return OWNERS.find(({ typeId, name }) => typeId === given || name === given)?.kind ?? null;
}
