import { z } from "zod";
import { LONGEST_NOTE } from "../bookmarks.ts";
import { hasDotSegment } from "../dot-segments.ts";
import { jsonValue } from "../json/json-schema.ts";
import { listOf, recordOf } from "../json/list.ts";
import { LOCALES } from "../locale.ts";
import { isOwnAgent } from "../own-agents.ts";
import { EVENT_KINDS, type EventType } from "./kinds.ts";
import { MOST_APPROVALS } from "./most-approvals.ts";

/** Identifiers chosen by clients: visible characters, one line, short enough for keys and URLs. */
export const identifier = z
  .string()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .regex(/^[^\p{Cc}]+$/u, "must not contain control characters")
  // HTTP clients remove these from URLs in any encoding, and the server refuses them.
  .refine((id) => !hasDotSegment(id), "must not contain . or .. between slashes, because URLs cannot contain them");

/** Text of a person or a program, in which a database can have every character. */
export const plainText = z.string().refine((text) => !text.includes("\0"), "must not contain the character U+0000");

const fields = recordOf(z.string(), jsonValue);
const iteration = z.int().min(0).max(1_000_000);
const tokens = z.int().min(0);
const offset = z.int().min(0);
const failure = z.strictObject({ code: z.string().max(200), message: z.string() });

/** A call in a plan: parameters, and meta-properties that start with `_` (P1). */
export const call = z.looseObject({ _tool: identifier, _id: identifier.nullish() }).catchall(jsonValue);

/** The OpenTelemetry span that an event was mapped from; `attributes` are those that were not mapped. */
const span = z.strictObject({
  trace_id: z.string().max(64),
  span_id: z.string().max(32),
  parent_span_id: z.string().max(32).optional(),
  name: z.string().max(1_000),
  attributes: fields.optional(),
});

/** Paths of the state, as an external agent names them. */
const statePath = z.string().min(1).max(2_000);

const action = z.strictObject({ method: z.string().min(1).max(200), params: fields });

const run = z.strictObject({
  input: jsonValue.optional(),
  output: jsonValue.optional(),
  error: z.union([failure, z.string()]).optional(),
  iteration: iteration.optional(),
  reason: z.string().optional(),
  delegate: z.string().optional(),
  call_id: identifier.optional(),
  instance: z.string().max(200).optional(),
  mode: z.enum(["execute", "confirm", "canary", "shadow"]).optional(),
  span: span.optional(),
});

/** The budget of a run with its delegates; the run ends when one limit is reached. */
const budget = z.strictObject({
  calls: z.int().min(1).optional(),
  tokens: z.int().min(1).optional(),
  time_ms: z.int().min(1).optional(),
});

/** How the conversation's history is sent to the model (H4); a missing limit means no limit. */
const history = z.strictObject({
  source: z.enum(["prompt", "provider"]),
  locale: z.enum(LOCALES),
  max_tokens: z.int().min(1).optional(),
  max_chars: z.int().min(1).optional(),
  max_messages: z.int().min(1).optional(),
});

/** The start of a run, with everything needed to recover it after a crash (P23). */
const runStarted = run.extend({
  /** Its initial context, in the normal form (P14a). */
  context: jsonValue.optional(),
  /** The tools of the request. */
  tools: listOf(jsonValue).optional(),
  /** Tools that require approval in the mode `confirm`; an empty list means all. */
  confirm: listOf(identifier).optional(),
  concurrency: z.int().min(1).optional(),
  max_iterations: z.int().min(1).optional(),
  budget: budget.optional(),
  user_id: identifier.optional(),
  /** In a fork: the key of its copy of the user's memory, and of its own turn queue. */
  user_scope: z.string().max(1_000).optional(),
  /** In a fork: no tool is called; calls return their recorded results. */
  simulated: z.boolean().optional(),
  /** In a fork: the source run, whose plan it continues. */
  continues: identifier.optional(),
  /** The JSON Schema of its output (P19). */
  output_schema: jsonValue.optional(),
  /** The tools it may use; all if missing (P27). */
  allowed_tools: listOf(identifier).optional(),
  /** It is queued behind its user's earlier turns, and starts when it is resumed (M11). */
  queued: z.boolean().optional(),
  /** For a turn: the user's message that it answers, with its agent's definition. */
  answers: identifier.optional(),
  instructions: z.string().optional(),
  /** The main graph chooses its speakers (D1). */
  directed: z.boolean().optional(),
  history: history.optional(),
  /** Its user's time zone and household, for prompts (H1). */
  timezone: z.string().max(200).optional(),
  household_id: identifier.optional(),
  /** The version of the agent that it is a run of, by which runs are compared. */
  agent_version: z.string().max(200).optional(),
  /** The language of its messages to the user. */
  locale: z.enum(LOCALES).optional(),
});

/** The speaker from an iteration on, in a turn that the main graph directs (D1), with the agent's definition at that time (D12). */
const speaker = z.strictObject({
  agent_id: identifier,
  agent_version: z.string().max(200).optional(),
  /** The node of the main graph for which it speaks. */
  node: z.string().min(1).max(100),
  instructions: z.string(),
  history,
  timezone: z.string().max(200).optional(),
  /** All if missing. */
  allowed_tools: listOf(identifier).optional(),
  mode: z.enum(["execute", "confirm", "canary", "shadow"]),
  max_iterations: z.int().min(1),
  /** Prepended to its messages to the user. */
  prefix: z.string().max(200).optional(),
  /** Its answer is for the main graph only. */
  silent: z.boolean().optional(),
  /** The values of `{{configuration.…}}` in its instructions (D4). */
  configuration: fields.optional(),
  /** Why its previous answer was rejected (D4). */
  note: z.string().optional(),
});

/** The next iteration of a run. `speaker` is set if the speaker changes or starts again. */
const runIteration = run.extend({ speaker: speaker.optional() });

/** Which call of a run: by iteration, instance and id (P19b). */
const callPlace = z.strictObject({
  call_id: identifier,
  iteration: iteration.optional(),
  instance: z.string().max(200).optional(),
});

/** A run is resumed; `calls` are planned again (P24). `queued`: it waits in the turn queue (M11). */
const runResumed = run.extend({ calls: listOf(callPlace).optional(), queued: z.boolean().optional() });

const model = z.strictObject({
  model: z.string().max(200),
  provider: z.string().max(200),
  input_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
  response_id: z.string().optional(),
  /** The response that the request continues (D7). */
  previous_response_id: z.string().optional(),
  finish_reason: z.string().optional(),
  iteration: iteration.optional(),
  input: jsonValue.optional(),
  output: jsonValue.optional(),
  error: z.union([failure, z.string()]).optional(),
  /** Parameters of the request, such as `temperature`. */
  parameters: fields.optional(),
  span: span.optional(),
});

/** The system prompt of a request (H6). `start` and `end` are UTF-16 offsets in `prompt`. */
const promptRendered = z.strictObject({
  prompt: z.string(),
  iteration: iteration.optional(),
  /** For a request for a latent tool's result: its call. */
  call_id: identifier.optional(),
  instance: z.string().max(200).optional(),
  replaced: listOf(z.string()).optional(),
  missing: listOf(z.string()).optional(),
  history: fields.optional(),
  tokens: tokens.optional(),
  parts: listOf(
    z.strictObject({
      start: offset,
      end: offset,
      placeholder: z.string(),
      origin: z.string().max(50),
      messages: listOf(z.strictObject({ id: identifier.nullable(), start: offset, end: offset })).optional(),
    }),
  ).optional(),
  /** Estimated tokens of the request by part; `left`: unused tokens of the history's limit, if it has one. */
  budget: z
    .strictObject({ system: tokens, state: tokens, history: tokens, tools: tokens, left: tokens.optional() })
    .optional(),
});

const plan = z.strictObject({
  iteration,
  problems: listOf(jsonValue).optional(),
  reason: z.string().optional(),
  result: jsonValue.optional(),
});

/** A valid plan. `outputs`: what tools and delegates declare of its writes beyond the calls' own definitions (P9, P27). */
const planValidated = plan.extend({
  outputs: listOf(
    z.strictObject({
      call_id: identifier,
      keys: listOf(z.string()).optional(),
      writes: listOf(z.string()).optional(),
    }),
  ).optional(),
});

/** The run is being terminated and starts no further calls; the reason, so that it is known after a restart (P23). */
const runClosing = z.strictObject({ error: failure.optional(), escalated: z.literal(true).optional() });

/** The event that recorded how a call ended. */
const recordedAt = z.strictObject({ conversation_id: identifier, seq: z.int().min(1) });

const toolCall = z.strictObject({
  call_id: identifier,
  iteration: iteration.optional(),
  instance: z.string().max(200).optional(),
  tool: identifier,
  params: jsonValue.optional(),
  output: jsonValue.optional(),
  error: failure.optional(),
  handled: z.boolean().optional(),
  attempt: z.int().min(0).optional(),
  delay_ms: z.number().min(0).optional(),
  reason: z.string().optional(),
  branch: z.int().min(0).optional(),
  confirmation_id: identifier.optional(),
  /** It was not executed, and stays planned in its user's memory (M13). */
  planned: z.boolean().optional(),
  /** In a fork: it was not executed; this is how the same call ended in the source. */
  recorded: recordedAt.optional(),
  closing: runClosing.optional(),
  /** For a call without a plan: where its output is written in the state, and which paths it reads. */
  output_path: statePath.optional(),
  reads: listOf(statePath).max(100).optional(),
  span: span.optional(),
});

/** The progress of a running call, as its tool reports it. */
const progressed = callPlace.extend({
  tool: identifier,
  attempt: z.int().min(0).optional(),
  progress: z.number().min(0).max(1).optional().describe("The part that is done; missing where nobody knows."),
  message: z.string().max(500).optional().describe("What is being done, in a few words."),
});

const decision = z.strictObject({
  confirmation_id: identifier,
  key: z.string().max(500).optional(),
  call_id: identifier.optional(),
  iteration: iteration.optional(),
  instance: z.string().max(200).optional(),
  action: action.optional(),
  description: z.string().optional(),
  reason: z.string().optional(),
  cause: z.enum(["risk", "interrupted"]).optional(),
  decided_by: z.string().max(200).optional(),
  result: jsonValue.optional(),
});

/** `before`: the values that the action would replace, at the time of the request. */
const request = decision.extend({
  key: z.string().min(1).max(500),
  action,
  before: fields.optional(),
  approvals: z
    .int()
    .min(1)
    .max(MOST_APPROVALS)
    .optional()
    .describe("How many different people have to approve it; 1 by default."),
});

/** One of several people approves it. */
const partialApproval = decision.omit({ action: true, result: true, cause: true, description: true });

const takeover = z.strictObject({ by: z.string().max(200).optional(), reason: z.string().optional() });

const delegate = z.strictObject({
  delegate: z.string().max(200),
  call_id: identifier.optional(),
  iteration: iteration.optional(),
  instance: z.string().max(200).optional(),
  input: jsonValue.optional(),
  output: jsonValue.optional(),
  error: failure.optional(),
});

const patchPath = z.string().regex(/^(\/.*)?$/su, "must be a JSON Pointer");
const patchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.enum(["add", "replace", "test"]), path: patchPath, value: jsonValue }),
  z.strictObject({ op: z.literal("remove"), path: patchPath }),
  z.strictObject({ op: z.enum(["move", "copy"]), from: patchPath, path: patchPath }),
]);

const agentState = z.strictObject({
  agent_id: identifier.refine(
    (id) => !isOwnAgent(id),
    "is reserved for Obelus; register tools, delegates and agents through the API",
  ),
  key: identifier,
  // Far below 2^53, from which on the next version would be the same number.
  version: z.int().min(1).max(1_000_000_000_000).optional(),
});

/** How a fork treats calls: `shadow` simulates them, `real` executes them. */
export const forkMode = z.enum(["shadow", "real"]);
export type ForkMode = z.infer<typeof forkMode>;

/** The roles of messages (E1). */
export const messageRole = z.enum(["user", "assistant", "system", "tool", "operator"]);

/**
 * The payload of each event type (E2, the catalogue). The API validates events by it, OpenAPI shows it, and the reducer's types
 * are inferred from it. An event of another type may have any JSON payload.
 */
export const PAYLOADS = {
  "conversation.created": z.strictObject({
    title: z.string().max(500).optional(),
    channel: z.string().max(100).optional(),
    user_id: identifier.optional(),
    agent_id: identifier.optional(),
    metadata: fields.optional(),
    forked_from: z.strictObject({ conversation_id: identifier, seq: z.int().min(0) }).optional(),
    origin: z.strictObject({ conversation_id: identifier }).optional(),
  }),
  "conversation.titled": z.strictObject({ title: z.string().max(500) }),
  "conversation.taken_over": takeover,
  "conversation.handed_back": takeover,
  /** Somebody bookmarks a step or changes its note; it has no other effect. */
  "conversation.bookmarked": z.strictObject({ seq: z.int().min(1), note: z.string().max(LONGEST_NOTE).optional() }),
  "conversation.unbookmarked": z.strictObject({ seq: z.int().min(1) }),
  /** An operator switches a fork between calling tools and simulating them. Only this server records it. */
  "fork.mode_changed": z.strictObject({ mode: forkMode }),
  "message.created": z.strictObject({
    message_id: identifier,
    role: messageRole,
    content: z.string(),
    name: z.string().max(200).optional(),
    tool_call_id: z.string().max(200).optional(),
    metadata: fields.optional(),
  }),
  "run.started": runStarted,
  "run.iteration": runIteration,
  "run.waiting": run,
  "run.resumed": runResumed,
  "run.finished": run,
  "run.failed": run,
  "run.cancelled": run,
  "prompt.rendered": promptRendered,
  "history.truncated": fields,
  "placeholder.missing": z.strictObject({ names: listOf(z.string()), iteration: iteration.optional() }),
  "model.requested": model,
  "model.responded": model,
  "model.failed": model,
  /** `output` is the run's output after these calls, with unresolved references (P19). */
  "plan.proposed": z.strictObject({ iteration, calls: listOf(call), output: jsonValue.optional() }),
  "plan.validated": planValidated,
  "plan.rejected": plan,
  "plan.simulated": plan,
  "call.started": toolCall,
  "call.succeeded": toolCall,
  "call.failed": toolCall,
  "call.retried": toolCall,
  "call.progressed": progressed,
  "call.skipped": toolCall,
  "call.blocked": toolCall,
  "call.parked": toolCall,
  "call.denied": toolCall,
  "call.superseded": toolCall,
  "call.cancelled": toolCall,
  "state.written": z.strictObject({
    instance: z.string().max(200).optional(),
    path: z.string().min(1).max(2_000),
    value: jsonValue,
    call_id: identifier.optional(),
    iteration: iteration.optional(),
  }),
  "memory.updated": z.strictObject({
    delta: listOf(patchOperation),
    user_id: identifier.optional(),
    /** The resulting version of the stored document. */
    version: z.int().min(1).optional(),
  }),
  "selfcheck.warned": z.strictObject({ warnings: listOf(z.string()) }),
  "confirmation.requested": request,
  "confirmation.partially_approved": partialApproval,
  "confirmation.approved": decision,
  "confirmation.denied": decision,
  /** A turn reaches a node of the main graph, or its end (D1); `state` is the conversation state at that time (D3). */
  "stage.entered": z.strictObject({
    node: z.string().min(1).max(100),
    agent_id: identifier.optional(),
    state: fields.optional(),
  }),
  "stage.changed": z.strictObject({ from: z.string().max(100).nullable(), to: z.string().min(1).max(100) }),
  "manager.alerted": z.strictObject({ text: z.string(), reason: z.string().optional() }),
  "delegate.started": delegate,
  "delegate.finished": delegate,
  "agent_state.written": agentState.extend({ value: jsonValue }),
  "agent_state.deleted": agentState,
  log: jsonValue,
} as const satisfies Record<EventType, z.ZodType>;

/** The payload of an event of type `T`, inferred from the catalogue's schema. */
export type Payload<T extends EventType> = z.infer<(typeof PAYLOADS)[T]>;

/** Types whose events must have a `run_id`. */
export const NEEDS_RUN: ReadonlySet<string> = new Set(
  Object.keys(EVENT_KINDS).filter((type) => type.startsWith("run.")),
);
