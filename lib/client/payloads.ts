/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Why something failed. */
export interface Failure {
  /** For programs: `not_found`, `timeout`. At most 200 characters. */
  code: string;
  message: string;
}

interface RunPayload {
  input?: Json;
  output?: Json;
  error?: Failure | string;
  iteration?: number;
  reason?: string;
}

interface ModelPayload {
  model: string;
  provider: string;
  iteration?: number;
  input?: Json;
  output?: Json;
  parameters?: { [name: string]: Json };
  input_tokens?: number;
  output_tokens?: number;
  response_id?: string;
  finish_reason?: string;
  error?: Failure | string;
}

interface CallPayload {
  /** Unique in its run and iteration. */
  call_id: string;
  tool: string;
  iteration?: number;
  params?: Json;
  output?: Json;
  error?: Failure;
  attempt?: number;
  /** Where the output goes in the state: `†state.order`. */
  output_path?: string;
  /** The paths of the state that it reads. */
  reads?: string[];
}

/**
 * What the event types that agents usually send carry. The API checks them, and a field that is not here is refused. The
 * whole catalogue is in the OpenAPI document; any other type takes any JSON.
 */
export interface Payloads {
  "conversation.created": {
    title?: string;
    channel?: string;
    user_id?: string;
    agent_id?: string;
    metadata?: { [name: string]: Json };
  };
  "conversation.titled": { title: string };
  "message.created": {
    message_id: string;
    role: MessageRole;
    content: string;
    name?: string;
    tool_call_id?: string;
    metadata?: { [name: string]: Json };
  };
  "run.started": RunPayload;
  "run.iteration": RunPayload;
  "run.waiting": RunPayload;
  "run.resumed": RunPayload;
  "run.finished": RunPayload;
  "run.failed": RunPayload;
  "run.cancelled": RunPayload;
  "prompt.rendered": { prompt: string; iteration?: number; tokens?: number };
  "model.requested": ModelPayload;
  "model.responded": ModelPayload;
  "model.failed": ModelPayload;
  "call.started": CallPayload;
  "call.succeeded": CallPayload;
  "call.failed": CallPayload;
  "call.retried": CallPayload;
  "call.cancelled": CallPayload;
  "state.written": { path: string; value: Json; call_id?: string; iteration?: number };
  "manager.alerted": { text: string; reason?: string };
  log: Json;
}

/** Who said a message. */
export type MessageRole = "user" | "assistant" | "system" | "tool" | "operator";

/** What every event may have beside its type and payload. */
interface Envelope {
  /** Made up where it is missing. An event that is sent twice with one id is stored once. */
  id?: string;
  conversation_id: string;
  /** `user:alice`, `agent:support`, `tool:orders.find`. */
  actor?: string;
  agent_id?: string;
  /** `run.*` needs it. */
  run_id?: string;
  parent_run_id?: string;
  /** The id of the event that brought this one about. */
  caused_by?: string;
  /** When it happened, ISO 8601; now where it is missing. */
  occurred_at?: string;
}

/** An event of type `T` on its way to the log. */
export type NewEvent<T extends string> = Envelope & { type: T } & (T extends keyof Payloads
    ? { payload: Payloads[T] }
    : { payload?: Json });
