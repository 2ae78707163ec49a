// Written from the frameworks' documentation. All take the endpoint and the key from the environment.

const PROVIDER = `from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)`;

const EXPORTER = "opentelemetry-sdk opentelemetry-exporter-otlp-proto-http";

export function langGraphPython(): string {
  return `# pip install langgraph openinference-instrumentation-langchain ${EXPORTER}
from openinference.instrumentation import using_session
from openinference.instrumentation.langchain import LangChainInstrumentor
${PROVIDER}

LangChainInstrumentor().instrument(tracer_provider=provider)

with using_session("my-conversation"):
    graph.invoke({"messages": messages})  # Your graph as usual.

provider.shutdown()`;
}

export function openAiAgentsPython(): string {
  return `# pip install openai-agents openinference-instrumentation-openai-agents ${EXPORTER}
from openinference.instrumentation import using_session
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
${PROVIDER}

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)

with using_session("my-conversation"):
    Runner.run_sync(agent, "Where is order A-1042?")  # Your agents as usual.

provider.shutdown()`;
}

export function pydanticAi(): string {
  return `# pip install "pydantic-ai>=2" ${EXPORTER}
from pydantic_ai import Agent
${PROVIDER}

Agent.instrument_all()

agent = Agent("openai:gpt-5-mini", name="support")
agent.run_sync("Where is order A-1042?", conversation_id="my-conversation")

provider.shutdown()`;
}

export function strandsPython(): string {
  return `# pip install "strands-agents[otel]"
from strands import Agent
from strands.telemetry import StrandsTelemetry

StrandsTelemetry().setup_otlp_exporter()

agent = Agent(name="support", trace_attributes={"session.id": "my-conversation"})
agent("Where is order A-1042?")`;
}

export function adkPython(): string {
  return `# pip install google-adk ${EXPORTER}
${PROVIDER}

# Your agent and runner as usual, after these lines; the id of the ADK session is the conversation:
# runner.run(user_id="me", session_id="my-conversation", new_message=message)

provider.shutdown()`;
}

export function openAiPython(): string {
  return `# pip install openai opentelemetry-instrumentation-openai-v2 opentelemetry-distro opentelemetry-exporter-otlp-proto-http
export OTEL_LOGS_EXPORTER=otlp
# Without this the spans say what it cost, not what was said.
export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true
opentelemetry-instrument python agent.py`;
}
