import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, matchesGlob } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";

// What the Dockerfile says is done here as far as it can be without a container engine and a network: the same files, commands,
// environment and rights. Packages are taken from the project instead of the registry, and the build is not repeated.

const run = promisify(execFile);
const NOBODY = 65_534;
/** Packing alone takes 15 s, on a busy machine a minute. */
const PATIENCE_MS = 300_000;
/** Requires root, and is forbidden in some containers. */
const canMount = spawnSync("unshare", ["-m", "setpriv", "--nnp", "true"]).status === 0;
if (!canMount) console.log("The image's steps are not tried: this user may not mount, or has no setpriv");

interface Step {
  instruction: string;
  text: string;
}

/** The stages of a Dockerfile, in order. */
function stagesOf(dockerfile: string): Step[][] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Step[][] = [];
  for (const line of lines) {
    const [, instruction = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === "FROM") stages.push([]);
    stages.at(-1)?.push({ instruction, text });
  }
  return stages;
}

const textsOf = (stage: readonly Step[], wanted: string) =>
  stage.filter(({ instruction }) => instruction === wanted).map(({ text }) => text);

/** Whether `.dockerignore` leaves a path in the context: the last pattern that matches decides. */
function isInContext(path: string, patterns: readonly string[]): boolean {
  let isIn = true;
  for (const pattern of patterns) {
    const bare = pattern.replace(/^!/, "");
    if (matchesGlob(path, bare) || path.startsWith(`${bare}/`) || bare === "*") isIn = pattern.startsWith("!");
  }
  return isIn;
}

/** The folder of the image's file system: beside the project's modules, so that they need not be copied. */
let image = "";
const at = (path: string) => join(image, path);
let stages: Step[][] = [];

beforeAll(async () => {
  await mkdir(join(ROOT, "test-results"), { recursive: true });
  image = await mkdtemp(join(ROOT, "test-results", "image-"));
  await chmod(image, 0o755);
  stages = stagesOf(await readFile(join(ROOT, "Dockerfile"), "utf8"));
});
afterAll(() => rm(image, { recursive: true, force: true }));

/** Runs commands of a stage as the shell of the image would. */
async function runIn(folder: string, commands: string): Promise<string> {
  const env = { ...process.env, HOME: at("/root") };
  return (await run("sh", ["-ec", commands], { cwd: at(folder), env })).stdout;
}

/** Runs a server in its own mounts until it is ready and `look` has seen it; it ends in order. */
async function serve(commands: string, env: Record<string, string>, look: (address: string) => Promise<void>) {
  const server = spawn("unshare", ["-m", "sh", "-ec", commands], {
    cwd: image,
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(server, "exit");
  for await (const line of createInterface(server.stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address === undefined) continue;
    await look(address);
    server.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
}

/** The environment of a stage, with paths of the image. */
function environmentOf(stage: readonly Step[]): Record<string, string> {
  const pairs = textsOf(stage, "ENV").flatMap((text) => text.split(/\s+/).map((pair) => pair.split("=")));
  const { PATH = "" } = process.env;
  return Object.fromEntries(
    pairs.map(([name = "", value = ""]) => [
      name,
      value.replaceAll(/(?<=^|:)\/(?=app|data|tmp)/g, `${image}/`).replace("$PATH", PATH),
    ]),
  );
}

test.skipIf(!canMount)(
  "Run: the image's steps make a server that runs as nobody and writes its data alone",
  async () => {
    const [build = [], install = [], last = []] = stages;
    expect(stages).toHaveLength(3);

    // The first stage: the context is what the build needs, so that its sources have the same hash and it is not built again.
    expect(textsOf(build, "WORKDIR")).toEqual(["/src"]);
    expect(textsOf(build, "COPY")).toEqual(["package.json package-lock.json ./", ". ."]);
    const patterns = (await readFile(join(ROOT, ".dockerignore"), "utf8"))
      .split("\n")
      .filter((line) => /^[^#]/.test(line));
    const tracked = (await run("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, maxBuffer: 1e8 })).stdout;
    const context = tracked.split("\n").filter((path) => path !== "" && isInContext(path, patterns));
    expect(context.filter((path) => /\.test\.tsx?$|^docs\/|^e2e\//.test(path))).toEqual([]);
    for (const path of context) await cp(join(ROOT, path), at(join("/src", path)));
    const [ci, made] = textsOf(build, "RUN");
    expect(ci).toBe("npm ci --omit=dev --ignore-scripts --no-audit --no-fund");
    const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
    const wanted = Object.entries<{ dev?: boolean }>(packages).filter(([path, { dev }]) => path !== "" && !dev);
    const folders = new Set(wanted.map(([path]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0] ?? ""));
    const there = [...folders].filter((path) => globSync(join(ROOT, path)).length > 0);
    await mkdir(at("/src/node_modules"));
    for (const path of [...there, "node_modules/.bin"]) {
      await mkdir(dirname(at(join("/src", path))), { recursive: true });
      await run("cp", ["-al", join(ROOT, path), at(join("/src", path))]);
    }
    const name = (process.env.OBELUS_DIST_DIR ?? "").replace(".build/", "");
    await cp(join(ROOT, ".build", name), at(join("/src/.build", name)), { recursive: true });
    await writeFile(at("/src/.build/current"), name);
    const said = await runIn("/src", made ?? "");
    expect(said).not.toContain("Building");

    // The second one: what npm would install.
    const [from = "", to = ""] = (textsOf(install, "COPY")[0] ?? "").replace("--from=build ", "").split(" ");
    const [tarball = "", ...others] = globSync(at(from));
    expect([others, to]).toEqual([[], "/tmp/obelus.tgz"]);
    const [installed = "", first = ""] = textsOf(install, "RUN");
    expect(installed).toMatch(
      /^npm install --no-audit --no-fund \/tmp\/obelus\.tgz && rm -rf node_modules\/node-\* &&/,
    );
    await mkdir(at("/app/node_modules/.bin"), { recursive: true });
    await mkdir(at("/app/node_modules/obelus"));
    await run("tar", [
      "-xzf",
      tarball,
      "-C",
      at("/app/node_modules/obelus"),
      "--strip-components=1",
      "--no-same-owner",
    ]);
    await run("cp", ["-al", join(ROOT, "node_modules/@node-rs"), at("/app/node_modules/@node-rs")]);
    await chmod(at("/app/node_modules/obelus/bin/obelus.mjs"), 0o755);
    await symlink("../obelus/bin/obelus.mjs", at("/app/node_modules/.bin/obelus"));
    await mkdir(at("/app/cache"));
    await chown(at("/app/cache"), NOBODY, NOBODY);
    await mkdir(at("/tmp"));
    await chown(at("/tmp"), NOBODY, NOBODY);
    const asNobody = ["--reuid", `${NOBODY}`, "--regid", `${NOBODY}`, "--clear-groups", "--no-new-privs"];
    const unprivileged = `setpriv ${asNobody.join(" ")} --bounding-set=-all`;
    const [, settings = ""] = /^(OBELUS_DATA_DIR=\S+) timeout --preserve-status \d+ obelus$/.exec(first) ?? [];
    const warm = `cd app && ${settings.replace("/tmp", `${image}/tmp`)} exec ${unprivileged} obelus`;
    // Its end is not waited for by the clock.
    await serve(warm, { ...environmentOf(install), PORT: "0" }, async () => undefined);
    expect((await readdir(at("/app/cache"))).length).toBeGreaterThan(0);

    // What runs: its root is read-only, but for the volume and /tmp.
    expect(textsOf(last, "COPY")).toEqual(["--from=install /app ./"]);
    expect(textsOf(last, "USER")).toEqual(["node"]);
    await mkdir(at("/data"), { mode: 0o700 });
    await chown(at("/data"), NOBODY, NOBODY);
    const [command = ""] = JSON.parse(textsOf(last, "CMD")[0] ?? "[]");
    const [, check = "[]"] = /CMD (.*)$/.exec(textsOf(last, "HEALTHCHECK")[0] ?? "") ?? [];
    const env = { ...environmentOf(last), HOST: "127.0.0.1", PORT: "0", OBELUS_AUTH: "0", HOME: "/nonexistent" };
    const mounted =
      "mount --bind data data && mount --bind tmp tmp && mount -o remount,bind,ro / && ! touch written || exit 7";
    await serve(`${mounted}; cd app && TMPDIR=${image}/tmp exec ${unprivileged} ${command}`, env, async (address) => {
      for (const path of ["/", "/api/ready"]) expect((await fetch(`${address}${path}`)).status, path).toBe(200);
      const [node = "", program = ""] = JSON.parse(check);
      await run(node, [program], { cwd: at("/app"), env: { ...process.env, PORT: new URL(address).port } });
    });
    expect(await readdir(at("/data"))).toContain("obelus.sqlite");
  },
  PATIENCE_MS,
);
