import { readFileSync } from "node:fs";
import { EdgeInference } from "../../../session/find/inferred-edges.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { readJson } from "../../../session/json/json-text.ts";
import { emptySession, fold } from "../../../session/reducer/reducer.ts";
import type { ImportedConversation } from "../../new-event.ts";
import { otlpFormat } from "../otlp-file.ts";
import { stored } from "./spans.ts";

/** Recorded spans, each as an export request of its own: of a file that is one request, or has one a line. */
export function recordedRequests(file: URL): Json[] {
  const text = readFileSync(file, "utf8");
  const requests = file.pathname.endsWith(".jsonl") ? text.trim().split("\n") : [text];
  return requests.flatMap((line) => {
    const read = readJson(line, 200, "as_written");
    if (!read.ok) throw new Error(`${file.pathname} is no JSON`);
    if (isJsonObject(read.value) && read.value.resourceLogs) return [read.value];
    return listIn(read.value, "resourceSpans").flatMap((group) =>
      listIn(group, "scopeSpans").flatMap((scope) =>
        listIn(scope, "spans").map((span) => ({
          resourceSpans: [{ ...group, scopeSpans: [{ ...scope, spans: [span] }] }],
        })),
      ),
    );
  });
}

function listIn(value: Json, name: string): JsonObject[] {
  const list = isJsonObject(value) ? value[name] : [];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The conversations that are read from export requests. */
export async function conversationsFrom(requests: readonly Json[]): Promise<ImportedConversation[]> {
  async function* entries() {
    for (const [index, value] of requests.entries()) yield { value, line: index + 1, within: [] };
  }
  const conversations: ImportedConversation[] = [];
  for await (const conversation of otlpFormat.read(entries())) conversations.push(conversation);
  return conversations;
}

/** What a reader sees of a conversation. */
export function seenIn({ conversation_id, events }: ImportedConversation) {
  const session = fold(emptySession(conversation_id), stored(events));
  const inference = new EdgeInference();
  for (const event of stored(events)) inference.add({ ...event, conversation_id });
  return {
    messages: session.messages.map(({ role, content }) => `${role}: ${content}`),
    calls: [...session.calls.values()].map(({ tool, params, status, output, error }) => ({
      tool,
      params,
      status,
      ...(output !== null && { output: unwrapped(output) }),
      ...(error !== null && { error: error.message }),
    })),
    runs: [...session.runs.values()].map(({ status }) => status),
    edges: inference.edges.flatMap(({ from, to, to_path }) =>
      from.kind === "call" ? [`${from.call.call_id}${from.path} -> ${to.call_id}${to_path}`] : [],
    ),
    tokens: session.usage.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
    warnings: session.warnings,
  };
}

function unwrapped(output: unknown): unknown {
  return typeof output === "object" && output !== null && "value" in output ? output.value : output;
}
