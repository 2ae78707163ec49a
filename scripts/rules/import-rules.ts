import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { LAZY_PACKAGES, MODULES, type ModuleRule, RESTRICTED_PACKAGES, SERVER_ONLY } from "./modules.ts";

/** One import of a source file. */
export interface Import {
  /** As written: `../session/kinds.ts`, `@/lib/plan/graph.ts`, `zod`. */
  specifier: string;
  /** The imported file relative to the project's folder, or the package's name (`node:fs`, `@xyflow/react`). */
  target: string;
  /** An `import type` or `export type`, erased at run time. */
  typeOnly: boolean;
  /** A dynamic `import()`. */
  lazy: boolean;
}

/** A source file with its imports. */
export interface Module {
  path: string;
  /** It has "use client": it and its imports are sent to the browser. */
  client: boolean;
  imports: Import[];
}

/** Tests, and modules for tests, may import anything. */
const TESTS = /\.test\.tsx?$|\/testing\//;

/** Reads every source file of the modules, without tests. */
export function readModules(root: string): Module[] {
  return Object.keys(MODULES).flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
      .map((file) => posix.join(name, file.replaceAll("\\", "/")))
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !TESTS.test(path))
      .map((path) => readModule(path, readFileSync(join(root, path), "utf8"))),
  );
}

/** Parses the imports of a source file. Throws if it cannot be parsed. */
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

/** All violations of the rules, a sentence each. */
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

/**
 * Import cycles between files: `a.ts → b.ts → a.ts`. Type imports and `import()` are ignored: the module is loaded when
 * they are evaluated.
 */
export function findCycles(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]) => {
    const from = way.indexOf(path);
    if (from >= 0) cycles.push([...way.slice(from), path].join(" → "));
    if (from >= 0 || finished.has(path)) return;
    const followed = byPath.get(path)?.imports.filter(({ typeOnly, lazy }) => !typeOnly && !lazy) ?? [];
    for (const { target } of followed) visit(target, [...way, path]);
    finished.add(path);
  };
  for (const { path } of modules) visit(path, []);
  return cycles;
}

function breachOf(path: string, { specifier, target, typeOnly }: Import): string | null {
  const name = moduleOf(path);
  const rule = name === null ? undefined : MODULES[name];
  if (name === null || !rule) return null;
  if (specifier.startsWith("@/") && !rule.bundled) return "what runs in Node as it stands imports by a relative path";
  if (!isFile(specifier)) return breachByPackage(path, rule, target, typeOnly);
  if (!/\.\w+$/.test(specifier)) return "the file's extension is missing";
  const known = [name, ...rule.imports, ...(typeOnly ? (rule.importsTypes ?? []) : [])];
  return known.some((place) => isWithin(target, place)) ? null : `${name} may not import it`;
}

function breachByPackage(path: string, rule: ModuleRule, target: string, typeOnly: boolean): string | null {
  if (rule.packages && !rule.packages.includes(target)) return `${moduleOf(path)} is pure`;
  const kept = RESTRICTED_PACKAGES[target];
  if (!kept || typeOnly || kept.some((place) => isWithin(path, place))) return null;
  return `only ${kept.join(", ")} may import it`;
}

/** Follows the run-time imports of client modules, and returns the paths to server code. */
function findServerCodeInBrowser(modules: readonly Module[]): string[] {
  const imports = modules.flatMap((module) => module.imports);
  const early = new Set(imports.flatMap(({ lazy, target }) => (lazy ? [] : [target])));
  const late = new Set(imports.flatMap(({ lazy, target }) => (lazy && !early.has(target) ? [target] : [])));
  const client = modules.filter((module) => module.client).map(({ path }) => path);
  const atOnce = client.filter((path) => !late.has(path));
  return [
    ...new Set([
      ...waysTo("the browser", SERVER_ONLY, modules, atOnce, ({ lazy }) => !lazy),
      ...waysTo(
        "the browser",
        SERVER_ONLY.filter((kept) => !LAZY_PACKAGES.includes(kept)),
        modules,
        client,
        () => true,
      ),
    ]),
  ];
}

/** The paths from a module to Node, and to packages that are not its own. */
export function findImpurities(modules: readonly Module[], name: string): string[] {
  const own = MODULES[name]?.packages ?? [];
  const from = modules.map(({ path }) => path).filter((path) => isWithin(path, name));
  const others = Object.keys(RESTRICTED_PACKAGES).filter((target) => !own.includes(target));
  return [...waysTo(name, others, modules, from, () => true)];
}

/** The paths from these modules to forbidden targets, over certain imports. */
function waysTo(
  who: string,
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
        breaches.add(`${who} reaches ${place}: ${way.join(" → ")}`);
      } else {
        queue.push([...way, target]);
      }
    }
  }
  return breaches;
}

/** The module of a file; null for none. */
function moduleOf(path: string): string | null {
  return Object.keys(MODULES).find((name) => isWithin(path, name)) ?? null;
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
