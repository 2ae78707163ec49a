import { describe, expect, it } from "vitest";
import { logEvent, rawCall, withServer } from "../setup/server.ts";

const server = withServer({ OBELUS_ALLOWED_HOSTS: "studio.example.org" });
const own = () => new URL(server.url).host;

describe("Security: a request must have a host name of ours", () => {
  it.each(["localhost", "127.0.0.1:3000", "[::1]:80", "STUDIO.example.org:8443"])(
    "takes Host %s, on any port",
    async (host) => {
      expect((await rawCall(server.url, "GET", "/api/health", { host })).status).toBe(200);
    },
  );

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:80:80", "user@localhost"])(
    "refuses Host %s, for pages too",
    async (host) => {
      for (const path of ["/api/health", "/"]) {
        const { status, body } = await rawCall(server.url, "GET", path, { host });
        expect([status, body.code]).toEqual([403, "foreign_host"]);
      }
    },
  );
});

describe("Security: a page of another site must not write", () => {
  it.each(["https://evil.example", "null", "http://127.0.0.1:1", "file://"])(
    "refuses a POST from %s",
    async (origin) => {
      const { status, body } = await server.post("/api/events", logEvent("foreign", 1), { origin });
      expect([status, body.code]).toEqual([403, "foreign_origin"]);
      expect((await server.get("/api/conversations/foreign")).status).toBe(404);
    },
  );

  it("accepts a POST from its own pages, from allowed names and from programs without Origin", async () => {
    for (const origin of [
      `http://${own()}`,
      `http://${own().replace("127.0.0.1", "localhost")}`,
      "https://studio.example.org",
    ]) {
      expect((await server.post("/api/events", logEvent("own", 1), { origin })).status).toBe(201);
    }
    expect((await server.post("/api/events", logEvent("own", 1))).status).toBe(201);
  });

  it("lets other sites read nothing: GET responses have no CORS headers", async () => {
    const { status, headers } = await server.get("/api/conversations", { origin: "https://evil.example" });
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });
});

describe("Security: pages have a strict policy", () => {
  it("has a new nonce each time, which inline scripts have", async () => {
    const policies = await Promise.all(
      [0, 1].map(async () => {
        const response = await fetch(`${server.url}/`);
        const policy = response.headers.get("content-security-policy") ?? "";
        const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
        const inline = [...(await response.text()).matchAll(/<script(?![^>]*\ssrc=)([^>]*)>/g)];
        expect(inline.length).toBeGreaterThan(0);
        for (const [, attributes] of inline) expect(attributes).toContain(`nonce="${nonce}"`);
        expect(policy).not.toContain("unsafe-eval");
        expect(policy).toContain("frame-ancestors 'none'");
        return nonce;
      }),
    );
    expect(policies[0]).not.toBe(policies[1]);
  });

  it("prevents browsers from executing API responses", async () => {
    const { headers } = await server.get("/api/conversations");
    expect(headers.get("content-security-policy")).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-powered-by")).toBeNull();
  });
});
