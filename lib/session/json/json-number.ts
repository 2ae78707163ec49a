import { pointerTo } from "../../plan/problem.ts";

/**
 * How numbers are handled that JavaScript would change: refused, or, where nothing may be refused, kept as text as
 * written.
 */
export type Numbers = "refused" | "as_written";

/** A number in a JSON text that JavaScript would change. */
export interface LostNumber {
  written: string;
  offset: number;
}

/** A double always keeps this many digits. */
const KEPT_LENGTH = 15;

/** Whether JavaScript keeps the decimal value of a JSON number: `1.0` yes, `-0` and `1e-400` no. */
export function isKept(written: string): boolean {
  if (written.length <= KEPT_LENGTH && !/[eE]/.test(written)) return !/^-0(?:\.0*)?$/.test(written);
  const number = Number(written);
  if (!Number.isFinite(number) || Object.is(number, -0)) return false;
  return decimalOf(written) === decimalOf(String(number));
}

/** The normal form of a decimal number: its digits without leading and trailing zeros, and the exponent. */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === "0") from += 1;
  if (from === digits.length) return `${sign}0`;
  let to = digits.length;
  while (digits[to - 1] === "0") to -= 1;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/** A fast pre-filter: most texts have no such number. Strings may match, too. */
const SUSPECT = /(?:^|[\s:,[])(?:-?(?:[\d.]{16}|\d[\d.]{0,15}[eE])|-0(?!\d))/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/** The first number in a JSON text that JavaScript would change; null for none. */
export function findLostNumber(text: string): LostNumber | null {
  for (const lost of lostNumbers(text)) return lost;
  return null;
}

/** `JSON.parse`, with numbers that it would change as text. Throws `SyntaxError`. */
export function parseAsWritten<T>(text: string): T {
  let quoted = "";
  let from = 0;
  for (const { written, offset } of lostNumbers(text)) {
    quoted += `${text.slice(from, offset)}"${written}"`;
    from = offset + written.length;
  }
  return JSON.parse(from === 0 ? text : quoted + text.slice(from));
}

function* lostNumbers(text: string): Generator<LostNumber> {
  if (!SUSPECT.test(text)) return;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at);
    } else if (char === MINUS || (char >= DIGIT_0 && char <= DIGIT_9)) {
      NUMBER.lastIndex = at;
      const [written = ""] = NUMBER.exec(text) ?? [];
      if (written !== "" && !isKept(written)) yield { written, offset: at };
      at += Math.max(0, written.length - 1);
    }
  }
}

/** The index of the quote that ends the string from `start`; the text's length if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The error for such a number: how it was written, and what it would become. */
export function lostWords({ written }: Pick<LostNumber, "written">): { shown: string; fate: string } {
  const number = Number(written);
  const became = Number.isFinite(number) ? `would be stored as ${number}` : "exceeds 1.8e308 and cannot be stored";
  return { shown: written.length > 60 ? `${written.slice(0, 60)}…` : written, fate: `${became}; send it as a string` };
}

/** The JSON Pointer of the value at an offset of a JSON text. */
export function pointerAt(text: string, offset: number): string {
  const open: { key: string | number }[] = [];
  let name = "";
  for (let at = 0; at < offset; at += 1) {
    const top = open.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        name = text.slice(at, end + 1);
        at = end;
        break;
      }
      case ":":
        if (top) top.key = String(JSON.parse(name));
        break;
      case ",":
        if (top && typeof top.key === "number") top.key += 1;
        break;
      case "[":
        open.push({ key: 0 });
        break;
      case "{":
        open.push({ key: "" });
        break;
      case "]":
      case "}":
        open.pop();
        break;
    }
  }
  return pointerTo(open.map(({ key }) => key));
}
