import { z } from "zod";
import type { NewEvent } from "../../db/repositories.ts";
import { yielding } from "../event-loop/yielding.ts";
import { identifier } from "../session/events/catalogue.ts";
import { sentence } from "../session/issues.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { readJson } from "../session/json/json-text.ts";
import { listOf } from "../session/json/list.ts";
import { type EventFields, type ImportedConversation, newEvent } from "./new-event.ts";
import { identifierOf } from "./otlp/names.ts";

/** Ids of entries are derived from the conversation's and must fit in 200 characters. */
const ID_LENGTH = 150;
/**
 * Tool results and arguments that are nested deeper stay text: in their event they are three levels deeper, and 64 is
 * the limit.
 */
const EMBEDDED_DEPTH = 60;
/** The agent's tool for calling a person; as an event it is an alert (D9). */
const TRANSFER = "transfer_to_human_agents";

const name = z.string().max(200).nullish();
const part = z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });
const toolCall = z.object({
  id: z.string().nullish(),
  function: z.object({ name: identifier, arguments: z.custom<Json>().optional() }),
});
const entry = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), listOf(part)], "must be a string, a list of parts or null").nullish(),
  name,
  tool_calls: listOf(toolCall).nullish(),
  tool_call_id: name,
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Passed on unchanged: Zod's record would drop a key named `__proto__`, which is plain data here. */
const metadata = z.custom<JsonObject>(isObject, "must be an object").nullish();

/** A conversation in the OpenAI chat format, one line of a JSONL file. Unknown fields are ignored. */
export const chatConversation = z.object({
  id: identifier.max(ID_LENGTH, `must have at most ${ID_LENGTH} characters`),
  metadata,
  messages: listOf(entry),
});

export type ChatConversation = z.infer<typeof chatConversation>;
type Entry = z.infer<typeof entry>;

/**
 * Converts a chat to events: each entry is a message, each turn of the assistant a run, each use of tools an iteration.
 * Ids are derived from the conversation's id and the entry's index, so that importing again creates no duplicates. The
 * format has no times: they stay null.
 */
export function chatEvents(chat: ChatConversation): ImportedConversation {
  const recorder = new ChatRecorder(chat.id);
  recorder.open(chat.metadata ?? null);
  chat.messages.forEach((one, index) => {
    recorder.read(one, index);
  });
  return recorder.finish();
}

/** A chat that others wrote as events, or its first error; yields to the event loop. */
export async function readChat(
  value: unknown,
): Promise<{ ok: true; conversation: ImportedConversation } | { ok: false; issue: z.core.$ZodIssue | undefined }> {
  const messages: unknown[] = isObject(value) && Array.isArray(value.messages) ? value.messages : [];
  const withoutThem = isObject(value) && Array.isArray(value.messages) ? { ...value, messages: [] } : value;
  const head = chatConversation.safeParse(withoutThem, { error: sentence });
  if (!head.success) return { ok: false, issue: head.error.issues[0] };
  const recorder = new ChatRecorder(head.data.id);
  recorder.open(head.data.metadata ?? null);
  for await (const [index, one] of yielding(messages.entries())) {
    const read = entry.safeParse(one, { error: sentence });
    if (!read.success) {
      const [issue] = read.error.issues;
      return { ok: false, issue: issue && { ...issue, path: ["messages", index, ...issue.path] } };
    }
    recorder.read(read.data, index);
  }
  return { ok: true, conversation: recorder.finish() };
}

interface OpenCall {
  /** The source's id, if it has one. */
  sourceId: string | null;
  callId: string;
  iteration: number;
  tool: string;
  startedBy: string;
}

/** What the assistant does between two user messages. */
interface Turn {
  runId: string;
  iteration: number;
  /** Calls without a result, oldest first. */
  open: OpenCall[];
  escalated: boolean;
  /** The newest event, the cause of the next one. */
  cause: string;
  lastIndex: number;
}

class ChatRecorder {
  private readonly events: NewEvent[] = [];
  private readonly conversationId: string;
  private readonly callIds = new Set<string>();
  private turn: Turn | null = null;
  private lastUserMessage: string | null = null;

  constructor(conversationId: string) {
    this.conversationId = conversationId;
  }

  open(metadata: JsonObject | null): void {
    const payload = { channel: "import", ...(metadata && { metadata }) };
    this.add(newEvent("conversation.created", payload, this.fields("conversation.created", { actor: "system" })));
  }

  read(one: Entry, index: number): void {
    switch (one.role) {
      case "user":
        this.close();
        this.lastUserMessage = this.message(one, index, {
          role: "user",
          actor: identifierOf(one.name ?? null, "user:") ?? "user",
        });
        return;
      case "system":
      case "developer":
        this.message(one, index, { role: "system", actor: "system" });
        return;
      case "assistant":
        return this.assistant(one, index);
      case "tool":
        return this.result(one, index);
      default:
        return one.role satisfies never;
    }
  }

  finish(): ImportedConversation {
    this.close();
    return { conversation_id: this.conversationId, events: this.events };
  }

  /** Ends the turn, if there is one. Unanswered calls stay open; the run's end says so. */
  private close(): void {
    const { turn } = this;
    if (!turn) return;
    this.turn = null;
    const reason = turn.escalated ? "escalated" : turn.open.length > 0 ? "unanswered" : null;
    this.add(
      newEvent("run.finished", reason === null ? {} : { reason }, {
        ...this.fields(`${turn.lastIndex}:run.finished`, { actor: AGENT, caused_by: turn.cause }),
        run_id: turn.runId,
      }),
    );
  }

  private assistant(one: Entry, index: number): void {
    const turn = this.turn ?? this.start(index);
    const calls = (one.tool_calls ?? []).map((call, place) => ({
      sourceId: call.id ?? null,
      callId: this.callId(call.id ?? null, index, place),
      tool: call.function.name,
      params: embedded(call.function.arguments ?? null),
    }));
    const asked = calls.length > 0 ? { call_ids: calls.map(({ callId }) => callId) } : null;
    const messageId = this.message(one, index, {
      role: "assistant",
      actor: AGENT,
      caused_by: turn.cause,
      metadata: asked,
    });
    turn.cause = messageId;
    if (calls.length === 0) return;
    turn.iteration += 1;
    const { iteration } = turn;
    this.step("run.iteration", { iteration }, `${index}:run.iteration`, AGENT, messageId);
    for (const [place, { sourceId, callId, tool, params }] of calls.entries()) {
      const payload = { call_id: callId, iteration, tool, params };
      const startedBy = this.step("call.started", payload, `${index}:call.started:${place}`, AGENT, messageId);
      turn.open.push({ sourceId, callId, iteration, tool, startedBy });
      if (tool === TRANSFER) this.alert(one, params, `${index}:manager.alerted:${place}`, startedBy);
    }
  }

  private alert(one: Entry, params: Json, suffix: string, cause: string): void {
    const summary =
      typeof params === "object" && params !== null && !Array.isArray(params) ? params.summary : undefined;
    const text = typeof summary === "string" ? summary : textOf(one.content);
    this.step("manager.alerted", { text, reason: TRANSFER }, suffix, AGENT, cause);
    if (this.turn) this.turn.escalated = true;
  }

  private result(one: Entry, index: number): void {
    const call = this.answered(one);
    const tool = call?.tool ?? one.name ?? null;
    const actor = identifierOf(tool, "tool:") ?? "tool";
    const ended = call ? this.end(call, textOf(one.content), index) : null;
    const metadata = call ? { call_id: call.callId } : null;
    const messageId = this.message({ ...one, name: tool }, index, { role: "tool", actor, caused_by: ended, metadata });
    if (this.turn) this.turn.cause = messageId;
  }

  private end(call: OpenCall, text: string, index: number): string {
    const { callId: call_id, iteration, tool, startedBy } = call;
    const actor = identifierOf(tool, "tool:") ?? "tool";
    if (text.startsWith("Error")) {
      const payload = { call_id, iteration, tool, error: { code: "error", message: text } };
      return this.step("call.failed", payload, `${index}:call.failed`, actor, startedBy);
    }
    const payload = { call_id, iteration, tool, output: embedded(text) };
    return this.step("call.succeeded", payload, `${index}:call.succeeded`, actor, startedBy);
  }

  /** The oldest open call of a result; results without a call id belong to the oldest of all. */
  private answered(one: Entry): OpenCall | null {
    const open = this.turn?.open ?? [];
    const place = open.findIndex(({ sourceId }) => !one.tool_call_id || sourceId === one.tool_call_id);
    return open.splice(place, place < 0 ? 0 : 1)[0] ?? null;
  }

  private start(index: number): Turn {
    const runId = `${this.conversationId}:${index}:run`;
    const cause = this.lastUserMessage;
    const turn: Turn = { runId, iteration: 0, open: [], escalated: false, cause: "", lastIndex: index };
    this.turn = turn;
    turn.cause = this.step("run.started", {}, `${index}:run.started`, AGENT, cause);
    return turn;
  }

  private message(
    one: Entry,
    index: number,
    said: {
      role: "user" | "assistant" | "system" | "tool";
      actor: string;
      caused_by?: string | null;
      metadata?: JsonObject | null;
    },
  ): string {
    const { role, actor, caused_by = null, metadata = null } = said;
    if (this.turn) this.turn.lastIndex = index;
    const fields = this.fields(String(index), { actor, caused_by });
    const payload = {
      message_id: fields.id,
      role,
      content: textOf(one.content),
      ...(one.name && { name: one.name }),
      ...(one.tool_call_id && { tool_call_id: one.tool_call_id }),
      ...(metadata && { metadata }),
    };
    return this.add(newEvent("message.created", payload, { ...fields, run_id: this.turn?.runId ?? null }));
  }

  /** Adds an event of the current turn; returns its id. */
  private step<T extends Parameters<typeof newEvent>[0]>(
    type: T,
    payload: Parameters<typeof newEvent<T>>[1],
    suffix: string,
    actor: string,
    cause: string | null,
  ): string {
    const fields = this.fields(suffix, { actor, caused_by: cause });
    return this.add(newEvent(type, payload, { ...fields, run_id: this.turn?.runId ?? null }));
  }

  private fields(suffix: string, by: Pick<NewEvent, "actor"> & Partial<Pick<NewEvent, "caused_by">>): EventFields {
    return { id: `${this.conversationId}:${suffix}`, conversation_id: this.conversationId, ...by };
  }

  private add(event: NewEvent): string {
    this.events.push(event);
    return event.id;
  }

  /** The source's id if it is usable; sources repeat and omit them. */
  private callId(sourceId: string | null, index: number, place: number): string {
    const usable = sourceId !== null && identifier.safeParse(sourceId).success && !this.callIds.has(sourceId);
    const id = usable ? sourceId : `${this.conversationId}:${index}:call:${place}`;
    this.callIds.add(id);
    return id;
  }
}

const AGENT = "agent:assistant";

/** The text of a content; parts that are not text are replaced by their type. */
function textOf(content: Entry["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text, refusal }) => text ?? refusal ?? `[${type}]`).join("\n");
}

/** Arguments and results are usually JSON in a string; others stay strings. */
function embedded(value: Json): Json {
  if (typeof value !== "string") return value;
  const read = readJson(value, EMBEDDED_DEPTH, "as_written");
  return read.ok ? read.value : value;
}
