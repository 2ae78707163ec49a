import type { Json } from "../session/json/json.ts";

import { type LocalizedText, localized } from "./localized-text.ts";

/** The way to a value: object keys and array positions. */
export type Path = readonly (string | number)[];

/** A value of the context that a call reads or writes: `†state.order.items[0]` (P3). */
export interface Reference {
  kind: string;
  path: Path;
}

/** Alternatives (`||`) of gates (`&&`): `[[a, b], [c]]` is `a && b || c`. Neither level is ever empty. */
export type Expression = readonly (readonly Reference[])[];

/** What a string in a parameter says: itself, or where to read the value. */
export type Text = { kind: "literal"; text: string } | { kind: "expression"; expression: Expression };

/** Why a text could not be read, and where: `position` counts UTF-16 units from 0. */
export interface SyntaxProblem extends LocalizedText {
  position: number;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: SyntaxProblem };

const DAGGER = "†";
const NAME = /[\p{L}\p{Nd}_-]+/uy;
const POSITION = /^(0|[1-9][0-9]*)$/;
const PLAIN_NAME = /^[\p{L}\p{Nd}_-]+$/u;
const SPACES = /\s*/y;

/** Names and positions in one path: as many as JSON may be deep that comes in. */
const LONGEST_PATH = 64;

/** Says why a reference cannot stand where it was found; null when it can. `before` are those before it in its gate. */
export type Refusal = (reference: Reference, before: readonly Reference[]) => LocalizedText | null;

/**
 * Reads `a && b || c`; `&&` binds tighter (P3). The text begins with `†`; spaces around operators do not matter.
 * A reference that `refuse` gives a reason against is a problem at its place.
 */
export function parseExpression(text: string, refuse: Refusal = () => null): Parsed<Expression> {
  return parsed(text, (cursor) => cursor.expression(), refuse);
}

/** Reads one reference, and nothing but it (P3). */
export function parseReference(text: string, refuse: Refusal = () => null): Parsed<Reference> {
  return parsed(text, (cursor) => cursor.reference(), refuse);
}

/**
 * Reads a string of a parameter (P3): one that begins with a single `†` is an expression, one that begins with `††`
 * is the text with one `†` less, any other is literal, even with a `†` further inside.
 */
export function parseText(text: string): Parsed<Text> {
  if (!text.startsWith(DAGGER)) return { ok: true, value: { kind: "literal", text } };
  if (text.startsWith(DAGGER + DAGGER)) return { ok: true, value: { kind: "literal", text: text.slice(1) } };
  const expression = parseExpression(text);
  return expression.ok ? { ok: true, value: { kind: "expression", expression: expression.value } } : expression;
}

/** Writes a reference in its one canonical form: `.name` where a name suffices, `[0]` for positions, else `["…"]`. */
export function printReference(reference: Reference): string {
  return DAGGER + reference.kind + printPath(reference.path);
}

/** Writes the part of a reference after its kind: `.order.items[0]`. */
export function printPath(path: Path): string {
  return path.map(printSegment).join("");
}

/** Writes an expression in its canonical form. */
export function printExpression(expression: Expression): string {
  return expression.map((gate) => gate.map(printReference).join(" && ")).join(" || ");
}

/**
 * Finds the value at a path; undefined when the path is not present (P4). Only own keys count, so that no path
 * reaches a prototype (P8), and only a position finds something in an array.
 */
export function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    value = childAt(value, segment);
    if (value === undefined) return undefined;
  }
  return value;
}

/** One step of `valueAt`. */
export function childAt(parent: Json, segment: string | number): Json | undefined {
  if (Array.isArray(parent)) return typeof segment === "number" ? parent[segment] : undefined;
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, segment)) return undefined;
  return parent[segment];
}

/** Whether a text is a name of the grammar: letters, digits, `_`, `-` (P3). A kind has to be one. */
export function isName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

function printSegment(segment: string | number): string {
  if (typeof segment === "number") return `[${segment}]`;
  // A name of digits alone would be read back as a position.
  if (PLAIN_NAME.test(segment) && !POSITION.test(segment)) return `.${segment}`;
  return `["${segment.replace(/["\\]/g, "\\$&")}"]`;
}

function parsed<T>(text: string, read: (cursor: Cursor) => T, refuse: Refusal): Parsed<T> {
  const cursor = new Cursor(text, refuse);
  try {
    const value = read(cursor);
    cursor.end();
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, error: { ...error.text, position: error.position } };
    throw error;
  }
}

class Unreadable extends Error {
  readonly text: LocalizedText;
  readonly position: number;
  constructor(text: LocalizedText, position: number) {
    super(text.message);
    this.text = text;
    this.position = position;
  }
}

/** ASCII letters and digits, `_`, `-`. `unit` is a UTF-16 unit; NaN for none. */
function isAsciiNameUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2d
  );
}

/** Reads the grammar of P3 from left to right. */
class Cursor {
  private readonly text: string;
  private readonly refuse: Refusal;
  private at = 0;

  constructor(text: string, refuse: Refusal) {
    this.text = text;
    this.refuse = refuse;
  }

  expression(): Expression {
    const alternatives = [this.gate()];
    while (this.operator("||")) alternatives.push(this.gate());
    return alternatives;
  }

  reference(before: readonly Reference[] = []): Reference {
    const start = this.at;
    const reference = this.kindAndPath();
    const reason = this.refuse(reference, before);
    if (reason !== null) throw new Unreadable(reason, start);
    return reference;
  }

  end(): void {
    const after = this.at;
    this.match(SPACES);
    if (this.at === this.text.length) return;
    const sign = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    if (this.at > after || /[|&†]/u.test(sign))
      throw this.unreadable(localized("expected_end")`expected the end, || or &&; to start a string with †, write ††`);
    throw this.unreadable(localized("not_in_name")`${sign} is not allowed in a name; write the key as ["…"]`);
  }

  private kindAndPath(): Reference {
    if (!this.take(DAGGER))
      throw this.unreadable(
        localized("expected_reference")`expected a reference that starts with †, such as †state.order`,
      );
    const kind = this.word();
    if (kind === "")
      throw this.unreadable(
        localized("expected_kind")`expected a kind after †, such as †state; to start a string with †, write ††`,
      );
    const path: (string | number)[] = [];
    for (;;) {
      if (this.take(".")) path.push(this.name());
      else if (this.take('["')) path.push(this.quoted());
      else if (this.take("[")) path.push(this.index());
      else return { kind, path };
      if (path.length > LONGEST_PATH)
        throw this.unreadable(localized("path_too_deep")`a path may have at most ${LONGEST_PATH} names and indexes`);
    }
  }

  private gate(): Reference[] {
    const members = [this.reference()];
    while (this.operator("&&")) members.push(this.reference(members));
    return members;
  }

  private operator(sign: "||" | "&&"): boolean {
    const before = this.at;
    if (before === this.text.length) return false;
    this.match(SPACES);
    if (!this.take(sign)) {
      this.at = before;
      return false;
    }
    this.match(SPACES);
    return true;
  }

  private name(): string | number {
    const name = this.word();
    if (name === "") throw this.unreadable(localized("expected_name")`expected a name or an index after the dot`);
    if (!POSITION.test(name)) return name;
    const position = Number(name);
    return Number.isSafeInteger(position) ? position : name;
  }

  /** Letters, digits, `_` and `-`; most names are ASCII, which takes no regular expression. */
  private word(): string {
    const start = this.at;
    let end = start;
    while (isAsciiNameUnit(this.text.charCodeAt(end))) end++;
    if (this.text.charCodeAt(end) > 0x7f) return this.match(NAME);
    this.at = end;
    return this.text.slice(start, end);
  }

  private index(): number {
    const start = this.at;
    const position = Number(this.match(/[0-9]+/y) || Number.NaN);
    if (!Number.isSafeInteger(position))
      throw new Unreadable(localized("expected_index")`expected an index such as [0], or a key such as ["a b"]`, start);
    if (!this.take("]")) throw this.unreadable(localized("expected_bracket")`expected ] after the index`);
    return position;
  }

  /** Any text up to `"]`; `\"` and `\\` stand for a quote and a backslash, so that every key can be written. */
  private quoted(): string {
    const start = this.at;
    let key = "";
    while (!this.take('"]')) {
      if (this.at >= this.text.length)
        throw new Unreadable(localized("expected_key_end")`expected "] at the end of the key`, start);
      if (this.text.startsWith('\\"', this.at) || this.text.startsWith("\\\\", this.at)) this.at++;
      key += this.text.charAt(this.at++);
    }
    return key;
  }

  private take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  private match(pattern: RegExp): string {
    const start = this.at;
    pattern.lastIndex = start;
    if (pattern.test(this.text)) this.at = pattern.lastIndex;
    return this.text.slice(start, this.at);
  }

  private unreadable(text: LocalizedText): Unreadable {
    return new Unreadable(text, this.at);
  }
}
