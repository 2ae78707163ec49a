import { validateHeaderName, validateHeaderValue } from "node:http";
import { isSealed } from "../sealed-text.ts";
import type { Sealing } from "../sealing.ts";

/** What the activity or the connection itself says, and a definition may not. */
const OWN_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Where a secret header is sent: it opens for this tool at this address, and for no other. */
export interface SecretPlace {
  tool: string;
  method: string;
  url: string;
}

/** Why this header cannot be sent, in words that follow its name; null when it can. A value may be sealed. */
export function headerRefusal(name: string, value: string, place: SecretPlace, sealing: Sealing): string | null {
  if (OWN_HEADERS.has(name.toLowerCase())) return "is set by Obelus; omit it";
  const plain = openHeader(name, value, place, sealing);
  if (plain === null) return "was encrypted for another tool or address, or on another server; send its value again";
  try {
    validateHeaderName(name);
    validateHeaderValue(name, plain);
    return null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "is not a valid HTTP header; use letters, digits and hyphens in its name and plain text in its value";
  }
}

/** The value as it is sent; null when it is sealed and cannot be opened for this place. */
export function openHeader(name: string, value: string, place: SecretPlace, sealing: Sealing): string | null {
  return isSealed(value) ? sealing.open(value, placeText(name, place)) : value;
}

/** The value as it is stored and shown. */
export function sealHeader(name: string, value: string, place: SecretPlace, sealing: Sealing): string {
  return isSealed(value) ? value : sealing.seal(value, placeText(name, place));
}

/**
 * A value of a registered tool as it is sealed now, where an earlier version sealed it for its server alone; else as it is.
 * For what an administrator registered, and never for what somebody sends.
 */
export function resealHeader(name: string, value: string, place: SecretPlace, sealing: Sealing): string {
  if (openHeader(name, value, place, sealing) !== null) return value;
  const plain = sealing.open(value, `${new URL(place.url).origin}\n${name.toLowerCase()}`);
  return plain === null ? value : sealHeader(name, plain, place, sealing);
}

/** Its parts cannot run into each other, whatever is in them. */
function placeText(name: string, { tool, method, url }: SecretPlace): string {
  return JSON.stringify([tool, method, new URL(url).href, name.toLowerCase()]);
}
