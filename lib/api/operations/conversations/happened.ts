import { z } from "zod";
import type { ConversationQuery } from "../../../../db/repositories.ts";
import { HAPPENINGS } from "../../../rollup/happenings.ts";
import { instant, numberParameter } from "../../fields.ts";

const name = z.string().min(1, "must not be empty").max(200);

/** What can have happened in a conversation, as the overview counts it. */
export const happening = z.enum(HAPPENINGS);

/** The filters by what happened: those of the numbers of the overview. */
export const happenedFilters = {
  happened: happening
    .optional()
    .describe(
      "Only conversations in which this happened, as the overview counts it; with `cost`, a model has reported tokens; with `scored`, the one in `score`; of numbers, any of its name. Then agent, channel and stage are those of the turn, the request or the call. Forks are not counted.",
    ),
  since: instant.optional().describe("It happened in or after this hour."),
  until: instant.optional().describe("It happened before the end of this hour."),
  version: name.optional().describe("It happened with this version of the agent."),
  model: name.optional().describe("It happened with this model."),
  tool: name.optional().describe("The tool of the call."),
  longer_than: numberParameter(0).optional().describe("The turn or the call took longer, in ms."),
};

type Filters = Omit<ConversationQuery, "happened" | "limit"> & {
  [Name in keyof typeof happenedFilters]?: z.infer<(typeof happenedFilters)[Name]>;
};

/** The filters of the list as storage takes them: by what happened if anything asks for it. */
export function withHappened<F extends Filters>(filters: F) {
  const { happened, since, until, version, model, tool, longer_than, ...rest } = filters;
  const asked = [since, until, version, model, tool, longer_than].some((value) => value !== undefined);
  if (happened === undefined && !asked) return rest;
  const { agent_id, channel, stage, ...others } = rest;
  return {
    ...others,
    happened: {
      what: happened ?? (tool === undefined ? "turn" : "call"),
      ...{ agent: agent_id, channel, stage, version, model, tool, longer_than },
      score: happened === "scored" ? rest.score : undefined,
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
    },
  };
}
