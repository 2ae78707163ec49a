/** What a person may do here: read; besides, decide, take over, fork and run; besides, all that concerns everybody. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What a program's key opens. */
export const SCOPES = ["ingest", "read", "decide"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * What a call of the API or a page asks of whoever wants it: `public` nothing, `known` that it is known who asks, `read`
 * to look, `ingest` to tell what agents did, `decide` to approve and deny, `operate` to act on conversations and runs,
 * `admin` to change what concerns everybody: users, keys, agents, tools, data.
 */
export const PERMISSIONS = ["public", "known", "read", "ingest", "decide", "operate", "admin"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Whoever asks. `everybody`: nobody has to sign in on this server (`OBELUS_AUTH`). `sign_in` names the browser in which a
 * person is signed in; a command at the terminal has none.
 */
export type Caller =
  | { kind: "everybody" }
  | { kind: "nobody" }
  | { kind: "person"; id: string; name: string; role: Role; sign_in?: string }
  | { kind: "key"; id: string; name: string; scopes: readonly Scope[] };

/** A caller, where from, and the request by which it is found again in the log. */
export interface Requester {
  caller: Caller;
  /** Of the client, behind the proxies that are trusted. */
  address: string;
  request_id: string;
  /** It came over TLS, by the word of a trusted proxy or of the server's own address. */
  secure?: boolean;
}

const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ["read"],
  operator: ["read", "ingest", "decide", "operate"],
  admin: ["read", "ingest", "decide", "operate", "admin"],
};

/** Whether a caller may do what asks for this permission. */
export function may(caller: Caller, permission: Permission): boolean {
  if (permission === "public" || caller.kind === "everybody") return true;
  if (caller.kind === "nobody") return false;
  if (permission === "known") return true;
  if (caller.kind === "person") return ROLE_PERMISSIONS[caller.role].includes(permission);
  return caller.scopes.some((scope) => scope === permission);
}

/** Who puts into the log what a caller sends: where nobody signs in, whoever uses the server is taken for its person. */
export function recorderOf(caller: Caller): "person" | "program" {
  return caller.kind === "person" || caller.kind === "everybody" ? "person" : "program";
}

/** A caller as the log names who acted (E2): `operator:anna`, `key:billing`. */
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
