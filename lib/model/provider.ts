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
export function providerAt(baseUrl: string): string {
  const { hostname, host } = new URL(baseUrl);
  const known = PROVIDERS.find(([suffix]) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  return known?.[1] ?? host;
}

/** A model's name as the provider wants it: with a folder of Yandex Cloud `gpt://<folder>/<model>`, unless it is an address already. */
export function modelName(model: string, folder: string | null): string {
  return folder === null || model.includes("://") ? model : `gpt://${folder}/${model}`;
}
