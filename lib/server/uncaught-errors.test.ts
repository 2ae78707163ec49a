import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));

function runs(work: string) {
  const script = `
    import { createLogger } from "./logger.ts";
    import { logUncaughtErrors, tolerateRejections } from "./uncaught-errors.ts";
    const logger = createLogger("info");
    logUncaughtErrors(logger);
    ${work}
    setTimeout(() => process.exit(0), 100);`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    cwd: here,
  });
  const lines = stderr.toString().trim().split("\n").filter(Boolean);
  return { status, lines: lines.map((line) => JSON.parse(line)) };
}

test("Run: an uncaught error is logged as fatal, with its cause, before the process ends", () => {
  const { status, lines } = runs(`setImmediate(() => { throw new Error("broken", { cause: new Error("deeper") }); });`);
  expect(status).toBe(1);
  expect(lines).toMatchObject([{ level: 60, origin: "uncaughtException", err: { message: "broken: deeper" } }]);
});

test("Run: so is an unhandled rejection, until Next is loaded; from then on it is only logged", () => {
  expect(runs(`Promise.reject(new Error("unheard"));`)).toMatchObject({
    status: 1,
    lines: [{ level: 60, origin: "unhandledRejection", err: { message: "unheard" } }],
  });
  expect(runs(`tolerateRejections(logger); Promise.reject(new Error("unheard"));`)).toMatchObject({
    status: 0,
    lines: [{ level: 50, err: { message: "unheard" } }],
  });
});
