import { formatWithOptions, stripVTControlCharacters } from "node:util";
import type { Logger } from "pino";

const LEVELS = {
  error: "error",
  warn: "warn",
  log: "info",
  info: "info",
  debug: "debug",
  trace: "debug",
} as const satisfies Partial<Record<keyof Console, keyof Logger>>;

/** The printing methods of a console. */
type Printing = Pick<Console, keyof typeof LEVELS>;

/**
 * Redirects Next's console output to the logger as JSON lines: it may contain user input, and in plain text a line
 * break in it would look like a log line of ours.
 */
export function logConsole(logger: Logger, console: Printing = globalThis.console): void {
  const log =
    (level: (typeof LEVELS)[keyof typeof LEVELS]) =>
    (...printed: unknown[]) => {
      const err = printed.find((part) => part instanceof Error);
      const words = err === undefined ? printed : printed.filter((part) => part !== err);
      const text = stripVTControlCharacters(formatWithOptions({ colors: false }, ...words)).trim();
      logger[level]({ from: "next", ...(err !== undefined && { err }) }, text || "Console error");
    };
  Object.assign(console, Object.fromEntries(Object.entries(LEVELS).map(([method, level]) => [method, log(level)])));
}
