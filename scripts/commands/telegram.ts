import { parseArgs } from "node:util";
import { setWebhook } from "../../lib/channels/telegram/webhook.ts";
import { createEgressPolicy } from "../../lib/outgoing/egress.ts";
import { readConfig } from "../../lib/server/config.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { Refusal } from "./call-server.ts";

/** Registers the address for the bot's updates with Telegram: `npm run telegram -- set-webhook URL`. */

const USAGE = "npm run telegram -- set-webhook URL, such as https://obelus.example.org";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal || error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<void> {
  const [command, url, ...others] = positionalsOf(args);
  if (command !== "set-webhook" || url === undefined || others.length > 0) throw new Refusal(USAGE);
  const address = webhookAddress(url);
  const { telegram, privateHosts } = readConfig(process.env);
  if (!telegram) throw new Refusal("TELEGRAM_BOT_TOKEN is not set; set it to the token that @BotFather gives");
  const refusal = await setWebhook(telegram, address, createEgressPolicy(privateHosts));
  if (refusal !== null) throw new Refusal(`Telegram rejected the webhook: ${refusal}`);
  console.log(`Telegram sends the bot's updates to ${address}`);
}

function positionalsOf(args: string[]): string[] {
  try {
    return parseArgs({ args, allowPositionals: true }).positionals;
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/**
 * The full address; one without a path gets that of the webhook. Throws a `Refusal` for an address that Telegram does
 * not support.
 */
function webhookAddress(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol !== "https:") throw new Refusal(`${given} is not a URL that starts with https://\n${USAGE}`);
  if (url.pathname === "/") url.pathname = "/api/telegram/webhook";
  return url.href;
}
