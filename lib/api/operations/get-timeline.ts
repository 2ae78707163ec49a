import { z } from "zod";
import { answerText, unknownConversation } from "../answer.ts";
import { conversationParams, numberParameter } from "../fields.ts";
import { noBody, operation } from "../operation.ts";
import { timelineColumns } from "../session-answers.ts";

/** Answers a slim row for every step of a session, in columns, to be drawn. */
export const getTimeline = operation({
  name: "getTimeline",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/timeline",
  summary: "Answers a slim row for every step of a session, in columns.",
  params: conversationParams,
  query: z.strictObject({ after: numberParameter(0).default(0).describe("Only steps after this seq.") }),
  body: noBody,
  answers: { 200: { description: "The steps, in columns of equal length.", schema: timelineColumns } },
  async run({ params: { id }, query }, { sessions }) {
    const timeline = await sessions.timeline(id, query.after);
    if (timeline === null) throw unknownConversation(id);
    return answerText(timeline);
  },
});
