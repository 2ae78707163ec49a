import { validateHeaderName, validateHeaderValue } from "node:http";
import { isSealed, type Sealing } from "../sealing.ts";

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

/** Why this header cannot be sent, in words that follow its name; null when it can. A value may be sealed. */
export function headerRefusal(name: string, value: string, url: URL, sealing: Sealing): string | null {
  if (OWN_HEADERS.has(name.toLowerCase())) return "is set by Obelus itself; leave it out";
  const plain = openHeader(name, value, url, sealing);
  if (plain === null) return "was sealed for another address or on another server; send its value anew";
  try {
    validateHeaderName(name);
    validateHeaderValue(name, plain);
    return null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "is not a header that HTTP can carry; use letters, digits and hyphens in its name and plain text in its value";
  }
}

/** The value as it is sent; null when it is sealed and cannot be opened for this address. */
export function openHeader(name: string, value: string, url: URL, sealing: Sealing): string | null {
  return isSealed(value) ? sealing.open(value, placeOf(name, url)) : value;
}

/** The value as it is stored and shown. */
export function sealHeader(name: string, value: string, url: URL, sealing: Sealing): string {
  return isSealed(value) ? value : sealing.seal(value, placeOf(name, url));
}

/** A header may follow its tool to another path of the same server, and to no other server. */
function placeOf(name: string, url: URL): string {
  return `${url.origin}\n${name.toLowerCase()}`;
}
