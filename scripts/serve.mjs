import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { claimBuild } from "./build.mjs";
import { Failure, main, ROOT } from "./process.mjs";

const OLDEST_NODE = 24;

// Becomes the server: `npm start` has installed and built before, and has replaced its shell by this process.
await main(async () => {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new Failure(
      `Obelus runs on Node ${OLDEST_NODE}, which it brings along, and this is Node ${process.versions.node}. ` +
        "Start it with npm start; if that is what you did, remove node_modules and try again.",
    );
  }
  await import("./env.mjs");
  process.env.NODE_ENV = "production";
  process.env.OBELUS_DIST_DIR ??= claimBuild();
  // Compiled code is kept beside the build: without it a start takes twice the time and 30 MB more.
  enableCompileCache(join(ROOT, process.env.OBELUS_DIST_DIR, "compile-cache"));
  await import("../lib/server/main.ts");
  flushCompileCache();
});
