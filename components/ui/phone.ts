/** The media query of phones and upright tablets; the same as `phone` in the style sheets. */
export const PHONE = "(width < 900px)";

/** The cookie with what the browser's window was last: `1` a phone's, `0` not. */
export const PHONE_COOKIE = "obelus-phone";

/** Whether a request is likely to come from a phone: by its last window, else by what the browser says of itself. */
export function expectPhone(headers: Pick<Headers, "get">, cookie: string | undefined): boolean {
  if (cookie === "1" || cookie === "0") return cookie === "1";
  return headers.get("sec-ch-ua-mobile") === "?1" || /\bMobi/.test(headers.get("user-agent") ?? "");
}
