import { destination, type Logger, pino } from "pino";
import { redactJson } from "../redaction/redact.ts";
import type { RedactionRule } from "../redaction/rules.ts";
import type { Json } from "../session/json/json.ts";
import type { Config } from "./config.ts";

/**
 * Logs as JSON lines on standard error, written at once: a process that dies has told why. What `rules` find is taken out
 * of each line as a whole, errors' messages and stacks included.
 */
export function createLogger(level: Config["logLevel"], rules: readonly RedactionRule[] = ["keys", "cards"]): Logger {
  const to = destination({ fd: 2, sync: true });
  const write = (line: string) => void to.write(escapeControls(redactLine(line, rules)));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** What JSON leaves as it is, and some terminals and readers of lines act on. */
export function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A line that has nothing to hide is written as it came. It is read, because names in it tell what is secret. */
export function redactLine(line: string, rules: readonly RedactionRule[]): string {
  if (rules.length === 0) return line;
  const entry: Json = JSON.parse(line);
  const left = redactJson(entry, rules);
  return left === entry ? line : `${JSON.stringify(left)}\n`;
}
