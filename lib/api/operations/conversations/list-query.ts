import type { ConversationQuery } from "../../../../db/repositories.ts";
import { type Caller, nameOf } from "../../../access/caller.ts";
import type { QueueView } from "../../../queue/queue.ts";
import { withHappened } from "./happened.ts";

type Filters = Omit<Parameters<typeof withHappened>[0], "queue"> & { queue?: QueueView | undefined };

/** The filters of the list as storage takes them: by what happened if anything asks for it, and the queue of the caller. */
export function listQuery<F extends Filters>(filters: F, caller: Caller) {
  const { queue, ...rest } = filters;
  const filter: Pick<ConversationQuery, "queue"> =
    queue === undefined ? {} : { queue: { view: queue, me: nameOf(caller), now: Date.now() } };
  return { ...withHappened(rest), ...filter };
}
