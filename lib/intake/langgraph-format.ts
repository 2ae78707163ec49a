import { hash } from "node:crypto";
import { z } from "zod";
import type { CheckpointRow } from "../../db/foreign/langgraph.ts";
import type { NewEvent } from "../../db/repositories.ts";
import type { Payload } from "../session/events/catalogue.ts";
import { identifier } from "../session/events/catalogue.ts";
import type { EventType } from "../session/events/kinds.ts";
import { sentence } from "../session/issues.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { jsonValue } from "../session/json/json-schema.ts";
import { readJson } from "../session/json/json-text.ts";
import { listOf, recordOf } from "../session/json/list.ts";
import { stateWrites } from "./ag-ui/state.ts";
import { ImportError } from "./import-error.ts";
import { FOREIGN_DEPTH } from "./import-format.ts";
import { type ImportedConversation, newEvent } from "./new-event.ts";

/** Reads the rows of a LangGraph SQLite file. */
export type ReadCheckpoints = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<CheckpointRow>;

/** The header of a SQLite file. */
export const SQLITE_MARK = "SQLite format 3\0";

const toolCall = z.looseObject({ id: z.string().nullish(), name: z.string(), args: jsonValue.optional() });
/** A serialized message of LangChain. */
const message = z.looseObject({
  id: listOf(z.string()),
  kwargs: z.looseObject({
    id: z.string().nullish(),
    content: z.union([z.string(), listOf(z.looseObject({ type: z.string() }))]).catch(""),
    name: z.string().nullish(),
    tool_calls: listOf(toolCall).nullish(),
    tool_call_id: z.string().nullish(),
    status: z.string().nullish(),
    response_metadata: z.looseObject({}).nullish(),
    usage_metadata: z
      .looseObject({ input_tokens: z.int().min(0).optional(), output_tokens: z.int().min(0).optional() })
      .nullish()
      .catch(null),
  }),
});
const checkpoint = z.looseObject({ ts: z.string().optional(), channel_values: recordOf(z.string(), jsonValue) });
const metadata = z.looseObject({ source: z.string().optional(), step: z.int().optional() });

/**
 * A thread is a conversation: each input starts a run, its message channels are messages and calls, the others its
 * state.
 */
export async function* readLangGraph(
  bytes: AsyncIterable<Uint8Array>,
  read: ReadCheckpoints,
): AsyncGenerator<ImportedConversation> {
  let telling: ThreadTelling | null = null;
  try {
    for await (const row of read(bytes)) {
      if (telling && telling.threadId !== row.thread_id) yield telling.end();
      if (telling?.threadId !== row.thread_id) telling = new ThreadTelling(row.thread_id);
      telling.take(row);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "unreadable_file")) throw error;
    throw new ImportError(error.message, { line: null });
  }
  if (!telling) throw new ImportError("this LangGraph file has no checkpoints", { line: null });
  yield telling.end();
}

/** LangGraph's internal channels. */
const OWN_CHANNEL = /^(__|branch:|start:|join:)/;

class ThreadTelling {
  readonly threadId: string;
  private readonly events: NewEvent[] = [];
  private readonly seen = new Set<string>();
  private readonly calls = new Map<string, { run_id: string; iteration: number; tool: string; started: string }>();
  private state: JsonObject = {};
  private run: { id: string; iteration: number } | null = null;
  private cause: string | null = null;
  private at: string | null = null;
  private place = "";
  private stops: CheckpointRow["stops"] = [];

  constructor(threadId: string) {
    if (!identifier.max(100).safeParse(threadId).success)
      throw new ImportError(
        `the thread ${JSON.stringify(threadId.slice(0, 100))} has an id that is not a valid conversation id`,
        {
          line: null,
        },
      );
    this.threadId = threadId;
    this.emit("conversation.created", { channel: "import", metadata: { source: "langgraph" } }, "created", "system");
  }

  take(row: CheckpointRow): void {
    this.place = row.checkpoint_id;
    if (row.type !== null && row.type !== "json")
      throw this.fault(`is stored as ${row.type}; only JSON is supported, as written by LangGraph.js`);
    const { ts, channel_values } = this.parse(checkpoint, row.checkpoint);
    const { source, step } = this.parse(metadata, row.metadata);
    const time = ts === undefined ? Number.NaN : Date.parse(ts);
    this.at = Number.isNaN(time) ? null : new Date(time).toISOString();
    if (source === "input" || !this.run) this.begin();
    const { messages, ...channels } = channel_values;
    for (const [index, one] of (Array.isArray(messages) ? messages : []).entries()) this.message(one, index);
    const state = Object.fromEntries(Object.entries(channels).filter(([name]) => !OWN_CHANNEL.test(name)));
    for (const [index, write] of stateWrites(this.state, state).entries())
      this.emit("state.written", { ...write }, `state:${index}`);
    this.state = state;
    this.stops = row.stops;
    if (step !== undefined && source === "fork") this.emit("log", { text: "Changed by hand", step }, "fork");
  }

  end(): ImportedConversation {
    this.close();
    return { conversation_id: this.threadId, events: this.events };
  }

  private begin(): void {
    this.stops = [];
    this.close();
    const id = `${this.threadId}:${this.place}:run`;
    this.run = { id, iteration: 0 };
    this.emit("run.started", {}, "run.started");
  }

  /** A run ends at the next input, or is interrupted by the pending writes of its last checkpoint. */
  private close(): void {
    if (!this.run) return;
    const [stop] = this.stops;
    if (!stop) this.emit("run.finished", {}, "run.finished");
    else {
      const value = readJson(stop.value, FOREIGN_DEPTH, "as_written");
      const output: Json = value.ok ? value.value : stop.value;
      if (stop.channel === "__error__") this.emit("run.failed", { error: JSON.stringify(output) }, "run.failed");
      else this.emit("run.waiting", { output }, "run.waiting");
    }
    this.run = null;
  }

  private message(value: Json, index: number): void {
    const read = message.safeParse(value, { error: sentence });
    if (!read.success) throw this.fault(`has a message ${index} that LangChain did not write`);
    const { id: names, kwargs } = read.data;
    const key = kwargs.id ?? `${index}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const kind = names.at(-1) ?? "";
    const text = textOf(kwargs.content);
    if (kind.startsWith("Tool") && this.result(kwargs, text, key)) return;
    const role = ROLES.find(([begin]) => kind.startsWith(begin))?.[1] ?? "assistant";
    const calls = kwargs.tool_calls ?? [];
    if (role === "assistant") this.usage(kwargs, key);
    if (text !== "" || calls.length === 0)
      this.emit(
        "message.created",
        {
          message_id: `${this.threadId}:${key}`.slice(0, 200),
          role,
          content: text,
          ...(kwargs.name && { name: kwargs.name.slice(0, 200) }),
        },
        `message:${key}`,
        role === "user" ? "user" : role === "system" ? "system" : "agent:assistant",
      );
    if (calls.length > 0) this.start(calls, key);
  }

  private usage({ usage_metadata, response_metadata }: z.infer<typeof message>["kwargs"], key: string): void {
    if (!usage_metadata) return;
    const { input_tokens, output_tokens } = usage_metadata;
    const named = response_metadata?.model_name ?? response_metadata?.model;
    const provider = response_metadata?.model_provider;
    this.emit(
      "model.responded",
      {
        model: typeof named === "string" ? named.slice(0, 200) : "unknown",
        provider: typeof provider === "string" ? provider.slice(0, 200) : "unknown",
        ...(input_tokens !== undefined && { input_tokens }),
        ...(output_tokens !== undefined && { output_tokens }),
      },
      `model:${key}`,
    );
  }

  private start(calls: readonly z.infer<typeof toolCall>[], key: string): void {
    if (!this.run) return;
    this.run.iteration += 1;
    const { id: run_id, iteration } = this.run;
    this.emit("run.iteration", { iteration }, `iteration:${key}`);
    const asked = this.cause;
    for (const [index, { id, name, args }] of calls.entries()) {
      const call_id = identifier.safeParse(id).data ?? `${this.place}:${key}:${index}`.slice(-200);
      const tool = identifier.safeParse(name).data ?? "tool";
      this.cause = asked;
      const started = this.emit(
        "call.started",
        { call_id, iteration, tool, params: args ?? {} },
        `call:${key}:${index}`,
      );
      this.calls.set(call_id, { run_id, iteration, tool, started });
    }
  }

  /** Ends the call that a tool message answers; false if there is none. */
  private result({ tool_call_id, status }: z.infer<typeof message>["kwargs"], text: string, key: string): boolean {
    const call = this.calls.get(tool_call_id ?? "");
    if (!call || !tool_call_id) return false;
    this.calls.delete(tool_call_id);
    const { started, run_id, ...rest } = call;
    const common = { call_id: tool_call_id, ...rest };
    const read = readJson(text, FOREIGN_DEPTH - 3, "as_written");
    const fields = { suffix: `result:${key}`, actor: `tool:${call.tool}`.slice(0, 200) };
    if (status === "error")
      this.emit(
        "call.failed",
        { ...common, error: { code: "error", message: text } },
        fields.suffix,
        fields.actor,
        run_id,
        started,
      );
    else
      this.emit(
        "call.succeeded",
        { ...common, output: read.ok ? read.value : text },
        fields.suffix,
        fields.actor,
        run_id,
        started,
      );
    return true;
  }

  private emit<T extends EventType>(
    type: T,
    payload: Payload<T> & JsonObject,
    suffix: string,
    actor = "agent:assistant",
    run_id = this.run?.id ?? null,
    caused_by = this.cause,
  ): string {
    const id = `${this.threadId}:${this.place}:${suffix}`;
    const event = newEvent(type, payload, {
      ...{
        // Ids that differ only in the middle, or in what an identifier cannot have, stay different.
        id: identifier.safeParse(id).success ? id : `langgraph:${hash("sha256", id)}`,
        conversation_id: this.threadId,
        run_id,
        actor,
        caused_by,
      },
      occurred_at: this.at,
    });
    this.events.push(event);
    this.cause = event.id;
    return event.id;
  }

  private parse<T>(schema: z.ZodType<T>, text: string): T {
    const read = readJson(text, FOREIGN_DEPTH, "as_written");
    if (!read.ok) throw this.fault(`cannot be read: ${read.flaw.message}`);
    const parsed = schema.safeParse(read.value, { error: sentence });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw this.fault(`cannot be read: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not valid"}`);
  }

  private fault(what: string): ImportError {
    return new ImportError(`the checkpoint ${this.place} of the thread ${this.threadId} ${what}`, { line: null });
  }
}

const ROLES = [
  ["Human", "user"],
  ["System", "system"],
  ["Tool", "tool"],
] as const;

function textOf(content: z.infer<typeof message>["kwargs"]["content"]): string {
  if (typeof content === "string") return content;
  return content
    .filter(({ type }) => type !== "tool_use" && type !== "tool_call" && type !== "function_call")
    .map(({ type, text }) => (typeof text === "string" ? text : `[${type}]`))
    .join("\n");
}
