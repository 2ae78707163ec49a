import { statSync } from "node:fs";
import { join } from "node:path";
import { buildConsole, claimBuild } from "./build.mjs";
import { installDependencies } from "./install.mjs";
import { main, ROOT, runQuietly } from "./process.mjs";
import { stagePackage } from "./stage-package.mjs";

// `npm run package`: builds what is stale, and makes obelus-X.tgz, which starts without a build.
await main(async () => {
  await installDependencies();
  await buildConsole();
  const stage = join(ROOT, ".build", "package");
  const file = `obelus-${await stagePackage(claimBuild(), stage)}.tgz`;
  await runQuietly("Packing", "npm", ["pack", stage, "--pack-destination", ROOT, "--loglevel=error"]);
  console.log(`${file}: ${(statSync(join(ROOT, file)).size / 1e6).toFixed(1)} MB. Try it: npx ./${file}`);
});
