import { buildConsole, claimBuild } from "../scripts/build.mjs";

/** Before tests that start servers: they run on the build that is named, else on one of the sources as they are. */
export default async function ensureBuild(): Promise<void> {
  if (process.env.OBELUS_DIST_DIR) return;
  await buildConsole();
  process.env.OBELUS_DIST_DIR = claimBuild();
}
