import { type Path, parseReference } from "../plan/reference.ts";

/** A part of a template. Positions are UTF-16 offsets, the end is exclusive; `raw` is its source text. */
export type TemplatePart = TemplateText | Placeholder;

export interface TemplateText {
  kind: "text";
  raw: string;
  start: number;
  end: number;
}

/** `{{state.order.id|none}}`. */
export interface Placeholder {
  kind: "placeholder";
  /** Its name: `state`. */
  name: string;
  /** Its path: `["order", "id"]`; null for the whole. */
  path: Path | null;
  /** Name and path as written: `state.order.id`. */
  placeholder: string;
  /** Its default, trimmed; null for none. */
  default: string | null;
  raw: string;
  start: number;
  end: number;
}

const OPEN = "{{";
const CLOSE = "}}";
/** The maximum length of name and path; longer ones are text. A path has at most 64 keys. */
const LONGEST_HEAD = 4_000;

const SPACE = "[\\p{White_Space}\\uFEFF]*";
const NAME = "[\\p{L}\\p{Nd}_-]+";
// The alternatives start differently, so that there is no backtracking.
const KEY = '\\["(?:[^"\\\\]|\\\\["\\\\]|\\\\(?!["\\\\])|"(?!\\]))*"\\]';
/** The text between the braces, up to its default. */
const HEAD = new RegExp(`^${SPACE}(${NAME})((?:\\.${NAME}|\\[[0-9]+\\]|${KEY})*)${SPACE}(?:$|(\\|))`, "u");

/**
 * Parses a template to parts, which joined give it again (H1). A placeholder is `{{name}}`, with a path as in
 * references (`{{state.order["a key"][0]}}`), with a default up to the next `}}` (`{{name|default}}`); with optional
 * spaces. Everything else is text, also a name that contains `{{`. Linear time.
 */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const text = (start: number, end: number) => {
    if (end > start) parts.push({ kind: "text", raw: template.slice(start, end), start, end });
  };
  let from = 0;
  let close = -1;
  for (let open = template.indexOf(OPEN); open !== -1; ) {
    if (close < open + OPEN.length) close = template.indexOf(CLOSE, open + OPEN.length);
    if (close === -1) break;
    const next = template.indexOf(OPEN, open + 1);
    const found = readPlaceholder(template, open, close, next === -1 ? close : Math.min(next, close));
    if (found) {
      text(from, open);
      parts.push(found);
      from = found.end;
    }
    open = found ? template.indexOf(OPEN, from) : next;
  }
  text(from, template.length);
  return parts;
}

/** The names of a template's placeholders without paths: `state`, `userId`. */
export function namesIn(template: string): ReadonlySet<string> {
  return new Set(parseTemplate(template).flatMap((part) => (part.kind === "placeholder" ? [part.name] : [])));
}

/**
 * The placeholder between `open` and `close`, whose name and path end at `border` at the latest; null if it is none.
 */
function readPlaceholder(template: string, open: number, close: number, border: number): Placeholder | null {
  const inside = open + OPEN.length;
  const head = HEAD.exec(template.slice(inside, Math.min(border, inside + LONGEST_HEAD)));
  if (!head) return null;
  const [all, name = "", steps = "", bar] = head;
  if (bar === undefined && inside + all.length !== close) return null;
  const path = steps === "" ? null : pathOf(name + steps);
  if (path === undefined) return null;
  const end = close + CLOSE.length;
  return {
    kind: "placeholder",
    name,
    path,
    placeholder: name + steps,
    default: bar === undefined ? null : template.slice(inside + all.length, close).trim(),
    raw: template.slice(open, end),
    start: open,
    end,
  };
}

/** The path of a placeholder; undefined if it is invalid. */
function pathOf(named: string): Path | undefined {
  const reference = parseReference(`†${named}`);
  return reference.ok ? reference.value.path : undefined;
}
