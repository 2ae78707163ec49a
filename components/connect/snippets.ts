// What is to be copied, each with the address of this very server. Tests run these texts as they are.

/** The ways in and out, as tabs of the page. */
export const WAYS = ["curl", "typescript", "python", "otel", "agui", "files", "mcp"] as const;
export type Way = (typeof WAYS)[number];

/** A text to copy. Its title and what is to be known about it are in the messages, by its id. */
export interface Snippet {
  id: SnippetId;
  language: "sh" | "ts" | "python" | "json";
  code: string;
}

export type SnippetId =
  | "curl-message"
  | "curl-run"
  | "ts-client"
  | "python-events"
  | "python-otlp"
  | "otel-env"
  | "otel-js"
  | "otel-langchain"
  | "otel-vercel"
  | "otel-openai-agents"
  | "otel-traceloop"
  | "agui-post"
  | "files-import"
  | "files-post"
  | "mcp-claude"
  | "mcp-json";

/** All texts of a way, for a server at this origin (`http://127.0.0.1:3000`). */
export function snippetsOf(way: Way, origin: string): Snippet[] {
  switch (way) {
    case "curl":
      return [
        { id: "curl-message", language: "sh", code: curlMessage(origin) },
        { id: "curl-run", language: "sh", code: curlRun(origin) },
      ];
    case "typescript":
      return [{ id: "ts-client", language: "ts", code: client(origin) }];
    case "python":
      return [
        { id: "python-events", language: "python", code: pythonEvents(origin) },
        { id: "python-otlp", language: "python", code: pythonOtlp(origin) },
      ];
    case "otel":
      return [
        { id: "otel-env", language: "sh", code: otelEnv(origin) },
        { id: "otel-js", language: "ts", code: otelJs(origin) },
        { id: "otel-langchain", language: "ts", code: langchain(origin) },
        { id: "otel-vercel", language: "ts", code: vercel(origin) },
        { id: "otel-openai-agents", language: "ts", code: openAiAgents(origin) },
        { id: "otel-traceloop", language: "python", code: traceloop(origin) },
      ];
    case "agui":
      return [{ id: "agui-post", language: "sh", code: agUi(origin) }];
    case "files":
      return [
        { id: "files-import", language: "sh", code: "npm run import -- conversations.jsonl" },
        {
          id: "files-post",
          language: "sh",
          code: `curl ${origin}/api/import -X POST \\\n  -H 'content-type: application/octet-stream' \\\n  -T conversations.jsonl`,
        },
      ];
    case "mcp":
      return [
        { id: "mcp-claude", language: "sh", code: `claude mcp add --transport http obelus ${origin}/api/mcp` },
        { id: "mcp-json", language: "json", code: mcpJson(origin) },
      ];
    default:
      return way satisfies never;
  }
}

const JSON_HEADER = "-H 'content-type: application/json'";

function curlMessage(origin: string): string {
  return `curl ${origin}/api/events ${JSON_HEADER} -d '{
  "conversation_id": "hello",
  "type": "message.created",
  "actor": "user:me",
  "payload": { "message_id": "hello-1", "role": "user", "content": "Where is my order?" }
}'`;
}

function curlRun(origin: string): string {
  return `curl ${origin}/api/events ${JSON_HEADER} -d '[
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

function client(origin: string): string {
  return `import { ObelusClient } from "./client/client.ts";

const client = new ObelusClient({
  url: "${origin}",
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

function pythonEvents(origin: string): string {
  return `import json, urllib.request

def send(*events):
    body = json.dumps(events).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request("${origin}/api/events", body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["events"]

talk = {"conversation_id": "hello-python"}
run = {**talk, "run_id": "run-1", "agent_id": "support"}
find = {"call_id": "find", "tool": "orders.find"}

send(
    {**talk, "type": "message.created", "actor": "user:me",
     "payload": {"message_id": "python-1", "role": "user", "content": "Where is my order?"}},
    {**run, "type": "run.started"},
    {**run, "type": "call.started", "payload": {**find, "params": {"user": "me"}}},
    {**run, "type": "call.succeeded", "payload": {**find, "output": {"status": "shipped"}}},
    {**run, "type": "message.created",
     "payload": {"message_id": "python-2", "role": "assistant", "content": "It is on its way."}},
    {**run, "type": "run.finished"},
)`;
}

function pythonOtlp(origin: string): string {
  return `# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
import json
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
exporter = OTLPSpanExporter(endpoint="${origin}/api/otlp/v1/traces")
provider.add_span_processor(BatchSpanProcessor(exporter))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("my-agent")

with tracer.start_as_current_span("invoke_agent support") as agent:
    agent.set_attributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "support",
        "gen_ai.conversation.id": "hello-python-otlp",
    })
    with tracer.start_as_current_span("execute_tool orders.find") as tool:
        tool.set_attributes({
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "orders.find",
            "gen_ai.tool.call.arguments": json.dumps({"user": "me"}),
            "gen_ai.tool.call.result": json.dumps({"status": "shipped"}),
        })

provider.shutdown()`;
}

function otelEnv(origin: string): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}/api/otlp
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_TRACES_EXPORTER=otlp`;
}

/** How a process of JavaScript tells its spans. */
function provider(origin: string, api = "trace"): string {
  return `import { ${api} } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const exporter = new OTLPTraceExporter({ url: "${origin}/api/otlp/v1/traces" });
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);`;
}

const SHUT_DOWN = `// Before the process ends: sends what waits.
await provider.shutdown();`;

function otelJs(origin: string): string {
  return `${provider(origin, "context, trace")}

const tracer = trace.getTracer("my-agent");
const agent = tracer.startSpan("invoke_agent support", {
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "support",
    "gen_ai.conversation.id": "hello-opentelemetry",
  },
});
const tool = tracer.startSpan(
  "execute_tool orders.find",
  {
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "orders.find",
      "gen_ai.tool.call.arguments": JSON.stringify({ user: "me" }),
      "gen_ai.tool.call.result": JSON.stringify({ status: "shipped" }),
      // Optional: where the result goes in the agent's state. It draws edges between calls.
      "obelus.output_path": "†state.order",
    },
  },
  trace.setSpan(context.active(), agent),
);
tool.end();
agent.end();

${SHUT_DOWN}`;
}

function langchain(origin: string): string {
  return `// npm install @arizeai/openinference-instrumentation-langchain
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
${provider(origin)}

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);

// Your chain or graph as usual. What names the conversation stands in the metadata:
// await graph.invoke({ messages }, { metadata: { session_id: "my-conversation" } });

${SHUT_DOWN}`;
}

function vercel(origin: string): string {
  return `// npm install ai @ai-sdk/otel
import { OpenTelemetry } from "@ai-sdk/otel";
import { registerTelemetry } from "ai";
${provider(origin)}

registerTelemetry(new OpenTelemetry());

// Your calls as usual: await generateText({ model, prompt, tools });

${SHUT_DOWN}`;
}

function openAiAgents(origin: string): string {
  return `// npm install @openai/agents @arizeai/openinference-instrumentation-openai-agents
import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
${provider(origin)}

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);

// Your agents as usual: await agents.run(agent, "Where is my order?");

${SHUT_DOWN}`;
}

function traceloop(origin: string): string {
  return `# pip install traceloop-sdk
from traceloop.sdk import Traceloop

Traceloop.init(
    app_name="my-agent",
    api_endpoint="${origin}/api/otlp",
    disable_batch=True,
)
Traceloop.set_association_properties({"session_id": "my-conversation"})`;
}

function agUi(origin: string): string {
  return `curl ${origin}/api/ag-ui ${JSON_HEADER} -d '[
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

function mcpJson(origin: string): string {
  return JSON.stringify({ mcpServers: { obelus: { type: "http", url: `${origin}/api/mcp` } } }, null, 2);
}
