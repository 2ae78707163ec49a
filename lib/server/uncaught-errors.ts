import type { Logger } from "pino";

/**
 * Logs uncaught errors and exits: the process is in an unknown state, and the event log is safe at any time. Next would
 * only print the error and continue. Unhandled rejections are logged, too, and are not fatal once Next is loaded: its
 * rendering leaves some behind when data turns out not to be needed.
 */
export function logUncaughtErrors(logger: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    logger.fatal({ err: error, origin }, "Uncaught error; the process exits");
    process.exit(1);
  });
}

/** Must be called once Next is loaded. */
export function tolerateRejections(logger: Logger): void {
  process.on("unhandledRejection", (reason) => {
    logger.error({ err: reason }, "Unhandled promise rejection");
  });
}
