import { hkdfSync } from "node:crypto";
import { parseCookie, stringifySetCookie } from "cookie";
import { sign, unsign } from "cookie-signature";

/** Reads and makes this server's cookies: signed, and out of reach of scripts. */
export interface Cookies {
  /** What a cookie says; null where it is missing or was not made here. */
  read(name: CookieName, header: string | undefined, secure: boolean): string | null;
  /** Makes the header `Set-Cookie`. */
  make(name: CookieName, value: string, maxAge: number, secure: boolean): string;
  /** Makes the header that takes the cookie away. */
  clear(name: CookieName, secure: boolean): string;
}

export type CookieName = "obelus-sign-in" | "obelus-oidc";

/**
 * Makes the cookies of a server by its secret key. `SameSite=Lax`: with `Strict` whoever follows a link in a notice would
 * seem not to be signed in. What a foreign page could do with Lax is no more than to open a page here, and pages change
 * nothing.
 */
export function createCookies(secretKey: Uint8Array): Cookies {
  // Each has a key of its own, so that none passes for another.
  const keyOf = (name: CookieName) => Buffer.from(hkdfSync("sha256", secretKey, "", `cookie ${name}`, 32));
  const keys = { "obelus-sign-in": keyOf("obelus-sign-in"), "obelus-oidc": keyOf("obelus-oidc") };
  const common = { httpOnly: true, sameSite: "lax", path: "/" } as const;
  return {
    read(name, header, secure) {
      const value = header === undefined ? undefined : parseCookie(header)[fullName(name, secure)];
      return (value !== undefined && unsign(value, keys[name])) || null;
    },
    make: (name, value, maxAge, secure) =>
      stringifySetCookie({ ...common, name: fullName(name, secure), value: sign(value, keys[name]), maxAge, secure }),
    clear: (name, secure) =>
      stringifySetCookie({ ...common, name: fullName(name, secure), value: "", maxAge: 0, secure }),
  };
}

/** By the prefix a browser takes the cookie from this very host only, over TLS. */
function fullName(name: CookieName, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}
