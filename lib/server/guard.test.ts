import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard } from "./guard.ts";

const guard = createGuard({ host: "127.0.0.2", allowedHosts: ["studio.example.org"] });
const names = ["localhost", "127.0.0.1", "[::1]", "127.0.0.2", "studio.example.org"];

describe("Security: Host", () => {
  it("takes the names that are ours on any port, and no other", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...names), fc.domain(), fc.ipV4()),
        fc.option(fc.nat(65_535)),
        (name, port) => {
          const host = port === null ? name : `${name}:${port}`;
          expect(guard({ method: "GET", headers: { host } })).toEqual(
            names.includes(name) ? null : expect.objectContaining({ code: "foreign_host" }),
          );
        },
      ),
    );
  });

  it("refuses a request without one", () => {
    expect(guard({ method: "GET", headers: {} })?.code).toBe("foreign_host");
  });
});

describe("Security: Origin", () => {
  const write = (origin: string, host = "localhost:3000") =>
    guard({ method: "DELETE", headers: { host, origin } })?.code ?? null;

  it("takes its own pages, under any of its names on its port", () => {
    expect(write("http://localhost:3000")).toBeNull();
    expect(write("http://127.0.0.1:3000")).toBeNull();
    expect(write("http://[::1]:3000", "[::1]:3000")).toBeNull();
    expect(write("https://studio.example.org")).toBeNull();
  });

  it("refuses another program on this machine, and whoever hides", () => {
    expect(write("http://localhost:3001")).toBe("foreign_origin");
    expect(write("http://localhost")).toBe("foreign_origin");
    expect(write("null")).toBe("foreign_origin");
    expect(write("")).toBe("foreign_origin");
    expect(write("http://localhost:3000@evil.example")).toBe("foreign_origin");
  });

  it("does not mind it on reading", () => {
    for (const method of ["GET", "HEAD"]) {
      expect(guard({ method, headers: { host: "localhost", origin: "https://evil.example" } })).toBeNull();
    }
    expect(guard({ method: "OPTIONS", headers: { host: "localhost", origin: "https://evil.example" } })?.code).toBe(
      "foreign_origin",
    );
  });
});
