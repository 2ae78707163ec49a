const YEAR = 365 * 24 * 60 * 60;

/** Stores a preference in a cookie, so that server rendering can use it. */
export function rememberPreference(cookie: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari's older versions
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/; max-age=${YEAR}; samesite=lax`;
}
