import { destination, type Logger, pino } from "pino";
import { redactJson } from "../redaction/redact.ts";
import type { RedactionRule } from "../redaction/rules.ts";
import type { Json } from "../session/json/json.ts";
import type { Config } from "./config.ts";
import { createSourceLines } from "./source-lines.ts";

/**
 * Logs JSON lines to standard error, synchronously, so that a crash is logged. `rules` redact each line as a whole,
 * including errors' messages and stacks.
 */
export function createLogger(level: Config["logLevel"], rules: readonly RedactionRule[] = ["keys", "cards"]): Logger {
  const to = destination({ fd: 2, sync: true });
  const sourceLines = createSourceLines();
  const write = (line: string) => void to.write(escapeControls(redactLine(sourceLines(line), rules)));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** Characters that JSON does not escape, and some terminals and log readers interpret. */
export function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A line without secrets is written unchanged. It is parsed, because names in it identify secrets. */
export function redactLine(line: string, rules: readonly RedactionRule[]): string {
  if (rules.length === 0) return line;
  const entry: Json = JSON.parse(line);
  const left = redactJson(entry, rules);
  return left === entry ? line : `${JSON.stringify(left)}\n`;
}
