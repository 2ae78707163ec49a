import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingEntries } from "../complete-lock.mjs";
import { ROOT } from "../process.mjs";

test("Run: npm ci accepts the lock file; npm run lock completes it", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  expect(Object.keys(missingEntries(packages))).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "obelus-lock-"));
  try {
    for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(ROOT, name), join(folder, name));
    const said = execFileSync("npm", ["ci", "--dry-run", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(said).toContain("added ");
    expect(readFileSync(join(folder, "package-lock.json"))).toEqual(readFileSync(join(ROOT, "package-lock.json")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
