/** A name that no server has: what resolves to another one has left this server. */
const HERE = "http://obelus.invalid";

// Browsers leave tabs and line breaks out of an address, and take \ for /.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const TRICKS = /[\u0000-\u0020\u007f-\u009f\\]/;

/**
 * An address of this server to go on to, as its path and query; null for whatever might lead to another one. It is for
 * what comes from a link, which a stranger may have made.
 */
export function ownPath(address: string | null | undefined): string | null {
  if (!address?.startsWith("/") || TRICKS.test(address)) return null;
  const url = URL.parse(address, HERE);
  if (url === null || url.origin !== HERE) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Also when a dot has gone that stood between two slashes.
  return path.startsWith("//") ? null : path;
}
