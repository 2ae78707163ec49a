import { ImportError } from "./import-error.ts";

/** A line of a file without its end, counted from 1. */
export interface Line {
  number: number;
  text: string;
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines as they arrive, holding only one line and the newest chunk. Throws `ImportError` for a line
 * over `limit` bytes and for bytes that are not UTF-8. `held` is called with changes of the number of held bytes.
 */
export async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
  held: (bytes: number) => void = () => undefined,
): AsyncGenerator<Line> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  let kept = 0;
  const take = (part: Uint8Array) => {
    length += part.length;
    if (length > limit) {
      throw new ImportError(`this line is longer than ${Math.floor(limit / 1024 / 1024)} MB; split its conversation`, {
        line: number,
        tooLarge: true,
      });
    }
    parts.push(part);
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      yield { number, text: decode(parts, number) };
      held(-kept);
      kept = 0;
      start = end + 1;
      number += 1;
      parts = [];
      length = 0;
    }
    if (start < chunk.length) {
      take(chunk.subarray(start));
      held(length - kept);
      kept = length;
    }
  }
  if (length > 0) yield { number, text: decode(parts, number) };
}

// Created once: a decoder per line took most of the time for short lines.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes UTF-8 without a byte order mark; throws if invalid. */
export function decode(parts: readonly Uint8Array[], line: number | null): string {
  try {
    return decoder.decode(joined(parts));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportError("this is not UTF-8; save the file as UTF-8 and import it again", { line });
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
