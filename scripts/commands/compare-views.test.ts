import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { compareViews } from "./compare-views.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** A fake server with 150 conversations in two pages; `views` returns the response of a path. */
async function serve(views: (path: string) => object): Promise<string> {
  const page = (from: number, count: number, next: string | null) => ({
    items: Array.from({ length: count }, (_, index) => ({ id: `c ${from + index}`, last_seq: 10 })),
    next,
  });
  const server = createServer(({ url = "" }, response) => {
    const body = url.startsWith("/api/conversations?")
      ? url.includes("cursor=more")
        ? page(100, 50, null)
        : page(0, 100, "more")
      : views(url);
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  open.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("names each response that differs, of every conversation and at earlier steps", async () => {
  const before = await serve(() => ({ calls: [1], status: "idle" }));
  const changed = ["/api/conversations/c%20149/view?at=5", "/api/conversations/c%203/timeline"];
  const after = await serve((path) =>
    changed.includes(path) ? { calls: [2], status: "idle" } : { status: "idle", calls: [1] },
  );
  const found: string[] = [];
  const compared = await compareViews(before, after, (path) => found.push(path));
  expect(found.toSorted()).toEqual(changed);
  expect(compared).toBeGreaterThan(150 * 8);
});
