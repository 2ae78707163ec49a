import type { Json } from "../../../lib/session/json/json.ts";
import type { Kind } from "../store.ts";

/** Bitrix24's numbers and names of the kinds of records that something can belong to. */
const OWNERS = [
  { typeId: "2", name: "deal", kind: "deal" },
  { typeId: "3", name: "contact", kind: "contact" },
  { typeId: "4", name: "company", kind: "company" },
] as const satisfies { typeId: string; name: string; kind: Kind }[];

/** The kind that a number (`2`) or a name (`deal`) stands for; null for none that the portal has. */
export function kindOfOwner(type: Json | undefined): Kind | null {
  const given = String(type ?? "").toLowerCase();
  return OWNERS.find(({ typeId, name }) => typeId === given || name === given)?.kind ?? null;
}
