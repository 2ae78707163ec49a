/** Longer ones make links that messengers and mail cut, in bytes: some three pages of English, one of Russian. */
const LONGEST = 6_000;

const TEMPLATE = "#template=";
/** The template is in the storage of the tab that the address was made in. */
const IN_TAB = "#draft";

/** What an address says of the template. `unreadable`: it has one, but not all of it. */
export type HashedTemplate = { kind: "none" | "in_tab" | "unreadable" } | { kind: "template"; template: string };

/** The hash of an address with a template in it; where that is too long, one that says so. */
export function printHash(template: string): string {
  // Before the whole is encoded: a text has at least as many bytes as units.
  const bytes = template.length > LONGEST ? null : new TextEncoder().encode(template);
  if (bytes === null || bytes.length > LONGEST) return IN_TAB;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return TEMPLATE + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Reads the hash of an address. */
export function readHash(hash: string): HashedTemplate {
  if (hash === IN_TAB) return { kind: "in_tab" };
  if (!hash.startsWith(TEMPLATE)) return { kind: "none" };
  try {
    const text = atob(hash.slice(TEMPLATE.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    return { kind: "template", template: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // What atob says of letters that it does not know, and the decoder of bytes that are no text.
    if (error instanceof DOMException || error instanceof TypeError) return { kind: "unreadable" };
    throw error;
  }
}
