import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { NewEvent } from "../../../db/repositories.ts";
import type { Deed } from "../../access/audit.ts";
import type { StreamForm } from "../../intake/ag-ui/read-stream.ts";
import { identifier } from "../../session/catalogue.ts";
import { agUiStream } from "../ag-ui-stream.ts";
import { answerJson, unknownConversation } from "../answer.ts";
import { type ByteStream, isHeard, mediaType, readStream } from "../body.ts";
import { decisionsIn, requireAuthority } from "../event-authority.ts";
import { conversationParams, numberParameter } from "../fields.ts";
import { type Body, noBody, noParams, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

/** So long a client is heard out that is to be told of a mistake: many report a broken connection otherwise. */
const MOST_DISCARDING_MS = 1_000;

const streamBody: Body<{ stream: ByteStream; form: StreamForm }> = {
  content: { "application/x-ndjson": null, "text/event-stream": null, "application/json": null },
  read: async (request) => {
    const type = mediaType(request);
    const form = type === "text/event-stream" ? "frames" : type === "application/json" ? "array" : "lines";
    return { stream: readStream(request, ["text/event-stream"]), form };
  },
};

/** Takes a run of an agent elsewhere as it streams in, in the words of AG-UI. */
export const postAgUi = operation({
  name: "postAgUi",
  permission: "ingest",
  method: "POST",
  path: "/api/ag-ui",
  summary:
    "Takes an AG-UI event stream: an event a line, server-sent events or an array. What is complete is stored as it comes; the request may last as long as the run, and the run may be cut into several. Sent again from RUN_STARTED, a stream changes nothing. Answers of people to interrupts (resume) are taken from keys with the scope decide alone.",
  params: noParams,
  query: z
    .strictObject({
      thread_id: identifier.optional().describe("Of a request that goes on with a run: its thread."),
      run_id: identifier.optional().describe("Of a request that goes on with a run: the run."),
    })
    .refine(({ thread_id, run_id }) => (thread_id === undefined) === (run_id === undefined), {
      message: "thread_id and run_id are given together",
    }),
  body: streamBody,
  answers: {
    201: {
      description: "What became of the stream; it is on disk.",
      schema: z.object({
        conversation_id: z.string().nullable(),
        run_id: z.string().nullable().describe("The last run that the request told of."),
        received: z.int().describe("Events of the stream that were read."),
        events: z.int().describe("Events of the session that were stored."),
        duplicates: z.int().describe("Events of the session that were there already."),
        ended: z.boolean().describe("The run has ended, or waits for a person."),
        unfinished: z
          .array(z.object({ kind: z.enum(["message", "call", "reasoning"]), id: z.string() }))
          .describe("Texts that have begun and not ended; another request may go on with them."),
      }),
    },
  },
  async run(
    { body: { stream, form }, query: { thread_id, run_id }, signal, requester: { caller }, audit },
    { agUiRuns, access },
  ) {
    const run = thread_id === undefined || run_id === undefined ? null : { threadId: thread_id, runId: run_id };
    const decisions: Deed[] = [];
    const told = {
      permit: (event: NewEvent) => requireAuthority(caller, { ...event, isDerived: true }),
      stored(events: readonly NewEvent[]) {
        if (access.required) decisions.push(...decisionsIn(events));
      },
    };
    try {
      return answerJson(await agUiRuns.take({ bytes: stream.bytes, form, run, signal, ...told }), 201);
    } catch (error) {
      // A client that goes on sending for as long as its run lasts is told now.
      if (isHeard(signal)) await Promise.race([stream.discard(), setTimeout(MOST_DISCARDING_MS)]);
      throw refusalOf(error);
    } finally {
      await Promise.all(decisions.map(audit));
    }
  },
});

/** By name and not by class: Next's bundles and the server load the same file twice. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "AgUiFault") return error;
  const { place, path, tooLarge, taken } = fault.parse(error);
  const at = `${place === null ? "" : `/${place - 1}`}${path}`;
  const code = tooLarge ? "too_large" : taken ? "conflict" : "invalid_input";
  return new Problem(code, `${error.message}.`, { errors: [{ path: at, message: error.message }] });
}

const fault = z.object({ place: z.int().nullable(), path: z.string(), tooLarge: z.boolean(), taken: z.boolean() });

/** Gives a conversation in the words of AG-UI, live. */
export const streamAgUi = operation({
  name: "streamAgUi",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/ag-ui",
  summary:
    "Follows a conversation live as an AG-UI event stream (server-sent events; `id` is the step). With `run_id` it ends with the run.",
  params: conversationParams,
  query: z.strictObject({
    from: numberParameter(0)
      .default(0)
      .describe("Begins after this step, with the state as it stood; by default with the first."),
    run_id: identifier.optional().describe("Only this run, and the runs below it."),
  }),
  body: noBody,
  headers: { "Last-Event-ID": "Resumes after this step, whatever `from` says." },
  answers: { 200: { description: "Events of AG-UI.", type: "text/event-stream" } },
  async run({ params: { id }, query: { from, run_id }, headers, signal }, { conversations, longReads, bus }) {
    if (!(await conversations.get(id))) throw unknownConversation(id);
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
