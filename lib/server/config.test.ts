import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig, VARIABLES } from "./config.ts";

const NOBODY_SIGNS_IN = {
  required: false,
  publicUrl: null,
  trustedProxies: [],
  idle: 12 * 3_600_000,
  oidc: null,
};

const REDACTED_LOGS = { logs: ["keys", "cards"], exports: [], stored: [] };

const NO_NOTICES = {
  webhook: null,
  mail: null,
  content: false,
  locale: "en",
  quiet: null,
  remindAfter: 24 * 3_600_000,
};

describe("Configuration is read from the environment and validated", () => {
  it("has defaults for everything; empty counts as not set", () => {
    const defaults = {
      host: "127.0.0.1",
      access: NOBODY_SIGNS_IN,
      limits: {
        rates: { each: null, strangers: null },
        ...{ streams: 1_000, requests: 1_000, runs: 1_000, body: 60_000 },
        daily: { tokens: null, cost: null },
      },
      port: 3000,
      dataDir: "./data",
      database: null,
      secret: null,
      demo: true,
      demoLocale: "en",
      preloadPages: true,
      allowedHosts: [],
      logLevel: "info",
      durability: "full",
      agentsDir: "./agents",
      httpToolHosts: [],
      privateHosts: [],
      notify: NO_NOTICES,
      redaction: REDACTED_LOGS,
      retention: [],
      model: null,
      scriptedPace: 20,
      debugPrompts: false,
      bitrixWebhookUrl: null,
      telegram: null,
      otlpSettle: 10_000,
      telemetry: null,
    };
    expect(readConfig({})).toEqual(defaults);
    expect(readConfig({ PORT: "", HOST: " ", OBELUS_DEMO: "" })).toEqual(defaults);
  });

  it("uses the system's language for the demo, unless configured", () => {
    const localeOf = (variables: Record<string, string>) => readConfig(variables).demoLocale;
    expect(localeOf({ LANG: "ru_RU.UTF-8" })).toBe("ru");
    expect(localeOf({ LANG: "ru_RU.UTF-8", LC_ALL: "C" })).toBe("en");
    expect(localeOf({ LANG: "de_DE.UTF-8", LC_MESSAGES: "ru" })).toBe("ru");
    expect(localeOf({ LANG: "ru_RU.UTF-8", OBELUS_DEMO_LOCALE: "en" })).toBe("en");
    expect(() => readConfig({ OBELUS_DEMO_LOCALE: "fr" })).toThrow("OBELUS_DEMO_LOCALE=fr must be one of en, ru.");
  });

  it("does not take an empty address of Postgres for none, which would start with SQLite", () => {
    expect(() => readConfig({ OBELUS_DATABASE_URL: "", OBELUS_SECRET: "ab".repeat(32) })).toThrow(
      /^OBELUS_DATABASE_URL must be an address.*unset it for SQLite/,
    );
    expect(readConfig({ OBELUS_SECRET: "" }).database).toBeNull();
  });

  it("accepts settings", () => {
    const config = readConfig({
      HOST: "[::1]",
      PORT: "0",
      OBELUS_DATA_DIR: "/var/lib/obelus",
      OBELUS_DATABASE_URL: "postgres://obelus:secret@db:5432/obelus",
      OBELUS_DATABASE_CONNECTIONS: "20",
      OBELUS_SHUTDOWN_DELAY_SECONDS: "5",
      OBELUS_SECRET: "ab".repeat(32),
      OBELUS_DEMO: "0",
      OBELUS_PRELOAD_PAGES: "0",
      OBELUS_ALLOWED_HOSTS: "Studio.example.org, box",
      OBELUS_LOG_LEVEL: "debug",
      OBELUS_DURABILITY: "normal",
      OBELUS_AGENTS_DIR: "/srv/agents",
      OBELUS_HTTP_TOOL_HOSTS: "CRM.example.org, 127.0.0.1:8080,[::1]:9000",
      OBELUS_MODEL_BASE_URL: "http://127.0.0.1:11434/v1",
      OBELUS_MODEL_API_KEY: "secret",
      OBELUS_MODEL: "gpt",
      OBELUS_MODEL_FOLDER: "b1g",
      OBELUS_MODEL_API: "chat",
      OBELUS_SCRIPTED_PACE: "0",
      OBELUS_DEBUG_PROMPTS: "1",
      BITRIX24_WEBHOOK_URL: "https://b24.example.org/rest/1/secret/",
      TELEGRAM_BOT_TOKEN: "123:abc",
      TELEGRAM_WEBHOOK_SECRET: "hook",
      TELEGRAM_API_ROOT: "http://127.0.0.1:8081",
      TELEGRAM_ADMIN_CHAT: "-1001234",
      OBELUS_OTLP_SETTLE_SECONDS: "30",
      OBELUS_PRIVATE_HOSTS: "crm.local, 10.0.0.0/8",
      OBELUS_RATE_LIMIT: "600",
      OBELUS_RATE_LIMIT_STRANGERS: "60",
      OBELUS_STREAMS_PER_CLIENT: "5",
      OBELUS_REQUESTS_PER_CLIENT: "9",
      OBELUS_BODY_SECONDS: "20",
      OBELUS_RUNS_AT_ONCE: "7",
      OBELUS_AGENT_TOKENS_PER_DAY: "100000",
      OBELUS_AGENT_COST_PER_DAY: "2.5 USD",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    });
    expect(config).toEqual({
      host: "::1",
      access: NOBODY_SIGNS_IN,
      limits: {
        rates: { each: 600, strangers: 60 },
        ...{ streams: 5, requests: 9, runs: 7, body: 20_000 },
        daily: { tokens: 100_000, cost: { amount: 2.5, currency: "USD" } },
      },
      port: 0,
      dataDir: "/var/lib/obelus",
      database: { url: "postgres://obelus:secret@db:5432/obelus", connections: 20, shutdownDelay: 5_000 },
      secret: Buffer.alloc(32, 0xab),
      demo: false,
      demoLocale: "en",
      preloadPages: false,
      allowedHosts: ["studio.example.org", "box"],
      logLevel: "debug",
      durability: "normal",
      agentsDir: "/srv/agents",
      httpToolHosts: ["crm.example.org", "127.0.0.1:8080", "[::1]:9000"],
      privateHosts: ["crm.local", "10.0.0.0/8"],
      notify: NO_NOTICES,
      redaction: REDACTED_LOGS,
      retention: [],
      model: { baseUrl: "http://127.0.0.1:11434/v1", apiKey: "secret", model: "gpt", folder: "b1g", api: "chat" },
      scriptedPace: 0,
      debugPrompts: true,
      bitrixWebhookUrl: "https://b24.example.org/rest/1/secret/",
      telegram: {
        token: "123:abc",
        webhookSecret: "hook",
        apiRoot: "http://127.0.0.1:8081",
        adminChat: -1001234,
      },
      otlpSettle: 30_000,
      telemetry: { endpoint: "http://127.0.0.1:4318", content: true },
    });
  });

  it("exports traces if there is a collector, unless disabled", () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
    expect(readConfig(endpoint).telemetry).toEqual({ endpoint: "http://127.0.0.1:4318", content: false });
    expect(readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example.org/x" }).telemetry).not.toBeNull();
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: "true" }).telemetry).toBeNull();
    expect(readConfig({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }).telemetry).toBeNull();
    expect(() => readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow(
      "OTEL_EXPORTER_OTLP_PROTOCOL=grpc must be http/protobuf, the only supported protocol.",
    );
    expect(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).telemetry).toBeNull();
  });

  it("reports every invalid variable with what is valid", () => {
    expect(() => readConfig({ PORT: "70000", OBELUS_DEMO: "yes" })).toThrow(
      [
        "PORT=70000 must be a whole number from 0 to 65535, such as 3000.",
        "OBELUS_DEMO=yes must be 1 (fill an empty database with the demo) or 0.",
      ].join("\n"),
    );
  });

  it("Security: refuses a public address without authentication", () => {
    expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow(
      "HOST=0.0.0.0 is not a loopback address, so anyone on the network could connect; set OBELUS_AUTH=1 to require sign-in, or use 127.0.0.1.",
    );
    expect(readConfig({ HOST: "0.0.0.0", OBELUS_AUTH: "1" }).access.required).toBe(true);
  });

  it.each([
    ["HOST", "192.168.1.4"],
    ["HOST", "127.0.0.1.evil.example"],
    ["HOST", "127.0.0.300"],
    ["PORT", "-1"],
    ["PORT", "3000.5"],
    ["OBELUS_ALLOWED_HOSTS", "a,,b"],
    ["OBELUS_ALLOWED_HOSTS", "box:80"],
    ["OBELUS_LOG_LEVEL", "loud"],
    ["OBELUS_DURABILITY", "fast"],
    ["OBELUS_HTTP_TOOL_HOSTS", "https://crm.example.org"],
    ["OBELUS_HTTP_TOOL_HOSTS", "crm.example.org/path"],
    ["OBELUS_HTTP_TOOL_HOSTS", "*"],
    ["OBELUS_PRIVATE_HOSTS", "10.0.0.0/33"],
    ["OBELUS_PRIVATE_HOSTS", "crm.local:80"],
    ["OBELUS_MODEL_BASE_URL", "api.openai.com"],
    ["OBELUS_MODEL_API", "completions"],
    ["OBELUS_SCRIPTED_PACE", "1.5"],
    ["OBELUS_DEBUG_PROMPTS", "yes"],
    ["TELEGRAM_API_ROOT", "api.telegram.org"],
    ["TELEGRAM_ADMIN_CHAT", "managers"],
    ["OBELUS_AUTH", "yes"],
    ["OBELUS_PUBLIC_URL", "obelus.example.org"],
    ["OBELUS_TRUSTED_PROXIES", "proxy.example.org"],
    ["OBELUS_SIGN_IN_HOURS", "0"],
    ["OBELUS_OIDC_ISSUER", "http://id.example.org"],
    ["OBELUS_OIDC_DEFAULT_ROLE", "root"],
  ])("refuses %s=%s", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}=${value} `);
  });

  it("Security: accepts public addresses, proxies, and an OpenID Connect provider", () => {
    const { access, allowedHosts } = readConfig({
      OBELUS_AUTH: "1",
      OBELUS_PUBLIC_URL: "https://obelus.example.org/",
      OBELUS_TRUSTED_PROXIES: "loopback, 10.0.0.0/8",
      OBELUS_SIGN_IN_HOURS: "1",
      OBELUS_OIDC_ISSUER: "https://id.example.org",
      OBELUS_OIDC_CLIENT_ID: "obelus",
      OBELUS_OIDC_CLIENT_SECRET: "secret",
      OBELUS_OIDC_ROLES_CLAIM: "roles",
      OBELUS_OIDC_DEFAULT_ROLE: "viewer",
    });
    const publicUrl = "https://obelus.example.org";
    expect(allowedHosts).toEqual(["obelus.example.org"]);
    expect(access).toEqual({
      ...{ required: true, publicUrl, trustedProxies: ["loopback", "10.0.0.0/8"], idle: 3_600_000 },
      oidc: {
        ...{ issuer: "https://id.example.org", clientId: "obelus", clientSecret: "secret", publicUrl },
        ...{ rolesClaim: "roles", defaultRole: "viewer" },
      },
    });
  });

  it("Security: a provider needs this server's address, a client id, and a role; its secret is never shown", () => {
    const read = () =>
      readConfig({ OBELUS_OIDC_ISSUER: "https://id.example.org", OBELUS_OIDC_CLIENT_SECRET: "very-secret" });
    expect(read).toThrow(
      /^OBELUS_OIDC_CLIENT_ID is required .*\nOBELUS_PUBLIC_URL is required .*\nOBELUS_OIDC_ROLES_CLAIM or OBELUS_OIDC_DEFAULT_ROLE must be set: .*$/,
    );
    expect(read).not.toThrow("very-secret");
  });

  it("refuses an invalid webhook address, and never shows its secret", () => {
    const read = () => readConfig({ BITRIX24_WEBHOOK_URL: "http://b24.example.org/rest/1/very-secret/" });
    expect(read).toThrow("BITRIX24_WEBHOOK_URL must start with https://");
    expect(read).not.toThrow("very-secret");
  });

  it("D10: refuses a bot without a secret, or with an invalid one; shows neither", () => {
    const bot = { TELEGRAM_BOT_TOKEN: "123:very-secret" };
    expect(() => readConfig(bot)).toThrow("TELEGRAM_WEBHOOK_SECRET is required with TELEGRAM_BOT_TOKEN");
    for (const wrong of [
      { TELEGRAM_BOT_TOKEN: "https://very-secret" },
      { ...bot, TELEGRAM_WEBHOOK_SECRET: "very secret" },
    ]) {
      expect(() => readConfig(wrong)).toThrow(/^TELEGRAM_\w+ must /);
      expect(() => readConfig(wrong)).not.toThrow("very");
    }
  });

  it("is completely documented in .env.example", () => {
    const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
    const told = Object.fromEntries(
      [...example.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    // OpenTelemetry's own variables that most users need.
    const own = (names: readonly string[]) => names.filter((name) => !name.startsWith("OTEL_")).sort();
    expect(own(Object.keys(told))).toEqual(own(VARIABLES));
    // The only one that is refused where it is empty.
    expect(readConfig({ ...told, OBELUS_DATABASE_URL: undefined })).toEqual(readConfig({}));
  });
});
