import { existsSync } from "node:fs";
import { join } from "node:path";
import { claimBuild } from "./build.mjs";
import { ROOT } from "./process.mjs";

const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    `Obelus runs on Node ${OLDEST_NODE}, which it brings along, and this is Node ${process.versions.node}. ` +
      "Start it with npm start; if that is what you did, remove node_modules and try again.",
  );
  process.exit(1);
}

const settings = join(ROOT, ".env");
if (existsSync(settings)) process.loadEnvFile(settings);
process.env.NODE_ENV = "production";
process.env.OBELUS_DIST_DIR ??= claimBuild();
await import("../lib/server/main.ts");
