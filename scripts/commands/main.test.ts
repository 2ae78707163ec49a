import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../process.mjs";

const program = fileURLToPath(new URL("main.ts", import.meta.url));
const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

function obelus(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [program, ...args], (_error, output, errors) => {
      done({ code: child.exitCode ?? -1, output, errors });
    });
  });
}

const commandsOf = (help: string) =>
  [...(help.split("Commands:\n")[1] ?? "").matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = ""]) => name);

test("obelus lists its commands, each explains itself, and npm run has the same", async () => {
  const commands = commandsOf((await obelus("--help")).output).filter((name) => name !== "help");
  expect(commands).toEqual(expect.arrayContaining(["start", "import", "backup", "restore", "check", "move", "erase"]));
  for (const name of commands) {
    const { code, output } = await obelus(name, "--help");
    expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: obelus ${name} .*\\n\\n\\w`))]);
    for (const part of commandsOf(output).filter((each) => each !== "help"))
      expect((await obelus(name, part, "--help")).output).toContain(`Usage: obelus ${name} ${part} `);
    const clone = name === "start" ? "scripts/serve.mjs" : `scripts/commands/main.ts ${name}`;
    expect(manifest.scripts[name], name).toContain(clone);
  }
});

test("obelus --version is that of the package; a mistake is explained with the command's usage", async () => {
  expect(await obelus("--version")).toEqual({ code: 0, output: `${manifest.version}\n`, errors: "" });
  const { code, errors } = await obelus("backup", "--keep", "all", "/tmp/never-made");
  expect([code, errors]).toEqual([1, expect.stringContaining("It must be a whole number from 1.")]);
  expect(errors).toContain("Usage: obelus backup [options] <folder>");
  for (const word of ["frobnicate", "Start"])
    expect(await obelus(word)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        new RegExp(`^error: unknown command '${word}'\n\nUsage: obelus \\[options\\] \\[command`),
      ),
    });
  expect((await obelus("start", "--help")).output).toContain("--data <folder>");
});
