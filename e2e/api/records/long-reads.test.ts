import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { logEvent, withServer } from "../setup/server.ts";

// Reading all of a long log must not block others: they get responses long before the reader is done.

const EVENTS = 30_000;
const server = withServer();
const PATHS = {
  "a stream from the beginning": "/api/stream?after=0",
  "the export of a conversation": "/api/conversations/long/export",
  "the export of all": "/api/export",
  "a conversation's stream from the beginning": "/api/stream?after=0&conversation_id=long",
};
/** The number of other requests during the read. */
const OTHERS = 5;

beforeAll(async () => {
  const payload = { message: "x".repeat(500) };
  for (let from = 0; from < EVENTS; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, n) => ({ ...logEvent("long", from + n), payload }));
    expect((await server.post("/api/events", events)).status).toBe(201);
  }
  for (const path of ["/api/health", "/api/conversations/long"]) await server.get(path);
});

/** Reads as fast as possible. `has` returns the number of events, `all` resolves with the last one. */
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

describe("reading all of a long log blocks nobody", () => {
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
