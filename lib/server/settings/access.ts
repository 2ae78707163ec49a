import { z } from "zod";
import { ROLES } from "../../access/caller.ts";
import type { OidcConfig } from "../../access/oidc.ts";
import { isLoopback } from "../front/loopback.ts";
import { areProxies } from "../front/proxies.ts";

/** The configuration of authentication. */
export interface AccessConfig {
  /** Users sign in and programs send keys. */
  required: boolean;
  /** The public address of this server, `https://obelus.example.org`; null if it is only known from requests. */
  publicUrl: string | null;
  /** Addresses and networks of proxies whose headers are trusted. */
  trustedProxies: string[];
  /** How long an unused sign-in lasts, ms. */
  idle: number;
  /** The OpenID Connect provider; null for none. */
  oidc: OidcConfig | null;
}

const HOUR_MS = 3_600_000;

/** Its variables. */
export const accessVariables = {
  OBELUS_AUTH: z.enum(["0", "1"], "must be 1 (people sign in, programs send keys) or 0").default("0"),
  OBELUS_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://obelus.example.org" })
    .transform((address) => new URL(address).origin)
    .optional(),
  OBELUS_TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine(areProxies, "must be addresses, networks or loopback, separated by commas, such as 10.0.0.5,172.16.0.0/12")
    .default([]),
  OBELUS_SIGN_IN_HOURS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "must be a whole number of hours from 1 to 999, such as 12")
    .transform(Number)
    .default(12),
  OBELUS_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://id.example.org" })
    .refine(isSafe, "must begin with https://, unless the provider is on this machine")
    .optional(),
  OBELUS_OIDC_CLIENT_ID: z.string().optional(),
  OBELUS_OIDC_CLIENT_SECRET: z.string().optional(),
  OBELUS_OIDC_ROLES_CLAIM: z.string().optional(),
  OBELUS_OIDC_DEFAULT_ROLE: z
    .enum([...ROLES, "none"], "must be viewer, operator, admin, or none (refuse those without a role)")
    .default("none"),
};

type Variables = z.infer<z.ZodObject<typeof accessVariables>>;

/** Errors of variables in combination. */
export function accessFaults(set: Variables): { path: string[]; message: string }[] {
  if (set.OBELUS_OIDC_ISSUER === undefined) return [];
  const faults: { path: string[]; message: string }[] = [];
  const fault = (name: keyof Variables, message: string) => faults.push({ path: [name], message });
  if (set.OBELUS_OIDC_CLIENT_ID === undefined)
    fault("OBELUS_OIDC_CLIENT_ID", "is required with OBELUS_OIDC_ISSUER: it identifies Obelus to the provider");
  if (set.OBELUS_PUBLIC_URL === undefined)
    fault("OBELUS_PUBLIC_URL", "is required with OBELUS_OIDC_ISSUER: the provider redirects to it");
  if (set.OBELUS_OIDC_ROLES_CLAIM === undefined && set.OBELUS_OIDC_DEFAULT_ROLE === "none")
    fault("OBELUS_OIDC_ROLES_CLAIM", "or OBELUS_OIDC_DEFAULT_ROLE must be set: otherwise users have no role");
  return faults;
}

/** Its configuration from the variables. */
export function accessOf(set: Variables): AccessConfig {
  return {
    required: set.OBELUS_AUTH === "1",
    publicUrl: set.OBELUS_PUBLIC_URL ?? null,
    trustedProxies: set.OBELUS_TRUSTED_PROXIES,
    idle: set.OBELUS_SIGN_IN_HOURS * HOUR_MS,
    oidc: oidcOf(set),
  };
}

function oidcOf(set: Variables): OidcConfig | null {
  const { OBELUS_OIDC_ISSUER: issuer, OBELUS_OIDC_CLIENT_ID: clientId, OBELUS_PUBLIC_URL: publicUrl } = set;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return null;
  return {
    ...{ issuer, clientId, publicUrl },
    clientSecret: set.OBELUS_OIDC_CLIENT_SECRET ?? null,
    rolesClaim: set.OBELUS_OIDC_ROLES_CLAIM ?? null,
    defaultRole: set.OBELUS_OIDC_DEFAULT_ROLE === "none" ? null : set.OBELUS_OIDC_DEFAULT_ROLE,
  };
}

/** On other connections a third party could read the tokens. */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === "https:" || isLoopback(url.hostname));
}
