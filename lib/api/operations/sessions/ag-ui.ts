import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Events, NewEvent } from "../../../../db/repositories.ts";
import type { AuditedAction } from "../../../access/audit.ts";
import type { StreamForm } from "../../../intake/ag-ui/read-stream.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { decisionsIn, requireAuthority } from "../../event-authority.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { type Body, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { type ByteStream, canRespond, mediaType, readStream } from "../../request/body.ts";
import { agUiStream } from "../../stream/ag-ui-stream.ts";

/**
 * How long the rest of a body is discarded before an error response: many clients report a broken connection otherwise.
 */
const MOST_DISCARDING_MS = 1_000;

const streamBody: Body<{ stream: ByteStream; form: StreamForm }> = {
  content: { "application/x-ndjson": null, "text/event-stream": null, "application/json": null },
  read: async (request) => {
    const type = mediaType(request);
    const form = type === "text/event-stream" ? "frames" : type === "application/json" ? "array" : "lines";
    return { stream: readStream(request, ["text/event-stream"]), form };
  },
};

/** Ingests a run of an external agent as a stream of AG-UI events. */
export const postAgUi = operation({
  name: "postAgUi",
  permission: "ingest",
  method: "POST",
  path: "/api/ag-ui",
  summary:
    "Ingests an AG-UI event stream: one event per line, server-sent events, or an array. Complete events are stored as they arrive. A request may last as long as the run, and a run may span several requests. Sending a stream again from RUN_STARTED changes nothing. Answers to interrupts (resume) require the scope decide.",
  query: z
    .strictObject({
      thread_id: identifier.optional().describe("When a request continues a run: its thread."),
      run_id: identifier.optional().describe("When a request continues a run: the run."),
    })
    .refine(({ thread_id, run_id }) => (thread_id === undefined) === (run_id === undefined), {
      message: "thread_id and run_id must be given together",
    }),
  body: streamBody,
  answers: {
    201: {
      description: "The result; the events are on disk.",
      schema: z.object({
        conversation_id: z.string().nullable(),
        run_id: z.string().nullable().describe("The last run in the request."),
        received: z.int().describe("Events read from the stream."),
        events: z.int().describe("Session events stored."),
        duplicates: z.int().describe("Session events that were already stored."),
        ended: z.boolean().describe("The run has ended, or is waiting for approval."),
        unfinished: z
          .array(z.object({ kind: z.enum(["message", "call", "reasoning"]), id: z.string() }))
          .describe("Texts that have started but not ended; another request can continue them."),
      }),
    },
  },
  async run(
    { body: { stream, form }, query: { thread_id, run_id }, signal, requester: { caller }, audit },
    { agUiRuns, access },
  ) {
    const run = thread_id === undefined || run_id === undefined ? null : { threadId: thread_id, runId: run_id };
    const decisions: AuditedAction[] = [];
    const told = {
      permit: (event: NewEvent) => requireAuthority(caller, { ...event, isDerived: true }),
      stored(events: readonly NewEvent[]) {
        if (access.required) decisions.push(...decisionsIn(events));
      },
    };
    try {
      return answerJson(await agUiRuns.take({ bytes: stream.bytes, form, run, signal, ...told }), 201);
    } catch (error) {
      // A client that streams for as long as its run lasts gets the response now.
      if (canRespond(signal)) await Promise.race([stream.discard(), setTimeout(MOST_DISCARDING_MS)]);
      throw refusalOf(error);
    } finally {
      await Promise.all(decisions.map(audit));
    }
  },
});

/** By name and not by class: Next's bundles and the server load the file twice. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "AgUiFault") return error;
  const { place, path, tooLarge, taken } = fault.parse(error);
  const at = `${place === null ? "" : `/${place - 1}`}${path}`;
  const code = tooLarge ? "too_large" : taken ? "conflict" : "invalid_input";
  return new Problem(code, `${error.message}.`, { errors: [{ path: at, message: error.message }] });
}

const fault = z.object({ place: z.int().nullable(), path: z.string(), tooLarge: z.boolean(), taken: z.boolean() });

/** Streams a conversation as AG-UI events, live. */
export const streamAgUi = operation({
  name: "streamAgUi",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/ag-ui",
  summary:
    "Streams a conversation as AG-UI events (server-sent events; `id` is the step). With `run_id`, the stream ends with the run.",
  params: conversationParams,
  query: z.strictObject({
    from: numberParameter(0)
      .default(0)
      .describe("Starts after this step, with the state at that point; by default at the first step."),
    run_id: identifier.optional().describe("Only this run and its child runs."),
  }),
  headers: { "Last-Event-ID": "Resumes after this step; overrides `from`." },
  answers: {
    200: { description: "AG-UI events.", type: "text/event-stream" },
    404: refusal("The conversation does not exist, or no such run has started in it."),
  },
  async run({ params: { id }, query: { from, run_id }, headers, signal }, { conversations, events, longReads, bus }) {
    if (!(await conversations.get(id))) throw unknownConversation(id);
    if (run_id !== undefined && !(await hasStarted(id, run_id, events)))
      throw new Problem(
        "not_found",
        `No run ${run_id} has started in the conversation ${id}; see the runs in GET /api/conversations/${id}/view.`,
      );
    const resumed = numberParameter(0).safeParse(headers.get("last-event-id") ?? undefined);
    const start = resumed.success ? resumed.data : from;
    return new Response(
      agUiStream({ longReads, bus }, { conversationId: id, runId: run_id ?? null, from: start, signal }),
      {
        headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
      },
    );
  },
});

/** Events of starts that are read at a time. */
const STARTS = 200;

async function hasStarted(conversationId: string, runId: string, events: Pick<Events, "list">): Promise<boolean> {
  for (let after = 0; ; ) {
    const page = await events.list(conversationId, { after, limit: STARTS, type: "run.started" });
    if (page.some(({ run_id }) => run_id === runId)) return true;
    const last = page.at(-1);
    if (!last) return false;
    after = last.seq;
  }
}
