import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../setup/server.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NOBODY = 65_534;
/** Without compiled code a start takes a few seconds, on a busy machine half a minute. */
const PATIENCE_MS = 180_000;

/** Mounts the project read-only, for this process only, and becomes the server as an unprivileged user. */
const START = `
  mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" && ! touch written 2>/dev/null || exit 7
  exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all "$2" scripts/serve.mjs`;

/** Requires root, and is forbidden in some containers. */
const canMount = spawnSync("unshare", ["-m", "setpriv", "--nnp", "true"]).status === 0;
if (!canMount) console.log("The start from a read-only tree is not tried: this user may not mount, or has no setpriv");

test.skipIf(!canMount)(
  "Run: it starts from a tree that is read-only, as a user without rights, and writes its data alone",
  async () => {
    const dataDir = await temporaryDirectory();
    await chown(dataDir, NOBODY, NOBODY);
    const server = spawn("unshare", ["-m", "sh", "-c", START, "sh", ROOT, process.execPath], {
      env: { ...process.env, HOME: "/nonexistent", HOST: "127.0.0.1", PORT: "0", OBELUS_DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(server, "exit");
    for await (const line of createInterface(server.stdout)) {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address === undefined) continue;
      expect((await fetch(`${address}/`)).status).toBe(200);
      expect((await fetch(`${address}/api/ready`)).status).toBe(200);
      server.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
    await rm(dataDir, { recursive: true, force: true });
  },
  PATIENCE_MS,
);
