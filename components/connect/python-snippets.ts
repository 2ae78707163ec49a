import type { Target } from "./snippets.ts";

/** The authorization header as an entry of a Python dictionary, after other entries. */
function keyHeader({ keyed }: Target, before: string): string {
  return keyed ? `${before}"authorization": "Bearer " + os.environ["OBELUS_KEY"]` : "";
}

/** The same as a keyword argument. */
function keyArgument(to: Target, before: string): string {
  return to.keyed ? `${before}headers={${keyHeader(to, "")}}` : "";
}

export function pythonClient(to: Target): string {
  return `# pip install obelus-client
${to.keyed ? "import os\n" : ""}from obelus_client import ObelusClient

with ObelusClient("${to.origin}"${to.keyed ? ', api_key=os.environ["OBELUS_KEY"]' : ""}) as client:
    talk = client.conversation("hello-python-client", title="Hello from Python")
    asked = talk.message("user", "Where is my order?", user_id="me")

    with talk.run(agent_id="support", caused_by=asked) as run:
        with run.model("my-model", "my-provider") as model:
            model.responded(input_tokens=12, output_tokens=5)
        with run.call("orders.find", {"user": "me"}, output_path="†state.order") as find:
            find.succeeded({"status": "shipped"})
        run.says("It is on its way.")`;
}

export function pythonEvents(to: Target): string {
  return `import json, ${to.keyed ? "os, " : ""}urllib.request

def send(*events):
    body = json.dumps(events).encode()
    headers = {"content-type": "application/json"${keyHeader(to, ", ")}}
    request = urllib.request.Request("${to.origin}/api/events", body, headers)
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

export function pythonOtlp(to: Target): string {
  return `# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
import json${to.keyed ? ", os" : ""}
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
exporter = OTLPSpanExporter(endpoint="${to.origin}/v1/traces"${keyArgument(to, ", ")})
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

export function traceloop(to: Target): string {
  return `# pip install traceloop-sdk
${to.keyed ? "import os\n" : ""}from traceloop.sdk import Traceloop

Traceloop.init(
    app_name="my-agent",
    api_endpoint="${to.origin}",${keyArgument(to, "\n    ")}${to.keyed ? "," : ""}
    disable_batch=True,
)
Traceloop.set_association_properties({"session_id": "my-conversation"})`;
}
