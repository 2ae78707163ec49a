import type { ConversationQuery } from "../../../../db/repositories.ts";
import { type Caller, nameOf } from "../../../access/caller.ts";
import type { QueueView } from "../../../queue/queue.ts";
import type { Measure, Range, Ranges } from "../../../rollup/totals.ts";
import { Problem } from "../../problem.ts";
import { withHappened } from "./happened.ts";

type Filters = Omit<Parameters<typeof withHappened>[0], "queue" | "error" | "ranges"> & {
  queue?: QueueView | undefined;
  error?: string | undefined;
  scored_since?: string | undefined;
  scored_until?: string | undefined;
} & { [M in Measure]?: Range | undefined };

/**
 * The filters of the list as storage takes them: by what happened if anything asks for it, the queue of the caller, what
 * conversations add up to. Throws a `Problem` for an error without its tool, for times of scores
 * without a score, and for a time that ends before it begins.
 */
export function listQuery<F extends Filters>(filters: F, caller: Caller) {
  const { queue, error, duration, cost, tokens, failures, scored_since, scored_until, ...rest } = filters;
  refuseReversed("since", rest.since, "until", rest.until);
  refuseReversed("from", rest.from, "to", rest.to);
  refuseReversed("scored_since", scored_since, "scored_until", scored_until);
  const ranges: Ranges = { duration, cost, tokens, failures };
  if (error !== undefined && rest.tool === undefined)
    throw new Problem("invalid_input", "error is the kind of a tool's failures: give tool as well.");
  const isByScoreTime = scored_since !== undefined || scored_until !== undefined;
  if (isByScoreTime && rest.score === undefined)
    throw new Problem(
      "invalid_input",
      "scored_since and scored_until are times of the score in score: give score as well.",
    );
  const filter: Pick<ConversationQuery, "queue" | "error" | "ranges" | "score"> = {
    ...(isByScoreTime &&
      rest.score && { score: { ...rest.score, since: msOf(scored_since), until: msOf(scored_until) } }),
    ...(queue !== undefined && { queue: { view: queue, me: nameOf(caller), now: Date.now() } }),
    ...(error !== undefined && rest.tool !== undefined && { error: { tool: rest.tool, fingerprint: error } }),
    ...(Object.values(ranges).some((range) => range !== undefined) && { ranges }),
  };
  return { ...withHappened(rest), ...filter };
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

function refuseReversed(begin: string, from: string | undefined, end: string, to: string | undefined): void {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return;
  throw new Problem("invalid_input", `${begin} is after ${end}, so nothing can match; swap them or leave one out.`);
}
