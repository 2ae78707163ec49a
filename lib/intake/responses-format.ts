import { hash } from "node:crypto";
import { z } from "zod";
import { yielding } from "../event-loop/yielding.ts";
import { pointerTo } from "../plan/problem.ts";
import { identifier } from "../session/events/catalogue.ts";
import { sentence } from "../session/issues.ts";
import { isJson, isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { jsonObject } from "../session/json/json-schema.ts";
import { listOf } from "../session/json/list.ts";
import { type ChatConversation, readChat } from "./chat-format.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, FOREIGN_DEPTH, type ImportFormat, MOST_HELD } from "./import-format.ts";
import type { ImportedConversation } from "./new-event.ts";

type ChatEntry = ChatConversation["messages"][number];

/** The maximum number of items in a file, which has to be held until its end. */
const MOST_ITEMS = 200_000;

/** Item types of the Responses API; items of the chat format have a role and no type, or are in `messages`. */
const ITEM_TYPES = /^(message|reasoning|compaction|item_reference|[a-z_]+_call|[a-z_]+_call_output|mcp_[a-z_]+)$/;

const object = jsonObject;
const item = z.looseObject({ type: z.string().optional() });
/** Each is validated when it is processed. */
const items = z.custom<unknown[]>(Array.isArray, "must be a list");
/** A response of the API, or a request with its output. */
const response = z.looseObject({
  id: identifier.nullish(),
  conversation: z.union([identifier, z.looseObject({ id: identifier })]).nullish(),
  previous_response_id: identifier.nullish(),
  instructions: z.string().nullish().catch(null),
  input: z.union([z.string(), items]).nullish(),
  output: items.nullish(),
  model: z.string().nullish(),
  usage: object.nullish(),
});
const content = z.union([z.string(), listOf(z.looseObject({ type: z.string() }))]);
const message = z.looseObject({ role: z.enum(["system", "developer", "user", "assistant"]), content });
const call = z.looseObject({
  type: z.string(),
  id: z.string().nullish(),
  call_id: z.string().nullish(),
  name: identifier.nullish(),
});

/** A conversation as it comes together. */
interface Gathered {
  id: string;
  messages: ChatEntry[];
  instructions: string | null;
  responses: JsonObject[];
  /** Items without an equivalent in chats, with their positions. */
  others: JsonObject[];
}

/**
 * Items of OpenAI's Responses API: `{"input", "output"}`, response objects (linked by their previous response), or
 * items, which are one conversation. They are converted like chats.
 */
export const responsesFormat: ImportFormat = {
  recognizes: (first) => isResponse(first) || isItem(first),
  depth: FOREIGN_DEPTH,
  numbers: "as_written",
  mostHeld: MOST_HELD,
  async *read(entries) {
    const gathering = new Gathering();
    for await (const entry of entries) await gathering.take(entry);
    for (const gathered of gathering.conversations) yield await conversationOf(gathered);
  },
};

function isResponse(value: Json): value is JsonObject {
  if (!isJsonObject(value) || "messages" in value) return false;
  return value.object === "response" || (Array.isArray(value.output) && ("input" in value || "id" in value));
}

function isItem(value: Json): boolean {
  return isJsonObject(value) && typeof value.type === "string" && ITEM_TYPES.test(value.type);
}

class Gathering {
  readonly conversations = new Set<Gathered>();
  /** By the id of each of its responses, or the conversation's own. */
  private readonly byId = new Map<string, Gathered>();
  private loose: Gathered | null = null;
  private count = 0;

  async take(entry: Entry): Promise<void> {
    if (isResponse(entry.value)) return this.response(entry);
    // Items alone are one conversation.
    this.loose ??= this.open(`responses:${hash("sha256", JSON.stringify(entry.value)).slice(0, 24)}`);
    await this.items(this.loose, [parse(item, entry.value, entry, [])], entry, []);
  }

  private async response(entry: Entry): Promise<void> {
    const read = parse(response, entry.value, entry, []);
    const named = typeof read.conversation === "string" ? read.conversation : read.conversation?.id;
    const id = named ?? read.id ?? `responses:${hash("sha256", JSON.stringify(entry.value)).slice(0, 24)}`;
    const gathered = this.byId.get(named ?? read.previous_response_id ?? "") ?? this.open(id);
    for (const each of [named, read.id]) if (each) this.byId.set(each, gathered);
    if (read.instructions && read.instructions !== gathered.instructions) {
      gathered.instructions = read.instructions;
      gathered.messages.push({ role: "system", content: read.instructions });
    }
    const { model, usage } = read;
    if (read.id || model || usage)
      gathered.responses.push({ ...(read.id && { id: read.id }), ...(model && { model }), ...(usage && { usage }) });
    if (typeof read.input === "string") gathered.messages.push({ role: "user", content: read.input });
    else await this.items(gathered, read.input ?? [], entry, ["input"]);
    await this.items(gathered, read.output ?? [], entry, ["output"]);
  }

  private open(id: string): Gathered {
    const gathered: Gathered = { id, messages: [], instructions: null, responses: [], others: [] };
    this.conversations.add(gathered);
    return gathered;
  }

  private async items(to: Gathered, found: readonly unknown[], entry: Entry, above: readonly string[]): Promise<void> {
    this.count += found.length;
    if (this.count > MOST_ITEMS)
      throw new ImportError(`the file has more than ${MOST_ITEMS} items; split it`, {
        line: entry.line,
        tooLarge: true,
      });
    for await (const [index, one] of yielding(found.entries())) {
      const path = above.length === 0 ? [] : [...above, index];
      add(to, parse(item, one, entry, path), entry, path);
    }
  }
}

function add(to: Gathered, one: z.infer<typeof item>, entry: Entry, path: readonly PropertyKey[]): void {
  const type = one.type ?? "message";
  if (type === "message") {
    const { role, content } = parse(message, one, entry, path);
    to.messages.push({ role, content: chatContent(content) });
  } else if (type.endsWith("_call_output")) {
    const { call_id, output } = parse(call, one, entry, path);
    to.messages.push({ role: "tool", tool_call_id: call_id ?? null, content: textOf(output) });
  } else if (type.endsWith("_call")) {
    addCall(to, parse(call, one, entry, path));
  } else {
    to.others.push({ after: to.messages.length, item: asJson(one) });
  }
}

/** Tools that OpenAI runs itself have their result in the item. */
function addCall(to: Gathered, { type, id, call_id, name, status, ...rest }: z.infer<typeof call>): void {
  const { output, result, results, arguments: given, input, ...others } = rest;
  const sourceId = call_id ?? id ?? null;
  const params = given ?? input ?? others;
  const last = to.messages.at(-1);
  const asked = { id: sourceId, function: { name: name ?? type.slice(0, -"_call".length), arguments: asJson(params) } };
  // Calls that are requested together are one iteration.
  if (last?.role === "assistant" && last.tool_calls) last.tool_calls.push(asked);
  else if (last?.role === "assistant") last.tool_calls = [asked];
  else to.messages.push({ role: "assistant", content: null, tool_calls: [asked] });
  const isHosted = !call_id && status === "completed";
  const back = output ?? result ?? results ?? (isHosted ? { status } : null);
  if (back !== null) to.messages.push({ role: "tool", tool_call_id: sourceId, content: textOf(back) });
}

async function conversationOf({ id, messages, responses, others }: Gathered): Promise<ImportedConversation> {
  const metadata: JsonObject = {
    source: "openai-responses",
    ...(responses.length > 0 && { responses }),
    ...(others.length > 0 && { others }),
  };
  const read = await readChat({ id, metadata, messages });
  if (read.ok) return read.conversation;
  throw new ImportError(`the conversation ${id}: ${read.issue?.message ?? "is not valid"}`, { line: null });
}

/** Parts of the Responses API have a text or a refusal in the same fields as chats. */
function chatContent(given: z.infer<typeof content>): ChatEntry["content"] {
  if (typeof given === "string") return given;
  return given.map(({ type, text, refusal }) => ({
    type,
    ...(typeof text === "string" && { text }),
    ...(typeof refusal === "string" && { refusal }),
  }));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = content.safeParse(value);
  const texts = parts.success && Array.isArray(parts.data) ? parts.data.map(({ text }) => text) : [];
  if (texts.length > 0 && texts.every((text) => typeof text === "string")) return texts.join("\n");
  return JSON.stringify(value ?? null);
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : null;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, { line, within }: Entry, path: readonly PropertyKey[]): T {
  const parsed = schema.safeParse(value, { error: sentence });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = [...within, ...path, ...(issue?.path ?? [])];
  throw new ImportError(`${place.length > 0 ? `${place.join(".")} ` : ""}${issue?.message ?? "is not valid"}`, {
    line,
    path: pointerTo(place),
  });
}
