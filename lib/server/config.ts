import { z } from "zod";
import type { RetentionRule } from "../../db/retention.ts";
import { webhookFault } from "../crm/client.ts";
import { ALLOWED_HOST } from "../engine/tools/http/allowed-hosts.ts";
import { MODEL_APIS, type ModelApi } from "../model/wire.ts";
import { LOCALES, type Locale } from "../session/locale.ts";
import { isLoopback } from "./front/loopback.ts";
import { type AccessConfig, accessFaults, accessOf, accessVariables } from "./settings/access.ts";
import {
  DATABASE_SECRETS,
  type DatabaseConfig,
  databaseFault,
  databaseOf,
  databaseVariables,
  secretOf,
} from "./settings/database.ts";
import { type LimitsConfig, limitsOf, limitsVariables } from "./settings/limits.ts";
import { NOTIFY_SECRETS, type NotifyConfig, notifyFault, notifyOf, notifyVariables } from "./settings/notify.ts";
import { outgoingVariables } from "./settings/outgoing.ts";
import { privacyVariables } from "./settings/privacy.ts";
import { type RedactionConfig, redactionOf, redactionVariables } from "./settings/redaction.ts";
import { type TelegramConfig, telegramFault, telegramOf, telegramVariables } from "./settings/telegram.ts";
import { StartupError } from "./startup-error.ts";

/** The server's settings. Documented in `.env.example`. */
export interface Config {
  /** The address that the server listens on. */
  host: string;
  access: AccessConfig;
  limits: LimitsConfig;
  redaction: RedactionConfig;
  /** How long conversations are kept; forever without a rule. */
  retention: RetentionRule[];
  /** 0 for any free port. */
  port: number;
  dataDir: string;
  /** The Postgres that replicas share; null for SQLite in the data directory. */
  database: DatabaseConfig | null;
  /** The key that encrypts and signs; null for `secret.key` in the data directory. */
  secret: Uint8Array | null;
  /** Fills an empty database with the demo. */
  demo: boolean;
  demoLocale: Locale;
  /** Loads the modules of pages after the start, rather than with the first request of a page. */
  preloadPages: boolean;
  /** Host names in requests, besides those of the loopback interface. */
  allowedHosts: string[];
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
  durability: "full" | "normal";
  /** The folder with `mcp.json` and `delegates/`. */
  agentsDir: string;
  /** Hosts, with or without a port, that HTTP tools may call. */
  httpToolHosts: string[];
  /** Private hosts that may be called: names, addresses and networks. */
  privateHosts: string[];
  notify: NotifyConfig;
  /** The model; null for the scripted one. */
  model: ModelConfig | null;
  /** The delay before each word of the scripted model, in ms. */
  scriptedPace: number;
  /** Logs each whole prompt. */
  debugPrompts: boolean;
  /** The Bitrix24 portal's inbound webhook, with its secret; null for the demo portal. */
  bitrixWebhookUrl: string | null;
  /** The Telegram bot that people write to; null for none. */
  telegram: TelegramConfig | null;
  /** How long spans wait for a missing parent, in ms. */
  otlpSettle: number;
  /** The export of this server's own turns to an OpenTelemetry collector; null for none. */
  telemetry: TelemetryConfig | null;
}

/** Settings of the export that Obelus needs: the SDK reads the others itself. */
export interface TelemetryConfig {
  /** The collector's address. */
  endpoint: string;
  /** Exports the content of messages, requests and answers too. */
  content: boolean;
}

/** A model behind a Responses API. */
export interface ModelConfig {
  /** `https://api.openai.com/v1` */
  baseUrl: string;
  /** Null if the server requires none. */
  apiKey: string | null;
  model: string;
  /** The folder that a provider bills and looks models up by, such as Yandex Cloud's; null for none. */
  folder: string | null;
  /** The API that the server has. */
  api: ModelApi;
}

const collectorAddress = z
  .url({ protocol: /^https?$/, error: "must be an address such as http://127.0.0.1:4318" })
  .optional();

const environment = z.object({
  ...accessVariables,
  ...databaseVariables,
  ...outgoingVariables,
  ...notifyVariables,
  ...limitsVariables,
  ...privacyVariables,
  ...redactionVariables,
  ...telegramVariables,
  HOST: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, "$1"))
    .default("127.0.0.1"),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535, such as 3000")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535, such as 3000")
    .default(3000),
  OBELUS_DATA_DIR: z.string().default("./data"),
  OBELUS_DEMO: z.enum(["0", "1"], "must be 1 (fill an empty database with the demo) or 0").default("1"),
  OBELUS_DEMO_LOCALE: z.enum(LOCALES, `must be one of ${LOCALES.join(", ")}`).optional(),
  OBELUS_PRELOAD_PAGES: z
    .enum(["0", "1"], "must be 1 (load the console's pages after the start) or 0 (with their first request)")
    .default("1"),
  OBELUS_ALLOWED_HOSTS: z
    .string()
    .transform(namesOf)
    .refine(
      (names) => names.every((name) => HOST_NAME.test(name)),
      "must be names without ports, separated by commas, such as studio.example.org",
    )
    .default([]),
  OBELUS_LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be one of trace, debug, info, warn, error, fatal, silent",
    )
    .default("info"),
  OBELUS_DURABILITY: z
    .enum(
      ["full", "normal"],
      "must be full (answered writes are on disk) or normal (faster; a power failure may lose the newest)",
    )
    .default("full"),
  OBELUS_AGENTS_DIR: z.string().default("./agents"),
  OBELUS_HTTP_TOOL_HOSTS: z
    .string()
    .transform(namesOf)
    .refine(
      (hosts) => hosts.every((host) => ALLOWED_HOST.test(host)),
      "must be hosts with optional ports, separated by commas, such as crm.example.org,127.0.0.1:8080",
    )
    .default([]),
  OBELUS_MODEL_BASE_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://api.openai.com/v1" })
    .default("https://api.openai.com/v1"),
  OBELUS_MODEL_API_KEY: z.string().optional(),
  OBELUS_MODEL: z.string().optional(),
  OBELUS_MODEL_FOLDER: z.string().optional(),
  OBELUS_MODEL_API: z.enum(MODEL_APIS, `must be one of ${MODEL_APIS.join(", ")}`).default("responses"),
  OBELUS_SCRIPTED_PACE: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number of ms from 0 to 999, such as 20")
    .transform(Number)
    .default(20),
  OBELUS_DEBUG_PROMPTS: z.enum(["0", "1"], "must be 1 (log whole prompts) or 0").default("0"),
  BITRIX24_WEBHOOK_URL: z
    .string()
    .superRefine((address, context) => {
      const fault = webhookFault(address);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .optional(),
  OBELUS_OTLP_SETTLE_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number of seconds from 0 to 999, such as 10")
    .transform(Number)
    .default(10),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorAddress,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorAddress,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z.string().optional(),
});

/** The names of all variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

const wholeEnvironment = environment.superRefine((set, context) => {
  if (!isLoopback(set.HOST) && set.OBELUS_AUTH !== "1")
    context.addIssue({ code: "custom", path: ["HOST"], message: OPEN });
  for (const fault of accessFaults(set)) context.addIssue({ code: "custom", ...fault });
  const telegram = telegramFault(set);
  if (telegram !== null) context.addIssue({ code: "custom", path: ["TELEGRAM_WEBHOOK_SECRET"], message: telegram });
  const notify = notifyFault(set);
  if (notify !== null) context.addIssue({ code: "custom", ...notify });
  const database = databaseFault(set);
  if (database !== null) context.addIssue({ code: "custom", ...database });
  const protocol = protocolFault(set);
  if (protocol !== null) context.addIssue({ code: "custom", ...protocol });
});

const OPEN =
  "is not a loopback address, so anyone on the network could connect; set OBELUS_AUTH=1 to require sign-in, or use 127.0.0.1";

/** Otherwise traces would be lost silently. */
function protocolFault(set: z.infer<typeof environment>): { path: string[]; message: string } | null {
  if (telemetryOf(set) === null) return null;
  const names = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] as const;
  const name = names.find((each) => set[each] !== undefined);
  if (name === undefined || set[name] === "http/protobuf") return null;
  return { path: [name], message: "must be http/protobuf, the only supported protocol" };
}

const HOST_NAME = /^([\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])$/u;

/**
 * Reads the configuration. A variable that is set but empty counts as not set, but for the database: whoever sets it does not
 * want SQLite.
 *
 * Throws `StartupError` with a sentence for each variable that does not hold.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) => value !== undefined && (value.trim() !== "" || name === "OBELUS_DATABASE_URL"),
    ),
  );
  const result = wholeEnvironment.safeParse(set);
  if (!result.success) {
    const sentences = result.error.issues.map(
      ({ path: [name = ""], message }) => `${shown(String(name), set[String(name)])} ${message}.`,
    );
    throw new StartupError(sentences.join("\n"));
  }
  const { data } = result;
  return {
    host: data.HOST,
    access: accessOf(data),
    limits: limitsOf(data),
    redaction: redactionOf(data),
    retention: data.OBELUS_RETENTION,
    port: data.PORT,
    dataDir: data.OBELUS_DATA_DIR,
    database: databaseOf(data),
    secret: secretOf(data),
    demo: data.OBELUS_DEMO === "1",
    demoLocale: data.OBELUS_DEMO_LOCALE ?? localeOf(set),
    preloadPages: data.OBELUS_PRELOAD_PAGES === "1",
    allowedHosts: [...data.OBELUS_ALLOWED_HOSTS, ...publicHostOf(data)],
    logLevel: data.OBELUS_LOG_LEVEL,
    durability: data.OBELUS_DURABILITY,
    agentsDir: data.OBELUS_AGENTS_DIR,
    httpToolHosts: data.OBELUS_HTTP_TOOL_HOSTS,
    privateHosts: data.OBELUS_PRIVATE_HOSTS,
    notify: notifyOf(data),
    model: modelOf(data),
    scriptedPace: data.OBELUS_SCRIPTED_PACE,
    debugPrompts: data.OBELUS_DEBUG_PROMPTS === "1",
    bitrixWebhookUrl: data.BITRIX24_WEBHOOK_URL ?? null,
    telegram: telegramOf(data),
    otlpSettle: data.OBELUS_OTLP_SETTLE_SECONDS * 1_000,
    telemetry: telemetryOf(data),
  };
}

/** A variable with its value; a secret without it. */
function shown(name: string, value: string | undefined): string {
  return SECRETS.has(name) || value === undefined ? name : `${name}=${value}`;
}

const SECRETS = new Set([
  ...DATABASE_SECRETS,
  ...NOTIFY_SECRETS,
  "OBELUS_OIDC_CLIENT_SECRET",
  ...["OBELUS_MODEL_API_KEY", "BITRIX24_WEBHOOK_URL", "TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET"],
]);

/** Requests use the public address as their host. */
function publicHostOf({ OBELUS_PUBLIC_URL }: z.infer<typeof environment>): string[] {
  return OBELUS_PUBLIC_URL === undefined ? [] : [new URL(OBELUS_PUBLIC_URL).hostname];
}

function modelOf(data: z.infer<typeof environment>): ModelConfig | null {
  if (data.OBELUS_MODEL === undefined) return null;
  return {
    baseUrl: data.OBELUS_MODEL_BASE_URL,
    apiKey: data.OBELUS_MODEL_API_KEY ?? null,
    model: data.OBELUS_MODEL,
    folder: data.OBELUS_MODEL_FOLDER ?? null,
    api: data.OBELUS_MODEL_API,
  };
}

/** As in OpenTelemetry's SDKs: on if there is an endpoint, unless disabled. */
function telemetryOf(data: z.infer<typeof environment>): TelemetryConfig | null {
  const endpoint = data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || data.OTEL_TRACES_EXPORTER === "none" || isTrue(data.OTEL_SDK_DISABLED)) return null;
  return { endpoint, content: isTrue(data.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT) };
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === "true";
}

function namesOf(list: string): string[] {
  return list.split(",").map((name) => name.trim().toLowerCase());
}

/** The machine's language by POSIX rules: the first of these variables that is set. */
function localeOf(variables: Record<string, string | undefined>): Locale {
  const set = variables.LC_ALL ?? variables.LC_MESSAGES ?? variables.LANG ?? "";
  return LOCALES.find((locale) => set.startsWith(locale)) ?? "en";
}
