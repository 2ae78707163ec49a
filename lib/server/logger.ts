import { destination, type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** Logs as JSON lines on standard error, written at once: a process that dies has told why. */
export function createLogger(level: Config["logLevel"]): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));
}
