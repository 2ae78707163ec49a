/** Messengers and mail cut longer links, in bytes: about three pages of English, one of Russian. */
const LONGEST = 6_000;

const TEMPLATE = "#template=";
/** The template is in the session storage of the tab that created the link. */
const IN_TAB = "#draft";

/** The template of an address. `unreadable`: it is incomplete. */
export type HashedTemplate = { kind: "none" | "in_tab" | "unreadable" } | { kind: "template"; template: string };

/** The hash of an address with a template, or with a note that it is too long. */
export function printHash(template: string): string {
  // Checked before encoding: UTF-8 has at least as many bytes as the text has UTF-16 units.
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
    // Errors of atob and of the UTF-8 decoder.
    if (error instanceof DOMException || error instanceof TypeError) return { kind: "unreadable" };
    throw error;
  }
}
