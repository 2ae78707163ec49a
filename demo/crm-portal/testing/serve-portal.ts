import { startDemoPortal } from "../portal.ts";

/** A portal in its own process, for tests that kill it: writes its webhook to standard output. */
const [file = ""] = process.argv.slice(2);
const { webhookUrl } = await startDemoPortal({ file, logger: console });
process.stdout.write(`${webhookUrl}\n`);
