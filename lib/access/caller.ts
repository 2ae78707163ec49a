/** Roles of users. Viewers read; operators also decide, take over, fork and run; administrators manage the server. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Scopes of API keys. */
export const SCOPES = ["ingest", "read", "decide", "test"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * The permission that an operation or a page requires: `public` none, `known` an identified caller, `read`, `ingest` to
 * record events of agents, `decide` on confirmations, `operate` on conversations and runs, `admin` for users, keys,
 * agents, tools and data.
 */
export const PERMISSIONS = ["public", "known", "read", "ingest", "decide", "test", "operate", "admin"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * The caller of a request. `everybody`: authentication is off (`OBELUS_AUTH`). `sign_in` is the browser's sign-in; a
 * command has none.
 */
export type Caller =
  | { kind: "everybody" }
  | { kind: "nobody" }
  | { kind: "person"; id: string; name: string; role: Role; sign_in?: string }
  | { kind: "key"; id: string; name: string; scopes: readonly Scope[] };

/** A caller with their address and the request's id in logs. */
export interface Requester {
  caller: Caller;
  /** The client's address, behind trusted proxies. */
  address: string;
  request_id: string;
  /** It came over TLS, according to a trusted proxy or the server's own address. */
  secure?: boolean;
}

const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ["read"],
  operator: ["read", "ingest", "decide", "test", "operate"],
  admin: ["read", "ingest", "decide", "test", "operate", "admin"],
};

/** Whether a caller has a permission. */
export function may(caller: Caller, permission: Permission): boolean {
  if (permission === "public" || caller.kind === "everybody") return true;
  if (caller.kind === "nobody") return false;
  if (permission === "known") return true;
  if (caller.kind === "person") return ROLE_PERMISSIONS[caller.role].includes(permission);
  return caller.scopes.some((scope) => scope === permission);
}

/** The origin of a caller's events: if authentication is off, any client counts as a person. */
export function recorderOf(caller: Caller): "person" | "program" {
  return caller.kind === "person" || caller.kind === "everybody" ? "person" : "program";
}

/** The name of a caller, as in `actorOf`. Without sign-in it is `console`. */
export function nameOf(caller: Caller): string {
  return actorOf(caller).replace(/^[a-z]+:/, "");
}

/** The actor of a caller in events (E2): `operator:anna`, `key:billing`. */
export function actorOf(caller: Caller): string {
  switch (caller.kind) {
    case "everybody":
      return "operator:console";
    case "person":
      return `operator:${caller.name}`;
    case "key":
      return `key:${caller.name}`;
    case "nobody":
      return "nobody";
    default:
      return caller satisfies never;
  }
}
