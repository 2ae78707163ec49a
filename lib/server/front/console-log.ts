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

/** What prints to a console. */
type Printing = Pick<Console, keyof typeof LEVELS>;

/**
 * Has what Next prints stand in the log, a line of JSON for each: it may hold what somebody sent, and as plain text a line
 * break in that would look like a line of our own.
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
