import { z } from "zod";
import { answerJson } from "../answers/answer.ts";
import { operation } from "../operation.ts";

const count = z.int().nonnegative();
const named = z.object({ name: z.string(), count });

export const unreadReport = z.object({
  since: z.iso.datetime().describe("When the server started: the counts are kept in memory."),
  scopes: z
    .array(
      z.object({
        scope: z.string(),
        version: z.string(),
        adapters: z.array(z.string()).describe("The conventions that some of its spans were read by."),
        spans: count,
        unread: count.describe("Spans that no adapter read, and that have attributes or events of their own."),
        attributes: z.array(named).describe("What no adapter read, with the number of spans that have it."),
        example: z
          .object({ conversation_id: z.string().nullable(), span_id: z.string(), name: z.string() })
          .nullable()
          .describe("A span with some of these attributes, and the conversation that it is in."),
      }),
    )
    .describe("At most 100 instrumentation scopes with 100 attributes each; those with unread spans first."),
  other_spans: count.describe("Spans of further scopes."),
  dropped_traces: z
    .object({ count, example: z.string().nullable() })
    .describe("Traces in which nothing was of an agent, such as health checks: they became no conversation."),
  logs: z.object({
    unread: z.array(named.extend({ scope: z.string() })).describe("Log records that are no messages of a model."),
    dropped: count.describe("Messages of models whose spans did not come in time."),
  }),
});

/** Returns what of the received spans and logs no adapter read. An example is left out when its conversation is gone. */
export const getUnread = operation({
  name: "getUnread",
  permission: "read",
  method: "GET",
  path: "/api/otlp/unread",
  summary:
    "Returns what of the received OpenTelemetry spans and logs was not understood, by instrumentation scope, since the server started.",
  answers: { 200: { description: "Counts, without any values of attributes.", schema: unreadReport } },
  async run(_input, { traces, conversations }) {
    const report = traces.unread();
    const scopes = await Promise.all(
      report.scopes.map(async (scope) => {
        const id = scope.example?.conversation_id ?? null;
        const isGone = id !== null && (await conversations.get(id)) === null;
        return isGone ? { ...scope, example: null } : scope;
      }),
    );
    return answerJson({ ...report, scopes });
  },
});
