import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { unknownConversation } from "../../answers/answer.ts";
import { numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { parse } from "../../sentences.ts";
import { eventStream } from "../../stream/event-stream.ts";

const position = numberParameter(0);
const resumption = z.object({ "Last-Event-ID": position.optional() });

/** Streams the log live, or one conversation (E13). */
export const streamEvents = operation({
  name: "streamEvents",
  permission: "read",
  method: "GET",
  path: "/api/stream",
  summary: "Streams the log as server-sent events: `id` is the position, `event` the type, `data` the event.",
  query: z.strictObject({
    conversation_id: identifier.optional(),
    after: position.optional().describe("Starts after this position; by default with new events only."),
    drafts: z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .describe(
        "With `true`, drafts of answers are sent too, as `message.draft` without an `id`: `{conversation_id, run_id, agent_id, offset, text}`. `text` continues the run's draft; offset 0 starts a new one.",
      ),
    traces: z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .describe(
        "With `true`, the number of OTLP traces that wait for further spans is sent as `traces.waiting` without an `id`: `{count}`, initially if there are any, and on change.",
      ),
  }),
  headers: { "Last-Event-ID": "Resumes after this position; overrides `after`." },
  answers: { 200: { description: "An endless event stream.", type: "text/event-stream" } },
  async run({ query, headers, signal }, { conversations, events, longReads, bus, drafts, traces }) {
    const { conversation_id: conversationId, after } = query;
    if (conversationId !== undefined && !(await conversations.get(conversationId)))
      throw unknownConversation(conversationId);
    const resumed = parse(resumption, { "Last-Event-ID": headers.get("last-event-id") ?? undefined })["Last-Event-ID"];
    const head = await events.head();
    const start = resumed ?? after ?? head;
    if (start > head) throw ahead(resumed === undefined ? "/after" : "/Last-Event-ID", start, head);
    const sources = {
      ...{ events, longReads, bus },
      drafts: query.drafts === "true" ? drafts : null,
      waiting: query.traces === "true" ? traces.waiting : null,
    };
    return new Response(eventStream(sources, { position: start, conversationId, signal }), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
    });
  },
});

/** A position after the log's end comes from another log: waiting for it would lose events silently. */
function ahead(path: string, position: number, head: number): Problem {
  const message = `is ${position}, but the log ends at position ${head}`;
  return new Problem("out_of_range", `${path} ${message}; start again from there.`, { errors: [{ path, message }] });
}
