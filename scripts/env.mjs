import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./process.mjs";

// Takes the settings of .env, where there is one, into the environment, which wins.
const settings = join(ROOT, ".env");
if (existsSync(settings)) process.loadEnvFile(settings);
