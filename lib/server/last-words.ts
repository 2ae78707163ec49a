import type { Logger } from "pino";

/**
 * Has the process tell why it ends, in its log, when an error reaches nobody: what it was doing is in an unknown state, and
 * the log of events takes no harm from an end at any time. Next would only print the error, and go on.
 *
 * A rejection that nobody heard is told of, too, and ends nothing once Next is there: rendering leaves such ones behind where it
 * turns out that data is not needed.
 */
export function installLastWords(logger: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    logger.fatal({ err: error, origin }, "Uncaught error; the process exits");
    process.exit(1);
  });
}

/** To be called once Next is there. */
export function outliveRejections(logger: Logger): void {
  process.on("unhandledRejection", (reason) => {
    logger.error({ err: reason }, "Unhandled promise rejection");
  });
}
