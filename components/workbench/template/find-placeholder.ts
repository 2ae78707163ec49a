import { parseTemplate } from "@/lib/prompt/template.ts";

/** A stretch of a text, in UTF-16 offsets; the end is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Where a template names a placeholder: the first such place from `after` on, else the first of all, so that asking
 * again goes from one to the next. Null where it is not named.
 */
export function findPlaceholder(template: string, placeholder: string, after: number): Range | null {
  const places = parseTemplate(template).filter(
    (part) => part.kind === "placeholder" && part.placeholder === placeholder,
  );
  const found = places.find(({ start }) => start >= after) ?? places[0];
  return found ? { start: found.start, end: found.end } : null;
}
