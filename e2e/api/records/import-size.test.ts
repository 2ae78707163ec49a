import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

it("E11: an import of more than 512 MB after decompression is refused, during the upload", async () => {
  const MB = 1024 * 1024;
  const chat = JSON.stringify({ id: "large", messages: [{ role: "user", content: "x".repeat(4 * MB) }] });
  const large = Buffer.alloc(520 * MB, `${chat}\n`);
  const { status, body } = await server.postRaw(
    "/api/import",
    gzipSync(large, { level: 1 }),
    "application/octet-stream",
  );
  expect([status, body.code]).toEqual([413, "too_large"]);
  expect(body.detail).toContain("512 MB");
  // Half a gigabyte is decompressed and read, 13 s of CPU time.
}, 240_000);
