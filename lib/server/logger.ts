import { destination, type Logger, pino } from "pino";
import { redact, redactJson } from "../redaction/redact.ts";
import type { RedactionRule } from "../redaction/rules.ts";
import type { Config } from "./config.ts";

/**
 * Logs as JSON lines on standard error, written at once: a process that dies has told why. What `rules` find is taken out
 * of each line as a whole, errors' messages and stacks included.
 */
export function createLogger(level: Config["logLevel"], rules: readonly RedactionRule[] = ["keys", "cards"]): Logger {
  const to = destination({ fd: 2, sync: true });
  const write = (line: string) => void to.write(redactLine(line, rules));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** A line that has nothing to hide is gone through once, and not read. */
export function redactLine(line: string, rules: readonly RedactionRule[]): string {
  if (redact(line, rules) === line) return line;
  return `${JSON.stringify(redactJson(JSON.parse(line), rules))}\n`;
}
