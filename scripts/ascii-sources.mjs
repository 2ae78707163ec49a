import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync } from "rolldown/utils";

// What Latin-1 lacks.
const WIDE = /[^\0-\xff]/;

/**
 * Writes other characters than ASCII as escapes in the scripts of a folder, where they take less memory for it: V8 keeps a source
 * with a single character that Latin-1 lacks at two bytes for each, as long as the process runs.
 * @param {string} folder
 */
export function escapeSources(folder) {
  for (const name of globSync("**/*.js", { cwd: folder })) {
    const file = join(folder, name);
    const source = readFileSync(file, "utf8");
    if (!WIDE.test(source)) continue;
    const { code, errors } = minifySync(file, source, {
      ...{ compress: false, mangle: false, module: false },
      codegen: { asciiOnly: true, removeWhitespace: true, legalComments: "inline" },
    });
    if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0]?.message}`);
    if (!WIDE.test(code) && code.length < source.length * 2) writeFileSync(file, code);
  }
}
