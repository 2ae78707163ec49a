import { z } from "zod";
import { answerJson, answerText, unknownConversation } from "../../answers/answer.ts";
import { timelineBuckets, timelineColumns } from "../../answers/session-answers.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";

const MOST_ROWS = 20_000;

/** Returns a row for every step of a session, or of a range, in columns. */
export const getTimeline = operation({
  name: "getTimeline",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline",
  summary: "Returns a compact row for every step of a session, in columns.",
  params: conversationParams,
  query: z.strictObject({
    after: numberParameter(0).default(0).describe("Only steps after this seq."),
    limit: numberParameter(1, MOST_ROWS)
      .optional()
      .describe(
        "The maximum number of steps; the answer then includes what is in progress at the first. By default 200,000.",
      ),
  }),
  answers: { 200: { description: "The steps, in columns of equal length.", schema: timelineColumns } },
  async run({ params: { id }, query }, { sessions }) {
    const timeline = await sessions.timeline(id, query.after, query.limit);
    if (timeline === null) throw unknownConversation(id);
    return answerText(timeline);
  },
});

/** Returns buckets of a session's steps, for zoom levels at which single steps cannot be seen. */
export const getTimelineBuckets = operation({
  name: "getTimelineBuckets",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline/buckets",
  summary:
    "Returns a session's timeline in at most 2,048 buckets: the number of steps of each kind, and what was in progress.",
  params: conversationParams,
  query: z.strictObject({
    from: numberParameter(1).optional().describe("The first step; buckets may start slightly before it."),
    to: numberParameter(1).optional().describe("The last step; by default the session's last."),
  }),
  answers: { 200: { description: "The buckets, in columns of equal length.", schema: timelineBuckets } },
  async run({ params: { id }, query }, { sessions }) {
    const buckets = await sessions.timelineBuckets(id, query);
    if (buckets === null) throw unknownConversation(id);
    return answerText(buckets);
  },
});

const UNITS = ["call", "message", "run", "error", "approval", "alert"] as const;

/** Returns the next or previous step of a kind, at any distance. */
export const getNextStep = operation({
  name: "getNextStep",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline/next",
  summary: "Returns the nearest step of a kind before or after a step.",
  params: conversationParams,
  query: z.strictObject({
    at: numberParameter(0).describe("The step to search from, exclusive."),
    unit: z.enum(UNITS).describe("The search for errors, approvals and alerts wraps around."),
    direction: z.enum(["next", "previous"]).default("next"),
  }),
  answers: {
    200: {
      description: "The step; null if there is none.",
      schema: z.object({ seq: z.int().nullable() }),
    },
  },
  async run({ params: { id }, query: { at, unit, direction } }, { sessions }) {
    const seq = await sessions.nextStep(id, { at, unit, direction: direction === "next" ? 1 : -1 });
    if (seq === null) throw unknownConversation(id);
    return answerJson({ seq: seq === 0 ? null : seq });
  },
});
