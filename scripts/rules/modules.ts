/** What a module may import. */
export interface ModuleRule {
  /** Modules or single files that it may import. */
  imports: string[];
  /** What it may only import the types of. */
  importsTypes?: string[];
  /** Every package it may import; where this is missing, all that are not restricted to other modules. */
  packages?: string[];
  /** Next bundles it, so that it can be imported by `@/`; everything else runs in Node as it stands. */
  bundled?: boolean;
}

const PURE_MODULES = ["lib/plan", "lib/session"];
const ACCESS_TYPES = ["caller", "audit", "rules", "own-path"].map((file) => `lib/access/${file}.ts`);

/** Which module may import which: the table of docs/architecture.md. A module may always import from itself. */
export const MODULES: Record<string, ModuleRule> = {
  // How work shares the event loop, and tells others of itself no more often than they can use it.
  "lib/event-loop": { imports: [] },
  "lib/plan": { imports: ["lib/session/json/json.ts"], importsTypes: ["lib/session"], packages: [] },
  "lib/session": { imports: ["lib/plan"], packages: ["zod", "fast-json-patch", "diff"] },
  "lib/memory": {
    imports: ["json/json", "json/json-number", "issues", "json/list", "json/reserved-names"]
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
  // What the memory and the prompts make of the stories that are shipped.
  "lib/intake": {
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/memory", "lib/prompt"],
    importsTypes: ["db/repositories.ts", "db/foreign"],
  },
  // Pure: what it reaches by way of others has no Node either. Before lib/engine, which carries out what it decides.
  "lib/engine/step": {
    imports: [
      ...PURE_MODULES,
      ...["errors", "memory", "model", "plain-json", "plan-reading", "ports"].map((file) => `lib/engine/${file}.ts`),
      ...["activity", "effect", "tool-definition"].map((file) => `lib/engine/tools/${file}.ts`),
      "lib/engine/planning/native-calls.ts",
    ],
    importsTypes: ["lib/engine", "db/repositories.ts", "lib/memory/actions/happening.ts"],
    packages: ["zod"],
  },
  // The words of memory and prompts; their rules come in as ports.
  "lib/engine": {
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/outgoing"],
    importsTypes: ["db/repositories.ts", "lib/memory/actions/happening.ts", "lib/prompt/prompt.ts"],
  },
  // The scripted model reads what prompts put before a user's words.
  "lib/model": {
    imports: [...PURE_MODULES, "lib/engine/model.ts", "lib/prompt/time-line.ts", "lib/outgoing"],
    importsTypes: ["lib/engine"],
  },
  // A stand-in for the outside world: it knows nothing of ours but what JSON is. Before lib/crm, which it stands in.
  "demo/crm-portal": { imports: ["lib/session/json/json.ts"] },
  // What stands in for the outside world, and sessions to look at: a server without it would lack nothing but them.
  demo: {
    imports: [
      ...PURE_MODULES,
      ...["lib/memory", "lib/prompt", "lib/intake", "lib/engine", "lib/model", "lib/dialog", "lib/outgoing"],
      // By it the examples' clock knows that work goes on.
      "lib/event-loop/yielding.ts",
    ],
    importsTypes: ["db/repositories.ts"],
  },
  "lib/crm": {
    // How a tool fails, and how one request is sent.
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
    // What an agent is, its turns and what it says; the engine itself comes with the services.
    imports: [
      ...[...PURE_MODULES, "lib/prompt"],
      ...["lib/engine/errors.ts", "lib/engine/ports.ts", "lib/engine/tools/agents-file.ts"],
    ],
    importsTypes: ["lib/engine", "db/repositories.ts"],
  },
  "lib/fork": {
    // How a conversation is copied, what a run begins with; the engine itself and the log come as ports.
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
    // What people say is a turn, which may be refused; what the log says is written for them.
    imports: [...PURE_MODULES, "lib/dialog", "lib/prompt/zone.ts", "lib/engine/errors.ts", "lib/outgoing"],
    importsTypes: ["db/repositories.ts"],
  },
  "lib/api": {
    // The schemas of what is registered; the engine itself comes with the services.
    imports: [
      "lib/event-loop",
      ...[...PURE_MODULES, ...ACCESS_TYPES],
      "lib/memory",
      "lib/prompt",
      "lib/intake",
      "lib/redaction",
      "lib/engine/tools/tool-definition.ts",
      "lib/engine/tools/delegate.ts",
      "lib/dialog/agent.ts",
    ],
    importsTypes: [
      ...["lib/engine", "lib/server/services.ts", "lib/server/bus.ts", "lib/server/drafts.ts"],
      ...["db/repositories.ts", "db/log-reader.ts", "db/access.ts", "db/erasures.ts", "lib/access", "lib/privacy"],
      "lib/dialog/main-graph.ts",
    ],
  },
  "lib/traces": {
    // When traces are told; the store of their spans comes as a port.
    imports: ["lib/event-loop", ...PURE_MODULES, "lib/intake"],
    importsTypes: ["db/repositories.ts", "lib/engine/ports.ts"],
  },
  // Asks the operations of the API, so that there is one set of rules.
  "lib/mcp": {
    imports: [...PURE_MODULES, "lib/api", "lib/access/caller.ts"],
    importsTypes: ["db/repositories.ts", "lib/server/services.ts"],
  },
  // The log in, spans out; where they go is the SDK's own to know.
  "lib/telemetry": {
    imports: PURE_MODULES,
    importsTypes: ["db/repositories.ts", "lib/engine/ports.ts", "lib/outgoing"],
  },
  // Who may do what: `caller.ts` and `audit.ts` are pure, and the browser has them too.
  "lib/access": { imports: ["lib/limits/client.ts"], importsTypes: ["db/access.ts", "lib/outgoing/fetch.ts"] },
  // The one way out: which hosts may be called, and what they resolve to.
  "lib/outgoing": { imports: [] },
  // What awaits people, told to them where they are; what waits comes as a port.
  "lib/notify": {
    imports: [...PURE_MODULES, "lib/outgoing"],
    importsTypes: ["db/notices.ts", "db/repositories.ts", "db/access.ts", "lib/engine/ports.ts"],
  },
  // Secrets and personal data: what they look like, and what stands in their place.
  "lib/redaction": { imports: PURE_MODULES, packages: [] },
  // When people and conversations are taken out of what is stored; the store comes as a port.
  "lib/privacy": {
    imports: [...PURE_MODULES, ...ACCESS_TYPES],
    importsTypes: ["db/access.ts", "db/erasures.ts", "db/retention.ts"],
  },
  // How much of everything there may be.
  "lib/limits": { imports: PURE_MODULES, importsTypes: ["db/access.ts", "lib/access", "lib/engine/ports.ts"] },
  // For outside programs, which copy it: it has nothing but what every runtime has.
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
        "lib/limits",
      ],
      ...[...PURE_MODULES, "lib/memory", "lib/intake", "lib/api", "lib/engine", "lib/model", "lib/crm", "lib/dialog"],
      "lib/channels",
      "lib/fork",
      "db",
    ],
  },
  db: { imports: ["lib/event-loop", ...PURE_MODULES, ...ACCESS_TYPES, "lib/redaction"] },
  app: {
    imports: [
      ...PURE_MODULES,
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
    imports: [...PURE_MODULES, "lib/memory", "lib/prompt", "messages", ...ACCESS_TYPES, "lib/access/rules.ts"],
    // The shapes of answers, not those of storage.
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
      ],
      "db",
      "demo",
    ],
  },
  bench: {
    imports: [...PURE_MODULES, "lib/prompt", "lib/intake", "lib/api", "lib/engine", "lib/server", "db", "scripts"],
  },
};

/** Packages that only some modules or single files may import. */
export const RESTRICTED_PACKAGES: Record<string, string[]> = {
  // The demo portal keeps its data as any outside program would: in a database of its own, behind one file.
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

/** What must not reach a browser: packages, and modules of the server. Zod alone would double the list page. */
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

/** What a part of the console that is loaded when it is opened may bring along. */
export const LAZY_PACKAGES = ["zod"];
