const YEAR = 365 * 24 * 60 * 60;

/** Keeps a reader's choice in a cookie, so that the server's first paint already honours it. */
export function rememberPreference(cookie: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari's older versions
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/; max-age=${YEAR}; samesite=lax`;
}
