import { adk, aiSdk6, langfuse, langsmith, mastra, openAi, openLlmetry, strands } from "./framework-snippets.ts";
import { langchain, openAiAgents, otelEnv, otelJs, vercel } from "./otel-snippets.ts";
import {
  adkPython,
  langGraphPython,
  openAiAgentsPython,
  openAiPython,
  pydanticAi,
  strandsPython,
} from "./python-framework-snippets.ts";
import { pythonClient, pythonEvents, pythonOtlp, traceloop } from "./python-snippets.ts";

// The snippets, with the address of this server. Tests run them as they are.

/** The ways to connect, as tabs. */
export const WAYS = ["curl", "typescript", "python", "otel", "agui", "files", "mcp"] as const;
export type Way = (typeof WAYS)[number];

/** A snippet. Its title and description are in the messages, by its id. */
export interface Snippet {
  id: SnippetId;
  language: "sh" | "ts" | "python" | "json";
  code: string;
  /** Of a framework: whose versions it was run with, and whose spans tests read; absent where it was not run. */
  recorded?: string;
}

export type SnippetId =
  | "curl-message"
  | "curl-run"
  | "ts-client"
  | "python-client"
  | "python-events"
  | "python-otlp"
  | "otel-env"
  | "otel-js"
  | "otel-vercel"
  | "otel-ai-6"
  | "otel-mastra"
  | "otel-langchain"
  | "otel-openai-agents"
  | "otel-adk"
  | "otel-strands"
  | "otel-openai"
  | "otel-langfuse"
  | "otel-langsmith"
  | "otel-openllmetry"
  | "otel-langgraph-python"
  | "otel-openai-agents-python"
  | "otel-pydantic-ai"
  | "otel-strands-python"
  | "otel-adk-python"
  | "otel-openai-python"
  | "otel-traceloop"
  | "agui-post"
  | "files-import"
  | "files-post"
  | "mcp-claude"
  | "mcp-json";

/** The server of the snippets. */
export interface Target {
  /** `http://127.0.0.1:3000` */
  origin: string;
  /** It requires a key, which the snippets read from `OBELUS_KEY`. */
  keyed: boolean;
}

/** All snippets of a tab. */
export function snippetsOf(way: Way, to: Target): Snippet[] {
  switch (way) {
    case "curl":
      return [
        { id: "curl-message", language: "sh", code: curlMessage(to) },
        { id: "curl-run", language: "sh", code: curlRun(to) },
      ];
    case "typescript":
      return [{ id: "ts-client", language: "ts", code: client(to) }];
    case "python":
      return [
        { id: "python-client", language: "python", code: pythonClient(to) },
        { id: "python-events", language: "python", code: pythonEvents(to) },
        { id: "python-otlp", language: "python", code: pythonOtlp(to) },
      ];
    case "otel":
      return [
        { id: "otel-env", language: "sh", code: otelEnv(to) },
        { id: "otel-js", language: "ts", code: otelJs(to), recorded: "" },
        { id: "otel-vercel", language: "ts", code: vercel(to), recorded: "ai 7.0" },
        { id: "otel-ai-6", language: "ts", code: aiSdk6(), recorded: "ai 5.0, 6.0" },
        { id: "otel-mastra", language: "ts", code: mastra(to), recorded: "@mastra/core 1.71" },
        { id: "otel-langchain", language: "ts", code: langchain(to), recorded: "@langchain/langgraph 1.7" },
        { id: "otel-openai-agents", language: "ts", code: openAiAgents(to), recorded: "@openai/agents 0.20" },
        { id: "otel-adk", language: "ts", code: adk() },
        { id: "otel-strands", language: "ts", code: strands(), recorded: "@strands-agents/sdk 1.16" },
        { id: "otel-openai", language: "ts", code: openAi(), recorded: "@opentelemetry/instrumentation-openai 0.22" },
        { id: "otel-langfuse", language: "ts", code: langfuse(), recorded: "@langfuse/otel 5.11" },
        { id: "otel-langsmith", language: "ts", code: langsmith(), recorded: "langsmith 0.12" },
        { id: "otel-openllmetry", language: "ts", code: openLlmetry(to), recorded: "@traceloop/node-server-sdk 0.27" },
        { id: "otel-langgraph-python", language: "python", code: langGraphPython() },
        { id: "otel-openai-agents-python", language: "python", code: openAiAgentsPython() },
        { id: "otel-pydantic-ai", language: "python", code: pydanticAi() },
        { id: "otel-strands-python", language: "python", code: strandsPython() },
        { id: "otel-adk-python", language: "python", code: adkPython() },
        { id: "otel-openai-python", language: "sh", code: openAiPython() },
        { id: "otel-traceloop", language: "python", code: traceloop(to) },
      ];
    case "agui":
      return [{ id: "agui-post", language: "sh", code: agUi(to) }];
    case "files":
      return [
        { id: "files-import", language: "sh", code: "npm run import -- conversations.jsonl" },
        {
          id: "files-post",
          language: "sh",
          code: `curl ${to.origin}/api/import -X POST \\\n  -H 'content-type: application/octet-stream' \\\n${curlKey(to, "  ", " \\\n")}  -T conversations.jsonl`,
        },
      ];
    case "mcp":
      return [
        {
          id: "mcp-claude",
          language: "sh",
          code: `claude mcp add --transport http obelus ${to.origin}/api/mcp${curlKey(to, " \\\n  ").replace("-H", "--header")}`,
        },
        { id: "mcp-json", language: "json", code: mcpJson(to) },
      ];
    default:
      return way satisfies never;
  }
}

const JSON_HEADER = "-H 'content-type: application/json'";

/** The authorization header with a prefix and a suffix; empty without a key. */
function curlKey({ keyed }: Target, before: string, after = ""): string {
  return keyed ? `${before}-H "Authorization: Bearer $OBELUS_KEY"${after}` : "";
}

/** A curl command that posts JSON, without its body. */
function curlTo(to: Target, path: string): string {
  return `curl ${to.origin}${path} ${JSON_HEADER}${curlKey(to, " \\\n  ")} -d`;
}

function curlMessage(to: Target): string {
  return `${curlTo(to, "/api/events")} '{
  "conversation_id": "hello",
  "type": "message.created",
  "actor": "user:me",
  "payload": { "message_id": "hello-1", "role": "user", "content": "Where is my order?" }
}'`;
}

function curlRun(to: Target): string {
  return `${curlTo(to, "/api/events")} '[
  { "conversation_id": "hello", "run_id": "run-1", "agent_id": "support", "type": "run.started" },
  { "conversation_id": "hello", "run_id": "run-1", "type": "call.started",
    "payload": { "call_id": "find", "tool": "orders.find", "params": { "user": "me" },
                 "output_path": "†state.order" } },
  { "conversation_id": "hello", "run_id": "run-1", "type": "call.succeeded",
    "payload": { "call_id": "find", "tool": "orders.find", "output": { "status": "shipped" } } },
  { "conversation_id": "hello", "run_id": "run-1", "type": "state.written",
    "payload": { "path": "†state.order", "value": { "status": "shipped" }, "call_id": "find" } },
  { "conversation_id": "hello", "run_id": "run-1", "type": "message.created",
    "payload": { "message_id": "hello-2", "role": "assistant", "content": "It is on its way." } },
  { "conversation_id": "hello", "run_id": "run-1", "type": "run.finished" }
]'`;
}

function client(to: Target): string {
  return `// npm install obelus-client
import { ObelusClient } from "obelus-client";

const client = new ObelusClient({
  url: "${to.origin}",${to.keyed ? "\n  apiKey: process.env.OBELUS_KEY," : ""}
  onDropped: ({ type, reason }) => console.warn("Not recorded:", type, reason),
});

const talk = client.conversation("hello-typescript", { title: "Hello from TypeScript" });
const asked = talk.message("user", "Where is my order?", { user_id: "me" });

const run = talk.run({ agent_id: "support", caused_by: asked });
const model = run.model({ model: "my-model", provider: "my-provider" });
model.responded({ input_tokens: 12, output_tokens: 5 });
const find = run.call("orders.find", { user: "me" }, { output_path: "†state.order" });
find.succeeded({ status: "shipped" });
run.says("It is on its way.");
run.finished();

await client.close();`;
}

function agUi(to: Target): string {
  return `${curlTo(to, "/api/ag-ui")} '[
  { "type": "RUN_STARTED", "threadId": "hello-ag-ui", "runId": "run-1" },
  { "type": "TOOL_CALL_START", "toolCallId": "find", "toolCallName": "orders.find" },
  { "type": "TOOL_CALL_ARGS", "toolCallId": "find", "delta": "{\\"user\\":\\"me\\"}" },
  { "type": "TOOL_CALL_END", "toolCallId": "find" },
  { "type": "TOOL_CALL_RESULT", "messageId": "ag-ui-1", "toolCallId": "find",
    "content": "{\\"status\\":\\"shipped\\"}" },
  { "type": "TEXT_MESSAGE_START", "messageId": "ag-ui-2", "role": "assistant" },
  { "type": "TEXT_MESSAGE_CONTENT", "messageId": "ag-ui-2", "delta": "It is on its way." },
  { "type": "TEXT_MESSAGE_END", "messageId": "ag-ui-2" },
  { "type": "RUN_FINISHED", "threadId": "hello-ag-ui", "runId": "run-1" }
]'`;
}

function mcpJson(to: Target): string {
  const headers = to.keyed ? { headers: { Authorization: `Bearer \${OBELUS_KEY}` } } : {};
  return JSON.stringify({ mcpServers: { obelus: { type: "http", url: `${to.origin}/api/mcp`, ...headers } } }, null, 2);
}
