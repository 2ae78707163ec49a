import { ROLES, type Role } from "./caller.ts";
import { nameFault } from "./rules.ts";

/** Claims of an OpenID Connect provider. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whether the claim exists, even if it is invalid. */
export function hasClaim(claims: Claims, claim: string): boolean {
  return claimAt(claims, claim) !== undefined;
}

/** The highest role in a claim, as `operator` or `obelus:operator`, alone or in a list; null for none. */
export function roleFrom(claims: Claims, claim: string): Role | null {
  const value = claimAt(claims, claim);
  const named = Array.isArray(value) ? value : [value];
  return ROLES.findLast((role) => named.includes(role) || named.includes(`obelus:${role}`)) ?? null;
}

/** A claim by name, or by a path to a nested one: `realm_access.roles`. */
function claimAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  let value: unknown = claims;
  for (const part of claim.split(".")) value = isClaims(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

function isClaims(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The user's name: the first of the name claims that is valid, without characters that are not allowed. */
export function nameFrom({ preferred_username, email, name, sub }: Claims): string {
  for (const candidate of [preferred_username, email, name, sub]) {
    if (typeof candidate !== "string") continue;
    const usable = candidate
      .normalize("NFC")
      .replaceAll(/[^\p{L}\p{N}._@+ -]/gu, "")
      .slice(0, 60)
      .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    if (nameFault(usable) === null) return usable;
  }
  return "user";
}
