import type { Requester } from "../access/caller.ts";

/** Who a limit counts for: a key or a person by itself, everybody else by where the request comes from. */
export function clientOf({ caller, address }: Pick<Requester, "caller" | "address">): string {
  switch (caller.kind) {
    case "key":
    case "person":
      return `${caller.kind}:${caller.id}`;
    case "everybody":
    case "nobody":
      return `address:${networkOf(address)}`;
    default:
      return caller satisfies never;
  }
}

/** Who has an address of IPv6 has the 2^64 beside it, too: they count as one. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const groups = before === "" ? [] : before.split(":");
  const rest = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}
