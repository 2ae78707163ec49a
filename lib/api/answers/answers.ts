import { z } from "zod";
import type {
  AgentStateEntry,
  AgentStateVersion,
  Appended,
  Confirmation,
  Conversation,
  ListedAlert,
  ListedConfirmation,
} from "../../../db/repositories.ts";
import { RECORDERS, type SessionEvent } from "../../session/event.ts";
import { forkMode } from "../../session/events/catalogue.ts";
import { FIND_WHERE } from "../../session/find/find-in-event.ts";
import { jsonObject, jsonValue } from "../../session/json/json-schema.ts";
import type { Message } from "../../session/session.ts";
import { changedRequest } from "../changed-request.ts";
import type { Answer } from "../operation.ts";
import { PROBLEM_CODES } from "../problem.ts";
import { planProblem } from "./plan-answers.ts";

// Schemas of responses, for the documentation. `satisfies` checks them against the types of the code.

const time = z.iso.datetime();
const text = z.string().nullable();

export const conversationStatus = z.enum(["idle", "running", "waiting", "escalated", "failed"]);

const shownStatus = z
  .enum([
    "running",
    "waiting",
    "escalated",
    "failed",
    "approved",
    "refused",
    "no_answer",
    "not_run",
    "simulated",
    "cancelled",
    "no_runs",
    "done",
  ])
  .describe(
    "The status as the console shows it. `approved` and `refused`: a person has decided, and the agent has not answered yet. An idle conversation has an unanswered message, is a fork that was not run, was simulated or cancelled, never had a run, or is finished.",
  );

/** The reference that replaces a large value (E8). */
const ref = z.object({ $ref: z.string(), bytes: z.int() });

const takenOver = z
  .object({ by: text, at: time, seq: z.int() })
  .nullable()
  .describe("The manager who answers instead of the agent, since the event `seq`; null while none does.");

/** The fields that the list and the view share. */
export const conversationSummary = z.object({
  title: text,
  subject: text,
  channel: text,
  user_id: text,
  agent_id: text,
  stage: text,
  message_count: z.int(),
  event_count: z.int(),
  call_count: z.int(),
  last_seq: z.int(),
  created_at: time,
  updated_at: time,
  forked_from: z.object({ conversation_id: z.string(), seq: z.int() }).nullable(),
  taken_over: takenOver,
  preview: z.object({ role: z.string(), name: text, text: z.string() }).nullable(),
  activity: z.object({ start: z.number().nullable(), width: z.number(), counts: z.array(z.int()), marks: z.string() }),
});

export const conversation = conversationSummary.extend({
  id: z.string(),
  status: conversationStatus,
  shown_status: shownStatus,
  error_count: z
    .int()
    .describe(
      "Failed calls, runs and models. A failure and its consequences count once; calling a manager is not an error.",
    ),
  unanswered: z
    .enum(["approved", "denied"])
    .nullable()
    .describe("The newest decision to which the agent has not replied yet."),
  fork_count: z.int().describe("How many forks it has."),
  fork_mode: forkMode
    .nullable()
    .describe("For a fork: `shadow` while its calls are simulated, `real` once they are carried out; otherwise null."),
  note_count: z.int(),
  queue: z
    .object({
      assignee: text,
      due_at: time.nullable(),
      snoozed_until: time.nullable(),
      resolved_at: time.nullable(),
      tags: z.array(z.string()),
    })
    .nullable()
    .describe("What people do about it; null where nobody has touched it."),
  scores: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(["number", "boolean", "category"]),
        count: z.int(),
        value: z.union([z.number(), z.string()]),
      }),
    )
    .describe("Its newest 50 scores by name: the average, of yes or no the share of yes, of categories the newest."),
  tokens: z.int().nullable().describe("Of all requests to models; null until they are counted."),
  cost: z
    .number()
    .nullable()
    .describe(
      "What they cost by the prices of this server, see GET /api/prices; null if a model has no price, or until it is counted.",
    ),
  hit: z
    .object({
      seq: z.int(),
      type: z.string(),
      where: z.enum(FIND_WHERE),
      role: text.describe("The role of the message."),
      path: text.describe("The field of the event's payload that contains the words; for a write, the state path."),
      parts: z.array(z.object({ text: z.string(), marked: z.boolean() })),
    })
    .optional()
    .describe("The search hit: the newest message that contains all words, or the newest other event."),
}) satisfies z.ZodType<Conversation>;

export const message = z.object({
  id: z.string(),
  seq: z.int(),
  role: z.string(),
  content: z.union([z.string(), ref]),
  name: text,
  run_id: text,
  created_at: time.nullable(),
  metadata: jsonObject.nullable(),
}) satisfies z.ZodType<Message>;

export const sessionEvent = z.object({
  id: z.string(),
  conversation_id: text,
  seq: z.int(),
  position: z.int(),
  type: z.string(),
  actor: text,
  agent_id: text,
  run_id: text,
  parent_run_id: text,
  caused_by: text,
  payload: jsonValue,
  occurred_at: time.nullable(),
  recorded_at: time,
  recorded_by: z
    .enum(RECORDERS)
    .optional()
    .describe("The origin of the event, set by the server regardless of `actor`."),
}) satisfies z.ZodType<SessionEvent>;

const appended = z.object({
  id: z.string(),
  conversation_id: text,
  seq: z.int(),
  position: z.int(),
  duplicate: z
    .boolean()
    .describe("The conversation had an event of this id. That one is kept, and not compared with what was sent."),
}) satisfies z.ZodType<Appended>;

/** The results of a request's events, in order. */
export const appendedEvents = z.object({ events: z.array(appended) });

export const agentStateEntry = z.object({
  agent_id: z.string(),
  key: z.string(),
  version: z.int(),
  updated_at: time,
}) satisfies z.ZodType<AgentStateEntry>;

export const memoryEntry = z.object({ user_id: z.string(), version: z.int(), updated_at: time });

export const confirmationStatus = z.enum(["requested", "approved", "denied"]);

export const confirmation = z.object({
  id: z.string(),
  key: z.string(),
  conversation_id: z.string(),
  run_id: text,
  call_id: text,
  iteration: z.int().nullable(),
  instance: z.string(),
  status: confirmationStatus,
  cause: z.enum(["risk", "interrupted"]),
  description: text,
  action: z.object({ method: z.string(), params: jsonValue }),
  before: jsonObject.nullable().describe("The values that it would replace, by field, at the time of the request."),
  requested_at: time,
  requested_seq: z.int(),
  overdue: z.boolean().describe("It has been waiting for more than a day."),
  decided_at: time.nullable(),
  decided_seq: z.int().nullable(),
  decided_by: text,
  reason: text,
  own: z.boolean().describe("A run of this server is waiting for it."),
  approvals: z
    .object({
      needed: z.int(),
      given: z
        .array(z.object({ by: z.string(), at: time, seq: z.int() }))
        .describe("Oldest first, without the last one's."),
    })
    .optional()
    .describe("Only if several different people have to approve it."),
}) satisfies z.ZodType<Confirmation>;

export const listedConfirmation = confirmation.extend({
  agent_id: text.describe("The requesting agent."),
  unanswered: z.boolean().describe("It is decided, and the agent has not replied yet."),
  owner: z.string().optional().describe("Who looks after the conversation, if anybody does."),
  deputy: z.string().optional().describe("Who stands in for the owner, who is away."),
  conversation: z.object({ title: text, subject: text, channel: text, user_id: text, agent_id: text }),
}) satisfies z.ZodType<ListedConfirmation>;

export const agentStateVersion = z.object({
  version: z.int(),
  at: time,
  actor: text,
  caused_by: text.describe("The event that caused it."),
  conversation_id: text.describe("The conversation in which it was written, or that of its cause."),
  position: z.int(),
  deleted: z.boolean(),
}) satisfies z.ZodType<AgentStateVersion>;

export const listedAlert = z.object({
  id: z.string(),
  conversation_id: z.string(),
  seq: z.int(),
  run_id: text,
  agent_id: text.describe("The agent that raised it."),
  text: z.string(),
  reason: text,
  created_at: time,
  open: z.boolean().describe("The conversation has not been handed back since."),
  closed_at: time.nullable(),
  closed_by: text,
  conversation: listedConfirmation.shape.conversation.extend({
    taken_over: takenOver,
    running: z.boolean().describe("A run is in progress; a takeover cancels it."),
  }),
}) satisfies z.ZodType<ListedAlert>;

/** A page of a list. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: text, prev: text });
}

/** An error response (E10). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(PROBLEM_CODES)),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  problems: z.array(planProblem).optional().describe("For an invalid plan: all problems found."),
  changed: changedRequest.optional().describe("For a decision on a request that has changed."),
});

/** An error response, for the documentation. */
export const refusal = (description: string): Answer => ({
  description,
  type: "application/problem+json",
  schema: problem,
});
