import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { areProxies, createProxies } from "./proxies.ts";

function from(
  remoteAddress: string,
  headers: Record<string, string>,
  trustedProxies: string[],
  publicUrl: string | null = null,
) {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return createProxies({ trustedProxies, publicUrl })(request);
}

const SAYS = { "x-forwarded-for": "203.0.113.7, 10.0.0.9", "x-forwarded-proto": "https" };

describe("Security: proxies", () => {
  test("headers of untrusted clients are ignored", () => {
    const plain = { address: "10.0.0.5", secure: false, trusted: false, protocol: null };
    expect(from("10.0.0.5", SAYS, [])).toEqual(plain);
    expect(from("10.0.0.5", SAYS, ["10.0.0.6", "loopback"])).toEqual(plain);
  });

  test("a trusted proxy's headers count, and earlier ones only if they are trusted, too", () => {
    expect(from("::ffff:10.0.0.5", SAYS, ["10.0.0.0/8"])).toEqual({
      ...{ address: "203.0.113.7", secure: true, trusted: true, protocol: "https" },
    });
    expect(from("10.0.0.5", SAYS, ["10.0.0.5"]).address).toBe("10.0.0.9");
    expect(from("127.0.0.1", { "x-forwarded-for": "198.51.100.1, 203.0.113.7" }, ["loopback"])).toEqual({
      ...{ address: "203.0.113.7", secure: false, trusted: true, protocol: null },
    });
  });

  test("invalid addresses are ignored", () => {
    for (const said of ["<script>", "unknown", "", "203.0.113.7:80", "a".repeat(10_000)])
      expect(from("127.0.0.1", { "x-forwarded-for": said }, ["loopback"]).address).toBe("127.0.0.1");
  });

  test("a server with an https address is reached by TLS, with any proxy", () => {
    expect(from("10.0.0.5", {}, [], "https://obelus.example.org").secure).toBe(true);
    expect(from("10.0.0.5", {}, [], "http://obelus.example.org").secure).toBe(false);
  });

  test("addresses, networks and their names can be trusted; nothing else", () => {
    expect(areProxies(["10.0.0.5", "fd00::/8", "172.16.0.0/12", "loopback", "uniquelocal"])).toBe(true);
    for (const wrong of ["proxy.example.org", "10.0.0.0/33", "", "*"]) expect(areProxies([wrong])).toBe(false);
  });
});
