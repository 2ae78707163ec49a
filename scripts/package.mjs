import { statSync } from "node:fs";
import { join } from "node:path";
import { claimBuild } from "./build.mjs";
import { main, ROOT, runQuietly } from "./process.mjs";
import { stageClients } from "./stage-clients.mjs";
import { stagePackage } from "./stage-package.mjs";

// `npm run package`: makes obelus-X.tgz, which starts without a build, and obelus-client-X.tgz. The
// client for Python is in .build/clients/python, as a package to build.
await main(async () => {
  const server = join(ROOT, ".build", "package");
  const clients = join(ROOT, ".build", "clients");
  const file = `obelus-${await stagePackage(claimBuild(), server)}.tgz`;
  const client = `obelus-client-${await stageClients(clients)}.tgz`;
  const folders = [server, join(clients, "npm")];
  await runQuietly("Packing", "npm", ["pack", ...folders, "--pack-destination", ROOT, "--loglevel=error"]);
  console.log(`${file}: ${sizeOf(file)} MB. Try it: npx ./${file}`);
  console.log(`${client}: ${sizeOf(client)} MB`);
});

/** @param {string} file */
function sizeOf(file) {
  return (statSync(join(ROOT, file)).size / 1e6).toFixed(2);
}
