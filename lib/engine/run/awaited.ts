import type { Payload } from "../../session/catalogue.ts";

/** The confirmations that a message to the user tells of. */
export function awaitedIn({ metadata }: Payload<"message.created">): string[] {
  const awaits = metadata?.awaits;
  return Array.isArray(awaits) ? awaits.filter((id) => typeof id === "string") : [];
}
