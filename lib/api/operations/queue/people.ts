import type { UserStore } from "../../../../db/access.ts";
import { type Caller, nameOf } from "../../../access/caller.ts";

/** Who can be assigned and mentioned: users who may operate; without sign-in everybody is one. */
export async function peopleOf(users: Pick<UserStore, "list">, caller: Caller): Promise<string[]> {
  if (caller.kind === "everybody") return [nameOf(caller)];
  return (await users.list()).filter(({ role }) => role !== "viewer").map(({ name }) => name);
}
