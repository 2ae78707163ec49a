import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runQuietly } from "./process.mjs";

/**
 * Puts the clients' packages together: `npm` has the one of npm, `python` the one of PyPI. Both have the server's version.
 * @param {string} target the folder of both, which is made anew
 * @returns {Promise<string>} the version
 */
export async function stageClients(target) {
  rmSync(target, { recursive: true, force: true });
  const { version, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const npm = join(target, "npm");
  const python = join(target, "python");
  mkdirSync(npm, { recursive: true });
  mkdirSync(join(python, "obelus_client"), { recursive: true });
  const copy = (/** @type {string} */ from, /** @type {string} */ to) => cpSync(join(ROOT, from), to);

  await runQuietly("Compiling the client", "tsc", ["-p", "packaging/client", "--outDir", join(npm, "dist")]);
  // The compiler leaves these as they are in the sources.
  for (const file of globSync(join(npm, "dist/*.d.ts")))
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  const manifest = {
    ...{ name: "obelus-client", version, license, type: "module", sideEffects: false },
    description: "Records what an AI agent does on an Obelus server, and reads it",
    keywords: ["ai", "agents", "llm", "observability", "tracing"],
    exports: { ".": { types: "./dist/client.d.ts", default: "./dist/client.js" } },
    types: "./dist/client.d.ts",
    files: ["dist"],
    engines: { node: ">=18" },
  };
  writeFileSync(join(npm, "package.json"), JSON.stringify(manifest, null, 2));
  copy("packaging/client/README.md", join(npm, "README.md"));
  copy("LICENSE", join(npm, "LICENSE"));

  // A package and not a module, so that type checkers find its types (PEP 561).
  copy("packaging/python/obelus_client.py", join(python, "obelus_client/__init__.py"));
  writeFileSync(join(python, "obelus_client/py.typed"), "");
  for (const name of ["pyproject.toml", "README.md"]) copy(join("packaging/python", name), join(python, name));
  copy("LICENSE", join(python, "LICENSE"));
  return version;
}
