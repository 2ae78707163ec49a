import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { logEvent, withServer } from "../setup/server.ts";

// Whoever reads all of a long log holds nobody up: the others are answered long before the reader has all of it.

const EVENTS = 30_000;
const server = withServer();
const PATHS = {
  "a stream from the beginning": "/api/stream?after=0",
  "the export of a conversation": "/api/conversations/long/export",
  "the export of all": "/api/export",
  "a conversation's stream from the beginning": "/api/stream?after=0&conversation_id=long",
};
/** As often as somebody else is answered while the reader reads. */
const OTHERS = 5;

beforeAll(async () => {
  const payload = { message: "x".repeat(500) };
  for (let from = 0; from < EVENTS; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, n) => ({ ...logEvent("long", from + n), payload }));
    expect((await server.post("/api/events", events)).status).toBe(201);
  }
  for (const path of ["/api/health", "/api/conversations/long"]) await server.get(path);
});

/** Reads as fast as it can. `has` tells how many events have come, `all` settles when the last has. */
function read(path: string) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let has = 0;
  const asked = request(`${server.url}${path}`, { agent: false }, (answer) => {
    answer.setEncoding("utf8");
    let rest = "";
    answer.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      has += lines.filter((line) => line.includes('"type":"log"')).length;
      if (has >= EVENTS) {
        resolve(has);
        asked.destroy();
      }
    });
  });
  asked.on("error", reject);
  asked.end();
  return { has: () => has, all: promise };
}

describe("whoever reads all of a long log holds nobody up", () => {
  it.each(Object.entries(PATHS))("%s", async (_, path) => {
    const reader = read(path);
    await expect.poll(reader.has, { interval: 1 }).toBeGreaterThan(0);
    for (let n = 0; n < OTHERS; n += 1) {
      expect((await server.get("/api/health")).status).toBe(200);
      expect((await server.post("/api/events", { conversation_id: "other", type: "log" })).status).toBe(201);
    }
    expect(reader.has()).toBeLessThan(EVENTS);
    await reader.all;
  });
});
