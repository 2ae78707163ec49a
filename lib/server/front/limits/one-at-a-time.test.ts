import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

const ask = (path: string, more = "") => `GET /${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

/** A server that records started requests, with control over its responses. */
async function served(answer: (response: ServerResponse, path: string) => void) {
  const begun: string[] = [];
  const server = createServer(
    oneAtATime(({ url = "" }, response) => {
      begun.push(url.slice(1));
      answer(response, url.slice(1));
    }),
  ).listen(0);
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { begun, open: () => connect(port) };
}

test("pipelined requests start when the previous one is answered; others are served in between", async () => {
  const { begun, open } = await served((response, path) => response.end(path));
  const many = open();
  const other = open();
  await Promise.all([once(many, "connect"), once(other, "connect")]);
  const names = Array.from({ length: 150 }, (_, n) => `m${n}`);
  many.write(names.map((name) => ask(name)).join("") + ask("end", "Connection: close\r\n"));
  other.write(ask("other", "Connection: close\r\n"));
  const [answers] = await Promise.all([text(many), text(other)]);
  expect(answers.match(/^(m\d+|end)/gm)).toHaveLength(151);
  expect(begun.filter((path) => path !== "other")).toEqual([...names, "end"]);
  expect(begun.indexOf("other")).toBeLessThan(100);
});

test("queued requests of a closed connection are not started", async () => {
  const { promise: hasBegun, resolve } = Promise.withResolvers<ServerResponse>();
  const { begun, open } = await served(resolve);
  const socket = open();
  socket.write(ask("first") + ask("second"));
  const response = await hasBegun;
  const closed = once(response, "close");
  socket.destroy();
  await closed;
  expect(begun).toEqual(["first"]);
});

test("a connection with hundreds of queued requests is closed, and none starts", async () => {
  const { promise: hasBegun, resolve } = Promise.withResolvers<ServerResponse>();
  const { begun, open } = await served(resolve);
  const flood = open();
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  flood.on("error", () => undefined).on("close", () => onClose());
  flood.write(ask("first"));
  await hasBegun;
  flood.resume().write(ask("more").repeat(10_000));
  await closed;
  const other = open();
  other.write(ask("other"));
  await expect.poll(() => begun).toEqual(["first", "other"]);
});
