/** A host that does not exist: an address that resolves to another one is external. */
const HERE = "http://obelus.invalid";

// Browsers remove tabs and line breaks from addresses, and treat \ as /.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const TRICKS = /[\u0000-\u0020\u007f-\u009f\\]/;

/**
 * The path and query of an address on this server; null if it might lead to another one. For redirect targets in links,
 * which are untrusted.
 */
export function ownPath(address: string | null | undefined): string | null {
  if (!address?.startsWith("/") || TRICKS.test(address)) return null;
  const url = URL.parse(address, HERE);
  if (url === null || url.origin !== HERE) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Also after a dot segment between two slashes was removed.
  return path.startsWith("//") ? null : path;
}
