import { z } from "zod";
import { answerJson, answerText, unknownConversation } from "../answer.ts";
import { conversationParams, numberParameter } from "../fields.ts";
import { noBody, operation } from "../operation.ts";
import { timelineBuckets, timelineColumns } from "../session-answers.ts";

const MOST_ROWS = 20_000;

/** Answers a slim row for every step of a session, or of a part of it, in columns, to be drawn. */
export const getTimeline = operation({
  name: "getTimeline",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline",
  summary: "Answers a slim row for every step of a session, in columns.",
  params: conversationParams,
  query: z.strictObject({
    after: numberParameter(0).default(0).describe("Only steps after this seq."),
    limit: numberParameter(1, MOST_ROWS)
      .optional()
      .describe("At most so many steps, and what goes on where they begin. Without it 200,000."),
  }),
  body: noBody,
  answers: { 200: { description: "The steps, in columns of equal length.", schema: timelineColumns } },
  async run({ params: { id }, query }, { sessions }) {
    const timeline = await sessions.timeline(id, query.after, query.limit);
    if (timeline === null) throw unknownConversation(id);
    return answerText(timeline);
  },
});

/** Answers what is drawn of a session, or of a part of it, where single steps cannot be told apart. */
export const getTimelineBuckets = operation({
  name: "getTimelineBuckets",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline/buckets",
  summary:
    "Answers the steps of a session by so many, in at most 2,048 buckets: how many of each kind, and what went on.",
  params: conversationParams,
  query: z.strictObject({
    from: numberParameter(1).optional().describe("The first step; buckets may begin a little before it."),
    to: numberParameter(1).optional().describe("The last step; the session's last where missing."),
  }),
  body: noBody,
  answers: { 200: { description: "The buckets, in columns of equal length.", schema: timelineBuckets } },
  async run({ params: { id }, query }, { sessions }) {
    const buckets = await sessions.timelineBuckets(id, query);
    if (buckets === null) throw unknownConversation(id);
    return answerText(buckets);
  },
});

const UNITS = ["call", "message", "run", "error", "approval", "alert"] as const;

/** Finds the next or previous step of a kind, however far it is. */
export const getNextStep = operation({
  name: "getNextStep",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline/next",
  summary: "Answers the nearest step of a kind after or before a step.",
  params: conversationParams,
  query: z.strictObject({
    at: numberParameter(0).describe("The step from which it is looked for; that one itself is not meant."),
    unit: z.enum(UNITS).describe("Errors, approvals and alerts are looked for round the end as well."),
    direction: z.enum(["next", "previous"]).default("next"),
  }),
  body: noBody,
  answers: {
    200: {
      description: "The step; null where there is none.",
      schema: z.object({ seq: z.int().nullable() }),
    },
  },
  async run({ params: { id }, query: { at, unit, direction } }, { sessions }) {
    const seq = await sessions.nextStep(id, { at, unit, direction: direction === "next" ? 1 : -1 });
    if (seq === null) throw unknownConversation(id);
    return answerJson({ seq: seq === 0 ? null : seq });
  },
});
