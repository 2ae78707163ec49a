import type { OpenAI } from "openai";
import type { Stream } from "openai/streaming";
import type { Model, ModelPart, ModelRequest } from "../engine/model.ts";
import { createEgressPolicy, type OpenEgress } from "../outgoing/egress.ts";
import { chatWire } from "./chat-wire.ts";
import { type Asked, modelFailure, tookTooLong } from "./failure.ts";
import { responsesWire } from "./responses-wire.ts";
import type { ModelApi, Patience, Wire } from "./wire.ts";

/** The configuration of a model endpoint. */
export interface ModelEndpoint {
  /** Including the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** `responses` by default. */
  api?: ModelApi;
  /** Null if none is required. */
  apiKey: string | null;
  model: string;
  /** The folder of Yandex Cloud for billing; null elsewhere. */
  folder: string | null;
  /** The API's by default. */
  patience?: Patience;
  openEgress?: OpenEgress;
}

const WIRES: Record<ModelApi, Wire> = { responses: responsesWire, chat: chatWire };

/** Retries for 429, 5xx and failed connections; `Retry-After` is respected, up to a minute. */
const RETRIES = 3;

/**
 * A model, streamed (D7). The provider stores only what a request allows. There are no retries once the response has
 * begun, as streamed output cannot be taken back. The SDK is loaded with the first request.
 */
export function createModel(endpoint: ModelEndpoint): Model {
  const { baseUrl, apiKey, folder, api = "responses", openEgress = createEgressPolicy([]) } = endpoint;
  const wire = WIRES[api];
  const { patience = wire.patience } = endpoint;
  const model = modelName(endpoint.model, folder);
  const { host } = new URL(baseUrl);
  let opening: Promise<OpenAI> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };

  async function open(): Promise<OpenAI> {
    const { OpenAI } = await import("openai");
    return new OpenAI({
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
  }

  async function* events(request: ModelRequest, signal: AbortSignal, asked: Asked): AsyncIterable<unknown> {
    // Not `AbortSignal.any`: the SDK listens for good, and Node keeps such a signal with its listeners as long as a source lives.
    const ending = new AbortController();
    const end = () => ending.abort();
    let timer: NodeJS.Timeout | undefined;
    signal.throwIfAborted();
    signal.addEventListener("abort", end);
    try {
      const client = await opened();
      const stream = await client.post<Stream<unknown>>(wire.path, {
        body: { ...wire.body(request), model },
        stream: true,
        signal: ending.signal,
      });
      const wait = () => setTimeout(end, patience.silence);
      timer = wait();
      for await (const event of stream) {
        clearTimeout(timer);
        yield event;
        timer = wait();
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
    if (ending.signal.aborted) throw tookTooLong(asked);
  }

  async function* respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const { previous_response_id } = request;
    const asked: Asked = { model, host, api, apiKey, previous_response_id };
    const reader = wire.reader(asked);
    try {
      for await (const event of events(request, signal, asked)) {
        for (const part of reader.read(event)) {
          yield part;
          if (part.type === "done") return;
        }
      }
      // An aborted stream ends without an error.
      signal.throwIfAborted();
      yield* reader.end();
    } catch (error) {
      signal.throwIfAborted();
      throw modelFailure(error, asked);
    }
  }

  return { model, provider: providerAt(baseUrl), stateless: !wire.keepsResponses, respond };
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
