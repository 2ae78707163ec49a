import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

/** One import of a source file. */
export interface Import {
  /** As written: `../session/kinds.ts`, `@/lib/plan/graph.ts`, `zod`. */
  specifier: string;
  /** The imported file from the project's folder on, or the package's name (`node:fs`, `@xyflow/react`). */
  target: string;
  /** An `import type` or `export type`: it is gone when the program runs. */
  typeOnly: boolean;
  /** By `import()`: it is loaded when it is needed. */
  lazy: boolean;
}

/** A source file with what it imports. */
export interface Module {
  path: string;
  /** It begins with "use client": it, and what it imports, goes to the browser. */
  client: boolean;
  imports: Import[];
}

interface Room {
  /** Rooms or single files that it may import. */
  knows: string[];
  /** What it may only import the types of. */
  knowsTypesOf?: string[];
  /** Every package it may import; where this is missing, all that are not kept to other rooms. */
  packages?: string[];
  /** Next bundles it, so that it can be imported by `@/`; everything else runs in Node as it stands. */
  bundled?: boolean;
}

const PURE_ROOMS = ["lib/plan", "lib/session"];

/** Who may know whom: the table of docs/architecture.md. A room may always import from itself. */
const ROOMS: Record<string, Room> = {
  "lib/plan": { knows: ["lib/session/json.ts"], knowsTypesOf: ["lib/session"], packages: [] },
  "lib/session": { knows: ["lib/plan"], packages: ["zod", "fast-json-patch", "diff"] },
  "lib/memory": {
    knows: ["lib/session/json.ts", "lib/session/issues.ts", "lib/plan/problem.ts"],
    knowsTypesOf: ["lib/session"],
    packages: ["zod"],
  },
  "lib/prompt": {
    knows: ["lib/plan/reference.ts", "lib/plan/nearest.ts", "lib/session/json.ts"],
    knowsTypesOf: ["lib/session"],
    packages: [],
  },
  // What the memory and the prompts make of the stories that are shipped.
  "lib/intake": {
    knows: [...PURE_ROOMS, "lib/memory", "lib/prompt"],
    knowsTypesOf: ["db/repositories.ts", "db/foreign"],
  },
  // The words of memory and prompts; their rules come in as ports.
  "lib/engine": {
    knows: PURE_ROOMS,
    knowsTypesOf: ["db/repositories.ts", "lib/memory/happening.ts", "lib/prompt/prompt.ts"],
  },
  // The scripted model reads what prompts put before a user's words.
  "lib/model": {
    knows: [...PURE_ROOMS, "lib/engine/model.ts", "lib/prompt/time-line.ts"],
    knowsTypesOf: ["lib/engine"],
  },
  // A stand-in for the outside world: it knows nothing of ours but what JSON is. Before lib/crm, which it stands in.
  "lib/crm/portal": { knows: ["lib/session/json.ts"] },
  "lib/crm": {
    // How a tool fails, and how one request is sent.
    knows: [
      ...PURE_ROOMS,
      "lib/memory",
      "lib/engine/tools/activity.ts",
      "lib/engine/tools/http",
      "lib/engine/result-bounds.ts",
    ],
    knowsTypesOf: ["lib/engine"],
  },
  "lib/dialog": {
    // What an agent is, its turns and what it says; the engine itself comes with the services.
    knows: [
      ...[...PURE_ROOMS, "lib/prompt"],
      ...["lib/engine/errors.ts", "lib/engine/ports.ts", "lib/engine/tools/agents-file.ts"],
    ],
    knowsTypesOf: ["lib/engine", "db/repositories.ts"],
  },
  "lib/fork": {
    // How a conversation is copied, what a run begins with; the engine itself and the log come as ports.
    knows: [
      ...PURE_ROOMS,
      "lib/intake",
      "lib/dialog/whole-state.ts",
      "lib/engine/errors.ts",
      "lib/engine/tools/tool-definition.ts",
    ],
    knowsTypesOf: ["lib/engine", "db/repositories.ts"],
  },
  "lib/channels": {
    // What people say is a turn, which may be refused; what the log says is written for them.
    knows: [...PURE_ROOMS, "lib/dialog", "lib/prompt/zone.ts", "lib/engine/errors.ts"],
    knowsTypesOf: ["db/repositories.ts"],
  },
  "lib/api": {
    // The schemas of what is registered; the engine itself comes with the services.
    knows: [
      ...PURE_ROOMS,
      "lib/memory",
      "lib/prompt",
      "lib/intake",
      "lib/engine/tools/tool-definition.ts",
      "lib/engine/tools/delegate.ts",
      "lib/dialog/agent.ts",
    ],
    knowsTypesOf: [
      ...["lib/engine", "lib/server/services.ts", "lib/server/bus.ts", "lib/server/drafts.ts", "db/repositories.ts"],
      "lib/dialog/main-graph.ts",
    ],
  },
  "lib/traces": {
    // When traces are told; the store of their spans comes as a port.
    knows: [...PURE_ROOMS, "lib/intake"],
    knowsTypesOf: ["db/repositories.ts", "lib/engine/ports.ts"],
  },
  // Asks the operations of the API, so that there is one set of rules.
  "lib/mcp": {
    knows: [...PURE_ROOMS, "lib/api"],
    knowsTypesOf: ["db/repositories.ts", "lib/server/services.ts"],
  },
  // The log in, spans out; where they go is the SDK's own to know.
  "lib/telemetry": { knows: PURE_ROOMS, knowsTypesOf: ["db/repositories.ts", "lib/engine/ports.ts"] },
  // For outside programs, which copy it: it has nothing but what every runtime has.
  "lib/client": { knows: [], packages: [] },
  examples: { knows: ["lib/client"], packages: [] },
  "lib/server": {
    knows: [
      "lib/traces",
      "lib/telemetry",
      "lib/mcp",
      ...[...PURE_ROOMS, "lib/memory", "lib/intake", "lib/api", "lib/engine", "lib/model", "lib/crm", "lib/dialog"],
      "lib/channels",
      "lib/fork",
      "db",
    ],
  },
  db: { knows: PURE_ROOMS },
  app: {
    knows: [...PURE_ROOMS, "lib/api", "lib/server/services.ts", "components", "messages"],
    knowsTypesOf: ["db/repositories.ts"],
    bundled: true,
  },
  components: {
    knows: [...PURE_ROOMS, "lib/memory", "lib/prompt", "messages"],
    knowsTypesOf: ["db/repositories.ts"],
    bundled: true,
  },
  scripts: {
    knows: [
      ...[
        ...PURE_ROOMS,
        "lib/memory",
        "lib/intake",
        "lib/api",
        "lib/engine",
        "lib/model",
        "lib/channels",
        "lib/server",
      ],
      "db",
    ],
  },
  bench: { knows: [...PURE_ROOMS, "lib/prompt", "lib/intake", "lib/api", "lib/engine", "lib/server", "db", "scripts"] },
};

/** Packages that are kept to some rooms or single files. */
const KEPT: Record<string, string[]> = {
  // The demo portal keeps its data as any outside program would: in a database of its own, behind one file.
  "better-sqlite3": ["db", "bench", "lib/crm/portal/store.ts"],
  "drizzle-orm": ["db"],
  ajv: ["lib/engine"],
  "ajv-formats": ["lib/engine"],
  "@modelcontextprotocol/client": ["lib/engine"],
  "@modelcontextprotocol/server": ["lib/mcp"],
  openai: ["lib/model"],
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

/** What must not reach a browser: packages, and rooms of the server. Zod alone would double the list page. */
const SERVER_ONLY = [
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
  ],
];

/** What a part of the console that is loaded when it is opened may bring along. */
const LATE = ["zod"];

/** Tests, and what only they use, may look anywhere. */
const TESTS = /\.test\.tsx?$|\/testing\//;

/** Reads every source file of the rooms, tests left out. */
export function readModules(root: string): Module[] {
  return Object.keys(ROOMS).flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join(room, name.replaceAll("\\", "/")))
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !TESTS.test(path))
      .map((path) => readModule(path, readFileSync(join(root, path), "utf8"))),
  );
}

/** Reads the imports of one source file. Throws when it cannot be parsed. */
export function readModule(path: string, source: string): Module {
  const { module, program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const statements = [
    ...module.staticImports.map((statement) => ({ ...statement, specifier: statement.moduleRequest.value })),
    ...module.staticExports.flatMap((statement) => {
      const from = statement.entries.find((entry) => entry.moduleRequest)?.moduleRequest;
      return from ? [{ ...statement, specifier: from.value }] : [];
    }),
  ];
  const imports = statements.map(({ specifier, start, end }) => ({
    specifier,
    target: resolve(path, specifier),
    typeOnly: /^(import|export)\s+type\b/.test(source.slice(start, end)),
    lazy: false,
  }));
  for (const { moduleRequest } of module.dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    const specifier = /^(["'`])(.*)\1$/.exec(text)?.[2];
    if (specifier) imports.push({ specifier, target: resolve(path, specifier), typeOnly: false, lazy: true });
  }
  const client = program.body.some((node) => node.type === "ExpressionStatement" && node.directive === "use client");
  return { path, client, imports };
}

/** Every breach of the rules, as a sentence each. */
export function findBreaches(modules: readonly Module[]): string[] {
  return [
    ...modules.flatMap((module) =>
      module.imports.flatMap((imported) => {
        const breach = breachOf(module.path, imported);
        return breach ? [`${module.path} imports ${imported.specifier}: ${breach}`] : [];
      }),
    ),
    ...findServerCodeInBrowser(modules),
  ];
}

function breachOf(path: string, { specifier, target, typeOnly }: Import): string | null {
  const name = roomOf(path);
  const room = name === null ? undefined : ROOMS[name];
  if (name === null || !room) return null;
  if (specifier.startsWith("@/") && !room.bundled) return "what runs in Node as it stands imports by a relative path";
  if (!isFile(specifier)) return breachByPackage(path, room, target, typeOnly);
  if (!/\.\w+$/.test(specifier)) return "the file's extension is missing";
  const known = [name, ...room.knows, ...(typeOnly ? (room.knowsTypesOf ?? []) : [])];
  return known.some((place) => isWithin(target, place)) ? null : `${name} may not know it`;
}

function breachByPackage(path: string, room: Room, target: string, typeOnly: boolean): string | null {
  if (room.packages && !room.packages.includes(target)) return `${roomOf(path)} is pure`;
  const kept = KEPT[target];
  if (!kept || typeOnly || kept.some((place) => isWithin(path, place))) return null;
  return `only ${kept.join(", ")} may import it`;
}

/** Follows what client modules import while the program runs, and names the way to what belongs to the server. */
function findServerCodeInBrowser(modules: readonly Module[]): string[] {
  const imports = modules.flatMap((module) => module.imports);
  const early = new Set(imports.flatMap(({ lazy, target }) => (lazy ? [] : [target])));
  const late = new Set(imports.flatMap(({ lazy, target }) => (lazy && !early.has(target) ? [target] : [])));
  const client = modules.filter((module) => module.client).map(({ path }) => path);
  const atOnce = client.filter((path) => !late.has(path));
  return [
    ...new Set([
      ...waysTo(SERVER_ONLY, modules, atOnce, ({ lazy }) => !lazy),
      ...waysTo(
        SERVER_ONLY.filter((kept) => !LATE.includes(kept)),
        modules,
        client,
        () => true,
      ),
    ]),
  ];
}

/** The ways from these modules to what a browser must not reach, over the imports that are followed. */
function waysTo(
  kept: readonly string[],
  modules: readonly Module[],
  from: readonly string[],
  isFollowed: (imported: Import) => boolean,
): Set<string> {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const breaches = new Set<string>();
  const seen = new Set<string>();
  const queue = from.map((path) => [path]);
  for (let way = queue.pop(); way; way = queue.pop()) {
    const path = way.at(-1) ?? "";
    if (seen.has(path)) continue;
    seen.add(path);
    for (const imported of byPath.get(path)?.imports ?? []) {
      const { specifier, target, typeOnly } = imported;
      if (typeOnly || !isFollowed(imported)) continue;
      const place = isFile(specifier) ? target : specifier;
      if (place.startsWith("node:") || kept.some((each) => isWithin(place, each))) {
        breaches.add(`the browser reaches ${place}: ${way.join(" → ")}`);
      } else {
        queue.push([...way, target]);
      }
    }
  }
  return breaches;
}

/** The room that a file stands in; null outside of them all. */
function roomOf(path: string): string | null {
  return Object.keys(ROOMS).find((room) => isWithin(path, room)) ?? null;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function isFile(specifier: string): boolean {
  return specifier.startsWith(".") || specifier.startsWith("@/");
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
