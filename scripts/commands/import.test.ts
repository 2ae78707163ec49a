import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("main.ts", import.meta.url));

let folder: string;
let server: Server | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-import-"));
  server = null;
});

afterEach(async () => {
  server?.close();
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

/** A fake server with responses to imports; returns its address. */
async function serve(answer: (body: string, response: ServerResponse) => void): Promise<string> {
  server = createServer((request: IncomingMessage, response) => {
    text(request).then((body) => answer(body, response));
  });
  await new Promise<void>((listening) => server?.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}

function run(url: string, ...files: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((done) => {
    const env = { ...process.env, OBELUS_URL: url };
    const child = execFile(process.execPath, [script, "import", ...files], { env }, (_error, output, errors) => {
      done({ code: child.exitCode ?? -1, output, errors });
    });
  });
}

describe("npm run import", () => {
  it("reports new and existing conversations of each file", async () => {
    const url = await serve((body, response) => {
      const created = { conversation_id: body, created: true, events: 7 };
      response.end(JSON.stringify({ conversations: [created, { conversation_id: "old", created: false, events: 0 }] }));
    });
    const { code, output } = await run(url, await file("a.jsonl", "a"), await file("b.jsonl", "b"));
    expect(output.trim().split("\n")).toEqual([
      `${join(folder, "a.jsonl")}: 1 created with 7 events, 1 already there`,
      `${join(folder, "b.jsonl")}: 1 created with 7 events, 1 already there`,
    ]);
    expect(code).toBe(0);
  });

  it("reports why a file was refused, imports the others and fails", async () => {
    const url = await serve((body, response) => {
      if (body === "bad") response.writeHead(400).end(JSON.stringify({ detail: "Line 1: this is not JSON." }));
      else response.end(JSON.stringify({ conversations: [{ conversation_id: "a", created: true, events: 7 }] }));
    });
    const { code, output, errors } = await run(
      url,
      await file("bad", "bad"),
      join(folder, "none"),
      await file("good", "a"),
    );
    expect(errors).toContain("bad: Line 1: this is not JSON.");
    expect(errors).toContain("none: there is no such file");
    expect(output).toContain("good: 1 created");
    expect(code).toBe(1);
  });

  it("explains how to start a server if none responds", async () => {
    const url = await serve(() => undefined);
    await new Promise((closed) => server?.close(closed));
    const { code, errors } = await run(url, await file("a.jsonl", "a"));
    expect(errors).toContain(`no server responds at ${url}; start it with npm start`);
    expect(code).toBe(1);
  });

  it("requires files", async () => {
    const { code, errors } = await run("http://127.0.0.1:1");
    expect(errors).toContain("Usage: obelus import [options] <files...>");
    expect(code).toBe(1);
  });
});
