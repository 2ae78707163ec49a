import type { NewMessage, ObelusClient } from "./client.ts";
import { newId } from "./new-id.ts";
import type { Failure, Json, MessageRole, NewEvent, Payloads } from "./payloads.ts";

/** A conversation of an agent. */
export class Conversation {
  readonly id: string;
  readonly #client: ObelusClient;

  constructor(client: ObelusClient, id: string, about?: Payloads["conversation.created"]) {
    this.#client = client;
    this.id = id;
    if (about) client.event({ conversation_id: id, type: "conversation.created", payload: about });
  }

  /** Records a message; returns its id. */
  message(
    role: MessageRole,
    content: string,
    more: Omit<NewMessage, "conversation_id" | "role" | "content"> = {},
  ): string {
    return this.#client.message({ ...more, conversation_id: this.id, role, content });
  }

  /** Starts a run. */
  run({ input, ...from }: RunStart = {}): Run {
    return new Run(this.#client, this.id, from, input);
  }
}

/** The start of a run. */
export interface RunStart {
  id?: string;
  agent_id?: string;
  /** The run that started this one. */
  parent_run_id?: string;
  /** The id of the event that it answers: the user's message. */
  caused_by?: string;
  input?: Json;
}

/** A run of an agent. */
export class Run {
  readonly id: string;
  readonly #client: ObelusClient;
  readonly #place: Omit<NewEvent<"run.started">, "type" | "payload" | "id">;
  #iteration = 0;
  #calls = 0;
  #latest: string;

  constructor(
    client: ObelusClient,
    conversationId: string,
    { id = newId(), caused_by, ...from }: RunStart,
    input?: Json,
  ) {
    this.#client = client;
    this.id = id;
    const actor = from.agent_id === undefined ? undefined : `agent:${from.agent_id}`;
    this.#place = { ...from, conversation_id: conversationId, run_id: id, actor };
    this.#latest = client.event({ ...this.#place, caused_by, type: "run.started", payload: { input } });
  }

  /** Starts a request to a model: the run's next iteration. */
  model(request: ModelStart): ModelRequest {
    this.#iteration += 1;
    const iteration = this.#iteration;
    const place = { ...this.#place, caused_by: this.#latest };
    const begun = this.#client.event({ ...place, type: "run.iteration", payload: { iteration } });
    const { model, provider } = request;
    const requested = { ...request, iteration };
    const caused_by = this.#client.event({ ...place, caused_by: begun, type: "model.requested", payload: requested });
    const end = (type: "model.responded" | "model.failed", payload: object) => {
      const told = { model, provider, ...payload, iteration };
      this.#latest = this.#client.event({
        ...{ ...this.#place, actor: `model:${model}`, caused_by, type },
        payload: told,
      });
    };
    return {
      responded: (answer) => end("model.responded", answer),
      failed: (error) => end("model.failed", { error: failureOf(error) }),
    };
  }

  /** Starts a call of a tool. `output_path` and `reads` define the edges between calls. */
  call(tool: string, params: Json, { id, output_path, reads }: CallPaths = {}): Call {
    this.#calls += 1;
    const call_id = id ?? `call-${this.#calls}`;
    const name = { call_id, tool, ...(this.#iteration > 0 && { iteration: this.#iteration }) };
    const place = { ...this.#place, actor: `tool:${tool}` };
    const caused_by = this.#client.event({
      ...{ ...this.#place, caused_by: this.#latest, type: "call.started" },
      payload: { ...name, params, output_path, reads },
    });
    return {
      id: call_id,
      succeeded: (output) => {
        const payload = { ...name, output };
        this.#latest = this.#client.event({ ...place, caused_by, type: "call.succeeded", payload });
        if (output_path !== undefined) this.#write(output_path, output, name, this.#latest);
      },
      failed: (error) => {
        const payload = { ...name, error: failureOf(error) };
        this.#latest = this.#client.event({ ...place, caused_by, type: "call.failed", payload });
      },
    };
  }

  /** Writes a value to the state that no call produces: `†state.customer`. */
  write(path: string, value: Json): void {
    this.#write(path, value, {}, this.#latest);
  }

  #write(path: string, value: Json, call: { call_id?: string; iteration?: number }, caused_by: string): void {
    const { call_id, iteration } = call;
    const payload = { path, value, call_id, iteration };
    this.#client.event({ ...this.#place, caused_by, type: "state.written", payload });
  }

  /** Records the agent's message to the user; returns its id. */
  says(content: string): string {
    const { parent_run_id: _, ...place } = this.#place;
    return this.#client.message({ ...place, caused_by: this.#latest, role: "assistant", content });
  }

  finished(output?: Json): void {
    this.#client.event({ ...this.#place, caused_by: this.#latest, type: "run.finished", payload: { output } });
  }

  failed(error: unknown): void {
    const payload = { error: failureOf(error) };
    this.#client.event({ ...this.#place, caused_by: this.#latest, type: "run.failed", payload });
  }

  cancelled(reason?: string): void {
    this.#client.event({ ...this.#place, caused_by: this.#latest, type: "run.cancelled", payload: { reason } });
  }
}

/** A request to a model. */
export type ModelStart = Pick<Payloads["model.requested"], "model" | "provider" | "input" | "parameters">;

/** A request to a model in progress. */
export interface ModelRequest {
  responded(
    answer: Pick<
      Payloads["model.responded"],
      "output" | "input_tokens" | "output_tokens" | "response_id" | "finish_reason"
    >,
  ): void;
  failed(error: unknown): void;
}

/** The state paths of a call. */
export type CallPaths = Pick<Payloads["call.started"], "output_path" | "reads"> & { id?: string };

/** A call in progress. */
export interface Call {
  readonly id: string;
  /** The output is also written to its `output_path`. */
  succeeded(output: Json): void;
  failed(error: unknown): void;
}

/** An exception as an error in events. */
function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null) return { code: "error", message: String(error) };
  const name = error instanceof Error ? error.name : "error";
  const code = "code" in error && typeof error.code === "string" ? error.code : name;
  const message = "message" in error ? String(error.message) : JSON.stringify(error);
  return { code: code.slice(0, 200), message };
}
