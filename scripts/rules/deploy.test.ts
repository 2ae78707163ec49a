import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../process.mjs";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("Run: the image has all files of the build and the server, and its entry exists", () => {
  const taken = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
  for (const path of taken) expect(existsSync(join(ROOT, path)), path).toBe(true);
  const sources = /const SOURCES = \[(.*?)\];/s.exec(read("scripts/build.mjs"))?.[1]?.match(/[\w./-]+/g) ?? [];
  const isTaken = (path: string) => taken.some((each) => path === each || path.startsWith(`${each}/`));
  const missing = sources.filter((path) => existsSync(join(ROOT, path)) && !isTaken(path));
  expect([sources.length > 5, missing]).toEqual([true, []]);
  const started = [read("Dockerfile"), read("deploy/obelus.service")].flatMap(
    (text) => text.match(/scripts\/\w+\.mjs/g) ?? [],
  );
  expect(started.length).toBeGreaterThan(3);
  for (const script of started) expect(existsSync(join(ROOT, script)), script).toBe(true);
});

test("Run: the image does not run as root, has no development dependencies, and a health check", () => {
  const last =
    read("Dockerfile")
      .split(/^FROM /m)
      .at(-1) ?? "";
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).not.toMatch(/npm |USER root/);
  expect(read("Dockerfile")).toContain("npm ci --omit=dev");
  for (const line of ["ProtectSystem=strict", "NoNewPrivileges=yes", "DynamicUser=yes", "StateDirectory=obelus"])
    expect(read("deploy/obelus.service")).toMatch(new RegExp(`^${line}$`, "m"));
});
