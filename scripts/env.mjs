import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./process.mjs";

// Loads .env, if it exists; the environment has priority.
const settings = join(ROOT, ".env");
if (existsSync(settings)) process.loadEnvFile(settings);
