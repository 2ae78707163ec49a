import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const SPEC = "docs/spec/";

/** A rule's number (`P12`, `P22a`) as a word: not `M45 6.5` of a path in SVG, nor an escaped byte `%E4`. */
const CITATION = /(?<![\w%#])[PMHDECR][1-9]\d?[a-z]?\b(?! \d)/g;
const RULE = /^\*\*([PMHDEC]\d+[a-z]?)\b/gm;

const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

test("each cited rule is in the specification, once", () => {
  const rules = readdirSync(`${root}${SPEC}`).flatMap((file) =>
    [...read(SPEC + file).matchAll(RULE)].map(([, id]) => id),
  );
  expect(rules.length).toBe(new Set(rules).size);
  const cited = globSync("{app,bench,components,db,demo,docs,e2e,examples,lib,scripts}/**/*.{ts,tsx,mjs,css,md}", {
    cwd: root,
  }).flatMap((file) => [...read(file).matchAll(CITATION)].map(([id]) => ({ file, id })));
  expect(cited.length).toBeGreaterThan(1000);
  expect(cited.filter(({ id }) => !rules.includes(id))).toEqual([]);
});
