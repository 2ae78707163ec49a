import { join } from "node:path";
import type { Logger } from "pino";
import type { BitrixClient } from "../../crm/client.ts";
import { createBitrixClient } from "../../crm/client.ts";
import type { Model } from "../../engine/model.ts";
import { createModel, type ModelEndpoint } from "../../model/model-client.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Config } from "../config.ts";
import { errorCode, StartupError } from "../startup-error.ts";

/** The servers that agents use; if not configured, the bundled ones on localhost. */
export interface BundledServers {
  model: Model;
  /** Where it is asked. */
  endpoint: Omit<ModelEndpoint, "openEgress">;
  crm: BitrixClient;
  /** Stops the bundled servers. */
  close(): Promise<void>;
}

/**
 * Starts bundled servers in place of those that are not configured: the scripted model and the demo portal. Throws
 * `StartupError` for what the operator can fix.
 */
export async function openBundledServers(
  config: Config,
  { openEgress, logger }: { openEgress: OpenEgress; logger: Logger },
): Promise<BundledServers> {
  await using opened = new AsyncDisposableStack();
  const [model, webhookUrl] = await Promise.all([
    config.model ? config.model : scriptedModel(opened, config, logger),
    config.bitrixWebhookUrl ?? demoPortal(opened, config, logger),
  ]);
  const started = opened.move();
  return {
    model: createModel({ ...model, openEgress }),
    endpoint: model,
    crm: createBitrixClient({ webhookUrl, openEgress, logger }),
    close: () => started.disposeAsync(),
  };
}

/** The configured model, else the scripted one, without the portal. */
export async function openModel(
  config: Config,
  { openEgress, logger }: { openEgress: OpenEgress; logger: Logger },
): Promise<Pick<BundledServers, "model" | "endpoint" | "close">> {
  await using opened = new AsyncDisposableStack();
  const endpoint = config.model ?? (await scriptedModel(opened, config, logger));
  const started = opened.move();
  return { model: createModel({ ...endpoint, openEgress }), endpoint, close: () => started.disposeAsync() };
}

async function scriptedModel(opened: AsyncDisposableStack, { scriptedPace: pace }: Config, logger: Logger) {
  // Imported lazily: servers with a model of their own do not need it.
  const { startScriptedModel } = await import("../../../demo/model/server.ts");
  const { baseUrl, model, apiKey, close } = await startScriptedModel({ pace, logger });
  opened.defer(close);
  return { baseUrl, model, apiKey, folder: null };
}

async function demoPortal(opened: AsyncDisposableStack, { dataDir }: Config, logger: Logger): Promise<string> {
  const { startDemoPortal } = await import("../../../demo/crm-portal/portal.ts");
  const file = join(dataDir, "portal.db");
  const portal = await startDemoPortal({ file, logger }).catch((error: unknown) => {
    if (!UNREADABLE.has(errorCode(error) ?? "")) throw error;
    throw new StartupError(
      `The demo portal's data in ${file} cannot be read; delete it to recreate it, or set BITRIX24_WEBHOOK_URL to your own portal.`,
      { cause: error },
    );
  });
  opened.defer(() => portal.close());
  return portal.webhookUrl;
}

const UNREADABLE = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT"]);
