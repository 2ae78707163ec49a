import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard } from "./guard.ts";

const site = { host: "127.0.0.2", allowedHosts: ["studio.example.org"], publicUrl: null };
const DIRECT = { protocol: null };
const guard = createGuard(site);
const names = ["localhost", "127.0.0.1", "[::1]", "127.0.0.2", "studio.example.org"];

describe("Security: Host", () => {
  it("accepts our host names on any port, and no others", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...names), fc.domain(), fc.ipV4()),
        fc.option(fc.nat(65_535)),
        (name, port) => {
          const host = port === null ? name : `${name}:${port}`;
          expect(guard({ method: "GET", headers: { host } }, DIRECT)).toEqual(
            names.includes(name) ? null : expect.objectContaining({ code: "foreign_host" }),
          );
        },
      ),
    );
  });

  it("refuses a request without one", () => {
    expect(guard({ method: "GET", headers: {} }, DIRECT)?.code).toBe("foreign_host");
  });
});

describe("Security: Origin", () => {
  const write = (origin: string, host = "localhost:3000") =>
    guard({ method: "DELETE", headers: { host, origin } }, DIRECT)?.code ?? null;

  it("accepts its own pages, under any of its names on its port", () => {
    expect(write("http://localhost:3000")).toBeNull();
    expect(write("http://127.0.0.1:3000")).toBeNull();
    expect(write("http://[::1]:3000", "[::1]:3000")).toBeNull();
    expect(write("https://studio.example.org")).toBeNull();
  });

  it("refuses other programs on this machine, and opaque origins", () => {
    expect(write("http://localhost:3001")).toBe("foreign_origin");
    expect(write("http://localhost")).toBe("foreign_origin");
    expect(write("null")).toBe("foreign_origin");
    expect(write("")).toBe("foreign_origin");
    expect(write("http://localhost:3000@evil.example")).toBe("foreign_origin");
  });

  it("compares the whole origin if the server's address is known", () => {
    const known = createGuard({
      ...{ host: "127.0.0.1", allowedHosts: ["obelus.example.org", "studio.example.org"] },
      publicUrl: "https://obelus.example.org",
    });
    const from = (origin: string, host = "obelus.example.org") =>
      known({ method: "POST", headers: { host, origin } }, DIRECT)?.code ?? null;
    for (const host of ["obelus.example.org", "127.0.0.1:3000"])
      expect(from("https://obelus.example.org", host)).toBeNull();
    for (const origin of [
      "http://obelus.example.org:8080",
      "http://obelus.example.org",
      "https://obelus.example.org:8443",
    ])
      for (const host of ["obelus.example.org", "obelus.example.org:8080", "obelus.example.org:8443", "127.0.0.1:3000"])
        expect([origin, host, from(origin, host)]).toEqual([origin, host, "foreign_origin"]);
  });

  it.each<[origin: string, host: string, "http" | "https" | null, passes: boolean]>([
    // Other programs on the machine of a signed-in user's browser.
    ["https://localhost", "obelus.example.org", null, false],
    ["https://localhost", "obelus.example.org", "https", false],
    ["https://127.0.0.1", "obelus.example.org", "https", false],
    ["http://localhost", "obelus.example.org", "http", false],
    ["https://studio.example.org", "obelus.example.org", "https", false],
    ["https://studio.example.org", "studio.example.org", "https", false],
    ["https://studio.example.org", "127.0.0.1:3000", null, false],
    // A user at the server's machine, or with a tunnel to it, while the proxy is down.
    ["http://localhost:3000", "localhost:3000", null, true],
    ["http://[::1]:3000", "[::1]:3000", null, true],
    ["http://localhost", "localhost:80", null, true],
    ["http://localhost:8080", "localhost:3000", null, false],
    ["http://127.0.0.1:3000", "localhost:3000", null, false],
    ["https://localhost:3000", "localhost:3000", null, false],
    // A proxy that forwards its internal name for us.
    ["http://127.0.0.1:3000", "127.0.0.1:3000", "https", false],
    ["http://127.0.0.1:3000", "127.0.0.1:3000", "http", false],
  ])("where its address is known, a page of %s that writes to %s", (origin, host, protocol, passes) => {
    const known = createGuard({
      ...{ host: "127.0.0.1", allowedHosts: ["obelus.example.org", "studio.example.org"] },
      publicUrl: "https://obelus.example.org",
    });
    expect(known({ method: "POST", headers: { host, origin } }, { protocol }) === null).toBe(passes);
  });

  it("uses scheme and port of the trusted proxy's request", () => {
    const from = (origin: string, protocol: "http" | "https" | null, host = "studio.example.org") =>
      guard({ method: "POST", headers: { host, origin } }, { protocol })?.code ?? null;
    expect(from("https://studio.example.org", "https")).toBeNull();
    expect(from("http://studio.example.org", "https")).toBe("foreign_origin");
    expect(from("https://studio.example.org", "http")).toBe("foreign_origin");
    expect(from("https://studio.example.org:8443", "https", "studio.example.org:8443")).toBeNull();
    expect(from("https://studio.example.org", null, "studio.example.org:8443")).toBe("foreign_origin");
    expect(from("http://studio.example.org:8080", null)).toBe("foreign_origin");
    expect(from("https://studio.example.org:8443", null, "127.0.0.1:3000")).toBe("foreign_origin");
  });

  it("is not checked for reads", () => {
    for (const method of ["GET", "HEAD"]) {
      expect(guard({ method, headers: { host: "localhost", origin: "https://evil.example" } }, DIRECT)).toBeNull();
    }
    expect(
      guard({ method: "OPTIONS", headers: { host: "localhost", origin: "https://evil.example" } }, DIRECT)?.code,
    ).toBe("foreign_origin");
  });
});
