import { cpSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { escapeSources } from "./ascii-sources.mjs";
import { PROGRAMS, ROOT } from "./process.mjs";

/** Beside the programs: files that they read by path. */
const FILES = "files";

/** The server and the main graph are entries also without being run: their code is compiled before. */
const ENTRIES = {
  main: "lib/server/main.ts",
  server: "lib/server/start.ts",
  "main-graph": "lib/dialog/main-graph/main-graph.ts",
  obelus: "scripts/commands/main.ts",
};

/** Native modules, and Next, which loads its own modules by path. */
const EXTERNAL = [/^next(\/|$)/, "better-sqlite3", "@node-rs/argon2", "pg-native"];

/** A file named relative to the module that uses it. */
const FILE_URL = /new URL\("(\.{1,2}\/[^"]*)", import\.meta\.url\)/g;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Bundles the server, its threads and processes into a build, `node scripts/bundle.mjs FOLDER`: loading a file for each module
// takes a third of a start.
if (import.meta.main) {
  const build = join(ROOT, process.argv[2] ?? "");
  escapeSources(join(build, "server"));
  await bundle(ENTRIES, join(build, PROGRAMS));
}

/**
 * Bundles programs into a folder, and the threads and processes that they start. Each is an entry, and what several of them use is
 * a chunk. The files that they read by path are copied, so that the folder is whole by itself.
 * @param {Record<string, string>} entries by their names without `.mjs`
 * @param {string} target
 */
export async function bundle(entries, target) {
  const bundled = await rolldown({
    cwd: ROOT,
    input: entries,
    platform: "node",
    external: EXTERNAL,
    plugins: [keepFileUrls(target)],
  });
  await bundled.write({
    dir: target,
    format: "esm",
    sourcemap: true,
    // The others are a fifth of the text, which a server reads at each start and keeps: 1 to 9 MB of 118.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    // V8 keeps a source with a single other character at two bytes for each.
    charset: "ascii",
    plugins: [mapLines(target)],
  });
  await bundled.close();
}

/**
 * The name of the program that a module is, without `.mjs`.
 * @param {string} module relative to the project
 */
export function programOf(module) {
  return module.slice(0, -".ts".length).replaceAll("/", "-");
}

/**
 * Makes `new URL("./…", import.meta.url)` name the same file in the bundle, from whichever chunk: a module becomes a program of
 * its own, another file is copied, and the project's folder stays where it is.
 * @param {string} target the folder of the bundle, which has no folders of chunks
 * @returns {import("rolldown").Plugin}
 */
function keepFileUrls(target) {
  return {
    name: "keep-file-urls",
    transform: {
      filter: { id: /\.ts$/, code: "import.meta.url" },
      handler(code, id) {
        const moved = code.replaceAll(FILE_URL, (_, path) => {
          const file = resolve(dirname(id), path);
          const name = relative(ROOT, file);
          if (name === "") return `new URL("${relative(target, ROOT)}/", import.meta.url)`;
          if (!name.endsWith(".ts")) {
            cpSync(file, join(target, FILES, name), { recursive: true });
            return `new URL("./${FILES}/${name}${path.endsWith("/") ? "/" : ""}", import.meta.url)`;
          }
          const program = `${programOf(name)}.mjs`;
          this.emitFile({ type: "chunk", id: file, fileName: program });
          return `new URL("./${program}", import.meta.url)`;
        });
        // Lines stay where they are.
        return { code: moved, map: null };
      },
    },
  };
}

/**
 * Reduces source maps to a place per line, which is what stacks in a log need: a tenth of the size, and read in milliseconds.
 * @param {string} target
 * @returns {import("rolldown").Plugin}
 */
function mapLines(target) {
  return {
    name: "map-lines",
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "asset" || !output.fileName.endsWith(".map")) continue;
        const map = JSON.parse(String(output.source));
        const code = bundle[output.fileName.slice(0, -".map".length)];
        if (code?.type !== "chunk") continue;
        const sources = map.sources.map((/** @type {string} */ source) => relative(ROOT, resolve(target, source)));
        const mappings = lineMappings(new SourceMap(map), map.sources, code.code);
        output.source = JSON.stringify({ version: 3, file: code.fileName, sources, names: [], mappings });
      }
    },
  };
}

/**
 * @param {SourceMap} map
 * @param {string[]} sources
 * @param {string} code
 */
function lineMappings(map, sources, code) {
  const numbers = new Map(sources.map((source, index) => [source, index]));
  let last = { source: 0, line: 0 };
  return code
    .split("\n")
    .map((text, index) => {
      const found = map.findEntry(index, text.search(/\S|$/));
      if (!("originalSource" in found) || found.generatedLine !== index) return "";
      const next = { source: numbers.get(found.originalSource) ?? 0, line: found.originalLine };
      const segment = [0, next.source - last.source, next.line - last.line, 0].map(base64Vlq).join("");
      last = next;
      return segment;
    })
    .join(";");
}

/** @param {number} value as source maps write numbers: five bits each, the sign in the lowest, the sixth for more to come */
function base64Vlq(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += BASE64[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
