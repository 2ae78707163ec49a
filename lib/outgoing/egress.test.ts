import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CallRefused, createEgressPolicy, type Egress, type Lookup } from "./egress.ts";

/** Requests that reached the local server. */
let reached: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let port = 0;
/** The number of connections. */
let connections = 0;

const server = createServer((incoming, response) => {
  reached.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
  answer(incoming, response);
});
server.on("connection", () => {
  connections += 1;
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  reached = [];
  answer = (_, response) => response.end("hello");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A resolver with these addresses, one list per query. */
function names(...answers: string[][]): Lookup {
  return (_host, _options, callback) => {
    const addresses = answers.length > 1 ? answers.shift() : answers[0];
    callback(
      null,
      (addresses ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

/** Sends a request by an agent, as tools do. */
function get(egress: Egress, url: string, reuse = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: reuse ? egress.kept.http : egress.once.http }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    asked.on("error", reject);
    asked.end();
  });
}

async function refusal(result: Promise<unknown>): Promise<string> {
  const error = await result.then(
    () => null,
    (thrown) => thrown,
  );
  const refused = error instanceof TypeError ? error.cause : error;
  expect(refused).toBeInstanceOf(CallRefused);
  expect(reached).toEqual([]);
  return refused.message;
}

/** All kinds of outgoing calls. */
const LEAVE: [string, (egress: Egress, url: string) => Promise<unknown>][] = [
  ["an agent", get],
  ["an agent that keeps connections", (egress, url) => get(egress, url, true)],
  ["fetch", (egress, url) => egress.fetch(url)],
  [
    "a bare connection",
    (egress, url) => {
      const { hostname, port: to } = new URL(url);
      const socket = egress.connect(hostname.replace(/^\[(.*)\]$/, "$1"), Number(to || 80));
      return once(socket, "connect").finally(() => socket.destroy());
    },
  ],
];

describe.each(LEAVE)("Security: outgoing calls by %s", (by, leave) => {
  const privateName = names(["127.0.0.1"]);

  it("an address in the settings is called, also a private one", async () => {
    await leave(createEgressPolicy([])({ hosts: [`127.0.0.1:${port}`] }), `http://127.0.0.1:${port}/`);
    await leave(createEgressPolicy([])({ hosts: ["127.0.0.1"] }), `http://127.0.0.1:${port}/`);
    await leave(createEgressPolicy([])({ hosts: ["localhost"] }), `http://localhost:${port}/`);
  });

  it("a name that resolves to a private address is refused with a remedy, unless OBELUS_PRIVATE_HOSTS has it", async () => {
    const to = { hosts: ["crm.example"] };
    const url = `http://crm.example:${port}/`;
    expect(await refusal(leave(createEgressPolicy([], privateName)(to), url))).toBe(
      "crm.example resolves to 127.0.0.1, a private address; to allow it, add it to OBELUS_PRIVATE_HOSTS and restart",
    );
    for (const allowed of ["crm.example", "127.0.0.1", "127.0.0.0/8"])
      await leave(createEgressPolicy([allowed], privateName)(to), url);
  });

  it.each([["169.254.169.254"], ["10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["fe80::1%lo"], ["0.0.0.0"]])(
    "a name that stands for %s is refused",
    async (address) => {
      const egress = createEgressPolicy([], names([address]))({ hosts: ["rebind.example"] });
      expect(await refusal(leave(egress, `http://rebind.example:${port}/`))).toContain("a private address");
    },
  );

  it("of several addresses only allowed ones are called", async () => {
    const egress = createEgressPolicy(
      ["127.0.0.1"],
      names(["10.0.0.1", "::1", "127.0.0.1"]),
    )({ hosts: ["both.example"] });
    await leave(egress, `http://both.example:${port}/`);
  });

  it("a host that is not in the settings is refused, and so is another port, spelling or name of it", async () => {
    const egress = createEgressPolicy([], privateName)({ hosts: [`127.0.0.1:${port}`, "crm.example:1"] });
    const others = [
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://[::1]:${port}/`,
      `http://0.0.0.0:${port}/`,
      `http://127.0.0.2:${port}/`,
      `http://127.0.0.1.nip.example:${port}/`,
      `http://localhost:${port}/`,
      `http://127.0.0.1@crm.example:${port}/`,
      `http://crm.example:${port}/`,
      "http://127.0.0.1:1/",
      "http://169.254.169.254/",
    ];
    // `fetch` itself refuses URLs with credentials.
    const meant = by === "fetch" ? others.filter((url) => !url.includes("@")) : others;
    for (const url of meant) expect(await refusal(leave(egress, url))).toContain("is not an allowed host");
  });

  it("if other hosts are allowed, private ones are not, in any spelling", async () => {
    const egress = createEgressPolicy([], privateName)({ hosts: ["public.example", "127.0.0.1:1"], elsewhere: true });
    const hosts = ["127.0.0.1", "2130706433", "0x7f000001", "017700000001", "127.1", "[::ffff:127.0.0.1]", "[::1]"];
    for (const host of [...hosts, "localhost", "localhost.", "public.example", "169.254.169.254", "[64:ff9b::7f00:1]"])
      expect(await refusal(leave(egress, `http://${host}:${port}/`))).toContain("a private address");
  });
});

describe("Security: outgoing calls and DNS rebinding", () => {
  it("each new connection resolves again: a name that was public first is refused", async () => {
    const lookup = names(["127.0.0.1"], ["127.0.0.2"]);
    const egress = createEgressPolicy(["127.0.0.1"], lookup)({ hosts: ["rebind.example"] });
    expect(await get(egress, `http://rebind.example:${port}/`)).toBe(200);
    reached = [];
    expect(await refusal(get(egress, `http://rebind.example:${port}/`))).toContain("127.0.0.2");
  });

  it("a connection to an unexpected address is closed before a byte is sent", async () => {
    let looks = 0;
    // Public when resolved, private when connected.
    const shifty = Object.defineProperty({ family: 4, address: "" }, "address", {
      get: () => (looks++ === 0 ? "93.184.215.14" : "127.0.0.1"),
    });
    const lookup: Lookup = (_host, _options, callback) => callback(null, [shifty]);
    const egress = createEgressPolicy([], lookup)({ hosts: ["rebind.example"] });
    const before = connections;
    const posted = egress.fetch(`http://rebind.example:${port}/`, { method: "POST", body: "secret" });
    expect(await refusal(posted)).toContain("127.0.0.1");
    expect(connections).toBe(before + 1);
  });
});

describe("Security: redirects", () => {
  const egress = () => createEgressPolicy([])({ hosts: ["127.0.0.1", "localhost"] });
  const redirect = (status: number, location: string) => {
    answer = ({ url }, response) => {
      if (url === "/to") return response.end("there");
      return response.writeHead(status, { location }).end("moved");
    };
  };

  it("on the same server are followed, with the body if the status keeps the method", async () => {
    redirect(307, "/to");
    const response = await egress().fetch(`http://127.0.0.1:${port}/from`, { method: "POST", body: "{}" });
    expect(await response.text()).toBe("there");
    expect(reached.map((line) => line.replace(/ .*\//, " /"))).toEqual(["POST /from", "POST /to"]);
  });

  it.each([
    ["to another host, allowed or not", 307, () => `http://localhost:${port}/to`, "POST"],
    ["to the metadata of a cloud", 302, () => "http://169.254.169.254/latest", "GET"],
    ["to another port", 302, () => "http://127.0.0.1:1/", "GET"],
    ["that would lose the body", 302, () => "/to", "POST"],
  ])("%s is an answer like others", async (_, status, location, method) => {
    redirect(status, location());
    const response = await egress().fetch(`http://127.0.0.1:${port}/from`, {
      method,
      ...(method === "POST" && { body: "{}" }),
    });
    expect([response.status, await response.text(), reached.length]).toEqual([status, "moved", 1]);
  });

  it("in a loop end", async () => {
    redirect(302, "/from");
    expect((await egress().fetch(`http://127.0.0.1:${port}/from`)).status).toBe(302);
    expect(reached).toHaveLength(4);
  });
});

describe("fetch behaves as libraries expect", () => {
  const egress = createEgressPolicy([])({ hosts: ["127.0.0.1"] });
  const url = () => `http://127.0.0.1:${port}/`;

  it("sends the request and returns the response with its headers", async () => {
    answer = async (incoming, response) => {
      let body = "";
      for await (const chunk of incoming) body += chunk;
      const { "content-type": type, "content-length": length, "x-own": own } = incoming.headers;
      response.writeHead(201, { "set-cookie": ["a=1", "b=2"] }).end(JSON.stringify({ body, type, length, own }));
    };
    const body = new URLSearchParams({ code: "ä" });
    const response = await egress.fetch(new URL(url()), { method: "POST", body, headers: { "X-Own": "1" } });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
    const type = "application/x-www-form-urlencoded;charset=UTF-8";
    expect(await response.json()).toEqual({ body: "code=%C3%A4", type, length: "11", own: "1" });
  });

  it("streams a body, and closes the connection if nobody reads on", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    answer = (_, response) => {
      response.on("close", resolve);
      response.write("data: 1\n\n");
    };
    const reader = (await egress.fetch(url())).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
    await reader?.cancel();
    await closed;
  });

  it("aborts before and during the response with the signal's reason", async () => {
    const reason = new Error("enough");
    answer = (_, response) => response.write("half");
    const before = AbortSignal.abort(reason);
    await expect(egress.fetch(url(), { signal: before })).rejects.toBe(reason);
    const within = new AbortController();
    const response = await egress.fetch(url(), { signal: within.signal });
    const text = response.text();
    within.abort(reason);
    await expect(text).rejects.toBe(reason);
  });

  it("reuses a connection, also after a response without a body", async () => {
    answer = (_, response) => response.writeHead(204).end();
    const own = createEgressPolicy([])({ hosts: ["127.0.0.1"] });
    const before = connections;
    for (let time = 0; time < 10; time++) expect((await own.fetch(url())).status).toBe(204);
    // A second one, as the first was not idle yet.
    expect(connections).toBeLessThanOrEqual(before + 2);
  });

  it("fails as Node's own does", async () => {
    answer = (_, response) => response.destroy();
    const failed = egress.fetch(url());
    await expect(failed).rejects.toThrow(new TypeError("fetch failed"));
    await expect(failed.catch(({ cause }) => cause.code)).resolves.toBe("ECONNRESET");
  });
});
