import { OpenAI } from "openai";
import type { Stream } from "openai/streaming";
import type { Model, ModelPart, ModelRequest } from "../engine/model.ts";
import { createEgressPolicy, type OpenEgress } from "../outgoing/egress.ts";
import { AnswerReader } from "./answer-reader.ts";
import { type Asked, cutStream, modelFailure, tookTooLong } from "./failure.ts";

/** The configuration of a model endpoint. */
export interface ResponsesEndpoint {
  /** Including the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Null if none is required. */
  apiKey: string | null;
  model: string;
  /** The folder of Yandex Cloud for billing; null elsewhere. */
  folder: string | null;
  /** Timeouts in ms: for the first event of a response, and for each next one. */
  patience?: { beginning: number; silence: number };
  openEgress?: OpenEgress;
}

/** The first event comes within seconds; a reasoning model may then be silent for minutes. */
const PATIENCE = { beginning: 60_000, silence: 240_000 };

/** Retries for 429, 5xx and failed connections; `Retry-After` is respected, up to a minute. */
const RETRIES = 3;

/**
 * A model with the Responses API (D7), streamed. The provider stores only what a request allows. There are no retries
 * once the response has begun, as streamed output cannot be taken back.
 */
export function createResponsesModel(endpoint: ResponsesEndpoint): Model {
  const { baseUrl, apiKey, folder, patience = PATIENCE, openEgress = createEgressPolicy([]) } = endpoint;
  const model = modelName(endpoint.model, folder);
  const { host } = new URL(baseUrl);
  const client = new OpenAI({
    baseURL: baseUrl,
    fetch: openEgress({ hosts: [host] }).fetch,
    // The SDK requires a key; without one the header is removed again.
    apiKey: apiKey ?? "none",
    ...(apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    // Set explicitly, so that the SDK does not read environment variables.
    adminAPIKey: null,
    organization: null,
    project: folder,
    webhookSecret: null,
    maxRetries: RETRIES,
    timeout: patience.beginning,
    logLevel: "off",
  });

  async function* events(request: ModelRequest, signal: AbortSignal, asked: Asked): AsyncIterable<unknown> {
    const silence = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const stream = await client.post<Stream<unknown>>("/responses", {
        body: { ...bodyOf(request), model },
        stream: true,
        signal: AbortSignal.any([signal, silence.signal]),
      });
      const wait = () => setTimeout(() => silence.abort(), patience.silence);
      timer = wait();
      for await (const event of stream) {
        clearTimeout(timer);
        yield event;
        timer = wait();
      }
    } finally {
      clearTimeout(timer);
    }
    if (silence.signal.aborted) throw tookTooLong(asked);
  }

  async function* respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const { previous_response_id } = request;
    const asked: Asked = { model, host, apiKey, previous_response_id };
    const reader = new AnswerReader(asked);
    try {
      for await (const event of events(request, signal, asked)) {
        for (const part of reader.read(event)) {
          yield part;
          if (part.type === "done") return;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      throw modelFailure(error, asked);
    }
    // An aborted stream ends without an error.
    signal.throwIfAborted();
    throw cutStream(asked);
  }

  return { model, provider: providerAt(baseUrl), respond };
}

function bodyOf({
  instructions,
  input,
  tools,
  format,
  previous_response_id,
  store,
}: ModelRequest): Record<string, unknown> {
  return {
    instructions,
    input,
    ...(tools.length > 0 ? { tools } : {}),
    ...(format ? { text: { format: { type: "json_schema", strict: true, ...format } } } : {}),
    ...(previous_response_id === null ? {} : { previous_response_id }),
    stream: true,
    store,
  };
}

/**
 * Providers by host, with the names of the OpenTelemetry GenAI conventions (`gen_ai.provider.name`) where they exist.
 */
const PROVIDERS: readonly [host: string, name: string][] = [
  ["openai.com", "openai"],
  ["openai.azure.com", "azure.ai.openai"],
  ["cloud.yandex.net", "yandex"],
  ["anthropic.com", "anthropic"],
  ["deepseek.com", "deepseek"],
  ["googleapis.com", "gcp.gemini"],
  ["groq.com", "groq"],
  ["mistral.ai", "mistral_ai"],
  ["perplexity.ai", "perplexity"],
  ["x.ai", "x_ai"],
];

/** The provider of a base URL: its name in the conventions, or the host. */
function providerAt(baseUrl: string): string {
  const { hostname, host } = new URL(baseUrl);
  const known = PROVIDERS.find(([suffix]) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  return known?.[1] ?? host;
}

/**
 * A model's name for the provider: in a folder of Yandex Cloud `gpt://<folder>/<model>`, unless it is a URI already.
 */
function modelName(model: string, folder: string | null): string {
  return folder === null || model.includes("://") ? model : `gpt://${folder}/${model}`;
}
