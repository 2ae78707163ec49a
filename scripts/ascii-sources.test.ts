import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { escapeSources } from "./ascii-sources.mjs";

test("scripts are written in ASCII where V8 then keeps less, and mean the same", () => {
  const folder = mkdtempSync(join(tmpdir(), "obelus-ascii-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const long = `const rest = "${"x".repeat(1_000)}";`;
  const wide = `${long} module.exports = ["—\\—", \`…\${"😀"}\`, /[а-я]😀/u.test("ю😀"), rest.length];`;
  const cyrillic = `module.exports = "${"б".repeat(1_000)}";`;
  writeFileSync(join(folder, "wide.js"), wide);
  writeFileSync(join(folder, "cyrillic.js"), cyrillic);
  escapeSources(folder);
  expect(readFileSync(join(folder, "wide.js"), "utf8")).toMatch(/^[\0-\x7f]+$/);
  expect(createRequire(import.meta.url)(join(folder, "wide.js"))).toEqual(["——", "…😀", true, 1_000]);
  expect(readFileSync(join(folder, "cyrillic.js"), "utf8")).toBe(cyrillic);
});
