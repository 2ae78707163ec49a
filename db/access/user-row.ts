import type { Role } from "../../lib/access/caller.ts";
import { foldedName } from "../../lib/access/rules.ts";
import type { User } from "../access.ts";
import { Conflict } from "../errors.ts";
import { toIso } from "../times.ts";

export interface UserRow {
  id: string;
  name: string;
  role: Role;
  password_hash: string | null;
  created_at: number;
  seen_at: number | null;
}

/** Throws where nobody would be left to add users. Within the transaction that takes the rights. */
export function refuseLast(user: UserRow, role: Role | null, admins: number): void {
  if (user.role === "admin" && role !== "admin" && admins === 1)
    throw new Conflict(`${user.name} is the last administrator; make another user administrator first`);
}

export function toUser({ id, name, role, password_hash, created_at, seen_at }: UserRow): User {
  return {
    ...{ id, name, role },
    signs_in: password_hash === null ? "elsewhere" : "here",
    created_at: toIso(created_at),
    seen_at: seen_at === null ? null : toIso(seen_at),
  };
}

export function byName(a: User, b: User): number {
  return a.name.localeCompare(b.name);
}

/** In any case of any letter, which databases see in different ways. */
export function isTaken(names: readonly string[], name: string): boolean {
  return names.some((each) => foldedName(each) === foldedName(name));
}

/** The name, or the first of `anna 2`, `anna 3` … that nobody has. */
export function freeName(names: readonly string[], name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!isTaken(names, candidate)) return candidate;
  }
}
