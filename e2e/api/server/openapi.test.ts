import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

describe("E10: the API is described by its validation schemas", () => {
  it("describes every route there is", async () => {
    const { status, body } = await server.get("/api/openapi.json");
    expect([status, body.openapi]).toEqual([200, "3.1.0"]);
    const folder = fileURLToPath(new URL("../../../app", import.meta.url));
    const files = (await readdir(folder, { recursive: true })).filter(
      (file) => file.endsWith("route.ts") && !file.includes("[["),
    );
    const addresses = files.map((file) => `/${file.replace(/\/route\.ts$/, "").replaceAll(/\[(\w+)\]/g, "{$1}")}`);
    expect(Object.keys(body.paths).sort()).toEqual(addresses.sort());
  });

  it("is cached with an ETag", async () => {
    const first = await server.get("/api/openapi.json", { "accept-encoding": "br;q=0, gzip;q=0.5" });
    const tag = first.headers.get("etag") ?? "";
    // One for all codings.
    expect([tag, first.headers.get("content-encoding")]).toEqual([expect.stringMatching(/^W\/"\d+"$/), "gzip"]);
    for (const known of [tag, tag.replace("W/", "")])
      expect((await server.get("/api/openapi.json", { "if-none-match": known })).status).toBe(304);
  });

  it("an answer with a version that is written back is sent as it is: its ETag is strong", async () => {
    const large = { text: "x".repeat(5_000) };
    await server.send("PUT", "/api/agent-state/a/large", large);
    const { headers, body } = await server.get("/api/agent-state/a/large", { "accept-encoding": "br, gzip" });
    expect([headers.get("etag"), headers.get("content-encoding"), body]).toEqual(['"1"', null, large]);
  });

  it("describes the payload of each event type, without dangling references", async () => {
    const { body } = await server.get("/api/openapi.json");
    const { schemas } = body.components;
    expect(schemas["Payload_stage.changed"]).toMatchObject({ required: ["from", "to"], additionalProperties: false });
    const references = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name ?? "",
    );
    expect(references.length).toBeGreaterThan(50);
    for (const name of references) expect(schemas).toHaveProperty([name]);
  });

  it("Security: has each operation's permission and refusals", async () => {
    const { body } = await server.get("/api/openapi.json");
    expect(Object.keys(body.components.securitySchemes)).toEqual(["key", "cookie"]);
    const users = body.paths["/api/users"].get;
    expect(users).toMatchObject({ security: [{ key: [] }, { cookie: [] }], "x-permission": "admin" });
    expect(Object.keys(users.responses)).toEqual(["200", "401", "403", "429", "default"]);
    expect(body.paths["/api/health"].get.security).toEqual([]);
    expect(body.paths["/api/sign-in"].post.responses["401"].description).toBe("Wrong name or password.");
  });

  it("describes limits and parameters", async () => {
    const { body } = await server.get("/api/openapi.json");
    const { parameters } = body.paths["/api/conversations/{id}/events"].get;
    expect(parameters).toContainEqual({
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
    });
    expect(parameters).toContainEqual(expect.objectContaining({ name: "id", in: "path", required: true }));
  });
});

describe("E14: health and readiness", () => {
  it("answers both", async () => {
    expect(await server.get("/api/health")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await server.get("/api/ready")).toMatchObject({ status: 200, body: { status: "ready" } });
  });
});
