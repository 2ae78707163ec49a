import { hkdfSync } from "node:crypto";
import { parseCookie, stringifySetCookie } from "cookie";
import { sign, unsign } from "cookie-signature";

/** Reads and creates this server's cookies: signed and `HttpOnly`. */
export interface Cookies {
  /** A cookie's value; null if it is missing or its signature is invalid. */
  read(name: CookieName, header: string | undefined, secure: boolean): string | null;
  /** Creates the `Set-Cookie` header. */
  make(name: CookieName, value: string, maxAge: number, secure: boolean): string;
  /** Creates the header that deletes the cookie. */
  clear(name: CookieName, secure: boolean): string;
}

export type CookieName = "obelus-sign-in" | "obelus-oidc";

/**
 * Creates cookies with keys derived from the secret key. `SameSite=Lax`: with `Strict`, following a link in a
 * notification would require a new sign-in. With Lax a foreign site can only open pages here, and pages change nothing.
 */
export function createCookies(secretKey: Uint8Array): Cookies {
  // One key per cookie, so that none can be used as another.
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

/** With the prefix, browsers accept the cookie only from this host over TLS. */
function fullName(name: CookieName, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}
