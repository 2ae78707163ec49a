import { OpenAI } from "openai";
import type { Stream } from "openai/streaming";
import type { Model, ModelPart, ModelRequest } from "../engine/model.ts";
import { createWaysOut, type OpenEgress } from "../outgoing/egress.ts";
import { AnswerReader } from "./answer-reader.ts";
import { type Asked, cutStream, modelFailure, tookTooLong } from "./failure.ts";

/** A model behind a compatible endpoint, as it is configured. */
export interface ResponsesEndpoint {
  /** Up to and with the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Null for an endpoint that asks for none. */
  apiKey: string | null;
  model: string;
  /** The folder of Yandex Cloud that pays; null elsewhere. */
  folder: string | null;
  /** How long to wait in ms: for the beginning of an answer, and for its next event. */
  patience?: { beginning: number; silence: number };
  waysOut?: OpenEgress;
}

/**
 * An answer begins within seconds, whatever comes after; a model that thinks may then be silent for
 * minutes.
 */
const PATIENCE = { beginning: 60_000, silence: 240_000 };

/** Tries after the first one, for 429, 5xx and connections that fail; `Retry-After` is kept to, up to a minute. */
const RETRIES = 3;

/**
 * A model asked by the Responses API (D7), streamed. The provider keeps what a request says it may, and nothing else.
 * Retries end where the answer begins, for what was streamed cannot be taken back.
 */
export function createResponsesModel(endpoint: ResponsesEndpoint): Model {
  const { baseUrl, apiKey, folder, patience = PATIENCE, waysOut = createWaysOut([]) } = endpoint;
  const model = modelName(endpoint.model, folder);
  const { host } = new URL(baseUrl);
  const client = new OpenAI({
    baseURL: baseUrl,
    fetch: waysOut({ hosts: [host] }).fetch,
    // The client insists on a key; without one the header is taken out again.
    apiKey: apiKey ?? "none",
    ...(apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    // Given, so that none of them is taken from the client's own environment variables.
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
    // An aborted stream simply ends.
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

/** Providers by host, named by the OpenTelemetry GenAI conventions (`gen_ai.provider.name`) where these know them. */
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

/** Who answers at a base URL: its name, or the host itself where the conventions have none. */
function providerAt(baseUrl: string): string {
  const { hostname, host } = new URL(baseUrl);
  const known = PROVIDERS.find(([suffix]) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  return known?.[1] ?? host;
}

/** A model's name as the provider wants it: with a folder of Yandex Cloud `gpt://<folder>/<model>`, unless it is an address already. */
function modelName(model: string, folder: string | null): string {
  return folder === null || model.includes("://") ? model : `gpt://${folder}/${model}`;
}
