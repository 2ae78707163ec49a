import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EXAMPLE_FILE } from "../../lib/memory/testing/documents.ts";

const script = fileURLToPath(new URL("main.ts", import.meta.url));
const BROKEN = "broken";

let folder: string;
let server: Server;
let url: string;
/** The server's documents by user. */
let kept: Map<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-memory-"));
  kept = new Map();
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
    const user = decodeURIComponent(pathname.slice("/api/memory/".length));
    if (pathname === "/api/memory") {
      const users = [...kept.keys()];
      const from = Number(searchParams.get("cursor") ?? "0");
      const next = from + 2 < users.length ? String(from + 2) : null;
      response.end(JSON.stringify({ items: users.slice(from, from + 2).map((user_id) => ({ user_id })), next }));
    } else if (request.method === "PUT") {
      const body = await text(request);
      const takes = request.headers["content-type"] === "application/json" && user !== "refused";
      if (takes) kept.set(user, body);
      response.writeHead(takes ? 201 : 403).end(takes ? body : JSON.stringify({ detail: "Not this one." }));
    } else if (kept.get(user) === BROKEN) {
      response.writeHead(409).end(JSON.stringify({ detail: "The stored value is not a memory document." }));
    } else {
      response
        .writeHead(kept.has(user) ? 200 : 404)
        .end(kept.get(user) ?? JSON.stringify({ detail: "Nothing is kept." }));
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  url = `http://127.0.0.1:${address.port}`;
});

afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((done) => {
    const env = { ...process.env, OBELUS_URL: url };
    const child = execFile(process.execPath, [script, "memory", ...args], { env }, (_error, output, errors) => {
      done({ code: child.exitCode ?? -1, output, errors });
    });
  });
}

test("M1: exports a file for each user, byte for byte, and imports them into another server", async () => {
  const users = ["anna", "telegram:42", "Иван/..", "b c"];
  for (const user of users) kept.set(user, EXAMPLE_FILE.replace("Создать сделку", user));
  const before = new Map(kept);
  const exported = join(folder, "new", "memories");
  expect(await run("export", exported)).toMatchObject({ code: 0, output: `4 of 4 documents are in ${exported}\n` });
  expect((await readdir(exported)).sort()).toEqual(users.map((user) => `${encodeURIComponent(user)}.json`).sort());
  expect(await readFile(join(exported, "telegram%3A42.json"), "utf8")).toBe(before.get("telegram:42"));
  kept.clear();
  expect(await run("import", exported)).toMatchObject({ code: 0, errors: "" });
  expect(new Map([...kept].sort())).toEqual(new Map([...before].sort()));
});

test("M1: exports one user over an existing file, and reports if there is nothing", async () => {
  kept.set("anna", EXAMPLE_FILE);
  kept.set("boris", EXAMPLE_FILE);
  await file("anna.json", "old");
  expect(await run("export", "--user", "anna", folder)).toMatchObject({ code: 0 });
  expect(await readdir(folder)).toEqual(["anna.json"]);
  expect(await readFile(join(folder, "anna.json"), "utf8")).toBe(EXAMPLE_FILE);
  const { code, errors } = await run("export", "--user", "nobody", folder);
  expect([code, errors]).toEqual([1, "nobody: Nothing is kept.\n"]);
});

test("M13: an invalid document is reported, its old file stays, and the others are exported", async () => {
  kept.set("anna", BROKEN);
  kept.set("boris", EXAMPLE_FILE);
  await file("anna.json", "old");
  const { code, output, errors } = await run("export", folder);
  expect([code, output, errors]).toEqual([
    1,
    `1 of 2 documents are in ${folder}\n`,
    "anna: The stored value is not a memory document.\n",
  ]);
  expect(await readFile(join(folder, "anna.json"), "utf8")).toBe("old");
  expect((await readdir(folder)).sort()).toEqual(["anna.json", "boris.json"]);
});

test("M1: an import validates every file before it sends the first, with the place of each error", async () => {
  const good = await file("anna.json", EXAMPLE_FILE);
  const bad = await file("boris.json", EXAMPLE_FILE.replace('"denied"', '"refused"'));
  const worse = await file("clara.json", "{,");
  const latin = await file("dora.json", Uint8Array.of(0x22, 0xe9, 0x22));
  const nameless = await file("%.json", EXAMPLE_FILE);
  const { code, output, errors } = await run("import", good, bad, worse, latin, nameless);
  expect(errors.trim().split("\n")).toEqual([
    `${bad}:41:17: /confirmations/task_456_deadline/status must be one of "requested", "approved", "denied"`,
    `${worse}:1:2: expected a key in double quotes`,
    `${latin}: this is not UTF-8; save it as UTF-8`,
    `${nameless}: name the file after the user id, such as anna.json`,
    "Nothing was imported.",
  ]);
  expect([code, output, kept.size]).toEqual([1, "", 0]);
});

test("M1: two files of the same user, missing ones and empty folders are refused before anything is sent", async () => {
  const one = await file("anna.json", EXAMPLE_FILE);
  await mkdir(join(folder, "more"));
  await mkdir(join(folder, "empty"));
  const other = await file("more/anna.json", EXAMPLE_FILE);
  expect((await run("import", one, join(folder, "more"))).errors).toContain(
    `${other}: ${one} belongs to the same user; remove one of them`,
  );
  expect((await run("import", one, join(folder, "none"))).errors).toContain("none: there is no such file");
  expect((await run("import", one, join(folder, "empty"))).errors).toContain(
    "empty: no file in this folder ends in .json",
  );
  expect(kept.size).toBe(0);
});

test("M1: files refused by the server do not affect the others", async () => {
  const { code, output, errors } = await run(
    "import",
    await file("refused.json", EXAMPLE_FILE),
    await file("z.json", EXAMPLE_FILE),
  );
  expect(errors).toContain("refused.json: Not this one.");
  expect(output).toContain("z.json: imported");
  expect([code, kept.get("z")]).toEqual([1, EXAMPLE_FILE]);
});

test("explains its usage, and how to start a server if none responds", async () => {
  for (const args of [
    [],
    ["export"],
    ["export", folder, folder],
    ["import"],
    ["--all"],
    ["import", "--user", "a", "b"],
  ]) {
    const { code, errors } = await run(...args);
    expect([code, errors]).toEqual([1, expect.stringContaining("Usage: obelus memory")]);
  }
  await new Promise((closed) => server.close(closed));
  const { code, errors } = await run("export", folder);
  expect([code, errors]).toEqual([1, expect.stringContaining(`no server responds at ${url}; start it with npm start`)]);
});
