import { z } from "zod";
import { jsonObject, jsonValue } from "../../session/json/json-schema.ts";
import type { View } from "../../session/session.ts";
import type { LanesStanding } from "../../session/timeline/lanes/lanes.ts";
import type { TimelineBuckets, TimelineColumns } from "../../session/timeline/timeline.ts";
import { conversationStatus, conversationSummary, message } from "./answers.ts";
import { edge } from "./plan-answers.ts";

// Schemas of a session's view and timeline, for the documentation.

const text = z.string().nullable();
const time = z.iso.datetime().nullable();
const seq = z.int().nullable();
const failure = z.object({ code: z.string(), message: z.string() });

const decision = z.enum(["approved", "denied"]);

const failures = z
  .object({
    count: z.int(),
    runs: z.array(
      z.object({
        run: z.string(),
        parent: z.object({ run: z.string(), call: z.string() }).nullable(),
        failed: z.array(z.object({ seq: z.int(), id: z.string(), call: text, tentative: z.boolean() })),
      }),
    ),
  })
  .describe("The number of errors, and what is needed to continue counting in open runs.");

const summary = conversationSummary.extend({
  created_at: time,
  updated_at: time,
  open_runs: z.record(z.string(), z.enum(["queued", "running", "waiting"])),
  open_calls: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("By run, the running calls of runs whose start was not recorded."),
  awaiting: z.array(z.string()),
  unanswered: z
    .array(z.object({ confirmation_id: z.string(), run_id: text, decision }))
    .describe("Decisions to which the agent has not replied yet."),
  escalated: z.boolean(),
  newest_run: text,
  simulated: z.boolean().describe("For a fork: its newest run is simulated."),
  ended: z.enum(["finished", "failed", "cancelled"]).nullable().describe("The outcome of the newest run."),
  asked: z.boolean().describe("A user's message has neither an answer nor a run."),
  untouched: z.boolean().describe("A fork in which nothing has run yet."),
  failures,
});

const usage = z.object({
  model: z.string(),
  responses: z.int(),
  unreported: z.int().describe("Responses that came without numbers of tokens; the sums do not have theirs."),
  input_tokens: z.int(),
  output_tokens: z.int(),
});

const run = z.object({
  id: z.string(),
  parent_run_id: text,
  parent_call_id: text,
  parent_instance: z.string(),
  continues: text.describe("For a fork: the source run whose plan this run continues."),
  delegate: text,
  agent_id: text,
  status: z.enum(["queued", "running", "waiting", "finished", "failed", "cancelled"]),
  simulated: z.boolean().describe("For a fork: calls return recorded results, or stay planned."),
  iteration: z.int(),
  started_seq: z.int(),
  ended_seq: seq,
  started_at: time,
  ended_at: time,
  error: z.union([failure, z.string()]).nullable(),
  reason: text,
  prompt_seq: seq,
  stages: z.array(z.object({ node: z.string(), agent_id: text, seq: z.int() })),
  speakers: z.array(z.object({ agent_id: z.string(), node: z.string(), iteration: z.int(), seq: z.int() })),
  usage: z.array(usage),
  state: z.record(z.string(), jsonValue),
  writes: z.array(
    z.object({ seq: z.int(), instance: z.string(), path: z.string(), call_id: text, iteration: z.int() }),
  ),
});

const plan = z.object({
  run_id: z.string(),
  iteration: z.int(),
  recorded: z.boolean(),
  calls: z.array(jsonObject),
  outputs: z.array(
    z.object({
      call_id: z.string(),
      keys: z.array(z.string()).optional(),
      writes: z.array(z.string()).optional(),
    }),
  ),
  rejected: z.boolean(),
  problems: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(["error", "warning"]),
      call: text,
      path: z.string(),
      message: z.string(),
    }),
  ),
  problem_count: z.int(),
});

const call = z.object({
  id: z.string(),
  run_id: text,
  iteration: z.int(),
  instance: z.string(),
  tool: z.string(),
  status: z.enum([
    "planned",
    "running",
    "parked",
    "succeeded",
    "failed",
    "skipped",
    "blocked",
    "denied",
    "superseded",
    "cancelled",
  ]),
  params: jsonValue.nullable(),
  output: jsonValue.nullable(),
  error: failure.nullable(),
  handled: z.boolean(),
  reason: text,
  planned: z.boolean(),
  recorded: z.object({ conversation_id: z.string(), seq: z.int() }).nullable(),
  branch: z.int().nullable(),
  output_path: text,
  reads: z.array(z.string()),
  progress: z
    .object({ seq: z.int(), part: z.number().nullable(), message: text })
    .nullish()
    .describe("What its tool has told of the try that runs; `part` is from 0 to 1."),
  tries: z.array(
    z.object({
      seq: z.int(),
      at: time,
      attempt: z.int(),
      error: failure.nullable(),
      reason: text,
      delay_ms: z.number().nullable(),
    }),
  ),
  started_seq: seq,
  started_at: time,
  ended_seq: seq,
  ended_at: time,
  parked_seq: seq,
  parked_at: time,
  confirmation_id: text,
  decision: decision.nullable(),
});

const confirmation = z.object({
  id: z.string(),
  key: z.string(),
  status: z.enum(["requested", "approved", "denied"]),
  run_id: text,
  call_id: text,
  iteration: z.int(),
  instance: z.string(),
  cause: z.enum(["risk", "interrupted"]),
  description: text,
  action: z.object({ method: z.string(), params: jsonValue }).nullable(),
  asked: z
    .object({ method: z.string(), params: jsonValue })
    .nullable()
    .describe("The requested action, if it was edited on approval."),
  before: jsonObject.nullable(),
  reason: text,
  requested_seq: seq,
  requested_at: time,
  decided_seq: seq,
  decided_at: time,
  decided_by: text,
});

const warning = z.object({
  seq: z.int(),
  run_id: text,
  code: z.enum([
    "call_not_started",
    "call_already_ended",
    "run_not_started",
    "run_already_ended",
    "unreadable_path",
    "write_below_scalar",
    "memory_patch_failed",
    "confirmation_not_requested",
    "confirmation_already_decided",
    "unknown_type",
    "self_check",
  ]),
  message: z.string(),
});

/** A session after a step. */
export const view = z.object({
  conversation_id: text,
  at: z.int(),
  last: z.int(),
  status: conversationStatus,
  stage: text,
  summary,
  messages: z.array(message),
  messages_before: z.int(),
  runs: z.array(run),
  runs_before: z.int(),
  plan: plan.extend({ edges: z.array(edge) }).nullable(),
  plans: z.array(plan),
  calls: z.array(call),
  calls_before: z.int(),
  usage: z.array(usage),
  state: z.record(z.string(), jsonValue),
  memory: jsonValue,
  conversation_state: jsonObject.nullable(),
  confirmations: z.array(confirmation),
  alerts: z.array(z.object({ seq: z.int(), run_id: text, text: z.string(), reason: text, at: time })),
  warnings: z.array(warning),
}) satisfies z.ZodType<View>;

const column = z.array(z.int());

/** The steps of a session, in columns of equal length. */
export const timelineColumns = z.object({
  after: z.int(),
  last: z.int(),
  tables: z.object({
    type: z.array(z.string()),
    actor: z.array(z.string()),
    agent: z.array(z.string()),
    run: z.array(z.string()),
    call: z.array(
      z.object({ run: z.int(), iteration: z.int(), instance: z.string(), id: z.string(), tool: z.string() }),
    ),
  }),
  seq: column,
  time: z.array(z.number().nullable()),
  type: column,
  actor: column,
  agent: column,
  run: column,
  call: column,
  cause: column,
  error: column,
  standing: z
    .object({
      run: column,
      iteration: column,
      agent: column,
      speaker: column,
      awaited: z.array(z.object({ seq: z.int(), cause: z.string() })),
      failures,
    })
    .describe("The state needed to continue the rows with the following steps."),
  before: z
    .object({
      lanes: z.custom<LanesStanding>().meta({ type: "object" }),
      clock: z.object({
        first: z.number().nullable(),
        newest: z.number().nullable(),
        folds: z.int(),
        folded: z.number(),
      }),
    })
    .optional()
    .describe("What is in progress at the first row; only with `limit`."),
}) satisfies z.ZodType<TimelineColumns>;

/** Buckets of steps, in columns of equal length. */
export const timelineBuckets = z.object({
  size: z.int().describe("Steps per bucket; the last ends at `to`."),
  from: z.int(),
  to: z.int().describe("The last step covered; earlier than requested while the rest is being computed."),
  last: z.int().describe("The session's last step."),
  time: z.array(z.number().nullable()).describe("The time of each bucket's first step, epoch ms."),
  folds: column.describe("Idle periods collapsed before each bucket; their duration in ms is in `folded`."),
  folded: z.array(z.number()),
  kinds: z
    .array(column)
    .describe("The number of steps of each kind: run, memory, model, tool, state, message, approval, error."),
  calls: column.describe("The number of calls started."),
  lanes: z
    .record(z.string(), z.string())
    .describe("One letter per bucket by lane: - nothing, x in progress, e in progress and ends with an error."),
}) satisfies z.ZodType<TimelineBuckets>;
