import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { writeCheckpoints } from "../../../db/foreign/testing/checkpoints.ts";
import { jsonRequest } from "../../../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../../../lib/intake/otlp/testing/spans.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

const server = withServer();
const fixture = (name: string) => readFile(new URL(`../../fixtures/${name}`, import.meta.url));

async function imported(file: Uint8Array<ArrayBuffer> | string) {
  const { status, body } = await server.postRaw("/api/import", file, "application/octet-stream");
  expect([status, body]).toEqual([201, { conversations: expect.anything() }]);
  const again = await server.postRaw("/api/import", file, "application/octet-stream");
  expect(again.status).toBe(200);
  const [first] = body.conversations;
  const view = (await server.get(`/api/conversations/${encodeURIComponent(first.conversation_id)}/view`)).body;
  expect(view.warnings).toEqual([]);
  return view.calls.map(({ tool, status: became }: Record<string, string>) => [tool, became]);
}

it("E14: files of other programs are detected by content, and importing again changes nothing", async () => {
  expect(await imported(new Uint8Array(await fixture("responses.jsonl")))).toEqual([["orders_find", "succeeded"]]);
  expect(await imported(new Uint8Array(await fixture("sgr-trace.json")))).toEqual([["orders.find", "succeeded"]]);
  expect(await imported(JSON.stringify(jsonRequest(twoToolAgent())))).toHaveLength(2);
  const directory = await temporaryDirectory();
  const file = await readFile(await writeCheckpoints(join(directory, "checkpoints.sqlite")));
  await rm(directory, { recursive: true, force: true });
  expect(await imported(new Uint8Array(gzipSync(file)))).toEqual([["find", "succeeded"]]);
});

it("E14: a SQLite file that is not LangGraph's is refused with a message", async () => {
  const { status, body } = await server.postRaw(
    "/api/import",
    `SQLite format 3\0${"x".repeat(5_000)}`,
    "application/octet-stream",
  );
  expect([status, body.detail]).toEqual([400, expect.stringContaining("This SQLite file is damaged")]);
});
