import { z } from "zod";
import type { SessionMap } from "../../../session/map/session-map.ts";
import { answerText, unknownConversation } from "../../answers/answer.ts";
import { conversationParams } from "../../fields.ts";
import { operation } from "../../operation.ts";

const text = z.string().nullable();
const seq = z.int().nullable();

const words = z.object({ seq: z.int(), text: z.string() });

const brief = z
  .object({
    parts: z.array(z.object({ name: z.string(), value: z.string() })),
    count: z.int().nullable(),
    kind: z.enum(["items", "fields"]).nullable(),
  })
  .nullable()
  .describe("The first parts of a value, cut, and how many items or fields it has.");

const run = z.object({
  id: z.string().describe('"" for events without a run.'),
  parent: z.object({ run_id: z.string(), call_id: text, instance: z.string() }).nullable(),
  delegate: text,
  agent_id: text,
  status: z.enum(["queued", "running", "waiting", "finished", "failed", "cancelled"]),
  iteration: z.int(),
  started_seq: z.int(),
  ended_seq: seq,
  error: text,
  words: words.nullable().describe("The message that began the run."),
  alerts: z.array(words).describe("Where a manager was called or took over."),
  answer: text.describe("The event of the model's newest answer."),
});

const call = z.object({
  id: z.string(),
  run_id: z.string(),
  iteration: z.int(),
  instance: z.string(),
  tool: z.string(),
  status: z.enum([
    ...(["planned", "running", "parked", "succeeded", "failed"] as const),
    ...(["skipped", "blocked", "denied", "superseded", "cancelled"] as const),
  ]),
  handled: z.boolean(),
  planned: z.boolean(),
  decision: z.enum(["approved", "denied"]).nullable(),
  wave: z.int().describe("Calls of a run with the same number ran side by side."),
  cause: text,
  seq: z.int().describe("Its first event."),
  started_seq: seq,
  parked_seq: seq,
  ended_seq: seq,
  input: brief,
  output: brief,
  error: text,
  output_path: text,
});

const edge = z.object({
  run_id: z.string(),
  iteration: z.int(),
  from: z.string().describe("The call that writes the path, by id."),
  to: z.string(),
  path: z.string(),
});

const sessionMap = z.object({
  last: z.int(),
  runs_before: z.int().describe("Earlier runs that were left out of a very long session."),
  runs: z.array(run),
  calls: z.array(call),
  edges: z.array(edge),
  said: words.nullable().describe("A message that no run has answered yet."),
}) satisfies z.ZodType<SessionMap>;

/** Returns a whole session as runs and calls, for the session's map. */
export const getSessionMap = operation({
  name: "getSessionMap",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/map",
  summary:
    "Returns a whole session in brief: its runs with the messages that began them, their calls and declared edges.",
  params: conversationParams,
  answers: { 200: { description: "Runs and calls, each in the order of its first event.", schema: sessionMap } },
  async run({ params: { id } }, { sessions }) {
    const map = await sessions.map(id);
    if (map === null) throw unknownConversation(id);
    return answerText(map);
  },
});
