import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallerName } from "../api/matrix.ts";
import { addPeople, type Credentials, signIn } from "../api/people.ts";
import { withServer } from "../api/server.ts";

/** What came to the outside world, by path. */
const heard: (readonly [path: string | undefined, authorization: string | undefined])[] = [];
const outside = createServer((request, response) => {
  heard.push([request.url, request.headers.authorization]);
  response.setHeader("content-type", "application/json").end("{}");
});
let address = "";
beforeAll(async () => {
  await once(outside.listen(0, "127.0.0.1"), "listening");
  const at = outside.address();
  address = `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}`;
});
afterAll(() => void outside.close());

let callers: Map<CallerName, Credentials>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);
beforeAll(() => signIn(server.url, callers));

const SECRET = "Bearer s3cret";
const tool = (activity: object, name = "refund") => ({
  ...{ name, schema: { type: "object" } },
  activity: { type: "http", url: `${address}/refunds`, ...activity },
});
const send = (path: string, body: object, caller: CallerName) => server.post(path, body, callers.get(caller));

describe("Security: a secret header is sent where it was registered for, and nowhere else", () => {
  it("though who sees its sealed form sends that with a tool of their own", async () => {
    const registered = await send("/api/tools", tool({ headers: { Authorization: SECRET } }), "admin");
    expect(registered.status).toBe(201);
    const { body } = await server.get("/api/tools", callers.get("viewer"));
    const shown = body.items.find(({ name }: { name: string }) => name === "refund").activity.headers;
    expect(shown.Authorization).toMatch(/^sealed:/);
    const moved = [
      tool({ headers: shown, url: `${address}/echo` }),
      tool({ headers: shown, url: `${address}/refunds?to=me` }),
      tool({ headers: shown, method: "GET" }),
      tool({ headers: { "X-Other": shown.Authorization } }),
      tool({ headers: shown }, "mine"),
    ];
    for (const one of [...moved, tool({ headers: shown })]) {
      const request = { plan: [{ _tool: one.name }], tools: [one] };
      for (const path of ["/api/plans/run", "/api/plans/validate", "/api/plans/simulate"])
        expect((await send(path, request, "operator")).body).toMatchObject({ status: 403, code: "forbidden" });
    }
    for (const one of moved) {
      expect((await send("/api/plans/run", { plan: [{ _tool: one.name }], tools: [one] }, "admin")).status).toBe(400);
      expect((await send("/api/tools", one, "admin")).status).toBe(400);
    }
    expect(heard).toEqual([]);
    const own = { plan: [{ _tool: "refund" }], tools: [tool({ headers: shown })] };
    expect((await send("/api/plans/run", own, "admin")).status).toBe(202);
    await expect.poll(() => heard).toEqual([["/refunds", SECRET]]);
  });
});
