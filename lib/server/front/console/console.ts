import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NextServerOptions } from "next/dist/server/next.js";
import type { Logger } from "pino";
import { errorCode, StartupError } from "../../startup-error.ts";
import { serveCompressed } from "../compression/compressed-files.ts";
import { logConsole } from "./console-log.ts";
import { preloadPages } from "./preload-pages.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The pages, served by Next. */
export interface Console {
  /** Loads Next with the first request for a page, unless it is loaded. */
  handle: RequestListener;
  /** Preloads modules for rendering, while requests are served. */
  preload(): Promise<void>;
  close(): Promise<void>;
}

/** Prepares the pages; with `load`, Next is loaded at once. Throws `StartupError` if there is no build. */
export async function openConsole({
  dev,
  server,
  host,
  port,
  load,
  logger,
}: {
  dev: boolean;
  server: Server;
  host: string;
  port: number;
  load: boolean;
  logger: Logger;
}): Promise<Console> {
  if (!dev) {
    useBuiltConfiguration();
    logConsole(logger);
  }
  let loading: Promise<Next> | undefined;
  const loaded = () => {
    loading ??= loadNext({ dev, dir: ROOT, hostname: host, port, httpServer: server });
    return loading;
  };
  if (load) await loaded();
  const handle: RequestListener = async (request, response) => (await loaded()).handle(request, response);
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
    close: async () => (await loading)?.close(),
  };
}

interface Next {
  handle: RequestListener;
  close(): Promise<void>;
}

async function loadNext(options: NextServerOptions): Promise<Next> {
  const { default: next } = await import("next");
  const app = next(options);
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}

/**
 * Gives Next the configuration that the build stored. Reading `next.config.ts` again would load the compiler: 50 MB of
 * memory and a tenth of the start time.
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

/** A file of the current build. */
export function buildFile(name: string): string {
  return join(ROOT, buildFolder(), name);
}

/** Relative to the project's folder. */
function buildFolder(): string {
  return process.env.OBELUS_DIST_DIR ?? ".next";
}
