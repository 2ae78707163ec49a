/** The import rules of a module. */
export interface ModuleRule {
  /** Modules or single files that it may import. */
  imports: string[];
  /** Modules from which it may only import types. */
  importsTypes?: string[];
  /** The packages it may import; by default all that are not restricted to other modules. */
  packages?: string[];
  /** Bundled by Next, so that `@/` imports work; everything else runs in Node without a build. */
  bundled?: boolean;
}

const PURE_MODULES = ["lib/plan", "lib/session"];
const ACCESS_TYPES = ["caller", "audit", "rules", "own-path"].map((file) => `lib/access/${file}.ts`);

/** Which module may import which: the table in docs/architecture.md. A module may always import from itself. */
export const MODULES: Record<string, ModuleRule> = {
  // Yielding to the event loop, and throttled notifiers.
  "lib/event-loop": { imports: [] },
  // Edits of a plan's text, by its syntax tree. Before lib/plan, which is data only.
  "lib/plan/edit": {
    imports: ["lib/plan", "lib/session/json/json.ts"],
    packages: ["@lezer/common", "@lezer/json"],
  },
  "lib/plan": { imports: ["lib/session/json/json.ts"], importsTypes: ["lib/session"], packages: [] },
  "lib/session": { imports: ["lib/plan"], packages: ["zod", "fast-json-patch", "diff"] },
  // What many conversations add up to: pure, also used in the browser.
  "lib/rollup": { imports: ["lib/session", "lib/suites/verdict.ts"], packages: [] },
  // What scores are, and the rules that give some; storage is passed in.
  "lib/scores": {
    imports: [...PURE_MODULES, "lib/redaction", "lib/engine/model.ts", "lib/suites/verdict.ts"],
    importsTypes: ["db/repositories.ts", "lib/engine/ports.ts"],
  },
  // When alert rules fire; what is measured and stored is passed in.
  "lib/alert-rules": {
    imports: ["lib/rollup", "lib/scores", "lib/session/plain-line.ts"],
    importsTypes: ["db/alert-rules.ts", "db/replicas.ts", "lib/engine/ports.ts", "lib/session"],
    packages: ["zod"],
  },
  // What people do about conversations: pure, also used in the browser.
  "lib/queue": { imports: [], packages: [] },
  // What people write about conversations to others: pure, also used in the browser.
  "lib/notes": { imports: [], packages: [] },
  "lib/memory": {
    imports: ["json/json", "json/json-number", "json/json-schema", "issues", "json/list", "json/reserved-names"]
      .map((file) => `lib/session/${file}.ts`)
      .concat("lib/plan/problem.ts"),
    importsTypes: ["lib/session"],
    packages: ["zod"],
  },
  "lib/prompt": {
    imports: ["lib/plan/reference.ts", "lib/plan/nearest.ts", "lib/session/json/json.ts"],
    importsTypes: ["lib/session"],
    packages: [],
  },
  // The demo's memories and prompts.
  "lib/intake": {
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/memory", "lib/prompt", "lib/scores", "lib/notes"],
    importsTypes: ["db/repositories.ts", "db/foreign"],
  },
  // Pure, also indirectly. Before lib/engine, which executes its decisions.
  "lib/engine/step": {
    imports: [
      ...PURE_MODULES,
      ...["errors", "memory", "model", "plain-json", "plan-reading", "ports"].map((file) => `lib/engine/${file}.ts`),
      ...["activity", "caller-tool", "effect", "tool-definition"].map((file) => `lib/engine/tools/${file}.ts`),
      "lib/engine/planning/native-calls.ts",
    ],
    importsTypes: ["lib/engine", "db/repositories.ts", "lib/memory/actions/happening.ts"],
    packages: ["zod"],
  },
  // The types of memory and prompts; their rules are passed in as ports.
  "lib/engine": {
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/outgoing"],
    importsTypes: ["db/repositories.ts", "lib/memory/actions/happening.ts", "lib/prompt/prompt.ts"],
  },
  // The scripted model parses what prompts add to a user's message.
  "lib/model": {
    imports: [...PURE_MODULES, "lib/engine/model.ts", "lib/prompt/time-line.ts", "lib/outgoing"],
    importsTypes: ["lib/engine"],
  },
  // A fake of an external system: it knows only JSON. Before lib/crm, which uses it.
  "demo/crm-portal": { imports: ["lib/session/json/json.ts"] },
  // Fakes of external systems, and demo sessions: the server works without them.
  demo: {
    imports: [
      ...PURE_MODULES,
      ...["lib/memory", "lib/prompt", "lib/intake", "lib/engine", "lib/model", "lib/dialog", "lib/outgoing"],
      // The examples' clock detects pending work by it.
      "lib/event-loop/yielding.ts",
    ],
    importsTypes: ["db/repositories.ts"],
  },
  "lib/crm": {
    // Errors of tools, and HTTP requests.
    imports: [
      ...PURE_MODULES,
      "lib/memory",
      "lib/outgoing",
      "lib/engine/tools/activity.ts",
      "lib/engine/tools/http",
      "lib/engine/result-bounds.ts",
    ],
    importsTypes: ["lib/engine"],
  },
  "lib/dialog": {
    // Definitions of agents, turns; the engine itself is passed in.
    imports: [
      ...[...PURE_MODULES, "lib/prompt"],
      ...["lib/engine/errors.ts", "lib/engine/ports.ts", "lib/engine/tools/agents-file.ts"],
    ],
    importsTypes: ["lib/engine", "db/repositories.ts"],
  },
  "lib/fork": {
    // Copies of conversations and start points of runs; the engine and the log are passed in as ports.
    imports: [
      ...PURE_MODULES,
      "lib/intake",
      "lib/dialog/whole-state.ts",
      "lib/engine/errors.ts",
      "lib/engine/tools/tool-definition.ts",
      "lib/memory/address.ts",
    ],
    importsTypes: ["lib/engine", "db/repositories.ts"],
  },
  "lib/channels": {
    // Messages start turns, which may be refused; events are formatted for people.
    imports: [...PURE_MODULES, "lib/dialog", "lib/prompt/zone.ts", "lib/engine/errors.ts", "lib/outgoing"],
    importsTypes: ["db/repositories.ts", "db/replicas.ts"],
  },
  "lib/api": {
    // The schemas of definitions; the engine itself is passed in.
    imports: [
      "lib/event-loop",
      ...[...PURE_MODULES, ...ACCESS_TYPES],
      "lib/memory",
      "lib/prompt",
      "lib/intake",
      "lib/redaction",
      "lib/alert-rules",
      "lib/rollup",
      "lib/scores",
      "lib/queue",
      "lib/notes",
      ...["case", "case-id", "case-work", "expectations", "run-report", "suite", "try-brief"].map(
        (file) => `lib/suites/${file}.ts`,
      ),
      "lib/engine/tools/tool-definition.ts",
      "lib/engine/tools/delegate.ts",
      "lib/dialog/agent.ts",
      "lib/dialog/agent-version.ts",
    ],
    importsTypes: [
      ...["lib/engine", "lib/server/services.ts", "lib/server/bus.ts", "lib/server/drafts.ts"],
      ...[
        "db/repositories.ts",
        "db/log-reader.ts",
        "db/access.ts",
        "db/alert-rules.ts",
        "db/erasures.ts",
        "db/rollup.ts",
        "db/suites.ts",
        "lib/access",
        "lib/privacy",
      ],
      "lib/dialog/main-graph/main-graph.ts",
    ],
  },
  "lib/traces": {
    // When traces are mapped; the span store is passed in as a port.
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/intake"],
    importsTypes: ["db/repositories.ts", "lib/engine/ports.ts", "lib/scores"],
  },
  // Calls operations of the API, so that there is one set of rules.
  "lib/mcp": {
    imports: [...PURE_MODULES, "lib/api", "lib/access/caller.ts"],
    importsTypes: ["db/repositories.ts", "lib/server/services.ts"],
  },
  // From the log to spans; the SDK exports them.
  "lib/telemetry": {
    imports: PURE_MODULES,
    importsTypes: ["db/repositories.ts", "lib/engine/ports.ts", "lib/outgoing"],
  },
  // Permissions: `caller.ts` and `audit.ts` are pure, and also used in the browser.
  "lib/access": {
    imports: ["lib/limits/client.ts"],
    importsTypes: ["db/access.ts", "db/replicas.ts", "lib/outgoing/fetch.ts"],
  },
  // The egress policy.
  "lib/outgoing": { imports: [] },
  // Notifications; what is pending is passed in as a port.
  "lib/notify": {
    imports: [...PURE_MODULES, "lib/outgoing", "lib/alert-rules"],
    importsTypes: ["db/notices.ts", "db/repositories.ts", "db/access.ts", "lib/engine/ports.ts"],
  },
  // Patterns of secrets and personal data, and their placeholders.
  "lib/redaction": { imports: PURE_MODULES, packages: [] },
  // Carries cases out. Before lib/suites, which is pure.
  "lib/suites/run": {
    imports: [...PURE_MODULES, "lib/suites", "lib/engine", "lib/scores"],
    importsTypes: ["db/repositories.ts", "db/suites.ts"],
  },
  // Sessions as tests: cases, recorded answers, differences. Running them is a port of the engine's.
  "lib/suites": {
    imports: [...PURE_MODULES, "lib/redaction", "lib/scores"],
    importsTypes: ["lib/engine", "db/repositories.ts"],
    // Ids have hashes.
    packages: ["zod", "node:crypto"],
  },
  // Erasure and retention; the store is passed in as a port.
  "lib/privacy": {
    imports: [...PURE_MODULES, ...ACCESS_TYPES],
    importsTypes: ["db/access.ts", "db/erasures.ts", "db/retention.ts", "db/replicas.ts"],
  },
  // Limits.
  "lib/limits": {
    imports: PURE_MODULES,
    importsTypes: ["db/access.ts", "db/replicas.ts", "lib/access", "lib/engine/ports.ts"],
  },
  // A package for other programs: it only uses what every runtime has.
  "lib/client": { imports: [], packages: [] },
  examples: { imports: ["lib/client"], packages: [] },
  "lib/server": {
    imports: [
      ...[
        "demo",
        "lib/event-loop",
        "lib/traces",
        "lib/telemetry",
        "lib/mcp",
        "lib/access",
        "lib/outgoing",
        "lib/notify",
        "lib/redaction",
        "lib/privacy",
        "lib/alert-rules",
        "lib/scores",
        "lib/limits",
      ],
      ...[...PURE_MODULES, "lib/memory", "lib/intake", "lib/api", "lib/engine", "lib/model", "lib/crm", "lib/dialog"],
      "lib/channels",
      "lib/fork",
      "lib/suites",
      "db",
    ],
  },
  db: {
    imports: [
      "lib/event-loop",
      "lib/alert-rules",
      "lib/rollup",
      "lib/scores",
      "lib/queue",
      "lib/notes",
      "lib/suites/case-id.ts",
      ...PURE_MODULES,
      ...ACCESS_TYPES,
      "lib/redaction",
    ],
  },
  app: {
    imports: [
      ...PURE_MODULES,
      "lib/alert-rules",
      "lib/scores",
      "lib/api",
      "lib/server/services.ts",
      "lib/server/route-of.ts",
      "components",
      "messages",
      ...ACCESS_TYPES,
      "lib/access/own-path.ts",
    ],
    importsTypes: ["lib/privacy"],
    bundled: true,
  },
  components: {
    imports: [
      ...PURE_MODULES,
      "lib/alert-rules",
      "lib/rollup",
      "lib/scores",
      "lib/queue",
      "lib/notes",
      "lib/memory",
      "lib/prompt",
      "messages",
      ...ACCESS_TYPES,
      "lib/access/rules.ts",
    ],
    // The types of responses, not those of storage.
    importsTypes: ["lib/api/shapes.ts", "lib/privacy"],
    bundled: true,
  },
  scripts: {
    imports: [
      ...[
        ...PURE_MODULES,
        "lib/memory",
        "lib/intake",
        "lib/api",
        "lib/engine",
        "lib/model",
        "lib/channels",
        "lib/server",
        "lib/access",
        "lib/outgoing",
        "lib/redaction",
        "lib/suites",
      ],
      "db",
      "demo",
    ],
  },
  bench: {
    imports: [
      ...PURE_MODULES,
      "lib/prompt",
      "lib/intake",
      "lib/api",
      "lib/engine",
      "lib/server",
      "lib/queue",
      "lib/rollup",
      "db",
      "scripts",
    ],
  },
};

/** Packages that only some modules or files may import. */
export const RESTRICTED_PACKAGES: Record<string, string[]> = {
  // The demo portal has its own database, like an external program, in one file.
  "better-sqlite3": ["db", "bench", "demo/crm-portal/store.ts"],
  "drizzle-orm": ["db"],
  pg: ["db"],
  ajv: ["lib/engine"],
  "ajv-formats": ["lib/engine"],
  "@modelcontextprotocol/client": ["lib/engine"],
  "@modelcontextprotocol/server": ["lib/mcp"],
  openai: ["lib/model"],
  "@node-rs/argon2": ["lib/access"],
  "openid-client": ["lib/access"],
  cookie: ["lib/access"],
  "cookie-signature": ["lib/access"],
  nodemailer: ["lib/notify"],
  "rate-limiter-flexible": ["lib/limits", "lib/access"],
  "prom-client": ["lib/server"],
  helmet: ["lib/server"],
  "proxy-addr": ["lib/server"],
  grammy: ["lib/channels"],
  "@opentelemetry/api": ["lib/telemetry"],
  "@opentelemetry/exporter-trace-otlp-proto": ["lib/telemetry"],
  "@opentelemetry/resources": ["lib/telemetry"],
  "@opentelemetry/sdk-trace": ["lib/telemetry"],
  "@langchain/langgraph": ["lib/dialog"],
  react: ["app", "components"],
  "react-dom": ["app", "components"],
  next: ["app", "components", "lib/server"],
};

/** What must not be sent to a browser: packages, and server modules. Zod alone would double the list page. */
export const SERVER_ONLY = [
  ...["zod", "better-sqlite3", "drizzle-orm", "pino", "next/headers", "ajv", "ajv-formats", "openai"],
  ...[
    "@modelcontextprotocol/client",
    "db",
    "lib/server",
    "lib/api",
    "lib/engine",
    "lib/model",
    "lib/crm",
    "lib/channels",
    "lib/fork",
    "lib/telemetry",
    "lib/outgoing",
    "lib/notify",
  ],
];

/** What lazily loaded parts of the console may import. */
export const LAZY_PACKAGES = ["zod"];
