import type { Requester } from "../access/caller.ts";

/** The key of a client for limits: a key or a user, otherwise the network address. */
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

/** A client has a /64 network of IPv6 addresses: these count as one. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const groups = before === "" ? [] : before.split(":");
  const rest = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}
