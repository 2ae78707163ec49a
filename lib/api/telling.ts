import { type Caller, may } from "../access/caller.ts";
import { demandOf, type Telling } from "../session/authority.ts";
import { Problem } from "./problem.ts";
import { permit } from "./requester.ts";

/** Throws a `Problem` for an event that the caller may not tell, on whatever way it comes in. */
export function permitTelling(caller: Caller, event: Telling): void {
  const { authority, because } = demandOf(event);
  if (may(caller, authority)) return;
  if (caller.kind !== "key") return permit(caller, authority);
  throw new Problem(
    "forbidden",
    authority === "operate"
      ? `No key may tell ${because}; a person who has signed in can.`
      : `The key ${caller.name} has not the scope ${authority}, which ${because} asks for; make one that has it.`,
  );
}
