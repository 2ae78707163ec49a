import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { errorCode, StartupError } from "../startup-error.ts";
import { serveCompressed } from "./compressed-files.ts";
import { logConsole } from "./console-log.ts";
import { preloadPages } from "./preload-pages.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The console and the routes of the API, as Next serves them. */
export interface Console {
  handle: RequestListener;
  /** Loads what else pages are rendered from, while others are served. */
  preload(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts Next within this process.
 *
 * Throws `StartupError` when the tree has not been built.
 */
export async function openConsole({
  dev,
  server,
  host,
  port,
  logger,
}: {
  dev: boolean;
  server: Server;
  host: string;
  port: number;
  logger: Logger;
}): Promise<Console> {
  if (!dev) {
    useBuiltConfiguration();
    logConsole(logger);
  }
  const { default: next } = await import("next");
  const app = next({ dev, dir: ROOT, hostname: host, port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: dev ? handle : serveCompressed(buildFile("static"), handle, logger),
    preload: async () => {
      if (dev) return;
      try {
        await preloadPages(buildFile("server"));
        logger.debug("The modules of all pages are loaded");
      } catch (error) {
        logger.error(
          { err: error },
          "The modules of pages could not be preloaded; the first request for a page loads them",
        );
      }
    },
    close: () => app.close(),
  };
}

/**
 * Hands Next the configuration that the build wrote down. Reading `next.config.ts` again would load the compiler:
 * 50 MB of memory and a tenth of the time to start.
 */
function useBuiltConfiguration(): void {
  const build = buildFolder();
  try {
    const { config } = JSON.parse(readFileSync(buildFile("required-server-files.json"), "utf8"));
    process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    throw new StartupError(`There is no build in ${build}; run npm start or npm run build.`);
  }
}

/** A file of the build that this process runs on. */
export function buildFile(name: string): string {
  return join(ROOT, buildFolder(), name);
}

/** From the project's folder on. */
function buildFolder(): string {
  return process.env.OBELUS_DIST_DIR ?? ".next";
}
