import { parseTemplate } from "@/lib/prompt/template.ts";

/** A range of a text, in UTF-16 offsets; the end is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** The next occurrence of a placeholder in a template from `after` on, wrapping around. Null for none. */
export function findPlaceholder(template: string, placeholder: string, after: number): Range | null {
  const places = parseTemplate(template).filter(
    (part) => part.kind === "placeholder" && part.placeholder === placeholder,
  );
  const found = places.find(({ start }) => start >= after) ?? places[0];
  return found ? { start: found.start, end: found.end } : null;
}
