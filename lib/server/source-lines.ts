import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { z } from "zod";

/** The folder of this file, where a bundle has all of its programs. */
const HERE = new URL(".", import.meta.url).href;
const FRAME = /([\w-]+\.mjs):(\d+):\d+/g;
/** More frames than an operator's errors have; they are the same ones again and again. */
const MOST_FRAMES = 10_000;

const sourceMap = z.object({
  ...{ version: z.int(), file: z.string(), mappings: z.string(), sourceRoot: z.string().default("") },
  ...{ sources: z.array(z.string()), sourcesContent: z.array(z.string()).default([]), names: z.array(z.string()) },
});

/**
 * Makes what replaces places in the bundled programs, in a text with stacks, by those in the sources: `lib/server/start.ts:88`.
 * Maps are read when the first error needs them: with Node's own --enable-source-maps a start takes half as long again, and 70 MB
 * more.
 */
export function createSourceLines(programs = HERE): (text: string) => string {
  const maps = new Map<string, SourceMap | null>();
  const frames = new Map<string, string>();

  /** Null for a file without a map. */
  function mapOf(file: string): SourceMap | null {
    const known = maps.get(file);
    if (known !== undefined) return known;
    const read = readMap(new URL(`${file}.map`, programs));
    maps.set(file, read);
    return read;
  }

  function sourceOf(frame: string, file: string, line: number): string {
    const known = frames.get(frame);
    if (known !== undefined) return known;
    const entry = mapOf(file)?.findEntry(line - 1, 0);
    const source = entry && "originalSource" in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : frame;
    if (frames.size < MOST_FRAMES) frames.set(frame, source);
    return source;
  }

  return (text) => {
    if (!text.includes(programs)) return text;
    return text
      .replaceAll(programs, "")
      .replaceAll(FRAME, (frame, file: string, line: string) => sourceOf(frame, file, Number(line)));
  };
}

function readMap(file: URL): SourceMap | null {
  try {
    return new SourceMap(sourceMap.parse(JSON.parse(readFileSync(file, "utf8"))));
  } catch {
    // An error without source lines is logged all the same.
    return null;
  }
}
